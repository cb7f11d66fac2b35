/** What a question asks about: its words, how rare each is in the record, and which of them are names. */

import { functionWords, koreanFunctionWords } from '../../language/function-words.ts';
import { askingWords, grammarCharacters, oftenGrammarCharacters, queryStopWords } from '../../language/languages.ts';
import { lazily } from '../../shared/lazily.ts';
import type { SearchIndex } from '../../store/search-index.ts';
import { scanTerms, termKinds } from '../../store/terms/scan.ts';
import { stem } from '../../store/terms/word-terms.ts';
import { formsOf } from '../search/expansion.ts';

/** A word of a question as the index knows it. */
export interface AskedWord {
  /** As it was typed. */
  readonly text: string;
  /** Stems, or the pairs of a word in a script without spaces: a text has the word as far as it has these. */
  readonly terms: readonly string[];
  /** The term of the whole, for a name of several words. */
  readonly whole?: string;
  /** Written as a name is: nobody says it in other words. */
  readonly isName: boolean;
}

/** A word with its place in the record. */
export interface WeighedWord extends AskedWord {
  /** Terms that are other forms of it. */
  readonly forms: readonly string[];
  /** Messages that have it, in one of its forms. */
  readonly messages: number;
  /** What it counts: the square root of BM25's inverse document frequency, so that one rare word is not everything. */
  readonly weight: number;
  /** It tells messages apart: a name, or a word that few of them have. */
  readonly isDistinctive: boolean;
}

/** A word that more messages have is no sign of what is meant: a fifth of them, but two messages in any store. */
const distinctiveShare = 0.2;
const distinctiveCount = 2;

/** The words of a text in order, without those of grammar, and each once. */
export function askedWords(text: string): readonly AskedWord[] {
  const found = new Map<string, AskedWord>();
  let isStart = true;
  for (const [token] of text.normalize().matchAll(/\S+/g)) {
    for (const word of wordsOfToken(token, isStart)) {
      const key = word.whole ?? word.terms.join(' ');
      if (!found.has(key)) found.set(key, word);
    }
    isStart = /[.!?。！？:;]["'”’)\]]*$/u.test(token);
  }
  return [...found.values()];
}

const denseLetter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}ー]/u;
const segmenter = lazily(() => new Intl.Segmenter('ja', { granularity: 'word' }));

function wordsOfToken(token: string, isStart: boolean): readonly AskedWord[] {
  if (!denseLetter.test(token)) return spacedWord(token, isStart);
  const segments = [...segmenter().segment(token)].filter(({ isWordLike }) => isWordLike);
  return segments.flatMap(({ segment }) =>
    denseLetter.test(segment) ? denseWord(segment) : spacedWord(segment, true),
  );
}

function spacedWord(token: string, isStart: boolean): readonly AskedWord[] {
  const { terms: all, kinds } = scanTerms(token);
  const terms = [...new Set(all.filter((term, i) => kinds[i] === termKinds.word && !isGrammarWord(term)))];
  if (terms.length === 0) return [];
  const whole = all[kinds.indexOf(termKinds.name)];
  const isName = (!isStart && /^[^\p{L}\p{N}]*\p{Lu}/u.test(token)) || isIdentifier(token);
  const text = token.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return [{ text, terms, isName, ...(whole === undefined ? {} : { whole }) }];
}

/** A path, an address, an option, a name in code: letters, and something that no word of a language has in it. */
const isIdentifier = (token: string): boolean =>
  /\p{L}/u.test(token) && /[\p{L}\p{N}][_/\\@]\S|\p{L}\p{N}|\p{Ll}\p{Lu}/u.test(token);

/** Hiragana alone is grammar, nearly always. */
const hiraganaAlone = /^\p{Script=Hiragana}+$/u;

function denseWord(text: string): readonly AskedWord[] {
  if (hiraganaAlone.test(text) || koreanFunctionWords.test(text)) return [];
  const characters = [...text];
  if (characters.every((one) => grammarCharacters.has(one) || oftenGrammarCharacters.has(one))) return [];
  const { terms: all, kinds } = scanTerms(text);
  const kind = kinds.includes(termKinds.pair) ? termKinds.pair : termKinds.character;
  const terms = [...new Set(all.filter((_, i) => kinds[i] === kind))];
  return terms.length === 0 ? [] : [{ text, terms, isName: false }];
}

const stemsOf = (words: string): readonly string[] => words.split(/\s+/).map((word) => stem(word));
const grammarWords: ReadonlySet<string> = new Set([
  ...stemsOf(queryStopWords),
  ...stemsOf(askingWords),
  ...functionWords,
]);

/** A single letter is what is left of an elision. */
const isGrammarWord = (term: string): boolean => grammarWords.has(term) || /^\p{L}$/u.test(term);

interface WeighingOptions {
  /** What the words are of: its language tells whether words have other forms. */
  readonly question: string;
  /** Texts that are remembered elsewhere, as sets of their terms. @default none */
  readonly others?: readonly ReadonlySet<string>[];
}

/** Looks words up in the index. */
export async function weighWords(
  index: Pick<SearchIndex, 'frequencies' | 'completions'>,
  asked: readonly AskedWord[],
  { question, others = [] }: WeighingOptions,
): Promise<readonly WeighedWord[]> {
  const formsBy = await formsOf(index, question);
  const words = asked.map((word) => ({ ...word, forms: word.terms.flatMap((term) => formsBy.get(term) ?? []) }));
  const terms = [...new Set(words.flatMap(termsOf))];
  if (terms.length === 0) return [];
  const { messages, counts } = await index.frequencies(terms);
  const byTerm = new Map(
    terms.map((term, i) => [term, (counts[i] ?? 0) + others.filter((set) => set.has(term)).length] as const),
  );
  const all = messages + others.length;
  return words.map((word) => {
    const count = countOf(word, (term) => byTerm.get(term) ?? 0);
    const weight = Math.sqrt(Math.log(1 + (Math.max(0, all - count) + 0.5) / (count + 0.5)));
    const isRare = count > 0 && count <= Math.max(distinctiveCount, distinctiveShare * all);
    return { ...word, messages: count, weight, isDistinctive: count > 0 && (word.isName || isRare) };
  });
}

/** Every term of a word. */
export const termsOf = ({ terms, whole, forms }: AskedWord & Pick<WeighedWord, 'forms'>): readonly string[] =>
  whole === undefined ? [...terms, ...forms] : [whole, ...terms, ...forms];

/** In how many messages a word may stand: with its rarest part, and with none where most of it is unknown. */
function countOf(
  { terms, whole, forms }: AskedWord & Pick<WeighedWord, 'forms'>,
  countsOf: (term: string) => number,
): number {
  const own = Math.max(0, ...[...forms, whole ?? ''].map(countsOf));
  const known = terms.map(countsOf).filter((count) => count > 0);
  return Math.max(own, known.length * 2 > terms.length ? Math.min(...known) : 0);
}
