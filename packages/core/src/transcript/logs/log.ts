/**
 * What the readers and writers of logs share: messages under construction, and lines as they stood in a file.
 *
 * A log writes one message as several lines, and other lines between a call and its result. A draft collects the lines
 * of a message; what is not a message is kept beside them with its line number, so that a writer can put all back.
 */

import { contentHash } from '../../shared/hash.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { ReadFinding, SourceRecord } from '../format.ts';
import {
  type Extra,
  type FormatName,
  type Message,
  messageHash,
  type Part,
  type ReportedUsage,
  type Role,
  type SourceSpan,
  type Transcript,
} from '../message.ts';
import { asList, asName, asObject, filled, type Hints, json } from '../wire/values.ts';

// What every reader of a log needs.

/** A line that holds an object. */
export interface Line {
  readonly source: SourceRecord;
  readonly record: JsonObject;
}

export type Report = (finding: ReadFinding) => void;

/** The objects among the first lines of a file. */
export const objectsIn = (records: readonly SourceRecord[]): readonly JsonObject[] =>
  records.flatMap(({ type, value }) => (type === 'line' && isJsonObject(value) ? [value] : []));

/** Which share of the objects is a format's. */
export const shareOf = (lines: readonly JsonObject[], isOurs: (line: JsonObject) => boolean): number =>
  lines.length === 0 ? 0 : lines.filter(isOurs).length / lines.length;

/** Tells of a line that is kept but is no message. */
export function skip(report: Report, { span: { line } }: SourceRecord, message: string): false {
  report({ level: 'skipped', line, message: `${message} The line is kept, but it is not a message.` });
  return false;
}

/** Results carry no tool name; it stands in their calls, which `names` remembers. */
export function withToolName(names: Map<string, string>, part: Part): Part {
  if (part.type === 'toolCall') names.set(part.callId, part.name);
  const name = part.type === 'toolResult' ? names.get(part.callId) : undefined;
  return part.type === 'toolResult' && name !== undefined ? { ...part, name } : part;
}

/** How a log keeps what its parts have no name for: as `rest` in `extra`. */
export interface KeepingRest {
  extraOf(rest: JsonObject, more?: Hints): { extra?: Extra };
  fieldsOf(thing: { readonly extra?: Extra }): JsonObject;
  restOf(thing: { readonly extra?: Extra }): JsonObject;
}

export function keepingRest(format: FormatName): KeepingRest {
  const fieldsOf: KeepingRest['fieldsOf'] = ({ extra }) => (extra?.format === format ? extra.fields : {});
  return {
    fieldsOf,
    restOf: (thing) => asObject(fieldsOf(thing).rest),
    extraOf: (rest, more = {}) => {
      const fields = filled(json({ ...(filled(rest) ? { rest } : {}), ...more }));
      return fields ? { extra: { format, fields } } : {};
    },
  };
}

// Messages under construction.

/** What is known about a message besides its parts. */
export type About = Partial<Pick<Message, 'origin' | 'name' | 'time' | 'model' | 'providerId'>>;

export interface Draft {
  readonly role: Role;
  readonly parts: Part[];
  readonly spans: SourceSpan[];
  /** One entry a line: `line` its number, `parts` how many parts it gave, and what else stood in it. */
  readonly lines: JsonObject[];
  about: About;
  /** Further fields for `extra`, such as `usage` exactly as the provider reported it. */
  notes: JsonObject;
}

/** One conversation of a file: the main one or a side one. */
export interface Conversation {
  readonly drafts: Draft[];
  readonly kept: JsonObject[];
  /** Each compression, as the number of drafts that stood before it. */
  readonly compressions: number[];
  readonly usage: UsageLog;
}

export const newConversation = (): Conversation => ({ drafts: [], kept: [], compressions: [], usage: new Map() });

/** One line of a message: its record, the parts it gives, and what else must be known to write it again. */
export interface DraftLine {
  readonly source: SourceRecord;
  readonly parts: readonly Part[];
  readonly entry: JsonObject;
}

/** Starts a message with its first line. */
export function startDraft(conversation: Conversation, opening: Opening, line: DraftLine): Draft {
  const draft = reservePlace(conversation, opening);
  addLine(draft, line);
  return draft;
}

/** Holds the place of a message whose lines are found later. A place that stays empty is no message. */
export function reservePlace(conversation: Conversation, { role, about }: Opening): Draft {
  const draft: Draft = { role, parts: [], spans: [], lines: [], about, notes: {} };
  conversation.drafts.push(draft);
  return draft;
}

/** True for a reserved place that no line was added to. */
export const isEmptyPlace = ({ lines }: Draft): boolean => lines.length === 0;

