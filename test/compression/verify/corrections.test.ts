/** True lines and false ones, in seven languages, by somebody who had not seen the rules of the verifier. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fromOpenAiChat, type Message, verifySummary } from '../../../src/index.ts';
import { wordsOutside } from './only-the-records-words.ts';

interface Case {
  readonly id: string;
  readonly class: string;
  readonly messages: Parameters<typeof fromOpenAiChat>[0];
  readonly heading: string;
  readonly line: string;
  readonly truth: 'true' | 'false';
  /** In no text that is made of the line. */
  readonly mustNotContain: readonly string[];
}

const file = join(import.meta.dirname, '../../fixtures/verify/corrections.jsonl');
// Written for this test, one case a line.
const cases = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

interface Judged extends Case {
  readonly list: readonly Message[];
  readonly summary: string;
  readonly text: string;
  readonly stands: boolean;
}

const judged = [true, false].map((add) =>
  cases.map((one): Judged => {
    const list = fromOpenAiChat(one.messages);
    const summary = `## ${one.heading}\n- ${one.line}`;
    const { text } = verifySummary(summary, list, { add });
    return { ...one, list, summary, text, stands: text.split('\n').includes(`- ${one.line}`) };
  }),
);

for (const [at, all] of judged.entries())
  describe(at === 0 ? 'with what is missing' : 'without what is missing', () => {
    const count = (truth: Case['truth'], stands: boolean, name?: string): number =>
      all.filter((one) => one.truth === truth && one.stands === stands && (name === undefined || one.class === name))
        .length;

    test('S9: of 91 true lines at least 87 stand, word for word', () => {
      assert.equal(count('true', true) + count('true', false), 91);
      assert.ok(count('true', true) >= 87, `${count('true', true)} stand`);
    });

    test('S9: of 103 false lines at least 62 go', () => {
      assert.equal(count('false', true) + count('false', false), 103);
      assert.ok(count('false', false) >= 62, `${count('false', false)} go`);
    });

    for (const [name, least] of [
      ['approvals', 12],
      ['negation', 9],
      ['order_timing', 9],
      ['questions', 8],
      ['requests', 9],
      ['run_rows', 5],
      ['status_false', 7],
      ['numbers_names', 3],
    ] as const)
      test(`S9: of the false lines about ${name} at least ${least} go`, () => {
        assert.ok(count('false', false, name) >= least, `${count('false', false, name)} go`);
      });

    test('S9: no line is turned into its opposite, or into another falsehood', () => {
      const turned = all.filter(
        ({ truth, stands, text, mustNotContain }) =>
          (truth === 'true' || !stands) && mustNotContain.some((words) => text.includes(words)),
      );
      assert.deepEqual(
        turned.map(({ id, text }) => `${id}: ${text}`),
        [],
      );
    });

    test('S9: what stands there afterwards is the summary’s own or the record’s, sentence by sentence', () => {
      for (const { id, summary, text, list } of all) assert.deepEqual(wordsOutside(text, summary, list), [], id);
    });
  });
