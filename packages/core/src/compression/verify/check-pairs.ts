/**
 * What was exchanged between things told side by side: of `main: 10.0.0.4, spare: 10.0.0.9` a line says that the main one
 * is 10.0.0.9, of `Ann does the server, Jens the database` that Jens does the server. Every word was said, never together.
 */

import { listOrSentenceEnds, pairSeparators } from '../../language/negations.ts';
import { type ClaimLine, lineClaim } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { perPassage } from './passages.ts';
import { contentWords } from './request-words.ts';
import type { Speaker } from './source.ts';
import { attributionIn, userSection } from './words/attributions.ts';
import { statusClaims } from './words/statuses.ts';
import { numberOf } from './words-of.ts';

/** Holds every figure of a line against the thing that it was said of. */
export const checkPairs: Check = (line, context) => {
  if (line.type !== 'text' || line.scope !== undefined || context.isVerbatim(line)) return nothing;
  for (const piece of piecesOf(line.content)) {
    for (const value of valuesIn(piece)) {
      const at = saidOfAnother({ value, piece }, context);
      if (at === undefined) continue;
      return { claims: ['number'], wrong: [wrongPair(value, line, context.source.refOf(at))] };
    }
  }
  // What changed was otherwise before, and a wish is no list of who has what.
  const isOther =
    statusClaims(line.content).length > 0 ||
    attributionIn(line.content) !== undefined ||
    userSection(line.heading) !== undefined ||
    line.refs.length > 0;
  const at = isOther ? undefined : crossedIn(line.content, context);
  if (at !== undefined) return { claims: ['number'], wrong: [wrongPair('it', line, context.source.refOf(at))] };
  return nothing;
};

const piecesOf = (text: string): readonly string[] => text.split(pairSeparators);

const figure = /(?<![\p{L}\d_./-])\d[\d.,:]*(?![\d_/-])/gu;

/** Figures as they are compared: without the thousands' marks, and what ends a sentence. One digit stands anywhere. */
const valuesIn = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(figure)].map(([found]) => numberOf(found.replace(/[.,:]+$/, ''))))].filter(
    (value) => value.length > 1,
  );

const shapeOf = (value: string): string => value.replace(/\d+/g, '0');

interface Told {
  readonly value: string;
  /** The piece of the line that says it. */
  readonly piece: string;
}

/** A figure said more often than this is said of many things. */
const mostPlaces = 24;

/**
 * The passage that says the figure of something else: wherever it stands, a piece beside it has the words of the line with
 * another figure, and no piece has both.
 */
function saidOfAnother({ value, piece }: Told, { source }: Context): number | undefined {
  const others = new Set(valuesIn(piece));
  const labels = contentWords(piece).filter((word) => word !== value && source.passagesWith(word).length > 0);
  const places = source.passagesWith(value);
  if (labels.length === 0 || places.length === 0 || places.length > mostPlaces) return undefined;
  let found: number | undefined;
  for (const at of places) {
    const pieces = piecesAround(at, source);
    const own = pieces.filter(({ values }) => values.includes(value));
    const missing = labels.filter((label) => !own.some(({ words }) => words.includes(label)));
    const shared = labels.length - missing.length;
    const isOthers = pieces.some(
      ({ values, words }) =>
        !values.includes(value) &&
        values.some((other) => !others.has(other) && shapeOf(other) === shapeOf(value)) &&
        words.filter((word) => labels.includes(word)).length > shared &&
        missing.some((label) => words.includes(label)),
    );
    // Listings put any figures side by side; who does so in a sentence tells them apart.
    if (isOthers && tellers.has(source.speakerOf(at))) found ??= at;
    // A place that neither has the words nor a rival tells nothing; one with some of them may bear the line out.
    else if (!isOthers && (missing.length === 0 || shared > 0)) return undefined;
  }
  return found;
}

/** What is said around a passage, piece by piece: the figures and the words of each. */
const piecesAround = perPassage((at, source) =>
  piecesOf(source.around(at, 1)).map((piece) => ({ values: valuesIn(piece), words: contentWords(piece) })),
);

/** Words said more often lead nowhere. */
const mostSaid = 40;
const tellingLeast = 2;
/** Clauses as short as those of a list of who does what. */
const listedWords = 6;
const listed = /[,;，、；]\s*/u;

/** The passage, of a person or the agent, that tells two things side by side and a piece of the line what one has with the name of the other. */
function crossedIn(content: string, { source }: Context): number | undefined {
  for (const piece of content.split(listed)) {
    const words = contentWords(piece);
    const counts = new Map<number, number>();
    for (const word of words) {
      const places = source.passagesWith(word);
      if (places.length <= mostSaid) for (const at of places) counts.set(at, (counts.get(at) ?? 0) + 1);
    }
    const near = [...counts].filter(([, count]) => count >= tellingLeast).map(([at]) => at);
    const told = near
      .filter((at) => tellers.has(source.speakerOf(at)))
      .map((at) => ({ at, is: tells(words, source.text(at)) }));
    const crossed = told.find(({ is }) => is === 'crossed');
    if (crossed && !told.some(({ is }) => is === 'together')) return crossed.at;
  }
  return undefined;
}

const tellers: ReadonlySet<Speaker> = new Set(['person', 'agent']);

/** Whether a text says the words of one thing, or the name of one and what another has. */
function tells(words: readonly string[], text: string): 'together' | 'crossed' | undefined {
  const pieces = text
    .split(listOrSentenceEnds)
    .map(contentWords)
    .filter((piece) => piece.length > 0);
  const shared = pieces.map((piece) => words.filter((word) => piece.includes(word)));
  const all = new Set(shared.flat());
  if (all.size < tellingLeast) return undefined;
  if (shared.some((own) => own.length === all.size)) return 'together';
  for (const [at, one] of pieces.entries()) {
    const other = pieces[at + 1];
    if (!other || one.length > listedWords || other.length > listedWords || one.length < 2 || other.length < 2)
      continue;
    if (Math.abs(one.length - other.length) > mostUneven) continue;
    if (isCrossed(words, one, other) || isCrossed(words, other, one)) return 'crossed';
  }
  return undefined;
}

/**
 * The words begin as one piece does and go on as the other: they have the name that opens the one without its end, and of
 * the other what stands behind its name.
 */
function isCrossed(words: readonly string[], one: readonly string[], other: readonly string[]): boolean {
  const has = (piece: readonly string[], rival: readonly string[]): readonly boolean[] =>
    piece.map((word) => words.includes(word) && !rival.includes(word));
  const [opening, behind] = [has(one, other), has(other, one)];
  const end = opening.indexOf(false);
  const isOpening = end > 0 && !opening.includes(true, end) && one.slice(end).some((word) => !other.includes(word));
  const strange = words.filter((word) => !one.includes(word) && !other.includes(word));
  return isOpening && behind[0] === false && behind.includes(true) && strange.length <= mostStrange;
}

/** Two of a list are told alike; of wide scripts the verb at the end makes some pairs of letters more. */
const mostUneven = 3;

/** Other words than the two have, for the verb or the noun that the line puts in. */
const mostStrange = 2;

function wrongPair(value: string, line: ClaimLine, ref: WrongClaim['refs'][number]): WrongClaim {
  return {
    ...lineClaim('number', line, ref),
    why: `${ref} says ${value} of something else`,
  };
}
