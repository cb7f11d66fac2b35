/** The places of saved results that hold every word of a query, for models and for people. */
import type { OutputId, OutputStore, SavedOutput } from '../../store/output-store.ts';
import { isEnvelope } from '../spill.ts';
import { matchesIn } from './within-line.ts';

/** A line, or a place in a line that is too long to be shown. */
export interface FoundPlace {
  /** From 1. */
  readonly line: number;
  /** The character of the line at which the match begins, from 1; undefined where the whole line is shown. */
  readonly char: number | undefined;
  /** The line, or what stands around the match. */
  readonly text: string;
}

/** What is looked for, and in how many places at most. */
export interface PlaceQuery {
  readonly query: string;
  readonly limit: number;
  /** Makes a piece of a long line fit to be shown. @default the piece as it stands */
  readonly show?: (line: string, piece: { readonly start: number; readonly end: number }) => string;
}

/** A longer line is shown around its matches only. */
const longLineChars = 400;
/** What one search looks through: a second or two. */
const mostSearchedChars = 100_000_000;
const mostSearchedOutputs = 200;

/** The places of one output, those with the whole query in a line first. Throws `ID_UNKNOWN`. */
export async function placesOf(
  outputs: OutputStore,
  id: OutputId,
  { query, limit, show }: PlaceQuery,
): Promise<readonly FoundPlace[]> {
  const places: FoundPlace[] = [];
  for (const { line, text } of await outputs.search(id, query, { limit })) {
    if (places.length >= limit) break;
    if (text.length <= longLineChars) {
      places.push({ line, char: undefined, text });
      continue;
    }
    const whole = (await outputs.read(id, { from: line, to: line })).text.replace(/\r?\n$/, '');
    const matches = matchesIn(whole, query, { limit: limit - places.length, ...(show ? { show } : {}) });
    if (matches.length === 0) places.push({ line, char: undefined, text });
    else
      places.push(...matches.map((match) => ({ line, char: match.char, text: match.text.replaceAll(/[\r\n]/g, ' ') })));
  }
  return places;
}

/** Of outputs, the newest first, those that one search gets through in time, always one; and how many are left. */
export function withinReach(all: readonly SavedOutput[]): {
  readonly searched: readonly SavedOutput[];
  readonly left: number;
} {
  // The text of an envelope is an output of its own.
  const texts = all.filter(({ tool }) => !isEnvelope(tool));
  let chars = 0;
  const searched = texts.filter((output, at) => {
    chars += output.characters;
    return at === 0 || (at < mostSearchedOutputs && chars <= mostSearchedChars);
  });
  return { searched, left: texts.length - searched.length };
}
