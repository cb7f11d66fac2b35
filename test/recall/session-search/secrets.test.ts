/** Invariant 8 at the exit of a search: no piece of a recognised credential comes out, wherever a passage is cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diceOf } from '../../../bench/invented-texts.ts';
import { sessionSearchTool } from '../../../src/recall/session-search/session-search.ts';
import { redact } from '../../../src/redaction/redact.ts';
import { secretOf, shapeSamples } from '../../redaction/secret-samples.ts';
import { keep, openMemory } from './stored.ts';

const pieceLength = 12;

/** Pieces of a secret that its message does not show once it is masked. */
function hiddenPieces(secret: string, text: string): readonly string[] {
  const clean = redact(text);
  const pieces = Array.from({ length: Math.max(0, secret.length - pieceLength) }, (_, at) =>
    secret.slice(at, at + pieceLength),
  );
  return pieces.filter((piece) => !clean.includes(piece));
}

test('no piece of a credential comes out of a search, wherever the passage is cut', async () => {
  await using store = await openMemory();
  const tool = sessionSearchTool({ store });
  const dice = diceOf(8);
  const kept = shapeSamples.map(({ form }, i) => {
    const secret = secretOf(form, dice);
    // The word stands so far from the secret that an edge of the passage of 400 characters falls into it.
    const gap = 'x '.repeat(70 + dice(30));
    const text = dice(2) === 0 ? `word${i} ${gap}${secret} ${gap}end` : `start ${gap}${secret} ${gap}word${i}`;
    return { word: `word${i}`, text, hidden: hiddenPieces(secret, text) };
  });
  for (const { text } of kept) await keep(store, [text, `the answer to ${text}`]);
  let hidden = 0;
  for (const one of kept) {
    const found = await tool.run({ query: one.word });
    assert.match(found, new RegExp(`>>>${one.word}<<<`));
    hidden += one.hidden.length;
    const out = one.hidden.filter((piece) => found.includes(piece));
    assert.deepEqual(out, [], one.text);
  }
  assert.ok(hidden > 1_000, `only ${hidden} pieces were looked for`);
});
