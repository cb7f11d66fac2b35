/** Settings in JSON with comments: one value is set, and everything else stays byte for byte. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { connectText, disconnectText } from '../../packages/palimpsest/src/clients/connection.ts';
import { jsonEditor } from '../../packages/palimpsest/src/clients/edit-json.ts';

const path = ['env', 'ANTHROPIC_BASE_URL'];
const value = 'http://127.0.0.1:4780';
const edits = [{ path, value }];

const cases: readonly (readonly [what: string, before: string, after: string])[] = [
  ['makes a whole file of an empty one', '', `{\n  "env": {\n    "ANTHROPIC_BASE_URL": "${value}"\n  }\n}\n`],
  ['fills an empty object', '{}', `{\n  "env": {\n    "ANTHROPIC_BASE_URL": "${value}"\n  }\n}`],
  [
    'stands behind the last key and what is said about it',
    '{\n  // one\n  "model": "opus" // the best\n}\n',
    `{\n  // one\n  "model": "opus", // the best\n  "env": {\n    "ANTHROPIC_BASE_URL": "${value}"\n  }\n}\n`,
  ],
  [
    'keeps a comma at the end where there was one',
    '{\n\t"env": {\n\t\t"A": "1", /* a */\n\t},\n}\n',
    `{\n\t"env": {\n\t\t"A": "1", /* a */\n\t\t"ANTHROPIC_BASE_URL": "${value}",\n\t},\n}\n`,
  ],
  ['stays in one line', '{"env":{"A":"1"}}', `{"env":{"A":"1", "ANTHROPIC_BASE_URL": "${value}"}}`],
  [
    'replaces the value alone',
    '{ "env": { "ANTHROPIC_BASE_URL" :  "https://other.example" /* ours */ } }',
    `{ "env": { "ANTHROPIC_BASE_URL" :  "${value}" /* ours */ } }`,
  ],
  [
    'keeps the line ends and the mark of Windows',
    '\uFEFF{\r\n    "model": "opus"\r\n}\r\n',
    `\uFEFF{\r\n    "model": "opus",\r\n    "env": {\r\n        "ANTHROPIC_BASE_URL": "${value}"\r\n    }\r\n}\r\n`,
  ],
  [
    'keeps a comment in an object that holds nothing else',
    '{\n  "env": {\n    // keys go here\n  }\n}\n',
    `{\n  "env": {\n    // keys go here\n    "ANTHROPIC_BASE_URL": "${value}"\n  }\n}\n`,
  ],
];

for (const [what, before, after] of cases) {
  test(`K2 a value in JSON ${what}`, () => {
    const connected = connectText({ text: before }, edits, jsonEditor);
    assert.equal(connected.text, after);
    assert.equal(jsonEditor.read(connected.text, path), value);
  });

  test(`K2 and is taken out again: ${what}`, () => {
    const connected = connectText({ text: before }, edits, jsonEditor);
    const { text, left } = disconnectText(connected.text, connected.edits, jsonEditor);
    assert.deepEqual(left, []);
    // Made of nothing, a file stays one object; what was in one object stays as it was.
    const empty = /^\{?\}?$/.test(before);
    assert.equal(empty ? text.replaceAll(/\s/g, '') : text, empty ? '{}' : before);
  });
}

for (const [what, text] of [
  ['a value without a name', '{\n  "env"\n}'],
  ['an object that does not end', '{ "env": { '],
  ['words of a person', 'model = "opus"'],
  ['a list', '[1]'],
  ['something behind the object', '{} {}'],
  ['a list where keys have to go', '{ "env": [] }'],
  ['a number for an address', '{ "env": { "ANTHROPIC_BASE_URL": 5 } }'],
  ['more levels than any settings have', `${'['.repeat(200)}${']'.repeat(200)}`],
] as const) {
  test(`K2 JSON that is ${what} is refused with its line`, () => {
    assert.throws(() => connectText({ text: text }, edits, jsonEditor), {
      code: 'BAD_CONFIG',
      message: /^line \d+: expected/,
    });
  });
}

test('K2 what a key of a provider is never stands in the error about its file', () => {
  const text = '{ "env": { "ANTHROPIC_AUTH_TOKEN": "sk-secret" "B": 1 } }';
  assert.throws(
    () => connectText({ text: text }, edits, jsonEditor),
    ({ message }: Error) => !message.includes('sk-secret'),
  );
});

test('K2 of two keys with one name the last one is set, which is the one that counts', () => {
  const { text } = connectText(
    { text: '{"env":{"ANTHROPIC_BASE_URL":"a","ANTHROPIC_BASE_URL":"b"}}' },
    edits,
    jsonEditor,
  );
  assert.equal(JSON.parse(text).env.ANTHROPIC_BASE_URL, value);
});

test('K2 setting a value in any JSON changes that value alone, and taking it out gives the same content', () => {
  const content = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  const env = fc.option(fc.dictionary(fc.string(), fc.string(), { maxKeys: 4 }), { nil: undefined });
  const indent = fc.constantFrom(undefined, 2, 4, '\t');
  fc.assert(
    fc.property(content, env, indent, (rest, variables, unit) => {
      const { env: _other, ...others } = rest;
      const before = { ...others, ...(variables === undefined ? {} : { env: variables }) };
      const text = JSON.stringify(before, null, unit);
      const connected = connectText({ text: text }, edits, jsonEditor);
      const expected = { ...before, env: { ...variables, ANTHROPIC_BASE_URL: value } };
      assert.deepEqual(JSON.parse(connected.text), JSON.parse(JSON.stringify(expected)));
      const back = disconnectText(connected.text, connected.edits, jsonEditor).text;
      assert.deepEqual(JSON.parse(back), JSON.parse(text));
    }),
  );
});
