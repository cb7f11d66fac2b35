/**
 * Event logs of GitHub Copilot CLI (`~/.copilot/session-state/…/events.jsonl`): `{type, data, id, timestamp, parentId}`.
 *
 * The log is a record for the program's own replay, so it is read and never written. A user's words stand in `content`;
 * what was added to them for the model (`transformedContent`) is kept in `extra`. Event types are those of the public
 * session-event schema of the Copilot SDK.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Format, FormatReader, ReadFinding, SourceRecord } from '../format.ts';
import type { Part, ResultContent, ToolCallPart, Transcript } from '../message.ts';
import { asList, asName, asObject, asText, asTime, defined, omit } from '../wire/values.ts';
import {
  type About,
  addLine,
  type Conversation,
  type Draft,
  finish,
  keep,
  markCompression,
  newConversation,
  noteReport,
  reportsIn,
  startDraft,
  type UsageLog,
} from './drafts.ts';

const format = 'copilot-cli';

export const copilotCli: Format = {
  name: format,
  title: 'GitHub Copilot CLI event logs (events.jsonl)',
  detect,
  reader,
};

const named = (space: string, names: string): string[] => names.split(' ').map((name) => `${space}.${name}`);

/** Events that are no messages: they are kept in `extra`. */
const bookkeeping: ReadonlySet<string> = new Set([
  'abort',
  ...named('assistant', 'idle intent message_delta message_start reasoning reasoning_delta server_tool_progress'),
  ...named('assistant', 'streaming_delta tool_call_delta turn_end turn_start usage'),
  ...named('auto_mode_switch', 'completed requested'),
  ...named('capabilities', 'changed'),
  ...named('command', 'completed execute queued'),
  ...named('commands', 'changed'),
  ...named('elicitation', 'completed requested'),
  ...named('exit_plan_mode', 'completed requested'),
  ...named('external_tool', 'completed requested'),
  ...named('hook', 'end progress start'),
  ...named('mcp', 'headers_refresh_completed headers_refresh_required oauth_completed oauth_required'),
  ...named('model', 'call_failure'),
  ...named('pending_messages', 'modified'),
  ...named('permission', 'completed requested'),
  ...named('sampling', 'completed requested'),
  ...named(
    'session',
    'background_tasks_changed compaction_start context_changed context_cleared custom_agents_updated',
  ),
  ...named('session', 'error extensions_loaded handoff idle info mcp_server_status_changed mcp_servers_loaded'),
  ...named('session', 'mode_changed model_change permissions_changed plan_changed remote_steerable_changed resume'),
  ...named('session', 'shutdown skills_loaded snapshot_rewind start task_complete title_changed todos_changed'),
  ...named('session', 'tools_updated truncation usage_checkpoint usage_info warning workspace_file_changed'),
  ...named('skill', 'invoked'),
  ...named('subagent', 'completed deselected failed selected started'),
  ...named('tool', 'execution_partial_result execution_progress execution_start'),
  ...named('user_input', 'completed requested'),
]);

function detect(records: readonly SourceRecord[]): number {
  const lines = records.flatMap(({ type, value }) => (type === 'line' && isJsonObject(value) ? [value] : []));
  const ours = lines.filter((line) => isJsonObject(line.data) && 'parentId' in line && isEventType(line.type));
  return lines.length === 0 ? 0 : ours.length / lines.length;
}

const isEventType = (type: JsonValue | undefined): boolean =>
  typeof type === 'string' && (type === 'abort' || /^[a-z_]+\.[a-z_.]+$/.test(type));

/** A conversation and what its calls used. */
interface Told extends Conversation {
  readonly usage: UsageLog;
}

interface SideConversation extends Told {
  readonly sideOf: string;
}

interface State {
  readonly report: (finding: ReadFinding) => void;
  readonly main: Told;
  readonly sides: Map<string, SideConversation>;
  /** The call that started each sub-agent. */
  readonly starters: Map<string, string>;
  readonly drafts: Map<string, Draft>;
  readonly calls: Map<string, string>;
  systemPrompt?: string;
  id?: string;
  title?: string;
  model?: string;
  folder?: string;
}

