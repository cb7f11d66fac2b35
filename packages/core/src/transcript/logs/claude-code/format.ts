/**
 * Session logs of Claude Code (`~/.claude/projects/…/*.jsonl`), and what its `stream-json` output writes.
 *
 * Lines are linked by `uuid` and `parentUuid`. One API message stands in several lines with the same `message.id`, a
 * block each, and results may stand between them; the file's order is the order in which things happened. Lines with
 * `isSidechain` belong to sub-agents and become side transcripts. What the format documents nowhere was taken from logs
 * of versions 1.0 to 2.1.
 */

import { defined } from '../../../shared/defined.ts';
import { contentHash } from '../../../shared/hash.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../shared/json.ts';
import type { Format, FormatReader, SourceRecord } from '../../format.ts';
import type { Part, Transcript } from '../../message.ts';
import { asName, asObject, asText, asTime, type Hints, json, omit } from '../../wire/values.ts';
import * as log from '../log.ts';
import { claudeCodeOrigin, noteClaudeUsage, partsFromContent, writeClaudeCode } from './content.ts';
import { noteOperation, noteSaid, type QueueEvent, settleQueue, startInTime } from './queue.ts';

const format = 'claude-code';

export const claudeCode: Format = {
  name: format,
  title: 'Claude Code session logs (JSONL)',
  detect: (records) => log.shareOf(log.objectsIn(records), isOurs),
  reader,
  write: writeClaudeCode,
};

/** Records that are no messages: bookkeeping of the program, kept in `extra`. */
const bookkeeping: readonly RegExp[] = [
  /^(?:agent-(?:color|name|setting)|ai-title|attachment|bridge-session|custom-title|frame-link|last-prompt)$/,
  /^(?:attribution-snapshot|content-replacement|context-collapse-(?:commit|snapshot)|file-history-(?:delta|snapshot))$/,
  /^(?:marble-origami-(?:commit|snapshot)|mode|permission-mode|pr-link|progress|queue-operation|rate_limit_event)$/,
  /^(?:relocated|result|speculation-accept|started|stream_event|summary|system|tag|task-summary|tool_progress)$/,
  /^worktree-state$/,
];

const isBookkeeping = (type: string | undefined): boolean => bookkeeping.some((names) => names.test(type ?? ''));

/** Bookkeeping that nobody else writes under the same name. */
const ownRecords = /^(?:file-history-snapshot|queue-operation|custom-title|ai-title)$/;

function isOurs(record: JsonObject): boolean {
  const type = asText(record.type) ?? '';
  if (ownRecords.test(type)) return true;
  if (type === 'summary') return 'leafUuid' in record;
  const linked = 'sessionId' in record || 'session_id' in record || 'parentUuid' in record;
  if (type === 'user' || type === 'assistant') return linked && isJsonObject(record.message);
  return linked && isBookkeeping(type);
}

interface Chain extends log.Conversation {
  /** The newest draft of each `message.id` since the last compression. */
  readonly byId: Map<string, log.Draft>;
  /** The ids of the lines that have a parent, each with it. */
  readonly parents: (readonly [uuid: string, parent: string])[];
  readonly lineIds: Set<string>;
  /** What tells which queued texts reached the model. */
  readonly queue: QueueEvent[];
}

interface SideChain extends Chain {
  readonly prompt: string;
}

interface State {
  readonly report: log.Report;
  readonly main: Chain;
  readonly sides: Map<string, SideChain>;
  /** Which side conversation a line belongs to, by its `uuid`. */
  readonly sideOfLine: Map<string, string>;
  readonly seen: Map<string, Seen>;
  readonly toolNames: Map<string, string>;
  /** Ids of the calls that started sub-agents, by their prompt. */
  readonly tasks: Map<string, string>;
  readonly titles: { custom?: string; generated?: string; summary?: string };
  readonly summaries: { leaf: string | undefined; text: string }[];
  sessionId?: string;
  workingDirectory?: string;
  model?: string;
  repeated: number;
  reused: number;
}

/** What stood under a `uuid`. */
interface Seen {
  readonly first: JsonObject;
  /** What each line of that id says, once there are several. */
  said?: Set<string>;
}

function reader(report: log.Report): FormatReader {
  const state: State = {
    report,
    main: newChain(),
    sides: new Map(),
    sideOfLine: new Map(),
    seen: new Map(),
    toolNames: new Map(),
    tasks: new Map(),
    titles: {},
    summaries: [],
    repeated: 0,
    reused: 0,
  };
  return { add: (record) => addRecord(state, record), end: () => transcripts(state) };
}

const newChain = (): Chain => ({
  ...log.newConversation(),
  byId: new Map(),
  parents: [],
  lineIds: new Set(),
  queue: [],
});

