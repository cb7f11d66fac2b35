/**
 * What a sentence of a person is worth when a long message is shortened: how much it reads like something that holds
 * from now on, or was settled, and what it asks for. A measure to choose by; what stands under the user's rules has to
 * say more (`cues.ts`).
 */
import { eastAsianLetters } from '../../language/languages.ts';
import { becauseWords, choosingWords, droppedBehind, questionEnds, questionOpenings } from '../../language/requests.ts';
import { bygone, duties, errands, everyThing, everyTime, hedges, ownDoings, ownWays } from '../../language/standing.ts';
import type { OwnSentence } from './own-words.ts';

/** Measured on the statements of `test/fixtures/story/rules-a.jsonl` among the sentences of their messages. */
const weights = {
  everyTime: 2,
  everyThing: 1.2,
  ownWays: 1,
  duties: 1,
  bygone: -1.2,
  ownDoings: -1,
  question: -1,
  hedge: -1,
  errand: 0.6,
  reason: 0.8,
  choice: 0.8,
  clauses: 0.8,
  named: 0.8,
} as const;

/** From here on a sentence is long enough to lay something down, in characters of an alphabet; of other scripts, a third. */
const fullChars = 60;
const longest = 1.6;
const leastChars = 30;

/** How much a sentence lays something down: its words that hold for more than one case, less those of a single one. */
export const standingOf = (sentence: string): number => weigh(sentence, holding);

/** The same of a sentence that a message holds: asked for when it is read, and when it is told. */
export function standingIn(sentence: OwnSentence): number {
  const standing = standings.get(sentence) ?? standingOf(sentence.text);
  standings.set(sentence, standing);
  return standing;
}

const standings = new WeakMap<OwnSentence, number>();

/** How much a shortened message loses without a sentence. `standing`: where it is known, `standingOf` it. */
export function worthOf(sentence: string, standing: number = standingOf(sentence)): number {
  const chars = sentence.length * (eastAsianLetters.test(sentence) ? 3 : 1);
  // What is too short to say anything whole is worth little, whatever its words.
  const said = standing + weigh(sentence, telling);
  return said * Math.min(1, chars / leastChars) + Math.min(longest, chars / fullChars);
}

interface Sign {
  readonly words: Pick<RegExp, 'test'>;
  readonly weight: number;
}

function weigh(sentence: string, signs: readonly Sign[]): number {
  let sum = 0;
  for (const { words, weight } of signs) if (words.test(sentence)) sum += weight;
  return sum;
}

/** Two parts, with a sign between them. From the first letter of a line on: from each one, the time would grow with its square. */
const clauses = /^[^\p{L}\n\r\u2028\u2029]*\p{L}.{6,}[,，、;:：].{8,}/mu;

/** A name, a number, something in quotation marks: what no other sentence can give back. Most have one of the signs. */
const named = {
  test: (sentence: string): boolean =>
    namingSigns.test(sentence) || (isPlain.test(sentence) ? plainNameWords : nameWords).test(sentence),
};
const isPlain = /^\p{ASCII}*$/u;
/** Of `nameWords` what signs of ASCII can be, which the engine tells sooner. */
const plainNameWords = /[A-Z](?<=[a-z][\s,]\s?[A-Z])[a-z]/;
const namingSigns = /[\d「」『』“”"`@_/]/;
const nameWords =
  /\p{Lu}(?<=\p{Ll}[\s,]\s?\p{Lu})\p{Ll}|[\p{Script=Han}\p{Script=Hangul}\u3041-\u30ff](?<=\p{Script=Latin}{2}.)/u;

const holding: readonly Sign[] = [
  { words: everyTime, weight: weights.everyTime },
  { words: everyThing, weight: weights.everyThing },
  { words: ownWays, weight: weights.ownWays },
  { words: duties, weight: weights.duties },
  { words: bygone, weight: weights.bygone },
  { words: ownDoings, weight: weights.ownDoings },
  { words: questionEnds, weight: weights.question },
  { words: questionOpenings, weight: weights.question },
  { words: hedges, weight: weights.hedge },
];

const telling: readonly Sign[] = [
  { words: errands, weight: weights.errand },
  { words: becauseWords, weight: weights.reason },
  { words: choosingWords, weight: weights.choice },
  { words: droppedBehind, weight: weights.choice },
  { words: clauses, weight: weights.clauses },
  { words: named, weight: weights.named },
];

/** True for a text with a name, a number or something in quotation marks. */
export const hasName = (text: string): boolean => named.test(text);
