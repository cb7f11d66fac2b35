/** What the screen of a conversation shows of single events. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '../../packages/palimpsest/src/agent/events.ts';
import { createScreen } from '../../packages/palimpsest/src/cli/chat/screen.ts';
import { endLines } from '../../packages/palimpsest/src/cli/chat/show-event.ts';
import { consoleInTest } from '../support/terminal/console-in-test.ts';

const call = (id: string, command: string): AgentEvent => ({
  type: 'tool_call',
  id,
  name: 'terminal',
  input: { command },
});
const result = (id: string, text: string): AgentEvent => ({
  type: 'tool_result',
  id,
  name: 'terminal',
  isError: false,
  text,
});

test('K1: of calls that run side by side each result says whose it is, and the sign of work names one that still runs', () => {
  const t = consoleInTest({ rows: 20 });
  const { show } = createScreen(t.console);
  show(call('1', 'npm test'));
  show(call('2', 'npm run lint'));
  show(result('2', 'clean'));
  assert.match(t.shown(), /● terminal npm run lint\n {2}└ clean\n[\s\S]*running terminal/);
  show(result('1', '12 pass'));
  const shown = t.shown();
  assert.match(shown, / {2}└ terminal npm test: 12 pass\n/);
  assert.match(shown, /thinking/);
});

test('K1: a notice that comes while an answer is written stands behind the text, whatever ends it', () => {
  const message = 'This session was compressed 3 times.';
  const notice: AgentEvent = { type: 'notice', notice: { type: 'accuracy', level: 'warn', message } as never };
  for (const end of [{ type: 'text_end' }, { type: 'turn_end', end: { reason: 'done' } }] as readonly AgentEvent[]) {
    const t = consoleInTest({ rows: 20 });
    const { show } = createScreen(t.console);
    show({ type: 'text', text: 'one\ntwo' });
    show(notice);
    show({ type: 'text', text: '\nthree' });
    assert.doesNotMatch(t.shown(), /compressed 3 times/);
    show(end);
    assert.match(t.shown(), /one\ntwo\nthree\n+! This session was compressed 3 times\./);
    show(notice);
    assert.equal(t.shown().match(/compressed 3 times/g)?.length, 2);
  }
});

test('K1: a long request is shown by its beginning, and a short one whole', () => {
  const t = consoleInTest({ rows: 50 });
  const { show } = createScreen(t.console);
  const text = Array.from({ length: 5_000 }, (_, at) => `line ${at}`).join('\n');
  show({ type: 'request', kind: 'send', text });
  show({ type: 'request', kind: 'steer', text: 'Stop.' });
  t.shown();
  const all = t.output.screen.all().join('\n');
  assert.match(all, /> line 19\n {2}… and 4,980 lines more\n> Stop\./);
  assert.doesNotMatch(all, /line 20\n/);
});

test('F1: what failed for good is told with the way to ask again, whatever else there is to do', () => {
  const message = `JSON parsing failed: ${'x'.repeat(5_000)}`;
  const lines = endLines({ reason: 'failed', message, advice: 'Wait a little.', error: new Error(message) });
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  assert.match(text, /Wait a little\. \/retry sends the request again\./);
  assert.ok(text.length < 1_000);
});
