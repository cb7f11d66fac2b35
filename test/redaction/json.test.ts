import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { diceOf } from '../../bench/invented-texts.ts';
import { redactJsonText, redactValue } from '../../packages/core/src/redaction/json.ts';
import { parseJson } from '../../packages/core/src/shared/json.ts';
import { placeSamples } from './place-samples.ts';
import { secretOf } from './secret-samples.ts';

const dice = diceOf(5);
const token = secretOf('ghp_{a36}', dice);
const secret = fc.constantFrom(...placeSamples).map(({ form, write }) => write(secretOf(form, diceOf(form.length))));
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    secret,
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('password', 'api_key', 'name', 'value', 'command'), fc.string()),
      tie('any'),
    ),
  ),
})).any;

describe('JSON', () => {
  test('S6: what was JSON stays JSON, whatever is masked in it', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (one, indent) => {
        const text = JSON.stringify(one, null, indent);
        const clean = redactJsonText(text);
        assert.notEqual(parseJson(clean), undefined, clean);
        assert.equal(redactJsonText(clean), clean);
      }),
      { numRuns: 800 },
    );
  });

  test('S6: white space, order and numbers stay as they were written', () => {
    const text = `{ "b" : 1.0,\n  "a" : "push with \\"${token}\\"", "n": 12345678901234567890 }`;
    const clean = redactJsonText(text);
    assert.match(
      clean,
      /^\{ "b" : 1\.0,\n {2}"a" : "push with \\"\[REDACTED:github-token:[0-9a-f]{4}\]\\"", "n": 12345678901234567890 \}$/,
    );
  });

  test('S6: a secret behind an escape, in an escape, or in JSON within JSON is masked', () => {
    const inner = JSON.stringify({ password: 'Tr0ub"4\\dor!' });
    for (const text of [
      JSON.stringify({ command: `cd app\n${token}` }),
      `{"command":"\\u0067${token.slice(1)}"}`,
      JSON.stringify({ body: inner }),
      JSON.stringify({ body: JSON.stringify({ body: inner }) }),
    ]) {
      const clean = redactJsonText(text);
      assert.ok(!clean.includes(token.slice(4)) && !clean.includes('Tr0ub'), clean);
      assert.notEqual(parseJson(clean), undefined);
    }
  });

  test('S6: a key tells what its value is, also as a number and as an entry with name and value', () => {
    const clean = JSON.stringify(redactValue({ password: 'letmein7', user: 'bob' }));
    assert.match(clean, /^\{"password":"\[REDACTED:secret:[0-9a-f]{4}\]","user":"bob"\}$/);
    assert.match(redactJsonText('{"password": 48151623}'), /^\{"password": "\[REDACTED:secret:[0-9a-f]{4}\]"\}$/);
    assert.match(JSON.stringify(redactValue({ name: 'DB_PASSWORD', value: 'letmein7' })), /"value":"\[REDACTED/);
  });

  test('S6: nothing found gives the very same text and value back', () => {
    const one = { command: 'npm test\n', limit: 5, paths: ['src/token.ts'] };
    assert.equal(redactValue(one), one);
    const text = JSON.stringify(one);
    assert.equal(redactJsonText(text), text);
  });

  test('S6: broken JSON is redacted as a text', () => {
    assert.match(
      redactJsonText(`{"command": "push ${token}`),
      /^\{"command": "push \[REDACTED:github-token:[0-9a-f]{4}\]$/,
    );
  });
});
