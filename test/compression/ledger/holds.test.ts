import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { holderOf } from '../../../packages/core/src/compression/ledger/holds.ts';
import { heldAmong, holdsName } from '../../../packages/core/src/compression/ledger/name-index.ts';

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

test('S8: a name is held among others where a longer one of them has it as a whole', () => {
  const isHeld = heldAmong(['src/a.ts', 'a.ts', 'a', 'b.tsx', 'b.ts']);
  assert.deepEqual(['src/a.ts', 'a.ts', 'a', 'b.ts'].map(isHeld), [false, true, true, false]);
  const name = fc.string({ unit: fc.constantFrom('a', '.', '/', '名', '\u{1f600}'), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 8 }), (names) => {
      const isHeldIn = heldAmong(names);
      for (const one of names)
        assert.equal(
          isHeldIn(one),
          names.some((other) => other.length > one.length && holdsName(other, one)),
        );
    }),
  );
});
