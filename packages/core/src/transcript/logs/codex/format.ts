/**
 * Session logs of Codex CLI (`~/.codex/sessions/…/rollout-*.jsonl`).
 *
 * A line is `{timestamp, type, payload}`; `response_item` lines hold what the model wrote and was given, `event_msg`
 * lines repeat part of it for the screen and are kept as they are. Rollouts before September 2025 hold bare items
 * behind a first line without a type. One response of the model is written as several items: they are one message until
 * something else than the model speaks or the log reports the usage of the response.
 */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Format, FormatReader, SourceRecord } from '../../format.ts';
import type { Origin, Part, Transcript } from '../../message.ts';
import { isHostElements } from '../../origin.ts';
import { asList, asName, asObject, asText, asTime, is, omit } from '../../wire/values.ts';
import * as log from '../log.ts';
import { isCompaction, piecesOf } from './items.ts';
import { writeCodex } from './write.ts';

const format = 'codex';

export const codex: Format = {
  name: format,
  title: 'Codex CLI session logs (rollout JSONL)',
  detect,
  reader,
  write: writeCodex,
};

/** Lines that are no items: bookkeeping of the program, kept in `extra`. */
const bookkeeping =
  /^(?:event_msg|inter_agent_communication|inter_agent_communication_metadata|turn_context|world_state)$/;

/** Items that are no part of what the model says or reads. */
const bookkeepingItems = /^(?:additional_tools|ghost_snapshot|other)$/;

const wrappedTypes = /^(?:compacted|response_item|session_meta)$/;

function detect(records: readonly SourceRecord[]): number {
  const lines = log.objectsIn(records);
  const isBare = lines.some(isBareHeader);
  return log.shareOf(lines, (line) => isWrapped(line) || isBareHeader(line) || (isBare && isBareLine(line)));
}

const isWrapped = (line: JsonObject): boolean =>
  [wrappedTypes, bookkeeping].some((types) => types.test(asText(line.type) ?? '')) && isJsonObject(line.payload);

/** The first line of an old rollout: the session without a type. */
const isBareHeader = (line: JsonObject): boolean =>
  !('type' in line) && typeof line.id === 'string' && typeof line.timestamp === 'string' && 'instructions' in line;

const isBareLine = (line: JsonObject): boolean =>
  'record_type' in line || (typeof line.type === 'string' && !('payload' in line) && !('message' in line));

interface State {
  readonly report: log.Report;
  readonly conversation: log.Conversation;
  /** The message of the model that further items belong to. */
  open?: log.Draft | undefined;
  readonly toolNames: Map<string, string>;
  readonly counts: CodexCounts;
  /** The first line of the file without its instructions. */
  header?: JsonObject;
  meta: JsonObject;
  title?: string;
  model?: string;
  folder?: string;
}

function reader(report: log.Report): FormatReader {
  const state: State = {
    report,
    conversation: log.newConversation(),
    toolNames: new Map(),
    counts: {},
    meta: {},
  };
  return {
    add: (source) => {
      if (!isMessage(state, source)) log.keep(state.conversation, source);
    },
    end: () => [transcriptOf(state)],
  };
}

/** Adds what is a message; false for every other line. */
function isMessage(state: State, source: SourceRecord): boolean {
  const record = source.value;
  if (!isJsonObject(record)) return log.skip(state.report, source, 'Expected an object.');
  if (isBareHeader(record)) return addHeader(state, { source, record, meta: record, bare: true });
  if ('record_type' in record) return false;
  const type = asText(record.type);
  const payload = asObject(record.payload);
  if (type === 'session_meta') return addHeader(state, { source, record, meta: payload, bare: false });
  if (type === 'response_item') return addItem(state, { source, item: payload, wrap: omit(record, ['payload']) });
  if (type === 'compacted') return addCompacted(state, { source, payload, record });
  if (type !== undefined && bookkeeping.test(type)) return noteEvent(state, record, payload);
  if (type !== undefined && !('payload' in record)) return addItem(state, { source, item: record });
  return log.skip(state.report, source, `Unknown line type ${JSON.stringify(type ?? null)}.`);
}

interface Header {
  readonly source: SourceRecord;
  readonly record: JsonObject;
  readonly meta: JsonObject;
  readonly bare: boolean;
}

/** The instructions become the leading system message; the lines of sessions that this one was forked from are kept. */
function addHeader(state: State, { source, record, meta, bare }: Header): boolean {
  noteSession(state.counts, meta);
  if (state.header) return false;
  const base = asObject(meta.base_instructions);
  const member = typeof base.text === 'string' ? 'base_instructions' : 'instructions';
  const text = member === 'base_instructions' ? base.text : meta.instructions;
  const rest =
    member === 'base_instructions' ? { ...meta, base_instructions: omit(base, ['text']) } : omit(meta, [member]);
  state.meta = meta;
  if (typeof text !== 'string') {
    state.header = {};
    return false;
  }
  const entry: JsonObject = { record: bare ? {} : omit(record, ['payload']), meta: rest, member, bare };
  state.header = { ...entry, line: source.span.line };
  const time = asTime(record.timestamp) ?? asTime(meta.timestamp);
  log.startDraft(
    state.conversation,
    { role: 'system', about: defined({ time }) },
    { source, parts: [{ type: 'text', text }], entry },
  );
  return true;
}

