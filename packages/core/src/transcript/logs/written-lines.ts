/**
 * Lines on their way into a log file: in what order they stand, how they are linked, and the ids of lines that are new.
 * Nothing here asks a clock or a random source: the same transcript gives the same file.
 */
import { contentHash } from '../../shared/hash.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { messageHash } from '../identity.ts';
import type { Extra, FormatName, Message, Part, Transcript } from '../message.ts';
import { asList, asName, asObject } from '../wire/values.ts';

/** The time of a line about which no time is known. */
export const noTime = '1970-01-01T00:00:00.000Z';

export interface WrittenLine {
  /** Its line in the file it was read from; absent for a line that is new. */
  readonly at?: number;
  readonly record: JsonValue;
}

/** The fields that a format kept in `extra`; empty when they belong to another format. */
export const ownFields = (extra: Extra | undefined, format: FormatName): JsonObject =>
  extra?.format === format ? extra.fields : {};

/** A record where it stood in the file that its entry was read from. */
export const lineAt = (entry: JsonObject | undefined, record: JsonValue): WrittenLine =>
  typeof entry?.line === 'number' ? { at: entry.line, record } : { record };

/** What a new line must know beside its message. */
export interface NewLine {
  readonly index: number;
  /** Of the message, or of the last one before it that has a time. */
  readonly time: string;
  /** True for the first message after a compression. */
  readonly opens: boolean;
}

/** The lines of a transcript's messages: as they stood where they are known, else new ones. */
export function messageLines(
  { messages, compressions = [] }: Pick<Transcript, 'messages' | 'compressions'>,
  known: (message: Message) => readonly WrittenLine[] | undefined,
  fresh: (message: Message, line: NewLine) => readonly WrittenLine[],
): WrittenLine[] {
  let time = noTime;
  return messages.flatMap((message, index) => {
    time = message.time ?? time;
    return known(message) ?? fresh(message, { index, time, opens: compressions.includes(index) });
  });
}

/** The id of a session: the transcript's own where it is a UUID or of the format `own`, else one that follows from what was said. */
export function sessionIdOf({ id, messages, format }: Transcript, own?: FormatName): string {
  if (id !== undefined && (isUuid(id) || format === own)) return id;
  return uuidOf(`${id ?? ''} ${messages.map(messageHash).join(' ')}`);
}

/** The entries of the lines that a message was read from. */
export const entriesOf = (message: Message, format: FormatName): readonly JsonObject[] =>
  asList(ownFields(message.extra, format).lines).filter(isJsonObject);

/** The kept records of a transcript as lines. */
export function keptLines(transcript: Transcript): WrittenLine[] {
  const records = asList(ownFields(transcript.extra, transcript.format).records).filter(isJsonObject);
  return records.flatMap(({ line, record }) =>
    record === undefined ? [] : [lineAt(line === undefined ? undefined : { line }, record)],
  );
}

/** The parts of a message as its lines gave them; undefined when it was changed and they no longer fit. */
export function partsByLine(
  message: Message,
  entries: readonly JsonObject[],
): readonly (readonly Part[])[] | undefined {
  let start = 0;
  const pieces = entries.map((entry) => {
    const count = typeof entry.parts === 'number' ? entry.parts : 0;
    start += count;
    return message.parts.slice(start - count, start);
  });
  return start === message.parts.length ? pieces : undefined;
}

/**
 * All lines in the order of the file they came from. A new line follows the line of the message before it; new lines at
 * the very start stand directly before the first known one.
 */
export function inFileOrder(messages: readonly WrittenLine[], kept: readonly WrittenLine[]): WrittenLine[] {
  const first = messages.find((line) => line.at !== undefined)?.at;
  let at = first === undefined ? Number.POSITIVE_INFINITY : first - 0.5;
  const placed = messages.map((line) => {
    at = line.at ?? at;
    return { line, at };
  });
  const all = [...kept.map((line) => ({ line, at: line.at ?? 0 })), ...placed];
  return all.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ line }) => line);
}

/** The names of the members that hold a line's id and its parent's. */
export interface LinkNames {
  readonly id: string;
  readonly parent: string;
}

/**
 * Links lines into one chain where it is broken: a new line follows the line before it, the line that followed that one
 * follows the new line, and a line whose parent is gone follows the line before it. `strays` are ids of lines whose
 * parent was not in the file they came from; they stay as they are.
 */
export function linked(lines: readonly WrittenLine[], names: LinkNames, strays: ReadonlySet<string>): JsonValue[] {
  const ids = new Set(lines.flatMap(({ record }) => asName(asObject(record)[names.id]) ?? []));
  const inserted = new Map<string, string>();
  let last: string | null = null;
  return lines.map(({ record, at }) => {
    const id = asName(asObject(record)[names.id]);
    if (!isJsonObject(record) || id === undefined || !(names.parent in record)) return record;
    const before: string | null = last;
    last = id;
    if (at === undefined) {
      if (before !== null) inserted.set(before, id);
      return { ...record, [names.parent]: before };
    }
    let parent = asName(record[names.parent]);
    if (parent === undefined || strays.has(id)) return record;
    if (!ids.has(parent)) return { ...record, [names.parent]: before };
    for (let next = inserted.get(parent); next !== undefined; next = inserted.get(parent)) parent = next;
    return { ...record, [names.parent]: parent };
  });
}

/** The ids in `extra` of lines whose parent was not in the file. */
export const straysOf = (transcript: Transcript): ReadonlySet<string> =>
  new Set(asList(ownFields(transcript.extra, transcript.format).strays).flatMap((id) => asName(id) ?? []));

/** The text of a JSONL file, a line a piece. */
export function* jsonLines(records: Iterable<JsonValue>): Iterable<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const isUuid = (text: string): boolean => uuidShape.test(text);

/** A UUID that follows from a text; its version is 8, the one that RFC 9562 leaves to the program. */
export function uuidOf(text: string): string {
  const hex = contentHash(text) + contentHash(`${text}\n`);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)];
  return parts.join('-');
}
