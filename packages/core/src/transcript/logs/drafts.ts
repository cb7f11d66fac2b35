/**
 * Messages under construction: what the readers of the log formats share.
 *
 * A log writes one message as several lines, and other lines between a call and its result. A draft collects the lines
 * of a message; what is not a message is kept beside them with its line number, so that a writer can put all back.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { ReadFinding, SourceRecord } from '../format.ts';
import type { Extra, FormatName, Message, Part, ReportedUsage, Role, SourceSpan, Transcript } from '../message.ts';
import { asObject, filled, type Hints, json } from '../wire/values.ts';

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