function addRecord(state: State, source: SourceRecord): void {
  const record = source.value;
  const chain = isJsonObject(record) ? chainOf(state, record) : state.main;
  if (!isJsonObject(record) || isRepeated(state, chain, record) || !addMessage(state, chain, { source, record })) {
    log.keep(chain, source);
  }
  if (!isJsonObject(record)) {
    log.skip(state.report, source, 'Expected an object.');
    return;
  }
  if (record.type === 'system' && record.subtype === 'compact_boundary') noteCompression(chain);
  noteClaudeUsage(chain.usage, record);
  noteSession(state, record, chain === state.main);
}

/** A log that was resumed repeats lines; the first of each counts. Another message under an id already used is a message. */
function isRepeated(state: State, chain: Chain, record: JsonObject): boolean {
  const uuid = asName(record.uuid);
  if (uuid === undefined) return false;
  const seen = state.seen.get(uuid);
  if (seen) {
    seen.said ??= new Set([whatIsSaid(seen.first)]);
    const said = whatIsSaid(record);
    if (seen.said.has(said)) {
      state.repeated++;
      return true;
    }
    seen.said.add(said);
    state.reused++;
  } else state.seen.set(uuid, { first: record });
  const parent = asName(record.parentUuid);
  if (parent !== undefined) chain.parents.push([uuid, parent]);
  chain.lineIds.add(uuid);
  return false;
}

/** What tells two lines of one id apart. A resumed log may write another session, folder and version into the same line. */
function whatIsSaid({ type, timestamp, message, attachment }: JsonObject): string {
  const { id, content } = asObject(message);
  return contentHash(JSON.stringify([type, timestamp, id, content, attachment]));
}

function chainOf(state: State, record: JsonObject): Chain {
  const id = sideIdOf(state, record);
  if (id === undefined) return state.main;
  const uuid = asName(record.uuid);
  if (uuid !== undefined) state.sideOfLine.set(uuid, id);
  const known = state.sides.get(id);
  if (known) return known;
  const { parts } = partsFromContent(asObject(record.message).content) ?? { parts: [] };
  const first = parts[0];
  const side: SideChain = { ...newChain(), prompt: first?.type === 'text' ? first.text : '' };
  state.sides.set(id, side);
  return side;
}

/** Newer logs name the sub-agent; in older ones the first line of its chain stands for it. */
function sideIdOf(state: State, record: JsonObject): string | undefined {
  const call = asName(record.parent_tool_use_id);
  if (record.isSidechain !== true) return call;
  const parent = asName(record.parentUuid);
  const known = parent === undefined ? undefined : state.sideOfLine.get(parent);
  return asName(record.agentId) ?? known ?? asName(record.uuid) ?? 'sidechain';
}

/** Adds a record that is a message; false for every other one. */
function addMessage(state: State, chain: Chain, line: log.Line): boolean {
  const { source, record } = line;
  const type = asText(record.type);
  // What a person or the program queued while the agent worked reaches the model as a user message.
  if (type === 'attachment') {
    const attachment = asObject(record.attachment);
    const { type: kind, prompt, ...about } = attachment;
    const around = { content: prompt, attachment: omit(attachment, ['prompt']) };
    const said = kind === 'queued_command' && contentOf(state, line, around);
    if (said)
      addUser(chain, 'attachment', {
        line: said,
        record: { ...record, ...about, timestamp: record.timestamp ?? null },
      });
    return Boolean(said);
  }
  if (type === 'queue-operation') noteOperation(chain, chain.queue, line);
  if (type !== 'user' && type !== 'assistant') {
    if (!isBookkeeping(type)) log.skip(state.report, source, `Unknown record type ${JSON.stringify(type)}.`);
    return false;
  }
  const { content, ...message } = asObject(record.message);
  const said = contentOf(state, line, { content, message });
  if (!said)
    return log.skip(state.report, source, `A record of type ${type} should have message.content as text or a list.`);
  if (type === 'assistant') addAssistant(state, chain, { record, message, line: said });
  else {
    if (claudeCodeOrigin(record, said.parts) === 'summary') noteCompression(chain);
    addUser(chain, 'prompt', { line: said, record });
  }
  return true;
}

/** The parts of a line, and what stands around its content: the record, and the member that holds the content. */
function contentOf(
  state: State,
  { source, record }: log.Line,
  { content, ...around }: Hints,
): log.DraftLine | undefined {
  const read = partsFromContent(content);
  if (!read) return undefined;
  const entry = json({ shape: read.shape, record: omit(record, Object.keys(around)), ...around });
  return { source, parts: read.parts.map((part) => named(state, part)), entry };
}

interface UserLine {
  readonly line: log.DraftLine;
  readonly record: JsonObject;
}