interface ItemLine {
  readonly source: SourceRecord;
  readonly item: JsonObject;
  /** What stood around the item; absent for a bare one. */
  readonly wrap?: JsonObject;
}

function addItem(state: State, { source, item, wrap }: ItemLine): boolean {
  const type = asText(item.type) ?? '';
  const pieces = piecesOf(item, source.span.line);
  if (!pieces) {
    if (bookkeepingItems.test(type)) return false;
    return log.skip(state.report, source, `Unknown or incomplete item of type ${JSON.stringify(type)}.`);
  }
  const parts = pieces.parts.map((part) => log.withToolName(state.toolNames, part));
  const line = { source, parts, entry: defined({ record: wrap, item: pieces.item }) };
  const providerId = type === 'message' ? asName(item.id) : undefined;
  const time = asTime(asObject(wrap).timestamp);
  if (pieces.role !== 'assistant') {
    state.open = undefined;
    if (isCompaction(item)) log.markCompression(state.conversation);
    const origin = pieces.role === 'user' ? (ownOrigin(wrap) ?? codexOrigin(item, parts)) : undefined;
    const name = type === 'agent_message' ? asName(item.author) : undefined;
    log.startDraft(state.conversation, { role: pieces.role, about: defined({ time, origin, providerId, name }) }, line);
  } else if (state.open) {
    log.addLine(state.open, line);
    if (providerId !== undefined) state.open.about = { providerId, ...state.open.about };
  } else {
    const about = defined({ time, model: state.model, providerId });
    state.open = log.startDraft(state.conversation, { role: 'assistant', about }, line);
  }
  return true;
}

/** What our own writer noted beside the item. */
function ownOrigin(wrap: JsonObject | undefined): Origin | undefined {
  const origin = wrap?.palimpsest_origin;
  return origin === 'host' || origin === 'summary' ? origin : undefined;
}

interface CompactedLine {
  readonly source: SourceRecord;
  readonly payload: JsonObject;
  readonly record: JsonObject;
}

/**
 * What replaced everything before, item by item: what the user said stays the user's, what the program put in stays its own,
 * and whatever stands for the rest is one summary.
 */
function addCompacted(state: State, { source, payload, record }: CompactedLine): boolean {
  state.open = undefined;
  log.markCompression(state.conversation);
  const message = asText(payload.message) ?? '';
  const items = asList(payload.replacement_history).map((value) => replacementOf(value, source.span.line, message));
  const ownsMessage = message !== '' && !items.some(({ parts }) => endsWith(parts, message));
  const pieces = piecesOfHistory(items);
  const last = pieces.at(-1);
  if (ownsMessage && last?.opening.about.origin !== 'summary') pieces.push({ opening: ofSummary, items: [] });
  if (pieces.every((piece) => partsOf(piece).length === 0) && !ownsMessage) return false;
  const known = ownsMessage ? ['replacement_history', 'message'] : ['replacement_history'];
  for (const piece of pieces) {
    const own = ownsMessage && piece === pieces.at(-1) ? [{ type: 'text' as const, text: message }] : [];
    const entry = defined({
      record: omit(record, ['payload']),
      compacted: omit(payload, known),
      items: is.list(payload.replacement_history)
        ? piece.items.map(({ parts, item }) => ({ parts: parts.length, item }))
        : undefined,
    });
    const { role, about } = piece.opening;
    const opening = { role, about: defined({ ...about, time: asTime(record.timestamp) }) };
    log.startDraft(state.conversation, opening, { source, parts: [...partsOf(piece), ...own], entry });
  }
  return true;
}

const endsWith = (parts: readonly Part[], message: string): boolean =>
  parts.some((part) => part.type === 'text' && part.text.endsWith(message));

/** An item of a history that was replaced. */
interface Replacement {
  readonly opening: log.Opening;
  readonly parts: readonly Part[];
  readonly item: JsonValue;
}

/** Items that make one message. */
interface HistoryPiece {
  readonly opening: log.Opening;
  readonly items: Replacement[];
}

const partsOf = ({ items }: HistoryPiece): readonly Part[] => items.flatMap(({ parts }) => parts);

/** One message for each item that somebody said; neighbours that are summaries are one, and what is empty stands beside another. */
function piecesOfHistory(items: readonly Replacement[]): HistoryPiece[] {
  const pieces: HistoryPiece[] = [];
  for (const item of items) {
    const open = pieces.at(-1);
    const isOneSummary = item.opening.about.origin === 'summary' && open?.opening.about.origin === 'summary';
    const isEmpty = item.parts.length === 0 || (open !== undefined && partsOf(open).length === 0);
    if (open && (isOneSummary || isEmpty)) {
      const opening = partsOf(open).length === 0 ? item.opening : open.opening;
      pieces[pieces.length - 1] = { opening, items: [...open.items, item] };
    } else pieces.push({ opening: item.opening, items: [item] });
  }
  return pieces;
}

const ofSummary: log.Opening = { role: 'user', about: { origin: 'summary' } };

