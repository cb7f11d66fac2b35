/**
 * What the formats share: small readings of JSON values, and keeping what the model has no name for.
 *
 * `extra.fields` holds unknown fields exactly as they came and, under `#`, hints: how the known ones were written where
 * a format allows several ways. Hints never reach the wire, and every writer ignores one that no longer fits.
 */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Extra, FilePart, FormatName, ImagePart, OtherPart, Part, TextPart, ToolCallPart } from '../message.ts';

// Small readings of JSON values whose shape nobody promises.

/** A check of a JSON value. */
type Fits<T extends JsonValue | undefined> = (value: JsonValue | undefined) => value is T;

/** True for a JSON list. `Array.isArray` alone does not narrow readonly lists. */
export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);
export const isText = (value: JsonValue | undefined): value is string => typeof value === 'string';
export const isFlag = (value: JsonValue | undefined): value is boolean => typeof value === 'boolean';
export const isGiven = (value: JsonValue | undefined): value is JsonValue => value !== undefined;
export const isAbsent = (value: JsonValue | undefined): value is undefined => value === undefined;
/** For members that need not be there. */
export const maybe =
  <T extends JsonValue>(check: Fits<T>): Fits<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);
export const isMaybeText: Fits<string | undefined> = maybe(isText);

/** The value when it is a string. */
export const asText = (value: JsonValue | undefined): string | undefined => (isText(value) ? value : undefined);

/** The value when it is a string with something in it. */
export const asName = (value: JsonValue | undefined): string | undefined => (value === '' ? undefined : asText(value));

/** The value when it is an object, an empty object otherwise. */
export const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The value when it is a list, an empty list otherwise. */
export const asList = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);

const isoShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** An ISO 8601 time from such a time or from milliseconds since 1970; undefined for anything else. */
export function asTime(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return isoShape.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  // 8.64e15 ms is the last time that ECMAScript can write.
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return new Date(value).toISOString();
  return undefined;
}

/** True for a text that providers refuse as empty. */
export const isBlank = (text: string): boolean => text.trim() === '';

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

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined members, so that optional members stay absent. */
export function defined<const T extends object>(object: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const name in object) {
    const value: unknown = object[name];
    // An assignment to this name would set no member.
    if (name === '__proto__') return Object.fromEntries(Object.entries(object).filter(isDefined)) as Defined<T>;
    if (value !== undefined) kept[name] = value;
  }
  // Leaving out exactly the undefined members gives what `Defined` says.
  return kept as Defined<T>;
}

const isDefined = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

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

// What is kept beside the model's own fields.

export type Hints = Readonly<Record<string, JsonValue | undefined>>;

interface Carrier {
  readonly extra?: Extra;
}

const nothing: JsonObject = {};
const hintsKey = '#';

/** How one format keeps and finds again what only it can write. */
export interface Keeping {
  /** `{ extra }` with fields and hints, or nothing when there are none. */
  extraOf(fields: JsonObject, hints?: Hints): { extra?: Extra };
  /** The same, but never empty: for parts that only their own format can write. */
  ownExtra(fields: JsonObject, hints?: Hints): { extra: Extra };
  /** A part of unknown type or shape, as it came. */
  other(value: JsonValue, hints?: Hints): OtherPart;
  /** The unknown fields that belong to the format, ready for the wire. */
  fieldsOf(thing: Carrier | undefined): JsonObject;
  /** The hints that belong to the format. */
  hintsOf(thing: Carrier | undefined): JsonObject;
  /** True for what came from the format: by what it says itself, else by what the whole list comes from. */
  isOwn(thing: Carrier, from: FormatName): boolean;
}

export function keeping(format: FormatName): Keeping {
  const extraOf: Keeping['extraOf'] = (fields, hints) => {
    const kept = hints && filled(json(hints));
    if (kept) return { extra: { format, fields: { ...fields, [hintsKey]: kept } } };
    return filled(fields) ? { extra: { format, fields } } : {};
  };
  const ownExtra: Keeping['ownExtra'] = (fields, hints) => ({
    extra: extraOf(fields, hints).extra ?? { format, fields: {} },
  });
  return {
    extraOf,
    ownExtra,
    other: (value, hints) => ({ type: 'other', value, ...ownExtra({}, hints) }),
    fieldsOf: (thing) => {
      if (thing?.extra?.format !== format) return nothing;
      const { [hintsKey]: hints, ...fields } = thing.extra.fields;
      return hints === undefined ? thing.extra.fields : fields;
    },
    hintsOf: (thing) => (thing?.extra?.format === format ? asObject(thing.extra.fields[hintsKey]) : nothing),
    isOwn: (thing, from) => originFormat(thing, from) === format,
  };
}

/** Formats whose reasoning proofs and opaque parts are made by the same provider, so that each can carry the other's. */
const families: readonly (readonly FormatName[])[] = [
  ['anthropic', 'claude-code'],
  ['openai-responses', 'codex'],
];

