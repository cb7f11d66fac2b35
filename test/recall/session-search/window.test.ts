/** Which stretch of a long text is shown. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { bestWindow } from '../../../packages/core/src/recall/session-search/shown-window.ts';

const pad = (characters: number): string => 'pad '.repeat(characters / 4);
const windowOf = (text: string, query: string, characters = 1_000): string => {
  const { from, to } = bestWindow(text, query, characters);
  return text.slice(from, to);
};

describe('the window of a query', () => {
  test('Q1 a text that fits is shown whole', () => {
    assert.deepEqual(bestWindow('short', 'short', 10), { from: 0, to: 5 });
  });
  test('Q1 goes to the phrase before its words, a quarter of it in front', () => {
    const text = `${pad(4_000)}code the red code red the code ${pad(4_000)}the red fox ran${pad(4_000)}`;
    const found = windowOf(text, 'the red fox');
    assert.equal(found.indexOf('the red fox'), 250);
    assert.equal(found.length, 1_000);
    assert.equal(windowOf(text, 'code "red fox"').indexOf('red fox'), 250);
  });
  test('Q1 goes to all words within 200 characters before more of them further apart', () => {
    const apart = `alpha ${pad(240)}alpha ${pad(240)}omega omega ${pad(240)}alpha `;
    const text = `${pad(4_000)}${apart}${pad(4_000)}omega ${pad(120)}alpha ${pad(4_000)}`;
    const found = windowOf(text, 'alpha omega');
    assert.match(found, /^(?:pad |ad |d | )*omega (?:pad )+alpha/);
  });
  test('Q1 goes to where most single words are where they never stand together', () => {
    const text = `${pad(4_000)}alpha ${pad(4_000)}omega ${pad(400)}omega ${pad(4_000)}`;
    assert.equal(windowOf(text, 'alpha omega').match(/omega/g)?.length, 2);
  });
  test('Q1 knows a word in another form, and Chinese words', () => {
    assert.ok(windowOf(`${pad(4_000)}we deployed it${pad(4_000)}`, 'deploying').includes('deployed'));
    assert.ok(windowOf(`${pad(4_000)}数据库迁移失败${pad(4_000)}`, '迁移').includes('迁移'));
  });
  test('Q1 without a match it is the start of the text', () => {
    assert.deepEqual(bestWindow(pad(4_000), 'zebra', 1_000), { from: 0, to: 1_000 });
  });
  test('Q1 it always lies in the text, and no query raises', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 400 }),
        fc.string({ maxLength: 30 }),
        fc.integer({ min: 1, max: 100 }),
        (text, query, characters) => {
          const { from, to } = bestWindow(text, query, characters);
          assert.ok(from >= 0 && to <= text.length);
          assert.equal(to - from, Math.min(characters, text.length));
        },
      ),
    );
  });
});
