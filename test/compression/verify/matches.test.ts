import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesIn } from '../../../packages/core/src/compression/verify/words/matches.ts';

const texts = ['', 'it works', 'works, and works again', 'nothing of the kind', '已完成 👍 works', 'WORKS'];
const expressions = [/works/gi, /(?<what>w)orks/dgu, /\b/g, /完成/gu, /never said/g];

test('S9: finds what matchAll finds, however often and in whatever order it is asked', () => {
  for (const words of [...expressions, ...expressions.toReversed()])
    for (const text of texts) {
      const found = [...matchesIn(text, words)];
      assert.deepEqual(found, [...text.matchAll(words)]);
      assert.deepEqual([...matchesIn(text, words)], found);
      assert.equal(words.lastIndex, 0);
    }
});

test('S9: copies no expression that matches nothing', () => {
  let copies = 0;
  class Watched extends RegExp {
    override [Symbol.matchAll](text: string): RegExpStringIterator<RegExpExecArray> {
      copies++;
      return super[Symbol.matchAll](text);
    }
  }
  const words = new Watched('works', 'g');
  assert.deepEqual([...matchesIn('it is done', words)], []);
  assert.equal(copies, 0);
  assert.equal([...matchesIn('it works', words)].length, 1);
  assert.equal(copies, 1);
});
