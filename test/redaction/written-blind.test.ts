/**
 * Credentials and harmless texts that somebody invented who had not seen the rules. Each line of the file is JSON written
 * backwards, so that no scanner takes the file for what it holds.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { redact, redactPiece } from '../../packages/core/src/redaction/redact.ts';

interface Sample {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  /** What must not stand in the masked text; none of a harmless text. */
  readonly secrets: readonly string[];
}

const samples: readonly Sample[] = readFileSync(join(import.meta.dirname, 'written-blind.txt'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse([...line].reverse().join('')));
const credentials = samples.filter(({ secrets }) => secrets.length > 0);
const harmless = samples.filter(({ secrets }) => secrets.length === 0);

/** Only the place in a call, a whole sentence, or the words around tell of these: rules for them would mask ordinary text. */
const knownToPass = [
  ...['c214', 'c271', 'c403', 'c532', 'c552', 'c376', 'c470', 'c514', 'c577', 'c585', 'c756', 'd-prose-015'],
  ...['ce-077', 'ce-112', 'ce-115'],
];

test('S6: of 1,630 cases written blind all but 15 that are known lose every credential', () => {
  assert.equal(credentials.length, 1_630);
  const leaking = credentials.filter(({ text, secrets }) => {
    const clean = redact(text);
    return secrets.some((secret) => clean.includes(secret));
  });
  assert.deepEqual(
    leaking.map(({ id }) => id),
    knownToPass,
  );
});

test('S6: 970 harmless texts written blind stay as they are', () => {
  assert.equal(harmless.length, 970);
  for (const { id, text } of harmless) assert.equal(redact(text), text, id);
});

test('S6: what was masked is not masked again, and a piece that is the whole is masked alike', () => {
  for (const { id, text } of samples) {
    const clean = redact(text);
    assert.equal(redact(clean), clean, id);
    assert.equal(redactPiece(text, { start: 0, end: text.length }).text, clean, id);
  }
});

test('S6: a row of a table is masked where its head stands far in front of it', () => {
  const rows = Array.from({ length: 8_000 }, (_, row) => `user${row},lavender${row % 7}field,admin\n`).join('');
  const text = `Accounts\n\nuser,password,role\n${rows}`;
  assert.ok(!redact(text).includes('lavender'));
  const piece = redactPiece(text, { start: 200_000, end: 200_400 });
  assert.ok(piece.text.includes('admin') && !piece.text.includes('lavender'), piece.text);
});
