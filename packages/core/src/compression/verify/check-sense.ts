/**
 * Rules and wishes told in the words of the user, but with the sense of them turned: the order exchanged, or the `not`
 * left out. The user's own sentence takes their place.
 */

import type { UserSection } from '../../language/headings.ts';
import { wideSigns } from '../../language/languages.ts';
import { type Order, onlyIfWords, senseClauses } from '../../language/negations.ts';
import { refAt } from '../record.ts';
import { type ClaimLine, lineClaim } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { sentencesIn } from './cut-quotes.ts';
import { perPassage } from './passages.ts';
import { contentWords } from './request-words.ts';
import { isDecided } from './words/answers.ts';
import { attributionIn, userSection } from './words/attributions.ts';
import { isNegated, ordersIn } from './words/negations.ts';
import { isDoneHeading } from './words/plans.ts';
import { statusClaims } from './words/statuses.ts';

/** Holds a rule or a wish against the sentences of the user that share its words. */
export const checkSense: Check = (line, context) => {
  const section = userSection(line.heading);
  const isUsers = section !== undefined || attributionIn(line.content) !== undefined;
  const isDecision = !isUsers && line.refs.length === 0 && isDecided(line.content, line.heading);
  if (line.type !== 'text' || line.scope !== undefined || context.isVerbatim(line)) return nothing;
  // What was done may have come in another order than was asked for.
  if (!isUsers && !isDecision && (isDoneHeading(line.heading) || statusClaims(line.content).length > 0)) return nothing;
  const told = toldIn(line);
  if (told.words.length === 0) return nothing;
  const said = sentencesAbout(told.words, context);
  const turned = reordered(told, said) ?? forbidden(told, { said, section, isDecision }, context);
  if (!turned) return nothing;
  const ref = refAt(turned.message);
  const wrong: WrongClaim = {
    ...lineClaim('request', line, ref),
    why: `the user's sentence in ${ref} says otherwise`,
    row: `${ref} user: ${turned.sentence}`,
  };
  return { claims: ['request'], wrong: [wrong] };
};

interface Place {
  readonly said: readonly Said[];
  readonly section: UserSection | undefined;
  readonly isDecision: boolean;
}

/** The sentence of the user that forbids what a rule, or a decision of nobody's, demands. */
function forbidden(told: Told, { said, section, isDecision }: Place, context: Context): Said | undefined {
  if (section === 'constraint') return denied(known(told, context), said);
  return isDecision ? denied(told, said) : undefined;
}

interface Told {
  readonly words: readonly string[];
  readonly names: ReadonlySet<string>;
  readonly orders: ReadonlySet<Order>;
  readonly isNegated: boolean;
}

const toldIn = ({ content, atoms }: ClaimLine): Told => ({
  words: contentWords(content),
  names: new Set(atoms.filter(({ type }) => type !== 'number').map(({ text }) => text.toLowerCase())),
  orders: ordersIn(content),
  isNegated: isNegated(content) || onlyIfWords.test(content),
});

/** Of pairs of letters, those that anybody said: the others are how the writer builds the sentence. */
function known(told: Told, { source }: Context): Told {
  if (!told.words.some((word) => wideSigns.test(word))) return told;
  const words = told.words.filter((word) => source.passagesWith(word).length > 0);
  return words.length < leastPairs ? told : { ...told, words };
}

const leastPairs = 2;

interface Said {
  readonly sentence: string;
  readonly message: number;
  /** The words of the line that the sentence has, in its order. */
  readonly shared: readonly string[];
}

/** A longer passage may be a part of a line, and its sentences parts of sentences. */
const wholeChars = 390;
const mostPassages = 40;

