import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCopies, frozenCopy } from '../../packages/core/src/compression/guard/copies.ts';

const isFrozenAll = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozenAll));

test('E3 an engine is shown equal copies of any JSON, frozen to the last field', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copy = frozenCopy(value);
      assert.equal(JSON.stringify(copy), JSON.stringify(value));
      assert.ok(isFrozenAll(copy));
    }),
  );
});

test('E3 a copy survives keys that mean something to JavaScript, depth, circles and bytes', () => {
  const tricky: unknown = JSON.parse('{"__proto__":{"admin":true},"constructor":1,"a":[null,{"toString":2}]}');
  const copy = frozenCopy(tricky);
  assert.equal(JSON.stringify(copy), JSON.stringify(tricky));
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
  let deep: unknown = 'end';
  for (let depth = 0; depth < 50_000; depth++) deep = [deep];
  assert.ok(Object.isFrozen(frozenCopy(deep)));
  const circle: unknown[] = [];
  circle.push(circle);
  const round = frozenCopy(circle);
  assert.equal(round[0], round);
  const bytes = { data: new Uint8Array([1, 2]) };
  const shown = frozenCopy(bytes);
  shown.data[0] = 9;
  assert.equal(bytes.data[0], 1);
});

test('E3 a message always has the same copy, and is known by it', () => {
  const copies = createCopies<{ role: string }>();
  const message = { role: 'user' };
  const [copy] = copies.shown([message]);
  assert.equal(copies.shown([message, { role: 'user' }])[0], copy);
  assert.equal(copies.original(copy), message);
  assert.equal(copies.original({ role: 'user' }), undefined);
  assert.throws(() => Object.assign(copy ?? {}, { role: 'system' }), TypeError);
});
