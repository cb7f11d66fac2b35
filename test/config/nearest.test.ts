import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../packages/core/src/shared/options/schema.ts';

test('C4: a mistyped name has a near one, and a text that is no name has none', () => {
  assert.equal(nearest('compresion', ['compression', 'output']), 'compression');
  assert.equal(nearest('x'.repeat(200), ['compression']), undefined);
  // Spaces do not count in names, so that this one would be near.
  assert.equal(nearest(`compression${' '.repeat(1_000_000)}`, ['compression']), undefined);
});