/** The user's sentences with words of the line, from the passages that have most of them. */
function sentencesAbout(words: readonly string[], { source }: Context): readonly Said[] {
  const counts = new Map<number, number>();
  for (const word of words) {
    for (const at of source.passagesWith(word)) {
      if (source.speakerOf(at) === 'person') counts.set(at, (counts.get(at) ?? 0) + 1);
    }
  }
  const wanted = new Set(words);
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || b - a)
    .slice(0, mostPassages)
    .filter(([at]) => source.text(at).length < wholeChars)
    .flatMap(([at]) =>
      sentencesOf(at, source).map(({ sentence, words: own }) => ({
        sentence,
        message: source.messageOf(at),
        shared: own.filter((word) => wanted.has(word)),
      })),
    )
    .filter(({ shared }) => shared.length > 0);
}

/** Each sentence of a passage with its words: a long summary asks again and again for the same few passages. */
const sentencesOf = perPassage((at, source) =>
  sentencesIn(source.text(at)).map((sentence) => ({ sentence, words: contentWords(sentence) })),
);

/** Least words that a line shares with a sentence of another order, and their share of the line's. */
const order = { words: 2, turned: 0.5, exchanged: 0.3 } as const;

/** The sentence that says the same in another order; undefined where one says it in the same. */
function reordered({ words, orders }: Told, said: readonly Said[]): Said | undefined {
  if (orders.size === 0) return undefined;
  let found: Said | undefined;
  for (const one of said) {
    const own = ordersIn(one.sentence);
    const share = one.shared.length / words.length;
    if (own.size === 0 || one.shared.length < order.words || share < order.exchanged) continue;
    const isTurned = isInverted(words, one.shared);
    const isSame = orders.size === own.size && [...orders].every((each) => own.has(each));
    if (isSame && !isTurned) return undefined;
    if (isSame ? share >= order.turned : areOpposite(orders, own) && !isTurned) found ??= one;
  }
  return found;
}

const areOpposite = (one: ReadonlySet<Order>, other: ReadonlySet<Order>): boolean =>
  one.size === 1 &&
  other.size === 1 &&
  ((one.has('before') && other.has('after')) || (one.has('after') && other.has('before')));

/** Most pairs of the shared words stand the other way round. */
function isInverted(words: readonly string[], shared: readonly string[]): boolean {
  const places = shared.map((word) => words.indexOf(word));
  let [turned, pairs] = [0, 0];
  for (let i = 0; i < places.length; i++) {
    for (let j = i + 1; j < places.length; j++) {
      pairs++;
      if ((places[i] ?? 0) > (places[j] ?? 0)) turned++;
    }
  }
  return turned * 2 > pairs;
}

const denial = { share: 1 / 3 } as const;

/** The sentence that forbids what a rule without any `no` demands, where no other one speaks of it. */
function denied({ words, names, orders, isNegated: isDenying }: Told, said: readonly Said[]): Said | undefined {
  // `Ask before you touch it` forbids as well.
  if (isDenying || orders.has('before')) return undefined;
  const most = Math.max(0, ...said.map(({ shared }) => shared.length));
  const nearest = said.filter(({ shared }) => shared.length === most);
  const [first] = nearest;
  const isAbout = most >= words.length * denial.share || first?.shared.some((word) => names.has(word)) === true;
  if (!first || !isAbout) return undefined;
  return nearest.every(({ sentence, shared }) => isDeniedIn(sentence, shared)) ? first : undefined;
}

/** The clause that has most of the words denies, and none of the others has one without denying. */
const isDeniedIn = (sentence: string, shared: readonly string[]): boolean =>
  isNegated(clauseAbout(sentence, shared)) &&
  sentence
    .split(senseClauses)
    .every((clause) => isNegated(clause) || !contentWords(clause).some((word) => shared.includes(word)));

/** The clause that has most of the words. */
function clauseAbout(sentence: string, shared: readonly string[]): string {
  const count = (clause: string): number => contentWords(clause).filter((word) => shared.includes(word)).length;
  return sentence.split(senseClauses).reduce((best, clause) => (count(clause) > count(best) ? clause : best), '');
}
