import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { holderOf } from '../../../packages/core/src/compression/ledger/holds.ts';

// Few signs, so that many texts are held, and some that only share their signs.
const some = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b', '.', '名', '\u{1f600}'), maxLength });

test('S8: a long text holds exactly what stands in it', () => {
  fc.assert(
    fc.property(some(60), fc.array(some(6)), (text, parts) => {
      const holds = holderOf(text);
      for (const part of parts) assert.equal(holds(part), text.includes(part));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat(), (text, from, length) => {
      assert.ok(holderOf(text)(text.slice(from % (text.length + 1)).slice(0, length)));
    }),
  );
});

test('S8: a text of other signs is ruled out, whatever its length', () => {
  const holds = holderOf('const lanternTide = readCustoms();');
  assert.ok(!holds('lanternTides') && !holds('readcustoms') && holds('lanternTide') && holds('='));
});
