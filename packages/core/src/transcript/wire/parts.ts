/**
 * What the formats share: keeping what the model has no name for, and contents, images and arguments both ways.
 *
 * `extra.fields` holds unknown fields exactly as they came and, under `#`, hints: how the known ones were written where
 * a format allows several ways. Hints never reach the wire, and every writer ignores one that no longer fits.
 */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Extra, FilePart, FormatName, ImagePart, OtherPart, Part, TextPart, ToolCallPart } from '../message.ts';
import { asObject, filled, type Hints, is, json, nothing } from './values.ts';

interface Carrier {
  readonly extra?: Extra;
}

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
  /** The same for a format of the same provider: what it wrote can stand in this one as it is. */
  isSameProvider(thing: Carrier, from: FormatName): boolean;
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
    isSameProvider: (thing, from) => isSameFamily(originFormat(thing, from), format),
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
  if (!is.list(content)) return { parts: [read(content ?? null)], shape: 'bare' };
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
