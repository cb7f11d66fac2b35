/** What every dialect's reader of answers does: takes the pieces of an answer as they come and puts its own JSON together. */

import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { is } from './values.ts';

/** An answer put together from what has come so far. */
export interface Assembled {
  /** What the client sends back in its next request, as items of its list; empty where nothing was said. */
  readonly said: readonly JsonValue[];
  /** The provider's last report, in its own shape. */
  readonly usage?: JsonObject | undefined;
  readonly model?: string | undefined;
  /** Why it ended, in the provider's own word. */
  readonly finish?: string | undefined;
  /** The error that the provider wrote in place of the answer, or into it. */
  readonly error?: JsonObject | undefined;
  /** True when the provider said that this was all. */
  readonly isWhole: boolean;
}

/** The growing answer of one dialect. What it does not know it leaves out; it never asks for an order of events. */
export interface Assembler {
  /** An event of a stream. `name` is its `event:` line, empty where there is none. */
  event(data: JsonObject, name: string): void;
  /** `[DONE]`. */
  done(): void;
  /** An answer that came as one body. */
  whole(body: JsonObject): void;
  assembled(): Assembled;
}

/** Told how much more of the answer is kept, in UTF-16 units. */
export type Keep = (chars: number) => void;

/** A JSON object that is still being put together. */
export type Growing = { [name: string]: JsonValue };

/** A list that is still being put together: places come in any order, and not every one of them. */
export type Places = Map<number, Growing>;

/** The values in the order of their places. */
export const inOrder = <T>(places: ReadonlyMap<number, T>): readonly T[] =>
  [...places].toSorted(([a], [b]) => a - b).map(([, value]) => value);

/** Sets a member by a name that a provider chose; one name would set what the object inherits in its place. */
export function put(target: Growing, member: string, value: JsonValue): void {
  if (member !== '__proto__') target[member] = value;
}

/** Adds a piece to a text member; what is no text adds nothing. */
export function append(target: Growing, member: string, piece: JsonValue | undefined): void {
  if (!is.text(piece)) return;
  const before = target[member];
  target[member] = is.text(before) ? before + piece : piece;
}

/** Adds members to a list member. */
export const extend = (target: Growing, member: string, more: readonly JsonValue[]): void => {
  const list = listIn(target, member);
  for (const one of more) list.push(one);
};

/** Puts another value in the place of the last one of a list member. */
export const replaceLast = (target: Growing, member: string, value: JsonValue): void => {
  const list = listIn(target, member);
  list[Math.max(0, list.length - 1)] = value;
};

/** The list of a member as one that was made here, and grows in place: a copy for every event would take quadratic time. */
function listIn(target: Growing, member: string): JsonValue[] {
  const before = target[member];
  const known = is.list(before) ? made.get(before) : undefined;
  if (known) return known;
  const list = is.list(before) ? [...before] : [];
  made.set(list, list);
  target[member] = list;
  return list;
}

const made = new WeakMap<readonly JsonValue[], JsonValue[]>();

/** What too many places take: no answer has so many blocks, items or calls, and every one of them costs a look at the others. */
export const charsForPlaces = (places: ReadonlyMap<unknown, unknown>): number =>
  places.size > mostPlaces ? Number.POSITIVE_INFINITY : 0;

const mostPlaces = 10_000;

/** The place that an event names; the next free one where it names none. */
export const placeIn = (value: JsonValue | undefined, places: ReadonlyMap<number, unknown>): number =>
  typeof value === 'number' ? value : places.size;

/** About how many UTF-16 units a value takes; no number holds what is nested deeper than any answer is. */
export function charsIn(value: JsonValue | undefined, depth = 0): number {
  if (is.text(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (depth > maxDepth) return Number.POSITIVE_INFINITY;
  let chars = 8;
  if (is.list(value)) for (const member of value) chars += charsIn(member, depth + 1);
  else for (const [name, member] of Object.entries(value)) chars += name.length + charsIn(member, depth + 1);
  return chars;
}

/** Far from what a stack holds, so that whoever writes the answer as JSON can. */
const maxDepth = 500;

/** The error in a member, as an object: a provider that wrote a text there is given with what stands around it. */
export function errorIn(around: JsonObject): JsonObject | undefined {
  const { error } = around;
  if (error === undefined || error === null || error === false) return undefined;
  return isJsonObject(error) ? error : around;
}

/** A report of usage, where it says anything. */
export const reportIn = (value: JsonValue | undefined): JsonObject | undefined =>
  isJsonObject(value) && Object.keys(value).length > 0 ? value : undefined;