function addUser(chain: Chain, by: 'prompt' | 'attachment', { line, record }: UserLine): void {
  const about = defined({ time: asTime(record.timestamp), origin: claudeCodeOrigin(record, line.parts) });
  const opening: log.Opening = { role: 'user', about };
  startInTime(chain, opening, line);
  noteSaid(chain.queue, by, { ...opening, parts: line.parts });
}

/** The calls that start sub-agents are remembered by their prompts. */
function named(state: State, part: Part): Part {
  if (part.type === 'toolCall' && (part.name === 'Task' || part.name === 'Agent')) {
    const { prompt } = asObject(parseJson(part.input));
    if (typeof prompt === 'string') state.tasks.set(prompt, part.callId);
  }
  return log.withToolName(state.toolNames, part);
}

interface AssistantLine {
  readonly record: JsonObject;
  readonly message: JsonObject;
  readonly line: log.DraftLine;
}

function addAssistant(state: State, chain: Chain, { record, message, line }: AssistantLine): void {
  const id = asName(message.id);
  const synthetic = message.model === '<synthetic>';
  const model = synthetic ? undefined : asName(message.model);
  const open = id === undefined ? undefined : chain.byId.get(id);
  if (open) log.addLine(open, line);
  const about = defined({ time: asTime(record.timestamp), model, providerId: id });
  const draft = open ?? startInTime(chain, { role: 'assistant', about }, line);
  if (!open) chain.queue.push({ type: 'answer', time: about.time });
  if (id !== undefined) chain.byId.set(id, draft);
  // A streaming log reports usage on every line of a message; the last report is the complete one.
  if (isJsonObject(message.usage)) draft.notes = { ...draft.notes, usage: message.usage };
  if (synthetic) draft.notes = { ...draft.notes, synthetic: true };
  if (model !== undefined && chain === state.main) state.model = model;
}

/** A boundary and the summary behind it are one compression; old logs have the summary only. */
function noteCompression(chain: Chain): void {
  chain.byId.clear();
  log.markCompression(chain);
}

function noteSession(state: State, record: JsonObject, isMain: boolean): void {
  const session = asName(record.sessionId) ?? asName(record.session_id);
  if (session !== undefined) state.sessionId = session;
  const folder = asName(record.cwd);
  if (folder !== undefined && isMain) state.workingDirectory ??= folder;
  const text = asName(record.summary);
  if (record.type === 'summary' && text !== undefined) state.summaries.push({ leaf: asName(record.leafUuid), text });
  const custom = asName(record.customTitle);
  if (record.type === 'custom-title' && custom !== undefined) state.titles.custom = custom;
  const generated = asName(record.aiTitle);
  if (record.type === 'ai-title' && generated !== undefined) state.titles.generated = generated;
}

function transcripts(state: State): readonly Transcript[] {
  noteRepeats(state);
  const about = defined({
    format,
    id: state.sessionId,
    title: titleOf(state),
    model: state.model,
    workingDirectory: state.workingDirectory,
  } as const);
  const sides = [...state.sides].map(([id, side]) => sideTranscript(state, { id, side }));
  for (const chain of [state.main, ...state.sides.values()]) settleQueue(chain, chain.queue);
  const onlySides = state.main.drafts.length === 0 && sides.length > 0 && state.main.kept.length === 0;
  return onlySides ? sides : [log.finish(state.main, about, strays(state.main)), ...sides];
}

function noteRepeats({ repeated, reused, report }: State): void {
  const note = (message: string): void => report({ level: 'note', line: 0, message });
  if (repeated > 0) note(`Lines skipped because they repeat an earlier line, as in resumed logs: ${repeated}.`);
  if (reused > 0) note(`Lines kept although another line has the same uuid and different content: ${reused}.`);
}

function sideTranscript(state: State, { id, side }: { id: string; side: SideChain }): Transcript {
  const sideOf = state.tasks.get(side.prompt) ?? (state.toolNames.has(id) ? id : state.sessionId) ?? id;
  const about = defined({ format, id, sideOf, workingDirectory: state.workingDirectory } as const);
  return log.finish(side, about, strays(side));
}

/** Lines whose parent stands in another conversation or in no line of the file: a writer leaves their links alone. */
const strays = (chain: Chain): JsonObject => ({
  strays: chain.parents.flatMap(([uuid, parent]) => (chain.lineIds.has(parent) ? [] : [uuid])),
});

/** A title that a person gave, else one that the program made, else the summary of a line of this very session. */
function titleOf(state: State): string | undefined {
  const own = state.summaries.findLast(({ leaf }) => leaf !== undefined && state.seen.has(leaf));
  return state.titles.custom ?? state.titles.generated ?? (own ?? state.summaries.at(-1))?.text;
}
