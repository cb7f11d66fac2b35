/**
 * Choices told the wrong way round: somebody asked `Postgres or MySQL?`, the person took one of the two, and a line about
 * decisions names the other. What stands behind `over` or `instead of` is what was not taken.
 */

import { wideSigns } from '../../language/languages.ts';
import { choiceJoints } from '../../language/negations.ts';
import type { Ref } from '../ref.ts';
import { type ClaimLine, lineClaim } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { sentencesIn } from './cut-quotes.ts';
import { type Exchange, exchangesIn } from './exchanges.ts';
import { contentWords } from './request-words.ts';
import type { Source } from './source.ts';
import { isAnswered, isDecided, isPostponing, isWeighed, reasonIn, withoutDropped } from './words/answers.ts';
import { isNegated } from './words/negations.ts';
import { quotesIn } from './words/quotes.ts';

/** Holds a line about a decision against the newest choice between what it names and something else. */
export const checkChoices: Check = (line, context) => {
  if (line.type !== 'text' || line.scope !== undefined || !isDecided(line.content, line.heading)) return nothing;
  if (context.isVerbatim(line) || isWeighed(line.content) || quotesIn(line.content).length > 0) return nothing;
  const told = new Set(contentWords(withoutDropped(line.content)));
  const choice = newestAbout(told, context.source);
  if (!choice) return nothing;
  const isOpen = choice.taken.size === 0 && !isPostponing(line.content) && names(choice.other, told);
  const isOther = isOpen || (isWhole(choice.other, told) && !names(choice.taken, told));
  const isWrong = (isOther && !isNegated(line.content)) || hasOtherReason(line, choice, context);
  return { claims: ['request'], wrong: isWrong ? [wrongChoice(line, choice)] : [] };
};

interface Choice {
  /** Words of what was taken and of what was not; none of them in both. Nothing is taken where it was put off. */
  readonly taken: ReadonlySet<string>;
  readonly other: ReadonlySet<string>;
  readonly ref: Ref;
  readonly sentence: string;
}

const names = (option: ReadonlySet<string>, told: ReadonlySet<string>): boolean =>
  [...option].some((word) => told.has(word));

/** Both give a reason, and nobody ever said a word of the line's. */
function hasOtherReason({ content }: ClaimLine, { sentence }: Choice, { source }: Context): boolean {
  const reason = contentWords(reasonIn(content));
  return reason.length > 0 && reasonIn(sentence) !== '' && reason.every((word) => source.placesOf(word).length === 0);
}

/** Most of an option's words: one of several may be said of anything. */
const isWhole = (option: ReadonlySet<string>, told: ReadonlySet<string>): boolean =>
  [...option].filter((word) => told.has(word)).length > option.size / 2;

function wrongChoice(line: ClaimLine, { ref, sentence }: Choice): WrongClaim {
  return {
    ...lineClaim('request', line, ref),
    why: `the user chose otherwise in ${ref}`,
    // A question with its answer is no line of the user's.
    ...(isAnswered(line.content) ? {} : { row: `${ref} user: ${sentence}` }),
  };
}

/** What is said everywhere does not tell which choice a line is about. */
const mostPlaces = 24;

interface Choices {
  readonly list: readonly Choice[];
  /** By each word of an option the newest choice with it. */
  readonly newest: ReadonlyMap<string, number>;
}

const known = new WeakMap<Source, Choices>();

/** Every choice that a person made is found once, in time linear in what is said in short questions. */
function newestAbout(told: ReadonlySet<string>, source: Source): Choice | undefined {
  const choices = known.get(source) ?? indexed(findChoices(source));
  known.set(source, choices);
  const seldom = [...told].filter((word) => source.passagesWith(word).length <= mostPlaces);
  return choices.list[Math.max(-1, ...seldom.map((word) => choices.newest.get(word) ?? -1))];
}

const indexed = (list: readonly Choice[]): Choices => ({
  list,
  newest: new Map(list.flatMap(({ taken, other }, at) => [...taken, ...other].map((word) => [word, at] as const))),
});

/** So many replies after the question it may be settled. */
const replies = 3;

function findChoices(source: Source): readonly Choice[] {
  const { list } = exchangesIn(source);
  return list.flatMap((exchange, at) => {
    const asked = [
      ...exchange.before.map((place) => ({ place, from: at })),
      ...own(exchange).map((place) => ({ place, from: at + 1 })),
    ];
    return asked.flatMap(({ place, from }) => {
      const options = optionsIn(source.text(place));
      return options === undefined ? [] : (settled(options, list.slice(from, from + replies), source) ?? []);
    });
  });
}

const own = ({ first, last }: Exchange): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

interface Options {
  readonly one: ReadonlySet<string>;
  readonly two: ReadonlySet<string>;
}

const questionChars = 160;

/** Two things that a short question puts side by side. */
function optionsIn(text: string): Options | undefined {
  for (const sentence of sentencesIn(text)) {
    if (!/[?？]$/.test(sentence) || sentence.length > questionChars) continue;
    const sides = sentence.split(choiceJoints);
    if (sides.length !== 2) continue;
    const [before, after] = [contentWords(lastPart(sides[0] ?? '')), contentWords(firstPart(sides[1] ?? ''))];
    const one = namesFirst(before.slice(-sideWords).filter((word) => !after.includes(word)));
    const two = namesFirst(after.slice(0, sideWords).filter((word) => !before.includes(word)));
    if (one.size > 0 && two.size > 0) return { one, two };
  }
  return undefined;
}

/** Names in Latin letters tell more than what stands around them in another script. */
function namesFirst(words: readonly string[]): ReadonlySet<string> {
  const latin = words.filter((word) => /^[a-z]/.test(word));
  return new Set(words.some((word) => wideSigns.test(word)) && latin.length > 0 ? latin : words);
}

/** The words nearest to the `or`; of wide scripts pairs of letters. */
const sideWords = 3;
const parts = /[,，、:：]/u;
const lastPart = (text: string): string => text.split(parts).at(-1) ?? text;
const firstPart = (text: string): string => text.split(parts)[0] ?? text;

/** The first clause of a reply that names one of the two and denies nothing; the newest reply counts. */
function settled(options: Options, exchanges: readonly Exchange[], source: Source): Choice | undefined {
  let choice: Choice | undefined;
  for (const exchange of exchanges) {
    for (const place of own(exchange))
      choice = choiceIn(place, options, source) ?? putOff(place, options, source) ?? choice;
  }
  return choice;
}

function putOff(place: number, { one, two }: Options, source: Source): Choice | undefined {
  const sentence = sentencesIn(source.text(place)).find(isPostponing);
  if (sentence === undefined) return undefined;
  return { taken: new Set(), other: new Set([...one, ...two]), ref: source.refOf(place), sentence };
}

function choiceIn(place: number, { one, two }: Options, source: Source): Choice | undefined {
  for (const sentence of sentencesIn(source.text(place))) {
    if (/[?？]$/.test(sentence)) continue;
    for (const clause of sentence.split(parts)) {
      const words = new Set(contentWords(clause));
      const [first, second] = [names(one, words), names(two, words)];
      if (first === second) continue;
      const isFirst = first !== isNegated(clause);
      return { taken: isFirst ? one : two, other: isFirst ? two : one, ref: source.refOf(place), sentence };
    }
  }
  return undefined;
}
