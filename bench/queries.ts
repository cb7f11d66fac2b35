/**
 * Searches for texts that nobody would type: random characters of all scripts, operators, NUL, broken characters, long
 * ones. Every one of them has to be answered.
 *
 *   node bench/queries.ts [--count N] [--seed N] [--messages N]
 */
import { parseArgs } from 'node:util';
import { fromOpenAiChat } from '@palimpsest/core';
import { search } from '@palimpsest/core/search';
import { openStore } from '@palimpsest/core/store';
import { inventedSession } from './invented-session.ts';
import { type Dice, diceOf, pick } from './invented-texts.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    messages: { type: 'string', default: '40' },
  },
});

const operators = ['AND', 'OR', 'NOT', 'NEAR', '"', '*', '(', ')', '-', '+', '^', ':', '{', '}', "'", '\\', '%', '_'];
const words = [
  'deploy',
  'src/web/app.ts',
  'readFile',
  '設計',
  'サーバー',
  '배포',
  '的',
  'E4711',
  'yesterday',
  '2024-05',
];
const strange = ['\0', '\ud800', '\udc00', '\u202e', '\ufeff', '\r\n', '\u{1f600}', '\u0301', '\u2028', '\t'];
/** One in so many is a long one. */
const longOneIn = 2_000;
const longCharacters = 100_000;

/** Any text. */
function queryOf(dice: Dice): string {
  if (dice(longOneIn) === 0) return piece(dice).padEnd(longCharacters, piece(dice) || 'x');
  return Array.from({ length: 1 + dice(8) }, () => piece(dice)).join(dice(3) === 0 ? '' : ' ');
}

function piece(dice: Dice): string {
  switch (dice(4)) {
    case 0:
      return pick(dice, operators);
    case 1:
      return pick(dice, words);
    case 2:
      return pick(dice, strange);
    default:
      return String.fromCodePoint(...Array.from({ length: 1 + dice(4) }, () => dice(0x10ffff)));
  }
}

const count = Number(values.count);
const dice = diceOf(Number(values.seed));
const store = await openStore({ path: ':memory:' });
const { id } = await store.sessions.create({ source: 'library' });
await store.messages.append(id, fromOpenAiChat(inventedSession(Number(values.messages), 5)));
let [raised, found, longest] = [0, 0, 0];
const start = performance.now();
for (let i = 0; i < count; i++) {
  const query = queryOf(dice);
  const from = performance.now();
  try {
    const { hits } = await search(store, query, { limit: 3 });
    if (hits.length > 0) found++;
  } catch (error) {
    raised++;
    if (raised <= 10) console.log(`${JSON.stringify(query.slice(0, 200))}: ${String(error)}`);
  }
  longest = Math.max(longest, performance.now() - from);
}
await store.close();
const seconds = (performance.now() - start) / 1_000;
console.log(
  `${count} texts in ${seconds.toFixed(0)} s, seed ${values.seed}: ${raised} raised an error, ${found} found something, the longest search took ${longest.toFixed(0)} ms.`,
);
process.exitCode = raised > 0 ? 1 : 0;
