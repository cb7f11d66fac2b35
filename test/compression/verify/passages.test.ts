/** What checks make of a passage is made once, however many lines ask for it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { perPassage } from '../../../packages/core/src/compression/verify/passages.ts';
import { createSource } from '../../../packages/core/src/compression/verify/source.ts';
import { assistant, user } from '../../support/conversations.ts';

describe('what is made of a passage', () => {
  test('is made once for a source, and anew for another one', () => {
    let made = 0;
    const lengthOf = perPassage((at, source) => {
      made++;
      return source.text(at).length;
    });
    const one = createSource([user('Move it.'), assistant('Moved.')], new Set());
    const other = createSource([user('Move all of it.'), assistant('Moved.')], new Set());
    assert.deepEqual([lengthOf(0, one), lengthOf(1, one), lengthOf(0, one), lengthOf(0, other)], [8, 6, 8, 15]);
    assert.equal(made, 3);
  });
});
