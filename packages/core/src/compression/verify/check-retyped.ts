/**
 * Lines of a handoff that came back with something in them exchanged: a model that is shown its last summary types it
 * again, and makes mistakes. Whoever names a message of ours, and then says what it says but for a word, meant that.
 */
import { clip } from '../ledger/names.ts';
import { refAt } from '../record.ts';
import { type ClaimLine, isNames, refHeader } from './claim-line.ts';
import type { ClaimType, WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { statusClaims } from './words/statuses.ts';

/** Fewer common words are shared by chance, and so is a smaller part of a line. */
const least = { words: 4, share: 0.6 } as const;
/** More words between the common ends make it another line. */
const mostExchanged = 4;
/** What is looked at for one line: passages with one of its most seldom words. */
const seldomWords = 3;
const mostPassages = 24;

/** `m437 changed api/auth.ts: Add the e-mail.`: what the assistant said stands behind the path. */
const isFileRow = /^m\d{1,6} (?:created|changed|deleted) \S+: /;
const filePart = /^(?:created|changed|deleted) \S+: /;
const refPart = /^m\d{1,6}\s*[:：]\s*/;

/** Holds a line under a ref of ours against the rows and the words of that message. */
export const checkRetyped: Check = (line, context) => {
  const { scope, type, content } = line;
  if (scope === undefined || type === 'code' || isNames(line) || context.isVerbatim(line)) return nothing;
  const said = content.replace(refHeader, '').replace(isFileRow.test(content) ? filePart : refPart, '');
  const words = tokensOf(said);
  if (words.length < least.words) return nothing;
  const rows = context.rows.of(scope).map((row) => row.replace(refHeader, ''));
  for (const row of [...rows, ...passagesNear(line, scope, context)]) {
    const change = changeBetween(said, words, row);
    if (change === 'none') return nothing;
    if (change === undefined) continue;
    const wrong = wrongLine(line, scope, change);
    return { claims: [wrong.type], wrong: [wrong] };
  }
  return nothing;
};

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words as they are written; of Han, kana and hangul every character. */
const token = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}_]+/gu;

const tokensOf = (text: string): readonly Token[] =>
  [...text.matchAll(token)].map(({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }));

/** What stands in the line, and what the record has in its place. */
interface Change {
  readonly from: string;
  readonly to: string;
}

/** How a line differs from a row that begins and ends as it does; undefined for a row that says something else. */
function changeBetween(content: string, said: readonly Token[], row: string): Change | 'none' | undefined {
  const isCut = content.trimEnd().endsWith('…');
  const all = tokensOf(row);
  // The last word of a line that was cut may be part of one.
  const words = isCut ? said.slice(0, -1) : said;
  const kept = isCut ? all.slice(0, words.length) : all;
  const shorter = Math.min(words.length, kept.length);
  let [front, back] = [0, 0];
  while (front < shorter && words[front]?.text === kept[front]?.text) front++;
  while (back < shorter - front && words.at(-1 - back)?.text === kept.at(-1 - back)?.text) back++;
  const [gone, come] = [kept.length - front - back, words.length - front - back];
  if (gone === 0 && come === 0) return 'none';
  if (Math.max(gone, come) > mostExchanged) return undefined;
  if (front + back < Math.max(least.words, least.share * words.length)) return undefined;
  // Words that were only left out or put in change the wording more often than the sense, but not within a name.
  if (gone === 0 || come === 0) {
    const from = content.slice(words[front - 1]?.start, words[front + come]?.end);
    const to = row.slice(kept[front - 1]?.start, kept[front + gone]?.end);
    return front > 0 && back > 0 && !/\s/.test(from + to) ? { from, to } : undefined;
  }
  return {
    from: content.slice(words[front]?.start, words[front + come - 1]?.end),
    to: row.slice(kept[front]?.start, kept[front + gone - 1]?.end),
  };
}

/** Passages of the message, and of the results of its calls, that have one of the line's seldom words. */
function passagesNear({ words, content }: ClaimLine, scope: number, { source, facts }: Context): readonly string[] {
  const calls = facts.actions.filter(({ ref }) => ref === refAt(scope)).length;
  const isNear = (at: number): boolean => {
    const message = source.messageOf(at);
    if (message === scope || (message === scope - 1 && isFileRow.test(content))) return true;
    return message > scope && message <= scope + calls && source.speakerOf(at) === 'result';
  };
  const lists = [...new Set(words.filter(({ isPiece }) => !isPiece).map(({ word }) => word))]
    .map((word) => source.passagesWith(word))
    .filter((list) => list.length > 0)
    .sort((a, b) => a.length - b.length)
    .slice(0, seldomWords);
  const near = new Set(lists.flatMap((list) => list.filter(isNear)));
  return [...near].slice(0, mostPassages).map(source.text);
}

function wrongLine(line: ClaimLine, scope: number, { from, to }: Change): WrongClaim {
  const ref = refAt(scope);
  return {
    type: typeOf(from),
    text: from,
    line: line.number,
    verdict: 'contradicted',
    refs: [ref],
    why: `${ref} says: ${clip(to, 80)}`,
    correction: to,
  };
}

const typeOf = (text: string): ClaimType =>
  statusClaims(text).length > 0 ? 'status' : /^[\d.,\s]+$/.test(text) ? 'number' : 'quote';
