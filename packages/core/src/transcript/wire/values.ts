/**
 * What the chat formats share: keeping what the model has no name for, and small conversions of their values.
 *
 * `extra.fields` holds unknown fields exactly as they came and, under `#`, hints: how the known ones were written where
 * a format allows several ways. Hints never reach the wire, and every writer ignores one that no longer fits.
 */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { ReadFinding } from '../format.ts';
import type { Extra, FilePart, FormatName, ImagePart, Message, Part, SourceSpan } from '../message.ts';

const hintsKey = '#';

/** What a list is read with: where each element stood, and who hears of what is wrong. */
export interface ReadContext {
  /** One span an element, in the order of the list. */
  readonly sources?: readonly SourceSpan[];
  readonly report?: (finding: ReadFinding) => void;
}

export type Hints = Readonly<Record<string, JsonValue | undefined>>;

/** `{ extra }` with fields and hints, or nothing when there are none. */
export function extraOf(format: FormatName, fields: JsonObject, hints?: Hints): { extra?: Extra } {
  const kept = hints ? withoutUndefined(hints) : undefined;
  if (kept && !isEmpty(kept)) return { extra: { format, fields: { ...fields, [hintsKey]: kept } } };
  return isEmpty(fields) ? {} : { extra: { format, fields } };
}

/** The same, but never empty: for parts that only their own format can write. */
export const ownExtra = (format: FormatName, fields: JsonObject, hints?: Hints): { extra: Extra } => ({
  extra: extraOf(format, fields, hints).extra ?? { format, fields: {} },
});

const nothing: JsonObject = {};

/** The unknown fields that belong to a format, ready for the wire. */
export function fieldsOf(extra: Extra | undefined, format: FormatName): JsonObject {
  if (extra?.format !== format) return nothing;
  if (!(hintsKey in extra.fields)) return extra.fields;
  const { [hintsKey]: _, ...fields } = extra.fields;
  return fields;
}

/** The hints that belong to a format. */
export function hintsOf(extra: Extra | undefined, format: FormatName): JsonObject {
  const hints = extra?.format === format ? extra.fields[hintsKey] : undefined;
  return isJsonObject(hints) ? hints : nothing;
}

export function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

function withoutUndefined(hints: Hints): JsonObject {
  const kept: { [name: string]: JsonValue } = {};
  for (const [name, value] of Object.entries(hints)) if (value !== undefined) kept[name] = value;
  return kept;
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
export const originFormat = (thing: { readonly extra?: Extra }, from: FormatName): FormatName =>
  thing.extra?.format ?? from;

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
export function placeOf(url: string): { mediaType: string; data: string } | { url: string } {
  return dataOf(url) ?? { url };
}

/** The arguments of a call as the JSON object that formats ask for; what is none is wrapped as `{ "input": … }`. */
export function inputObject(input: string, inputType: 'json' | 'text'): JsonObject {
  if (inputType === 'text') return { input };
  if (input.trim() === '') return {};
  const value = parseJson(input);
  if (isJsonObject(value)) return value;
  return { input: value === undefined ? input : value };
}

/** The value of a JSON text, and the text itself when it is none. */
export function valueOrText(text: string): JsonValue {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** The same as JSON text; arguments that are an object already stay as they came, to the letter. */
export function inputText(input: string, inputType: 'json' | 'text'): string {
  const isObject = inputType === 'json' && isJsonObject(parseJson(input));
  return isObject ? input : JSON.stringify(inputObject(input, inputType));
}

/** A short mark for an attachment that a format cannot carry. */
export function attachmentMark(part: ImagePart | FilePart): string {
  if (part.type === 'image') return '[image]';
  return part.text ?? `[file${part.name === undefined ? '' : ` ${part.name}`}]`;
}

/** A system message that may not stand where it stands becomes this text of a user message; `originOf` knows it. */
export const systemNote = (text: string): string => `<system-note>\n${text}\n</system-note>`;

/** True for a text that providers refuse as empty. */
export const isBlank = (text: string): boolean => text.trim() === '';

/** The message with where it came from, if that is known. */
export const withSource = (message: Message, source: SourceSpan | undefined): Message =>
  source === undefined ? message : { ...message, source: [source] };

// Small readings of JSON values whose shape a log does not promise.

/** The value when it is a string. */
export const asText = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The value when it is a string with something in it. */
export const asName = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The value when it is an object, an empty object otherwise. */
export const asObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** The value when it is a list, an empty list otherwise. */
export const asList = (value: JsonValue | undefined): readonly JsonValue[] => (isList(value) ? value : []);

/** True for a JSON list. `Array.isArray` alone does not narrow readonly lists. */
export const isList = (value: JsonValue | undefined): value is readonly JsonValue[] => Array.isArray(value);

/** The object without the named members. */
export function omit(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

const isoShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** An ISO 8601 time from such a time or from milliseconds since 1970; undefined for anything else. */
export function asTime(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return isoShape.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  // 8.64e15 ms is the last time that ECMAScript can write.
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return new Date(value).toISOString();
  return undefined;
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined members, so that optional members stay absent. */
export function defined<T extends object>(object: T): Defined<T> {
  // Removing exactly the undefined members gives what `Defined` says.
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/**
 * A conversation whose every tool call is one of the client, as a format can carry that does not know the provider's
 * own tools: a message is cut behind each result inside it, and a call of the provider without a result is left out.
 */
export function withClientToolsOnly(message: Message): Message[] {
  if (!message.parts.some((part) => 'server' in part && part.server)) return [message];
  const answered = new Set(message.parts.flatMap((part) => (part.type === 'toolResult' ? [part.callId] : [])));
  const pieces: Message[] = [];
  let parts: Part[] = [];
  const cut = (): void => {
    if (parts.length > 0) pieces.push({ ...message, parts });
    parts = [];
  };
  for (const part of message.parts) {
    if (part.type === 'toolResult') {
      cut();
      const { server: _, ...result } = part;
      pieces.push({ role: 'tool', parts: [result], ...(message.time ? { time: message.time } : {}) });
    } else if (part.type === 'toolCall' && part.server) {
      const { server: _, ...call } = part;
      if (answered.has(part.callId)) parts.push(call);
    } else parts.push(part);
  }
  cut();
  return pieces;
}
