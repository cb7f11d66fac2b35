/** What a stretch of a conversation, or a few names, are about: in the words that the assistant used there, or that stand around them. */

import { queryStopWords, requestStopWords } from '../../language/languages.ts';
import { lazily } from '../../shared/lazily.ts';
import type { Corpus, LineStats, TermStats } from './corpus.ts';

/** So many words tell one stretch from another. */
const mostWords = 6;
const mostWordChars = 24;

/** A word of prose in a script with letters: no name of code, no part of a path. */
const word = /(?<![\p{L}\p{N}_./@-])\p{L}\p{Ll}{3,}(?![\p{L}\p{N}_/@-]|\.\p{L})/gu;
/** The same among signs of ASCII alone, which the engine tells much sooner. */
const plainWord = /(?<![A-Za-z\d_./@-])[A-Za-z][a-z]{3,}(?![A-Za-z\d_/@-]|\.[A-Za-z])/g;
const isPlain = /^\p{ASCII}*$/u;
const cjk = /[\p{Script=Han}\p{Script=Katakana}]/u;
const hangul = /(?<!\p{L})\p{Script=Hangul}{2,}/gu;
const segmenter = lazily(() => new Intl.Segmenter('ja', { granularity: 'word' }));

const stopWords: ReadonlySet<string> = new Set([...requestStopWords, ...queryStopWords.split(/\s+/)]);

/** The distinct words of a line, in lower case: every handoff asks again. */
function wordsIn(line: LineStats): readonly string[] {
  const words = wordsOfLine.get(line) ?? [...wordsOf(line.text)];
  wordsOfLine.set(line, words);
  return words;
}

const wordsOfLine = new WeakMap<LineStats, readonly string[]>();

function wordsOf(text: string): ReadonlySet<string> {
  if (isPlain.test(text)) return new Set(text.match(plainWord)?.map((one) => one.toLowerCase()));
  const words = new Set(text.match(word)?.map((one) => one.toLowerCase()));
  for (const one of text.match(hangul) ?? []) words.add(one);
  if (cjk.test(text))
    for (const { segment } of segmenter().segment(text))
      if (segment.length > 1 && cjk.test(segment)) words.add(segment);
  return words;
}

const isTelling = (one: string): boolean =>
  one.length <= mostWordChars && !(stopWords.has(one) || stopWords.has(one.replace(/(?:ing|ed|es|s|e)$/, '')));

/**
 * Gives the telling words of the messages from the first to the last index, the most frequent first; empty where the
 * assistant said nothing. Each stretch is read once.
 */
export function createGist({ messageLines }: Pick<Corpus, 'messageLines'>): GistOf {
  const known = new Map<string, readonly string[]>();
  const gistOf: GistOf = (first, last) => {
    const counts = new Map<string, number>();
    for (let message = first; message <= last; message++)
      for (const line of messageLines[message] ?? [])
        if (line.speaker === 'assistant') for (const one of wordsIn(line)) counts.set(one, (counts.get(one) ?? 0) + 1);
    const frequent: string[] = [];
    for (const [one] of [...counts].sort(([, a], [, b]) => b - a)) {
      if (isTelling(one)) frequent.push(one);
      if (frequent.length === mostWords) break;
    }
    return frequent;
  };
  return (first, last) => {
    const key = `${first}-${last}`;
    const found = known.get(key) ?? gistOf(first, last);
    known.set(key, found);
    return found;
  };
}

type GistOf = (first: number, last: number) => readonly string[];

/** So many words tell what names are about: not all of them are said of each. */
const mostAround = 8;
/** Lines above and below that belong to what a line says. */
const linesAround = 2;

/**
 * Gives the telling words that stand around names where they were said last: first those that stand by many of them and
 * that the assistant uses often. Words that the assistant never used are none of its own: code, or the text of a page.
 */
export function createWordsAround({ messageLines }: Pick<Corpus, 'messageLines'>): WordsAround {
  const uses = lazily(() => usesIn(messageLines));
  const known = new Map<TermStats, ReadonlySet<string>>();
  const around = (term: TermStats): ReadonlySet<string> => {
    const found = known.get(term) ?? wordsBeside(term, messageLines[term.lastMessage] ?? []);
    known.set(term, found);
    return found;
  };
  return (names) => {
    const counts = new Map<string, number>();
    for (const name of names) for (const one of around(name)) counts.set(one, (counts.get(one) ?? 0) + 1);
    const rated = [...counts].map(([one, count]) => ({ one, rate: count * Math.log2(1 + (uses().get(one) ?? 0)) }));
    const own = rated.filter(({ one, rate }) => rate > 0 && isTelling(one)).sort((a, b) => b.rate - a.rate);
    return own.slice(0, mostAround).map(({ one }) => one);
  };
}

type WordsAround = (names: readonly TermStats[]) => readonly string[];

function wordsBeside(term: TermStats, lines: readonly LineStats[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (!line.terms.includes(term)) continue;
    for (const beside of lines.slice(Math.max(0, at - linesAround), at + linesAround + 1))
      for (const one of wordsIn(beside)) words.add(one);
  }
  return words;
}

/** In how many of its lines the assistant used each word. */
function usesIn(messageLines: Corpus['messageLines']): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const lines of messageLines)
    for (const line of lines ?? [])
      if (line.speaker === 'assistant') for (const one of wordsIn(line)) uses.set(one, (uses.get(one) ?? 0) + 1);
  return uses;
}
