/** The saved results that a model means: one by its id or the start of it, or all that its session has. */

import { PalimpsestError } from '../../shared/errors.ts';
import { describe, isObject } from '../../shared/options/schema.ts';
import type { SessionId } from '../../store/ids.ts';
import type { OutputId, OutputStore, SavedOutput } from '../../store/store.ts';
import { beforePair, grouped, oneLine } from '../text.ts';

/** Where outputs are looked for. */
export interface OutputScope {
  readonly outputs: OutputStore;
  /** Sessions whose outputs are listed, and found by the start of an id; without it those of all. */
  readonly sessionIds?: readonly SessionId[];
  /** True masks credentials in every result, for who may not have seen it. @default false: in those of other sessions */
  readonly isMasked?: boolean;
}

/** @throws BAD_OPTION where there is no store of outputs */
export function requireOutputs(owner: string, { outputs }: OutputScope): void {
  const given: unknown = outputs;
  if (isObject(given) && typeof given.save === 'function' && typeof given.read === 'function') return;
  const message = `expected as outputs of ${owner} the outputs of a store (store.outputs), got ${describe(given)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'outputs' } });
}

export type FoundOutput =
  | { readonly type: 'found'; readonly output: SavedOutput }
  /** What to tell the model instead. */
  | { readonly type: 'none'; readonly text: string };

/** What an id, or the start of one, may stand for. */
export type Meant =
  | { readonly type: 'found'; readonly output: SavedOutput }
  | {
      readonly type: 'several' | 'none';
      /** Those that it may stand for; of none, all that were looked at. Newest first. */
      readonly outputs: readonly SavedOutput[];
      readonly wanted: string;
    };

const wholeId = /^[0-9a-f]{16}$/;
const shortestStart = 4;
const shownIds = 5;

/**
 * An output by its id, in any session: an id can only be known by who has seen it. By the start of an id it is found
 * among the outputs in scope only.
 *
 * @example
 * import { outputMeant } from '@palimpsest/core/store';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * const meant = await outputMeant('3f9c2a10', { outputs: store.outputs });
 * if (meant.type === 'found') console.log(meant.output.lines);
 */
export async function outputMeant(id: string, scope: OutputScope): Promise<Meant> {
  const wanted = id
    .trim()
    .toLowerCase()
    .replace(/^output\s+/, '');
  if (wholeId.test(wanted)) {
    const output = await scope.outputs.get(wanted);
    if (output) return { type: 'found', output };
  }
  const outputs = await outputsIn(scope);
  const isStart = wanted.length >= shortestStart && /^[0-9a-f]+$/.test(wanted);
  const fitting = isStart ? outputs.filter((one) => one.id.startsWith(wanted)) : [];
  const [only, ...more] = fitting;
  if (only === undefined) return { type: 'none', outputs, wanted };
  return more.length === 0 ? { type: 'found', output: only } : { type: 'several', outputs: fitting, wanted };
}

/** The same in words for a model. */
export async function findOutput(id: string, scope: OutputScope): Promise<FoundOutput> {
  const meant = await outputMeant(id, scope);
  if (meant.type === 'found') return meant;
  const { type, outputs, wanted } = meant;
  return { type: 'none', text: type === 'several' ? severalText(wanted, outputs) : noneText(id, outputs) };
}

/**
 * True for an output of another conversation, known by its id alone: credentials in it were never shown to who asks. A
 * scope without sessions has no others, unless all are masked in it.
 */
export async function isForeign(output: SavedOutput, scope: OutputScope): Promise<boolean> {
  if (scope.isMasked) return true;
  if (scope.sessionIds === undefined) return false;
  return !(await outputsIn(scope)).some(({ id }) => id === output.id);
}

/**
 * The outputs of the sessions in scope, newest first.
 *
 * @example
 * import { outputsIn } from '@palimpsest/core/store';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * const outputs = await outputsIn({ outputs: store.outputs });
 */
export async function outputsIn({ outputs, sessionIds }: OutputScope): Promise<readonly SavedOutput[]> {
  const lists = sessionIds
    ? await Promise.all(sessionIds.map((sessionId) => listOf(outputs, sessionId)))
    : [await outputs.list()];
  const distinct = new Map(lists.flat().map((output) => [output.id, output]));
  return [...distinct.values()].sort((one, other) => other.savedAt - one.savedAt || (one.id < other.id ? -1 : 1));
}

/** A session that the store does not know yet has no outputs. */
async function listOf(outputs: OutputStore, sessionId: SessionId): Promise<readonly SavedOutput[]> {
  try {
    return await outputs.list(sessionId);
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === 'ID_UNKNOWN') return [];
    throw error;
  }
}

const severalText = (id: string, fitting: readonly SavedOutput[]): string =>
  `Several saved outputs begin with ${id}: ${named(fitting)}. Give more of the id.`;

function noneText(id: string, listed: readonly SavedOutput[]): string {
  const rest = listed.length === 0 ? 'There are none yet.' : `The newest are: ${named(listed)}.`;
  return `There is no saved output ${oneLine(id, 40)}. ${rest}`;
}

const named = (outputs: readonly SavedOutput[]): string =>
  outputs
    .slice(0, shownIds)
    .map(({ id, tool, characters }) => `${id} (${oneLine(tool ?? 'tool', 40)}, ${grouped(characters)} characters)`)
    .join(', ');

// The places of saved results that hold every word of a query, for models and for people.

/** A line, or a place in a line that is too long to be shown. */
interface FoundPlace {
  /** From 1. */
  readonly line: number;
  /** The character of the line at which the match begins, from 1; undefined where the whole line is shown. */
  readonly char: number | undefined;
  /** The line, or what stands around the match. */
  readonly text: string;
}

/** What is looked for, and in how many places at most. */
interface PlaceQuery {
  readonly query: string;
  readonly limit: number;
  /** Makes a piece of a long line fit to be shown. @default the piece as it stands */
  readonly show?: (line: string, piece: { readonly start: number; readonly end: number }) => string;
}

/** A longer line is shown around its matches only. */
const longLineChars = 400;

/**
 * The places of one output, those with the whole query in a line first. Throws `ID_UNKNOWN`.
 *
 * @example
 * import { outputsIn, placesOf } from '@palimpsest/core/store';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * const [newest] = await outputsIn({ outputs: store.outputs });
 * if (newest) await placesOf(store.outputs, newest.id, { query: 'missing symbol', limit: 5 });
 */
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

// Where the words of a query stand in one long line: JSON and minified code have all they hold in a line. Pure.

/** A match in a line. */
interface LineMatch {
  /** The character of the line at which it begins, from 1. */
  readonly char: number;
  /** The match with what stands around it. */
  readonly text: string;
}

const aroundChars = 160;
const mostWords = 8;

/** The first matches of the whole query, else of its rarest word; those within the same excerpt count once. */
function matchesIn(
  line: string,
  query: string,
  { limit, show = asItStands }: Omit<PlaceQuery, 'query'>,
): readonly LineMatch[] {
  const words = [...new Set(query.split(/\s+/).filter(Boolean))];
  const phrase = startsOf(line, words.map(escaped).join('\\s+'), limit);
  const places = phrase.length > 0 ? phrase : startsOfRarest(line, words, limit);
  return places.map((at) => ({ char: at + 1, text: excerpt(line, at, show) }));
}

/** Of words that are equally rare, the longest tells most. */
function startsOfRarest(line: string, words: readonly string[], limit: number): readonly number[] {
  const found = words
    .toSorted((one, other) => other.length - one.length)
    .slice(0, mostWords)
    .map((word) => startsOf(line, escaped(word), limit))
    .filter((places) => places.length > 0);
  return found.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

function startsOf(line: string, pattern: string, limit: number): readonly number[] {
  const places: number[] = [];
  if (pattern === '') return places;
  const expression = new RegExp(pattern, 'gi');
  while (places.length < limit) {
    const match = expression.exec(line);
    if (!match) break;
    places.push(match.index);
    expression.lastIndex = Math.max(expression.lastIndex, match.index + aroundChars);
  }
  return places;
}

function excerpt(line: string, at: number, show: NonNullable<PlaceQuery['show']>): string {
  const start = beforePair(line, Math.max(0, at - aroundChars));
  const end = beforePair(line, Math.min(line.length, at + 2 * aroundChars));
  return `${start > 0 ? '…' : ''}${show(line, { start, end }).toWellFormed()}${end < line.length ? '…' : ''}`;
}

const asItStands: NonNullable<PlaceQuery['show']> = (line, { start, end }) => line.slice(start, end);

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
