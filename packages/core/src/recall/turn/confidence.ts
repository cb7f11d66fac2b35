/** How sure it is that a place of the record is about a question: which of its words stand there. */
import type { WeighedWord } from './question.ts';

/** A place of the record beside a question. */
export interface PlaceFit {
  /** Share of the question's words and times that are met there, by what they count: 0 to 1. */
  readonly confidence: number;
  /** The words that stand there, as they were typed. */
  readonly found: readonly string[];
  /** How many of those tell messages apart. */
  readonly distinctive: number;
}

/** By so much more counts a name that the record does not know, where it knows none of the names: somebody else is meant. */
const unknownName = 3;

/** What a time counts that the question names: about as much as a word that every tenth message has. */
const timeWeight = 1.5;

/** A place beside a question. */
interface Place {
  /** Whether a term stands there. */
  readonly has: (term: string) => boolean;
  /** How well its time fits those that the question names, 0 to 1; absent where it names none. */
  readonly time?: number | undefined;
}

/** Compares a question with a place. */
export function fitOf(words: readonly WeighedWord[], { has, time }: Place): PlaceFit {
  const knowsName = words.some(({ isName, messages }) => isName && messages > 0);
  let [found, all] = time === undefined ? [0, 0] : [timeWeight * time, timeWeight];
  const here: WeighedWord[] = [];
  for (const word of words) {
    const isStrange = word.isName && word.messages === 0 && !knowsName;
    const weight = word.weight * (isStrange ? unknownName : 1);
    const share = shareOf(word, has);
    all += weight;
    found += weight * share;
    if (share >= 0.5) here.push(word);
  }
  return {
    confidence: all === 0 ? 0 : found / all,
    found: here.map(({ text }) => text),
    distinctive: here.filter(({ isDistinctive }) => isDistinctive).length,
  };
}

/** How much of a word stands there: endings and particles may differ in scripts without spaces. */
function shareOf({ terms, whole, forms }: WeighedWord, has: (term: string) => boolean): number {
  if ((whole !== undefined && has(whole)) || forms.some(has)) return 1;
  return terms.filter(has).length / terms.length;
}
