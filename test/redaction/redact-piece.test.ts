/** Invariant 8 where a long text is shown piece by piece. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diceOf } from '../../bench/invented-texts.ts';
import { redact, redactPiece } from '../../packages/core/src/redaction/redact.ts';
import { secretOf, shapeSamples } from './secret-samples.ts';

const dice = diceOf(3);
const secrets = shapeSamples.map(({ form }) => secretOf(form, dice));
const prose = (words: number): string => Array.from({ length: words }, () => `w${dice(900)}`).join(' ');
/** Two secrets that touch, one under a name, and a run that is longer than what rules look at. */
const joints = [
  `${secrets[0]}${secrets[1]}`,
  `DB_PASSWORD="hunter2-${dice(9)}x"`,
  `sk-ant-${'aB3dE5gH7'.repeat(9_000)}`,
];
const text = [...secrets, ...joints].map((secret) => `${prose(dice(300))}\n${secret}\n`).join('') + prose(9_000);

test('S6 the pieces of a text, one behind the other, are the masked text', () => {
  const whole = redact(text);
  assert.ok(whole !== text && text.length > 150_000);
  for (const size of [1_200, 20_000, text.length]) {
    let shown = '';
    for (let at = 0; at < text.length; ) {
      const piece = redactPiece(text, { start: at, end: at + size });
      assert.ok(piece.start === at || shown.endsWith(']'), 'what is passed over was masked before');
      shown += piece.text;
      at = Math.max(piece.end, at + 1);
    }
    assert.equal(shown, whole, `pieces of ${size}`);
  }
});

test('S6 a piece that begins within a secret shows nothing of it', () => {
  for (const secret of secrets.filter((one) => redact(`is ${one} it`).includes('is [REDACTED'))) {
    const around = `is ${secret} it`;
    const { text: shown } = redactPiece(around, { start: 5, end: around.length });
    assert.ok(redact(around).endsWith(shown), around);
  }
});
