/**
 * Passwords of plain words, in fields under compound names and in sentences, and what else stands there. Each line of the
 * file is JSON written backwards, as in `written-blind.txt`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { redact } from '../../packages/core/src/redaction/redact.ts';

interface Sample {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  /** None of a text that stays as it is. */
  readonly secrets: readonly string[];
}

const samples: readonly Sample[] = readFileSync(join(import.meta.dirname, 'plain-words.txt'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse([...line].reverse().join('')));

for (const [kind, name] of [
  ['fields', 'fields under compound names'],
  ['told', 'sentences and answers'],
]) {
  describe(`S6: ${name}`, () => {
    const own = samples.filter((one) => one.kind === kind);

    test('S6: a password of plain words is masked', () => {
      const leaks = own.filter(({ text, secrets }) => secrets.some((secret) => redact(text).includes(secret)));
      assert.deepEqual(leaks, []);
    });

    test('S6: what is said of a password, asked for or put in its place stays', () => {
      const changed = own.filter(({ text, secrets }) => secrets.length === 0 && redact(text) !== text);
      assert.deepEqual(changed, []);
    });
  });
}
