/**
 * What a sentence of a person is worth when a long message is shortened: how much it reads like something that holds
 * from now on, or was settled, and what it asks for. A measure to choose by; what stands under the user's rules has to
 * say more (`cues.ts`).
 */
import { eastAsianLetters } from '../../language/languages.ts';
import { becauseWords, choosingWords, droppedBehind, questionEnds, questionOpenings } from '../../language/requests.ts';
import { bygone, duties, errands, everyThing, everyTime, hedges, ownDoings, ownWays } from '../../language/standing.ts';

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
export function standingOf(sentence: string): number {
  const signs: readonly (readonly [RegExp, number])[] = [
    [everyTime, weights.everyTime],
    [everyThing, weights.everyThing],
    [ownWays, weights.ownWays],
    [duties, weights.duties],
    [bygone, weights.bygone],
    [ownDoings, weights.ownDoings],
    [questionEnds, weights.question],
    [questionOpenings, weights.question],
    [hedges, weights.hedge],
  ];
  return signs.reduce((sum, [words, weight]) => (words.test(sentence) ? sum + weight : sum), 0);
}

/** How much a shortened message loses without a sentence. */
export function worthOf(sentence: string): number {
  const chars = sentence.length * (eastAsianLetters.test(sentence) ? 3 : 1);
  const signs: readonly (readonly [RegExp, number])[] = [
    [errands, weights.errand],
    [becauseWords, weights.reason],
    [choosingWords, weights.choice],
    [droppedBehind, weights.choice],
    [/\p{L}.{6,}[,，、;:：].{8,}/u, weights.clauses],
    [named, weights.named],
  ];
  const said = signs.reduce((sum, [words, weight]) => (words.test(sentence) ? sum + weight : sum), 0);
  // What is too short to say anything whole is worth little, whatever its words.
  return (standingOf(sentence) + said) * Math.min(1, chars / leastChars) + Math.min(longest, chars / fullChars);
}

/** True for a text with a name, a number or something in quotation marks. */
export const hasName = (text: string): boolean => named.test(text);

/** A name, a number, something in quotation marks: what no other sentence can give back. */
const named =
  /\d|[「」『』“”"`@_/]|(?<=\p{Ll}[\s,]\s?)\p{Lu}[\p{Ll}]+|\p{Script=Latin}{2,}(?=[\p{Script=Han}\p{Script=Hangul}\u3041-\u30ff])/u;
