import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from '../../packages/core/src/shared/json.ts';
import { patched } from '../../packages/core/src/shared/json-patch.ts';
import { chanceOf, oddJson } from '../support/odd-json.ts';

const patch = (text: string, after: JsonValue): string =>
  patched(text, { span: { start: 0, end: text.length }, value: JSON.parse(text) }, after);

describe('only what differs is written', () => {
  const cases: readonly [string, string, JsonValue, string][] = [
    ['nothing', '{ "a":1.0 }', { a: 1 }, '{ "a":1.0 }'],
    ['a string', '{ "a" : "x", "n":1e3 }', { a: 'y', n: 1000 }, '{ "a" : "y", "n":1e3 }'],
    ['the first member goes', '{ "a":1, "b" : 2 }', { b: 2 }, '{ "b" : 2 }'],
    ['the last member goes', '{"a":1.0 , "b":2 }', { a: 1 }, '{"a":1.0 }'],
    ['two in the middle go', '{"a":1,"b":2,"c":3, "d":4}', { a: 1, d: 4 }, '{"a":1, "d":4}'],
    ['the first two go', '{"a":1, "b":2, "c":3.0}', { c: 3 }, '{"c":3.0}'],
    ['all go', '{ "a":1,"b":2 }', {}, '{  }'],
    ['one comes', '{"a":1.0 }', { a: 1, b: [] }, '{"a":1.0,"b":[] }'],
    ['one comes into an empty object', '{ }', { b: 1 }, '{"b":1 }'],
    ['one goes and another comes', '{"a":1 }', { b: 1 }, '{"b":1 }'],
    ['one goes behind which another comes', '{"a":1.0 , "z":2 }', { a: 1, b: 3 }, '{"a":1.0,"b":3 }'],
    ['an element goes', '[ 1.0 , 2.0 , 3.0 ]', [1, 3], '[ 1.0 , 3.0 ]'],
    ['an element comes', '[ 1.0 , 2.0 ]', [1, 'n', 2], '[ 1.0 , "n" , 2.0 ]'],
    ['a list fills', '[ ]', ['n'], '[ "n"]'],
    ['a list empties', '[ 1.0 ]', [], '[  ]'],
    [
      'a text becomes a part of a list',
      '"\\u0041b"',
      [{ text: 'Ab' }, { text: 'c' }],
      '[{"text":"\\u0041b"},{"text":"c"}]',
    ],
    [
      'deep inside',
      '[{"t":"x","i":[{"n":1.0,"s":"a"}]}]',
      [{ t: 'x', i: [{ n: 1, s: 'b' }] }],
      '[{"t":"x","i":[{"n":1.0,"s":"b"}]}]',
    ],
    ['a key that is written oddly', '{"\\u0061":"x"}', { a: 'y' }, '{"\\u0061":"y"}'],
    [
      'a key that is a trap',
      '{"__proto__":{"a":1.0},"b":1}',
      JSON.parse('{"__proto__":{"a":1},"b":2}'),
      '{"__proto__":{"a":1.0},"b":2}',
    ],
  ];
  for (const [what, text, after, expected] of cases) {
    test(`K2 ${what}`, () => {
      assert.equal(patch(text, after), expected);
      assert.deepEqual(JSON.parse(patch(text, after)), after);
    });
  }
});

const value = fc
  .jsonValue({ maxDepth: 3, noUnicodeString: false })
  .map((one) => JSON.parse(JSON.stringify(one)) as JsonValue);

test('K2 a patched text says exactly what it is to say, whatever it said before', () => {
  fc.assert(
    fc.property(value, value, fc.integer(), (before, after, seed) => {
      const text = oddJson(before, chanceOf(seed)).trim();
      assert.deepEqual(JSON.parse(patch(text, after)), after);
      assert.equal(patch(text, before), text);
    }),
    { numRuns: 2_000 },
  );
});

test('K2 lists of lists with equal elements are patched in time that grows with their length', () => {
  const long = Array.from({ length: 60_000 }, (_, at) => (at % 2 === 0 ? 'same' : at));
  const text = JSON.stringify(long);
  const started = performance.now();
  assert.deepEqual(JSON.parse(patch(text, long.slice(1))), long.slice(1));
  assert.ok(performance.now() - started < 5_000);
});
