/** Nothing stands twice in a handoff, and its index stays small: over invented conversations and real ones. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readRows } from '../../../packages/core/src/compression/handoff-rows.ts';
import { ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { spokenIn } from '../../../packages/core/src/compression/ledger/lines.ts';
import { estimateTextTokens } from '../../../packages/core/src/tokens/estimate.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { conversations } from '../../support/conversations.ts';
import { agent, person, ran } from './session.ts';

const handoffOf = (messages: readonly Message[], budgetTokens: number): string =>
  ledgerOf(messages, { count: estimateTextTokens }).handoff({ budgetTokens }).body;

/** Shorter texts are said often, and mean something else each time. */
const leastChars = 12;
const normalised = (text: string): string =>
  text
    .replace(/\*\*|…$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** What stands twice: sentences of the assistant, and rows of everybody but a person, who may say the same again. */
function twiceIn(body: string): readonly string[] {
  const seen = new Set<string>();
  const twice: string[] = [];
  for (const { speaker, text } of readRows(body)) {
    if (speaker === 'person') continue;
    const said = speaker === 'assistant' ? spokenIn(agent(text)) : [text];
    for (const one of said.map(normalised).filter(({ length }) => length >= leastChars)) {
      if (seen.has(one)) twice.push(one);
      seen.add(one);
    }
  }
  return twice;
}

const indexTokens = (body: string): number => {
  const at = body.indexOf('## Index of Names\n');
  return at < 0 ? 0 : estimateTextTokens(body.slice(at));
};

describe('S10: in a handoff', () => {
  test('no line stands twice, and the index has at most 6 % of the tokens, in any conversation', () => {
    fc.assert(
      fc.property(conversations({ maxSteps: 30 }), fc.integer({ min: 300, max: 8_000 }), (messages, budget) => {
        const body = handoffOf(messages, budget);
        assert.deepEqual(twiceIn(body), [], body);
        assert.ok(indexTokens(body) <= budget * 0.06, `${indexTokens(body)} of ${budget}\n${body}`);
      }),
      { numRuns: 40 },
    );
  });

  const sessions = new URL('../../fixtures/sessions/', import.meta.url);
  for (const name of readdirSync(sessions).filter((file) => /\.jsonl?$/.test(file)))
    test(`no line stands twice, and the index is small: ${name}`, async () => {
      const { transcripts } = await readTranscripts(readFileSync(new URL(name, sessions)));
      for (const { messages } of transcripts)
        for (const budget of [1_000, 3_000, 8_000]) {
          const body = handoffOf(messages, budget);
          assert.deepEqual(twiceIn(body), [], body);
          assert.ok(indexTokens(body) <= budget * 0.06, `${indexTokens(body)} of ${budget}`);
        }
    });

  const logs = new URL('../../../../shared/data/transcripts/', import.meta.url);
  const skip = existsSync(logs) ? false : 'the folder with real logs is not here';
  test('no line stands twice, and the index is small, in real logs', { skip }, async () => {
    const names = readdirSync(logs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
    for (const name of names.sort().filter((_, at) => at % 3 === 0)) {
      const { transcripts } = await readTranscripts(gunzipSync(readFileSync(new URL(name, logs))));
      for (const { messages } of transcripts.slice(0, 1)) {
        const body = handoffOf(messages, 3_000);
        assert.deepEqual(twiceIn(body), [], name);
        assert.ok(indexTokens(body) <= 180, `${name}: ${indexTokens(body)}`);
      }
    }
  });

  test('a sentence that ended two turns stands where it ended the last', () => {
    const turn = (name: string): readonly Message[] => [
      person(`Please rename ${name} everywhere.`),
      ...ran({ name: 'bash', input: { command: `rename ${name}` }, result: `${name} renamed` }),
      agent('All tests pass and the linter is content.'),
    ];
    const body = handoffOf([...turn('first_name'), ...turn('second_name'), person('Thanks. What is left?')], 800);
    assert.equal(body.split('All tests pass').length, 2, body);
    assert.match(body, /second_name everywhere\.\n(?: .*\n)*? → m8 assistant: All tests pass/);
  });

  test('what the assistant said of a file that also ended the turn stands there alone', () => {
    const said = 'The reader takes both forms of the key now.';
    const [call, result] = ran({
      name: 'Edit',
      input: { file_path: 'src/keys.ts', old_string: 'a', new_string: 'b' },
      result: 'done',
    });
    assert.ok(call && result);
    const messages = [
      person('Make the reader take both forms.'),
      { ...call, parts: [{ type: 'text', text: said } as const, ...call.parts] },
      result,
      person('And now the writer, please.'),
    ];
    const body = handoffOf(messages, 800);
    assert.match(body, /^m2 assistant: The reader takes both forms/m);
    assert.equal(body.split(said).length, 2, body);
    assert.match(body, /^m2 changed src\/keys\.ts$/m);
  });
});
