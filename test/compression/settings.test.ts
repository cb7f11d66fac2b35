import assert from 'node:assert/strict';
import test from 'node:test';
import { planBoundaries } from '../../packages/core/src/compression/boundaries.ts';
import { compress } from '../../packages/core/src/compression/compress.ts';
import { prune } from '../../packages/core/src/compression/prune/prune.ts';
import { resolveCompressionConfig } from '../../packages/core/src/context/resolve-settings.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { resultText, toolResults } from '../../packages/core/src/transcript/text.ts';

const tokenizer = {
  name: 'characters by four',
  exact: false,
  count: (text: string): number => Math.ceil(text.length / 4),
};
const tokensOf = (message: Message): number => tokenizer.count(JSON.stringify(message.parts));

function step(id: number, output: string): readonly Message[] {
  const callId = `c${id}`;
  return [
    {
      role: 'assistant',
      parts: [{ type: 'toolCall', callId, name: 'bash', input: `{"command":"run ${id}"}`, inputType: 'json' }],
    },
    { role: 'tool', parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text: output }] }] },
  ];
}

const asked: Message = { role: 'user', parts: [{ type: 'text', text: 'Run everything.' }] };
const numbers = [...Array(40).keys()];

test('P2: head_tail keeps as many characters at both ends as the settings say', () => {
  const { headTail } = resolveCompressionConfig({ headTail: { headChars: 30, tailChars: 10, minChars: 100 } });
  const list = [
    asked,
    ...step(1, `${'a'.repeat(200)}${'z'.repeat(200)}`),
    ...numbers.flatMap((n) => step(n + 2, 'ok')),
  ];
  const options = { refOf: () => 'm1', tokensOf, tailTokens: 100, minMessages: 2, mode: 'head_tail' as const };
  const [old] = toolResults(prune(list, { ...options, headTail }).messages[2] ?? asked);
  assert.match(old ? resultText(old) : '', /^a{30}\n\[… 360 chars cut .*\]\nz{10}$/);
  assert.equal(prune(list, options).messages[2], list[2], 'by default, 400 characters stay whole');
});

test('B2: the tail may overshoot its budget as far as the settings say', () => {
  const list = [asked, ...numbers.flatMap((n) => step(n, 'x'.repeat(900))), ...step(99, 'x'.repeat(5_000))];
  const startAt = (ceilingRatio: number): number => {
    const cut = planBoundaries(list, { tokensOf, tailTokens: 2_000, protectLastN: 60, ceilingRatio, force: true });
    return cut.type === 'cut' ? cut.tailStart : -1;
  };
  assert.ok(startAt(1.1) > startAt(2), `${startAt(1.1)} ${startAt(2)}`);
  assert.ok(startAt(2) > startAt(4), `${startAt(2)} ${startAt(4)}`);
});

test('S5: the topic gets the share of the handoff that the settings say', async () => {
  const outputs = [...Array(160).keys()].map((n) =>
    n % 2 ? `cacheKey${n} of the cache is stale` : `routeTable${n} of the router is empty`,
  );
  const list = [asked, ...outputs.flatMap((output, n) => step(n, `${output}\n${'row '.repeat(60)}${n}`))];
  const linesAbout = async (focusShare: number): Promise<number> => {
    const config = resolveCompressionConfig({ summary: { focusShare } });
    const { handoff } = await compress(list, { tokenizer, targetTokens: 900, focusTopic: 'cache', config });
    return handoff?.lines.filter(({ text }) => text.includes('cacheKey')).length ?? 0;
  };
  const [much, none] = [await linesAbout(0.9), await linesAbout(0)];
  assert.ok(much > none, `${much} ${none}`);
});