/** Who speaks, and what is known about it. */
export interface Opening {
  readonly role: Role;
  readonly about: About;
}

export function addLine(draft: Draft, line: DraftLine): void {
  draft.parts.push(...line.parts);
  draft.spans.push(line.source.span);
  draft.lines.push({ line: line.source.span.line, parts: line.parts.length, ...line.entry });
}

/** Keeps a record that is not a message. */
export function keep(conversation: Conversation, source: SourceRecord): void {
  const { line, start, end } = source.span;
  conversation.kept.push({ line, start, end, record: source.value });
}

/** Lets go of kept records that turned out to be lines of a message. */
export function unkeep(conversation: Conversation, lines: ReadonlySet<number>): void {
  const rest = conversation.kept.filter(({ line }) => typeof line !== 'number' || !lines.has(line));
  conversation.kept.length = 0;
  for (const entry of rest) conversation.kept.push(entry);
}

/** Says that what comes next stands after a compression; twice in a row is once. */
export function markCompression(conversation: Conversation): void {
  const at = conversation.drafts.length;
  if (conversation.compressions.at(-1) !== at) conversation.compressions.push(at);
}

/** The finished conversation; `fields` go to `extra` beside the kept records. */
export function finish(
  conversation: Conversation,
  about: Omit<Transcript, 'messages' | 'extra' | 'compressions' | 'usage'>,
  fields: JsonObject = {},
): Transcript {
  const { order: all, roots } = resultsAfterCalls(conversation.drafts);
  const order = all.filter((index) => (conversation.drafts[index]?.lines.length ?? 0) > 0);
  const compressions = conversation.compressions.flatMap((at) => {
    const index = order.findIndex((draft) => (roots[draft] ?? draft) >= at);
    return index < 0 ? [] : [index];
  });
  return {
    ...about,
    ...(conversation.usage.size === 0 ? {} : { usage: [...conversation.usage.values()] }),
    messages: order.flatMap((index) => messageOf(conversation.drafts[index], about.format)),
    ...(compressions.length > 0 ? { compressions } : {}),
    extra: { format: about.format, fields: { ...fields, records: conversation.kept } },
  };
}

function messageOf(draft: Draft | undefined, format: FormatName): Message[] {
  if (!draft) return [];
  const fields: { [name: string]: JsonValue } = { lines: draft.lines, ...draft.notes };
  return [{ role: draft.role, parts: draft.parts, ...draft.about, extra: { format, fields }, source: draft.spans }];
}

/**
 * The order in which every message with results follows the message that called, whatever the log wrote between them;
 * otherwise the order of the log. `roots[i]` is the draft that draft `i` stands behind.
 */
function resultsAfterCalls(drafts: readonly Draft[]): { order: number[]; roots: number[] } {
  const callers = new Map<string, number>();
  const roots = drafts.map((draft, index) => {
    if (draft.role === 'assistant') for (const id of idsOf(draft, 'toolCall')) callers.set(id, index);
    if (draft.role === 'assistant') return index;
    const found = idsOf(draft, 'toolResult').flatMap((id) => callers.get(id) ?? []);
    return found.length > 0 ? Math.max(...found) : index;
  });
  const order = drafts.map((_, index) => index).sort((a, b) => (roots[a] ?? a) - (roots[b] ?? b) || a - b);
  return { order, roots };
}

function idsOf(draft: Draft, type: 'toolCall' | 'toolResult'): string[] {
  return draft.parts.flatMap((part) => (part.type === type && !part.server ? [part.callId] : []));
}

// Reports of what calls of a model used, collected while a log is read: each call once.

/** The reports of one conversation, by their ids in the order of the log. */
export type UsageLog = Map<string, ReportedUsage>;

/** Takes a report. Of several on one call the whole one counts, or the one that the log wrote last; the time is the first. */
export function noteReport(log: UsageLog, reported: ReportedUsage): void {
  const known = log.get(reported.id);
  if (known && reported.isPartial && !known.isPartial) return;
  const time = known?.time ?? reported.time;
  log.set(reported.id, { ...reported, ...(time === undefined ? {} : { time }) });
}

// Lines on their way into a log file: in what order they stand, how they are linked, and the ids of lines that are
// new. Nothing here asks a clock or a random source: the same transcript gives the same file.

/** The time of a line about which no time is known. */
export const noTime = '1970-01-01T00:00:00.000Z';

export interface WrittenLine {
  /** Its line in the file it was read from; absent for a line that is new. */
  readonly at?: number;
  readonly record: JsonValue;
}

/** The fields that a format kept in `extra`; empty when they belong to another format. */
const ownFields = (extra: Extra | undefined, format: FormatName): JsonObject =>
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
interface LinkNames {
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