function reader(report: (finding: ReadFinding) => void): FormatReader {
  const state: State = {
    report,
    main: { ...newConversation(), usage: new Map() },
    sides: new Map(),
    starters: new Map(),
    drafts: new Map(),
    calls: new Map(),
  };
  return { add: (source) => addRecord(state, source), end: () => transcripts(state) };
}

/** An event with everything that is needed to make a message of it. */
interface Event {
  readonly source: SourceRecord;
  readonly record: JsonObject;
  readonly data: JsonObject;
  readonly conversation: Told;
  readonly time: string | undefined;
}

function addRecord(state: State, source: SourceRecord): void {
  const record = source.value;
  if (!isJsonObject(record)) {
    skip(state, source, 'Expected an object.');
    keep(state.main, source);
    return;
  }
  const data = asObject(record.data);
  noteSession(state, asText(record.type) ?? '', { record, data });
  const event = {
    source,
    record,
    data,
    conversation: conversationOf(state, record, data),
    time: asTime(record.timestamp),
  };
  if (!addEvent(state, event)) keep(event.conversation, source);
}

function skip(state: State, source: SourceRecord, message: string): false {
  state.report({
    level: 'skipped',
    line: source.span.line,
    message: `${message} The line is kept, but it is not a message.`,
  });
  return false;
}

/** Events of a sub-agent name it, or in older logs the call that started it. */
function conversationOf(state: State, record: JsonObject, data: JsonObject): Told {
  const id = asName(record.agentId) ?? asName(data.parentToolCallId);
  if (id === undefined || asText(record.type)?.startsWith('subagent.')) return state.main;
  const known = state.sides.get(id);
  if (known) return known;
  const sideOf = asName(data.parentToolCallId) ?? state.starters.get(id) ?? id;
  const side = { ...newConversation(), usage: new Map(), sideOf };
  state.sides.set(id, side);
  return side;
}

function addEvent(state: State, event: Event): boolean {
  const type = asText(event.record.type) ?? '';
  switch (type) {
    case 'system.message':
      return addSystem(state, event);
    case 'user.message':
      return addUser(state, event);
    case 'assistant.message':
      return addAssistant(state, event);
    case 'tool.execution_complete':
      return addResult(state, event);
    case 'tool.user_requested':
      return addText(event, `!${asText(event.data.toolName) ?? ''} ${JSON.stringify(event.data.arguments ?? {})}`);
    case 'system.notification':
      return addText(event, asText(event.data.content));
    case 'session.compaction_complete':
      return addCompression(event);
    default:
      return bookkeeping.has(type) ? false : skip(state, event.source, `Unknown event type ${JSON.stringify(type)}.`);
  }
}

/** The entry of a line: the event without what the parts carry. */
const entryOf = ({ record, data }: Event, taken: readonly string[]): JsonObject => ({
  record: { ...omit(record, ['data']), data: omit(data, taken) },
});

/** The log repeats the system prompt in every turn; it is a message where it changed. */
function addSystem(state: State, event: Event): boolean {
  const text = asText(event.data.content);
  if (text === undefined) return skip(state, event.source, 'Expected data.content of a system.message to be a text.');
  if (event.conversation === state.main) {
    if (state.systemPrompt === text) return false;
    state.systemPrompt = text;
  }
  const line = { source: event.source, parts: [{ type: 'text', text } as const], entry: entryOf(event, ['content']) };
  startDraft(event.conversation, { role: 'system', about: defined({ time: event.time }) }, line);
  return true;
}

function addUser(state: State, event: Event): boolean {
  const { data, source, time } = event;
  const text = asText(data.content) ?? asText(data.transformedContent);
  if (text === undefined) return skip(state, source, 'Expected data.content of a user.message to be a text.');
  const parts: Part[] = [{ type: 'text', text }, ...asList(data.attachments).map(attachmentPart)];
  const from = asName(data.source);
  // What a sub-agent is asked is written by the agent that started it.
  const isHost = (from !== undefined && from !== 'user') || event.conversation !== state.main;
  const about: About = defined({ time, origin: isHost ? ('host' as const) : undefined });
  startDraft(
    event.conversation,
    { role: 'user', about },
    { source, parts, entry: entryOf(event, ['content', 'attachments']) },
  );
  return true;
}

