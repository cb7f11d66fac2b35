import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  mostJsonChars,
  mostJsonDepth,
  readStrictJson,
  repeatsNames,
} from '../../packages/core/src/shared/json-strict.ts';

const problemOf = (given: string | Uint8Array): string | undefined => {
  const read = readStrictJson(given);
  return 'problem' in read ? read.problem : undefined;
};
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

describe('what is passed on byte for byte', () => {
  const good = [
    '{}',
    ' {"a" : [1.0, 1e3, -0, 12345678901234567890, "\\u0041\\/\\ud83d\\ude42"] }\r\n',
    '{"half of a pair, escaped": "\\ud83d"}',
    '{"__proto__": {"isAdmin": true}, "constructor": 1}',
    '{"a": 1, "a": 2}',
    '"text"',
    'null',
    '[]',
    `${'['.repeat(mostJsonDepth)}${']'.repeat(mostJsonDepth)}`,
    '["a bracket in a string: [[[[ \\" {{{"]',
  ];
  for (const text of good) {
    test(`K2 is read: ${text.slice(0, 40)}`, () => {
      const read = readStrictJson(text);
      assert.ok('value' in read, JSON.stringify(read));
      assert.deepEqual(read.value, JSON.parse(text));
      const same = readStrictJson(new TextEncoder().encode(text));
      assert.deepEqual(same, read);
    });
  }

  test('K2 a member called __proto__ is a member and no prototype', () => {
    const read = readStrictJson('{"__proto__": {"isAdmin": true}}');
    assert.ok('value' in read);
    assert.deepEqual(Object.keys(Object(read.value)), ['__proto__']);
    assert.equal(Reflect.get(Object(read.value), 'isAdmin'), undefined);
  });
});

describe('what is refused', () => {
  const bad: readonly [string, string | Uint8Array, RegExp][] = [
    ['nothing', '', /something else/],
    ['a cut text', '{"a":"secret', /something else/],
    ['what stands behind the value', '{} {}', /something else at position 3/],
    ['a comma too many', '[1,]', /something else/],
    ['single quotes', "{'a':1}", /something else/],
    ['a number with a leading zero', '[01]', /something else/],
    ['a number with a plus', '[+1]', /something else/],
    ['NaN', '[NaN]', /something else/],
    ['a line break inside a string', '["a\nb"]', /something else/],
    ['an escape that is none', '["\\x41"]', /something else/],
    ['white space that JSON does not have', '[\u00a0]', /something else/],
    ['a byte order mark', '\ufeff{}', /byte order mark/],
    ['the bytes of a byte order mark', bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d), /byte order mark/],
    ['bytes that are no UTF-8', bytes(0x22, 0xff, 0x22), /no UTF-8/],
    ['the bytes of half a surrogate pair', bytes(0x22, 0xed, 0xa0, 0x80, 0x22), /no UTF-8/],
    ['an overlong encoding', bytes(0x22, 0xc0, 0x80, 0x22), /no UTF-8/],
    ['half a surrogate pair in a text', '"\ud83d"', /surrogate/],
    ['lists in lists without end', '['.repeat(1_000_000), /deeper than 512/],
    ['objects in objects, one too deep', `${'{"a":'.repeat(513)}1${'}'.repeat(513)}`, /deeper than 512/],
    ['more than the limit', ' '.repeat(mostJsonChars + 1), /more than/],
  ];
  for (const [what, given, problem] of bad) {
    test(`K2 ${what}`, () => {
      const found = problemOf(given);
      assert.match(String(found), problem);
      assert.doesNotMatch(String(found), /secret/);
    });
  }
});

test('K2 a text is read as JSON.parse reads it, or not at all', () => {
  const nearJson = fc.stringMatching(/^[[\]{}",:\\ud0-9eE+.\-a-f \n]{0,40}$/);
  fc.assert(
    fc.property(fc.oneof(nearJson, fc.json(), fc.string()), (text) => {
      const read = readStrictJson(text);
      if ('value' in read) assert.deepEqual(read.value, JSON.parse(text));
      else assert.throws(() => (text.isWellFormed() ? JSON.parse(text) : JSON.parse('')));
    }),
    { numRuns: 2_000 },
  );
});

test('K2 two members with one name are found at any depth, whatever way the name is written', () => {
  const repeats = (text: string): boolean => repeatsNames(text, { start: 0, end: text.length }, JSON.parse(text));
  for (const text of [
    '{"a":1,"a":1}',
    '[{"b":[{"a":1,"\\u0061":2}]}]',
    '{"__proto__":1,"__proto__":2}',
    '{"":0,"":0}',
  ]) {
    assert.equal(repeats(text), true, text);
  }
  for (const text of ['{"a":{"a":1},"b":[{"a":1},{"a":":"}]}', '[]', '"a:b:\\":"', '{"a":"\\\\","b":"\\\\\\":"}']) {
    assert.equal(repeats(text), false, text);
  }
  fc.assert(
    fc.property(fc.json(), (text) => assert.equal(repeats(text), false)),
    { numRuns: 300 },
  );
});
