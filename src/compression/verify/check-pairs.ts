/**
 * Values that were exchanged between things told side by side: of `main: 10.0.0.4, spare: 10.0.0.9` a line says that the
 * main one is 10.0.0.9. Every word of it was said, but never together.
 */
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Context, nothing } from './context.ts';
import { contentWords } from './request-words.ts';
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
  return nothing;
};

const separator = /[,;]\s+|[，、；\n]|\s(?:and|und|et|y)\s/u;
const piecesOf = (text: string): readonly string[] => text.split(separator);

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
    const pieces = piecesOf(source.around(at, 1));
    const own = pieces.filter((one) => valuesIn(one).includes(value)).map((one) => new Set(contentWords(one)));
    const missing = labels.filter((label) => !own.some((words) => words.has(label)));
    const shared = labels.length - missing.length;
    const isOthers = pieces.some(
      (one) =>
        !valuesIn(one).includes(value) &&
        valuesIn(one).some((other) => !others.has(other) && shapeOf(other) === shapeOf(value)) &&
        contentWords(one).filter((word) => labels.includes(word)).length > shared &&
        missing.some((label) => contentWords(one).includes(label)),
    );
    // Listings put any figures side by side; a person who does so tells them apart.
    if (isOthers && source.speakerOf(at) === 'person') found ??= at;
    // A place that neither has the words nor a rival tells nothing; one with some of them may bear the line out.
    else if (!isOthers && (missing.length === 0 || shared > 0)) return undefined;
  }
  return found;
}

function wrongPair(value: string, line: ClaimLine, ref: WrongClaim['refs'][number]): WrongClaim {
  return {
    ...{ type: 'number', text: line.content, line: line.number, verdict: 'contradicted', refs: [ref] },
    why: `${ref} says ${value} of something else`,
  };
}