/** Only the texts and images of messages can stand as such; a call among them has no result to follow it. */
function replacementOf(value: JsonValue, line: number, summary: string): Replacement {
  const pieces = isJsonObject(value) && value.type === 'message' ? piecesOf(value, line) : undefined;
  if (!pieces || !isJsonObject(value)) return { opening: ofSummary, parts: [{ type: 'other', value }], item: null };
  if (summary !== '' && endsWith(pieces.parts, summary)) return { ...pieces, opening: ofSummary };
  const origin = pieces.role === 'user' ? codexOrigin(value, pieces.parts) : undefined;
  return { ...pieces, opening: { role: pieces.role, about: defined({ origin }) } };
}

function noteEvent(state: State, { type, timestamp: time }: JsonObject, payload: JsonObject): false {
  if (type === 'turn_context') {
    state.open = undefined;
    const model = asName(payload.model);
    if (model !== undefined) state.model = model;
    const folder = asName(payload.cwd);
    if (folder !== undefined) state.folder ??= folder;
  }
  if (payload.type === 'token_count') {
    const info = asObject(payload.info);
    noteReported(state, info, asTime(time));
    noteUsage(state, info.last_token_usage);
    state.open = undefined;
  }
  const title = payload.type === 'thread_name_updated' ? asName(payload.thread_name) : undefined;
  if (title !== undefined) state.title = title;
  return false;
}

/** The report follows the response that it counts, behind the results of its calls. */
function noteUsage(state: State, usage: JsonValue | undefined): void {
  const last = state.conversation.drafts.findLast((draft) => draft.role !== 'tool');
  if (last?.role === 'assistant' && usage !== undefined && usage !== null && !('usage' in last.notes)) {
    last.notes = { ...last.notes, usage };
  }
}

function transcriptOf(state: State): Transcript {
  const { meta, header } = state;
  const about = defined({
    format,
    id: asName(meta.id),
    title: state.title,
    model: state.model,
    workingDirectory: asName(meta.cwd) ?? state.folder,
    tools: is.list(meta.dynamic_tools) ? meta.dynamic_tools : undefined,
    sideOf: parentOf(meta),
  });
  return log.finish(state.conversation, about, header?.meta === undefined ? {} : { header });
}

/** A sub-agent has a rollout of its own that names the session which started it. */
function parentOf(meta: JsonObject): string | undefined {
  const subagent = asObject(meta.source).subagent;
  const spawned = asName(asObject(asObject(subagent).thread_spawn).parent_thread_id);
  return spawned ?? (subagent === undefined ? undefined : asName(meta.parent_thread_id));
}

// Who is behind a user message of Codex.

/** What stands before a summary that Codex wrote itself. */
const summaryOpening = 'Another language model started to solve this problem and produced a summary';

const hostOpening = /^(?:# AGENTS\.md instructions for |Warning: The maximum number of unified exec processes)/;

/** The origin as far as the log tells it: the program's texts stand in parts of their own. */
function codexOrigin(item: JsonObject, parts: readonly Part[]): Origin | undefined {
  if (isCompaction(item)) return 'summary';
  if (item.type === 'agent_message') return 'host';
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []));
  if (texts.some((text) => text.startsWith(summaryOpening))) return 'summary';
  const ofHost = texts.filter((text) => hostOpening.test(text) || isHostElements(text));
  if (ofHost.length === 0) return undefined;
  return ofHost.length === parts.length ? 'host' : 'person';
}

// Usage in rollouts of Codex: `token_count` events, with the counts of the last response and of the whole session.

/** What tells the responses of a session apart. */
interface CodexCounts {
  /** The session that the first one of the log was forked from, however often. */
  origin?: string;
  provider?: string;
  /** The sum in the event before. */
  total?: string;
}

/**
 * Takes the line of a session. A fork begins with a copy of the whole log that it was forked from, its first line too: the
 * last such line is of the session where all of them began, and each response counts once in all of them.
 */
function noteSession(counts: CodexCounts, meta: JsonObject): void {
  const id = asName(meta.id);
  if (id !== undefined) counts.origin = id;
  const provider = asName(meta.model_provider);
  if (provider !== undefined) counts.provider ??= provider;
}

/** Takes the report of a response. An event whose sum is that of the event before only brings new rate limits. */
function noteReported({ counts, conversation, model }: State, info: JsonObject, time: string | undefined): void {
  const { last_token_usage: last, total_token_usage: total } = info;
  if (!isJsonObject(last)) return;
  const text = (value: JsonValue | undefined): string => (typeof value === 'number' ? String(value) : '');
  const sum = isJsonObject(total) ? `${text(total.total_tokens)}/${text(total.output_tokens)}` : undefined;
  if (sum !== undefined && sum === counts.total) return;
  if (sum !== undefined) counts.total = sum;
  const id = `codex:${counts.origin ?? ''}:${sum ?? conversation.usage.size}+${text(last.total_tokens)}`;
  const name = model === undefined || counts.provider === undefined ? model : `${counts.provider}/${model}`;
  log.noteReport(conversation.usage, defined({ id, model: name, time, report: last }));
}