/** True when something that `from` wrote can stand in `format` as it is. */
export const isSameFamily = (from: FormatName, format: FormatName): boolean =>
  from === format || families.some((family) => family.includes(from) && family.includes(format));

/** Where a message or part comes from: what it says itself, else what the whole list comes from. */
export const originFormat = (thing: Carrier, from: FormatName): FormatName => thing.extra?.format ?? from;

// Content: one text, or a list of parts.

/** What an empty content may be: an empty string, null, an empty list, or no member at all. */
const emptyContents = { string: '', null: null, list: [], absent: undefined } as const;
type EmptyContent = keyof typeof emptyContents;

/** The parts of a content, and how it was written if not in the usual way: one plain text as a string, all else as a list. */
export function readContent<P extends Part>(
  content: JsonValue | undefined,
  read: (value: JsonValue) => P,
  usual: EmptyContent,
): { readonly parts: readonly (P | TextPart)[]; readonly shape?: string } {
  const empty = content === undefined ? 'absent' : content === null ? 'null' : content === '' ? 'string' : undefined;
  if (empty) return empty === usual ? { parts: [] } : { parts: [], shape: empty };
  if (typeof content === 'string') return { parts: [{ type: 'text', text: content }] };
  if (!isList(content)) return { parts: [read(content ?? null)], shape: 'bare' };
  const parts = content.map(read);
  const isUnusual = parts.length === 0 ? usual !== 'list' : isOnePlainText(parts);
  return isUnusual ? { parts, shape: 'list' } : { parts };
}

/** True for a single text without anything around it. */
export const isOnePlainText = (parts: readonly Part[]): boolean =>
  parts.length === 1 && parts[0]?.type === 'text' && parts[0].extra === undefined;

/** The content for the wire: as it was written where that still fits. */
export function writeContent(
  written: readonly JsonValue[],
  shape: JsonValue | undefined,
  usual: EmptyContent,
): JsonValue | undefined {
  const [first] = written;
  if (first === undefined) return emptyContents[isEmptyContent(shape) ? shape : usual];
  if (shape === 'bare' && written.length === 1) return first;
  return shape === 'list' || written.length > 1 ? written : (plainText(first) ?? written);
}

const isEmptyContent = (shape: JsonValue | undefined): shape is EmptyContent =>
  typeof shape === 'string' && Object.hasOwn(emptyContents, shape);

/** The text of a written part that says nothing else. */
export function plainText(value: JsonValue | undefined): string | undefined {
  if (!isJsonObject(value) || value.type !== 'text' || typeof value.text !== 'string') return undefined;
  return Object.keys(value).length === 2 ? value.text : undefined;
}

// Images, files and arguments.

/** Where an attachment stands: exactly one of the four. */
export type Place = { mediaType?: string } & (
  | { data: string }
  | { url: string }
  | { fileId: string }
  | { text: string }
);

const dataUrl = /^data:([^;,]+);base64,/;

/** Media type and base64 of a data URL; undefined for any other address. */
export function dataOf(url: string): { mediaType: string; data: string } | undefined {
  // Only the start is matched: the data itself may be megabytes.
  const [head, mediaType] = dataUrl.exec(url.slice(0, 200)) ?? [];
  return head === undefined || mediaType === undefined ? undefined : { mediaType, data: url.slice(head.length) };
}

/** The address of an image or file that has one; base64 becomes a data URL. */
export function urlOf(part: ImagePart | FilePart, defaultType: string): string | undefined {
  if (part.data === undefined) return part.url;
  return `data:${part.mediaType ?? defaultType};base64,${part.data}`;
}

/** Where an image or file stands, read from an address. */
export const placeOf = (url: string): { mediaType: string; data: string } | { url: string } => dataOf(url) ?? { url };

/** The arguments of a call as the JSON object that formats ask for; what is none is wrapped as `{ "input": … }`. */
function inputObject(input: string, inputType: 'json' | 'text'): JsonObject {
  if (inputType === 'text') return { input };
  if (input.trim() === '') return {};
  const value = parseJson(input);
  return isJsonObject(value) ? value : { input: value === undefined ? input : value };
}

/** The same as JSON text; arguments that are an object already stay as they came, to the letter. */
export function inputText(input: string, inputType: 'json' | 'text'): string {
  const isObject = inputType === 'json' && isJsonObject(parseJson(input));
  return isObject ? input : JSON.stringify(inputObject(input, inputType));
}

/** The arguments as a value: of a call that came from the same format, whatever JSON they are. */
export function inputValue({ input, inputType }: ToolCallPart, isOwn: boolean): JsonValue {
  const value = isOwn && inputType === 'json' ? parseJson(input) : undefined;
  return value === undefined ? inputObject(input, inputType) : value;
}

/** The value of a JSON text, and the text itself when it is none. */
export function valueOrText(text: string): JsonValue {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** A short mark for an attachment that a format cannot carry. */
export function attachmentMark(part: ImagePart | FilePart): string {
  if (part.type === 'image') return '[image]';
  return part.text ?? `[file${part.name === undefined ? '' : ` ${part.name}`}]`;
}
