import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexesOf } from '../../packages/core/src/recall/refs.ts';
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';

test('A6 refs are read with any blanks between them, and refused where they are longer than a person or a model writes', () => {
  assert.deepEqual(indexesOf(`m3${' '.repeat(19_000)}-\n m5, m5`, 9), [2, 3, 4]);
  assert.deepEqual(indexesOf('m1-m9 '.repeat(3_000), 9), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.throws(
    () => indexesOf('m1 '.repeat(7_000), 9),
    (error) => PalimpsestError.isInstance(error) && error.code === 'BAD_OPTION' && /at most 20000/.test(error.message),
  );
});
