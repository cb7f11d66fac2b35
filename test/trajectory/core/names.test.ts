/** What a turn names, however it is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { termsOf } from '../../../packages/core/src/compression/ledger/terms.ts';
import { namesOf } from '../../../packages/core/src/trajectory/names.ts';
import type { Speaker, Turn } from '../../../packages/core/src/trajectory/turn.ts';

const turnOf = (speaker: Speaker, text: string): Turn => ({ speaker, text, value: text, span: { start: 0, end: 0 } });

const pieces = [
  '\n',
  '\\n',
  '\\\\n',
  '\\t',
  '\\"',
  '\\',
  '"',
  ' ',
  ',',
  '12',
  '12,345',
  'src/a.ts',
  'readRows',
  'https://a.org/b',
  'x',
];
const text = fc.array(fc.constantFrom(...pieces, '名前'), { maxLength: 30 }).map((all) => all.join(''));

/** The names of a text that is read in one go. */
function namesInOne(whole: string): readonly string[] {
  const found: string[] = [];
  termsOf(whole.replace(/\\[nrt"]/g, '  '), (name) => found.push(name));
  return found;
}

test('J3 a turn names what its text names, read by its lines, and again in any other turn', () => {
  fc.assert(
    fc.property(text, text, (first, second) => {
      const texts = [first, second, first];
      const names = namesOf(
        texts.map((one) => turnOf('tool', one)),
        [1, 1, 1],
      );
      const numbers = new Map<string, number>();
      const expected = texts.map((one) => {
        const own = namesInOne(one).map((name) => {
          const number = numbers.get(name) ?? numbers.size;
          numbers.set(name, number);
          return number;
        });
        return [...new Set(own)];
      });
      assert.deepEqual(names.byTurn, expected);
      for (const line of [...first.split('\n'), second])
        assert.deepEqual(
          names.namesIn(line),
          namesInOne(line).map((name) => numbers.get(name)),
        );
    }),
  );
});
