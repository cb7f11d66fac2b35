/** What a stretch of a conversation is about, in the words that the assistant used there and seldom elsewhere. */
import { queryStopWords, requestStopWords } from '../../language/languages.ts';
import type { Corpus, LineStats } from './corpus.ts';

/** So many words tell one stretch from another. */
const mostWords = 6;
/** How much it counts that a word is rare elsewhere. */
const rarity = 0.3;
const mostWordChars = 24;

/** A word of prose in a script with letters: no name of code, no part of a path. */
const word = /(?<![\p{L}\p{N}_./@-])\p{L}\p{Ll}{3,}(?![\p{L}\p{N}_/@-]|\.\p{L})/gu;
const cjk = /[\p{Script=Han}\p{Script=Katakana}]/u;
const hangul = /(?<!\p{L})\p{Script=Hangul}{2,}/gu;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

const stopWords: ReadonlySet<string> = new Set([...requestStopWords, ...queryStopWords.split(/\s+/)]);

/** The words of a line, in lower case. */
function wordsOf(text: string): readonly string[] {
  const words = (text.match(word) ?? []).map((one) => one.toLowerCase());
  if (/[^\p{ASCII}]/u.test(text)) words.push(...(text.match(hangul) ?? []));
  if (cjk.test(text))
    for (const { segment } of segmenter.segment(text)) if (segment.length > 1 && cjk.test(segment)) words.push(segment);
  return [...new Set(words)].filter(
    (one) =>
      one.length <= mostWordChars && !(stopWords.has(one) || stopWords.has(one.replace(/(?:ing|ed|es|s|e)$/, ''))),
  );
}

/**
 * Gives the telling words of the messages from the first to the last index, the most telling first; empty where the
 * assistant said nothing. Each stretch is read once.
 */
export function createGist({ messageLines }: Corpus): (first: number, last: number) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const words = new Map<LineStats, readonly string[]>();
  let uses: Map<string, number> | undefined;
  let sentences = 0;
  const said = (lines: readonly LineStats[]): readonly LineStats[] =>
    lines.filter(({ speaker }) => speaker === 'assistant');
  const countAll = (): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const line of said(messageLines.flat())) {
      if (words.has(line)) continue;
      const own = wordsOf(line.text);
      words.set(line, own);
      sentences++;
      for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    return counts;
  };
  const gistOf = (first: number, last: number): readonly string[] => {
    uses ??= countAll();
    const counts = new Map<string, number>();
    for (const line of said(messageLines.slice(first, last + 1).flat()))
      for (const one of words.get(line) ?? []) counts.set(one, (counts.get(one) ?? 0) + 1);
    const worth = ([one, count]: readonly [string, number]): number =>
      count * Math.log((sentences + 1) / (uses?.get(one) ?? 1)) ** rarity;
    return [...counts]
      .sort((a, b) => worth(b) - worth(a))
      .slice(0, mostWords)
      .map(([one]) => one);
  };
  return (first, last) => {
    const key = `${first}-${last}`;
    const found = known.get(key) ?? gistOf(first, last);
    known.set(key, found);
    return found;
  };
}