function addAssistant(state: State, event: Event): boolean {
  const { data, source, time, conversation } = event;
  const id = asName(data.messageId);
  const model = asName(data.model) ?? state.model;
  const parts = assistantParts(data);
  for (const part of parts) if (part.type === 'toolCall') state.calls.set(part.callId, part.name);
  const taken = ['content', 'encryptedContent', 'reasoningOpaque', 'reasoningText', 'toolRequests'];
  const line = { source, parts, entry: entryOf(event, taken) };
  const open = id === undefined ? undefined : state.drafts.get(id);
  if (open) addLine(open, line);
  const draft =
    open ?? startDraft(conversation, { role: 'assistant', about: defined({ time, model, providerId: id }) }, line);
  if (id !== undefined) state.drafts.set(id, draft);
  if (typeof data.outputTokens === 'number') {
    const report = { outputTokens: data.outputTokens };
    draft.notes = { ...draft.notes, usage: report };
    // All that the log tells: the length of the prompt stays unknown.
    const seller = model === undefined ? undefined : `github-copilot/${model}`;
    const call = `copilot-cli:${id ?? asName(event.record.id) ?? ''}`;
    noteReport(conversation.usage, defined({ id: call, model: seller, time, report }));
  }
  return true;
}

/** A result without a call belongs to a command that a person ran; the model reads it as the program's message. */
function addResult(state: State, event: Event): boolean {
  const { data, source, time, conversation } = event;
  const callId = asName(data.toolCallId);
  if (callId === undefined) return skip(state, source, 'Expected data.toolCallId in a tool.execution_complete.');
  const { result } = data;
  const content = result === undefined || result === null ? errorContent(data.error) : resultContent(result);
  const about = { ...omit(data, ['toolCallId', 'result']), ...defined({ result: restOfResult(result) }) };
  const entry = { record: { ...omit(event.record, ['data']), data: about } };
  const name = state.calls.get(callId);
  if (name === undefined) {
    startDraft(
      conversation,
      { role: 'user', about: defined({ time, origin: 'host' } as const) },
      { source, parts: content, entry },
    );
    return true;
  }
  const isError = typeof data.success === 'boolean' ? !data.success : undefined;
  const part = defined({ type: 'toolResult', callId, name, content, isError } as const);
  startDraft(conversation, { role: 'tool', about: defined({ time }) }, { source, parts: [part], entry });
  return true;
}

function addText(event: Event, text: string | undefined): boolean {
  if (text === undefined) return false;
  const line = { source: event.source, parts: [{ type: 'text', text } as const], entry: entryOf(event, ['content']) };
  startDraft(event.conversation, { role: 'user', about: defined({ time: event.time, origin: 'host' } as const) }, line);
  return true;
}

function addCompression(event: Event): boolean {
  if (event.data.success === false) return false;
  markCompression(event.conversation);
  const text = asName(event.data.summaryContent);
  if (text === undefined) return false;
  const line = {
    source: event.source,
    parts: [{ type: 'text', text } as const],
    entry: entryOf(event, ['summaryContent']),
  };
  startDraft(
    event.conversation,
    { role: 'user', about: defined({ time: event.time, origin: 'summary' } as const) },
    line,
  );
  return true;
}

function noteSession(state: State, type: string, { record, data }: { record: JsonObject; data: JsonObject }): void {
  const note = { id: asName(data.sessionId), folder: asName(asObject(data.context).cwd), title: asName(data.title) };
  if (type === 'session.start' && note.id !== undefined) state.id = note.id;
  if ((type === 'session.start' || type === 'session.resume') && note.folder !== undefined)
    state.folder ??= note.folder;
  if (type === 'session.title_changed' && note.title !== undefined) state.title = note.title;
  const model = asName(data.newModel) ?? asName(data.selectedModel);
  if (type.startsWith('session.') && model !== undefined) state.model = model;
  const agent = asName(record.agentId);
  const call = asName(data.toolCallId);
  if (type === 'subagent.started' && agent !== undefined && call !== undefined) state.starters.set(agent, call);
}

