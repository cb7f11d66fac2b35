/** Invariant 8 at the exit of a search: no piece of a recognised credential comes out, wherever a passage is cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diceOf } from '../../../bench/invented-texts.ts';
import { sessionSearchTool } from '../../../packages/core/src/recall/session-search/session-search.ts';
import { redact } from '../../../packages/core/src/redaction/redact.ts';
import { secretOf, shapeSamples } from '../../redaction/secret-samples.ts';
import { type Answer, asking, keep, openMemory } from './stored.ts';

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

test('Q1 a long message is found, opened and read page by page as its masked text has it', async () => {
  await using store = await openMemory();
  const ask = asking(store);
  const dice = diceOf(5);
  const prose = (words: number): string => Array.from({ length: words }, () => `w${dice(900)}`).join(' ');
  const lines = shapeSamples.map(
    ({ form }, i) => `${prose(700)} word${i} ${prose(9)} ${secretOf(form, dice)} ${prose(9)}`,
  );
  const text = `Look at sk-ant-${'aB3dE5gH7'.repeat(9)}:\n${lines.join('\n')}`;
  assert.ok(text.length > 400_000, String(text.length));
  const clean = redact(text);
  await keep(store, [text, 'I looked.']);
  for (const i of [0, 7, 30]) {
    const { results } = await ask({ query: `word${i}` });
    const [passage] = results[0]?.passages ?? [];
    const shown = passage?.text.replaceAll(/^…|…$|>>>|<<</g, '') ?? '';
    assert.ok(shown.includes(`word${i} `) && clean.includes(shown), shown);
    assert.equal(results[0]?.title?.slice(0, 40), clean.replaceAll('\n', ' ').slice(0, 40));
  }
  const found = await ask({ query: 'word3' });
  const id = found.results[0]?.passages[0]?.message_id;
  const pages: string[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { message }: Answer = await ask({ message_id: id, offset });
    pages.push(message.text);
    offset = message.next_offset;
  }
  assert.ok(pages.length > 20, String(pages.length));
  assert.equal(pages.join(''), clean);
});
