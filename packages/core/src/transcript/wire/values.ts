/** Small readings of JSON values whose shape nobody promises. */
import { defined } from '../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';

/** A check of a JSON value. */
type Fits<T extends JsonValue | undefined> = (value: JsonValue | undefined) => value is T;

/** What a value is. */
export const is = {
  /** `Array.isArray` alone does not narrow readonly lists. */
  list: (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value),
  text: (value: JsonValue | undefined): value is string => typeof value === 'string',
  /** A text with something in it. */
  name: (value: JsonValue | undefined): value is string => is.text(value) && value !== '',
  flag: (value: JsonValue | undefined): value is boolean => typeof value === 'boolean',
  given: (value: JsonValue | undefined): value is JsonValue => value !== undefined,
  absent: (value: JsonValue | undefined): value is undefined => value === undefined,
  maybeText: (value: JsonValue | undefined): value is string | undefined => value === undefined || is.text(value),
  /** A text that providers refuse as empty. */
  blank: (text: string): boolean => text.trim() === '',
};

/** For members that need not be there. */
export const maybe =
  <T extends JsonValue>(check: Fits<T>): Fits<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);

/** The value when it is a string. */
export const asText = (value: JsonValue | undefined): string | undefined => (is.text(value) ? value : undefined);

/** The value when it is a string with something in it. */
export const asName = (value: JsonValue | undefined): string | undefined => (value === '' ? undefined : asText(value));

/** The value when it is an object, an empty object otherwise. */
export const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The value when it is a list, an empty list otherwise. */
export const asList = (value: JsonValue | undefined): readonly JsonValue[] => (is.list(value) ? value : []);

const isoShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** An ISO 8601 time from such a time or from milliseconds since 1970; undefined for anything else. */
export function asTime(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return isoShape.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  // 8.64e15 ms is the last time that ECMAScript can write.
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return new Date(value).toISOString();
  return undefined;
}

/** True when an object has a member of one of the names. */
export const hasAny = (object: JsonObject, names: Iterable<string>): boolean => {
  for (const name of names) if (name in object) return true;
  return false;
};

/** The object, and undefined for an empty one. */
export function filled(object: JsonObject): JsonObject | undefined {
  for (const _ in object) return object;
  return undefined;
}

/** The object without the named members. */
export function omit(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

export const nothing: JsonObject = {};

type Check = (value: JsonValue | undefined) => boolean;
type Checks = Readonly<Record<string, Check>>;
type Checked<C> = C extends Fits<infer T> ? T : never;
type Taken<Needed, Optional> = { readonly [K in keyof Needed]: Checked<Needed[K]> } & {
  readonly [K in keyof Optional]: Checked<Optional[K]> | undefined;
} & { readonly rest: JsonObject };

/**
 * Takes an object apart: the members that are what they must be, and the `rest`; undefined where one that is `needed` is
 * something else. An `optional` one that does not fit stays in the rest.
 */
export function take<N extends Checks, O extends Checks = Record<never, Check>>(
  object: JsonObject,
  needed: N,
  optional?: O,
): Taken<N, O> | undefined {
  const taken: Record<string, JsonValue | undefined> = {};
  for (const name in needed) {
    if (!needed[name]?.(object[name])) return undefined;
    taken[name] = object[name];
  }
  for (const name in optional) if (optional[name]?.(object[name])) taken[name] = object[name];
  let rest = nothing;
  for (const name in object) {
    if (Object.hasOwn(taken, name)) continue;
    rest = omit(object, Object.keys(taken));
    break;
  }
  // Every member was seen by its check, and `rest` is no name that a format uses.
  return Object.assign(taken, { rest }) as Taken<N, O>;
}

/** Members of a JSON object, some of which may be missing. */
export type Hints = Readonly<Record<string, JsonValue | undefined>>;

/** A JSON object without its undefined members. */
export const json = (members: Hints): JsonObject => defined(members) as JsonObject;

/** What JSON can carry of a value in memory: bytes as base64, addresses as text, nothing for what is undefined. */
export function jsonOf(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Uint8Array) return base64(value);
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
  if (value instanceof URL) return value.href;
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== 'object') return null;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function');
  return Object.fromEntries(entries.map(([key, member]) => [key, jsonOf(member)]));
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  // In pieces: a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}