function transcripts(state: State): readonly Transcript[] {
  const { id, title, model, folder: workingDirectory } = state;
  const sides = [...state.sides].map(([side, conversation]) =>
    finish(conversation, {
      ...defined({ format, id: side, sideOf: conversation.sideOf, workingDirectory } as const),
      ...reportsIn(conversation.usage),
    }),
  );
  const about = defined({ format, id, title, model, workingDirectory } as const);
  return [finish(state.main, { ...about, ...reportsIn(state.main.usage) }), ...sides];
}

// What stands in the events of Copilot CLI as parts: attachments, answers, results.

/** Files of the workspace are named; only pasted data and selected text stand in the log. */
export function attachmentPart(value: JsonValue): Part {
  const file = asObject(value);
  const name = asName(file.displayName) ?? asName(file.path) ?? asName(file.title);
  const mediaType = asName(file.mimeType);
  const data = asText(file.data);
  const taken = ['displayName', 'mimeType', 'data', 'text'];
  const extra = { format, fields: { rest: omit(file, taken) } } as const;
  if (data !== undefined && mediaType?.startsWith('image/')) return { type: 'image', mediaType, data, extra };
  if (data === undefined && name === undefined) return { type: 'other', value };
  return defined({ type: 'file', mediaType, name, data, text: asText(file.text), extra } as const);
}

export function assistantParts(data: JsonObject): Part[] {
  const parts: Part[] = [];
  const text = asText(data.reasoningText);
  const signature = asName(data.reasoningOpaque);
  const encrypted = asName(data.encryptedContent);
  if (text !== undefined || signature !== undefined || encrypted !== undefined) {
    parts.push(defined({ type: 'reasoning', text: text ?? '', signature, encrypted } as const));
  }
  const content = asName(data.content);
  if (content !== undefined) parts.push({ type: 'text', text: content });
  return [...parts, ...asList(data.toolRequests).map(callPart)];
}

function callPart(value: JsonValue): Part {
  const request = asObject(value);
  const callId = asName(request.toolCallId);
  const name = asName(request.name);
  if (callId === undefined || name === undefined) return { type: 'other', value };
  const { arguments: input } = request;
  const isText = request.type === 'custom' && typeof input === 'string';
  const part: ToolCallPart = {
    type: 'toolCall',
    callId,
    name,
    input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    inputType: isText ? 'text' : 'json',
    extra: { format, fields: { rest: omit(request, ['toolCallId', 'name', 'arguments']) } },
  };
  return part;
}

export function errorContent(error: JsonValue | undefined): ResultContent[] {
  const text = asText(error) ?? asText(asObject(error).message);
  if (text !== undefined) return [{ type: 'text', text }];
  return error === undefined ? [] : [{ type: 'other', value: error }];
}

/** `content` is the text for the model; `contents` repeats it as blocks and adds images and other attachments. */
export function resultContent(result: JsonValue): ResultContent[] {
  if (!isJsonObject(result)) return typeof result === 'string' ? [{ type: 'text', text: result }] : [];
  const text = asText(result.content);
  const blocks = asList(result.contents).flatMap((block) => resultBlock(block, text));
  return text === undefined ? blocks : [{ type: 'text', text }, ...blocks];
}

/** What no part carries: the longer form for the screen, and blocks such as the exit code of a terminal. */
export function restOfResult(result: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(result)) return typeof result === 'string' ? undefined : result;
  const blocks = asList(result.contents).filter((block) => resultBlock(block, undefined)[0]?.type === 'text');
  return { ...omit(result, ['content', 'contents']), ...(blocks.length > 0 ? { contents: blocks } : {}) };
}

function resultBlock(value: JsonValue, text: string | undefined): ResultContent[] {
  const block = asObject(value);
  const data = asText(block.data);
  const mediaType = asName(block.mimeType);
  const own = asText(block.text);
  if (block.type === 'image' && data !== undefined) return [defined({ type: 'image', mediaType, data } as const)];
  if (block.type === 'audio' && data !== undefined) return [defined({ type: 'file', mediaType, data } as const)];
  if (block.type !== 'text' && block.type !== 'terminal') return [{ type: 'other', value }];
  return own === undefined || text?.includes(own) ? [] : [{ type: 'text', text: own }];
}
