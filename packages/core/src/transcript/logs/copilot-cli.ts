/**
 * Event logs of GitHub Copilot CLI (`~/.copilot/session-state/…/events.jsonl`): `{type, data, id, timestamp, parentId}`.
 *
 * The log is a record for the program's own replay, so it is read and never written. A user's words stand in `content`;
 * what was added to them for the model (`transformedContent`) is kept in `extra`. Event types are those of the public
 * session-event schema of the Copilot SDK.
 */

import { defined } from '../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Format, FormatReader, SourceRecord } from '../format.ts';
import type { Origin, Part, ResultContent, Role, ToolCallPart, Transcript } from '../message.ts';
import { asList, asName, asObject, asText, asTime, is, json, omit } from '../wire/values.ts';
import * as log from './log.ts';

const format = 'copilot-cli';

export const copilotCli: Format = {
  name: format,
  title: 'GitHub Copilot CLI event logs (events.jsonl)',
  detect: (records) => log.shareOf(log.objectsIn(records), isOurs),
  reader,
};

/** Events that are no messages: they are kept in `extra`. */
const bookkeeping: readonly RegExp[] = [
  /^(?:abort|(?:capabilities|commands)\.changed|model\.call_failure|pending_messages\.modified|skill\.invoked)$/,
  /^assistant\.(?:idle|intent|message_delta|message_start|reasoning|reasoning_delta|server_tool_progress)$/,
  /^assistant\.(?:streaming_delta|tool_call_delta|turn_end|turn_start|usage)$/,
  /^(?:auto_mode_switch|elicitation|exit_plan_mode|external_tool|permission|sampling|user_input)\.(?:completed|requested)$/,
  /^(?:command\.(?:completed|execute|queued)|hook\.(?:end|progress|start))$/,
  /^mcp\.(?:headers_refresh_completed|headers_refresh_required|oauth_completed|oauth_required)$/,
  /^session\.(?:background_tasks_changed|compaction_start|context_changed|context_cleared|custom_agents_updated)$/,
  /^session\.(?:error|extensions_loaded|handoff|idle|info|mcp_server_status_changed|mcp_servers_loaded)$/,
  /^session\.(?:mode_changed|model_change|permissions_changed|plan_changed|remote_steerable_changed|resume)$/,
  /^session\.(?:shutdown|skills_loaded|snapshot_rewind|start|task_complete|title_changed|todos_changed)$/,
  /^session\.(?:tools_updated|truncation|usage_checkpoint|usage_info|warning|workspace_file_changed)$/,
  /^subagent\.(?:completed|deselected|failed|selected|started)$/,
  /^tool\.execution_(?:partial_result|progress|start)$/,
];

const isOurs = ({ type, data, parentId }: JsonObject): boolean =>
  isJsonObject(data) && parentId !== undefined && /^(?:abort|[a-z_]+\.[a-z_.]+)$/.test(asText(type) ?? '');

interface SideConversation extends log.Conversation {
  readonly sideOf: string;
}

interface State {
  readonly report: log.Report;
  readonly main: log.Conversation;
  readonly sides: Map<string, SideConversation>;
  /** The call that started each sub-agent. */
  readonly starters: Map<string, string>;
  readonly drafts: Map<string, log.Draft>;
  readonly calls: Map<string, string>;
  systemPrompt?: string;
  id?: string;
  title?: string;
  model?: string;
  folder?: string;
}

function reader(report: log.Report): FormatReader {
  const state: State = {
    report,
    main: log.newConversation(),
    sides: new Map(),
    starters: new Map(),
    drafts: new Map(),
    calls: new Map(),
  };
  return { add: (source) => addRecord(state, source), end: () => transcripts(state) };
}

/** An event with everything that is needed to make a message of it. */
interface Event extends log.Line {
  readonly data: JsonObject;
  readonly conversation: log.Conversation;
  readonly time: string | undefined;
}

function addRecord(state: State, source: SourceRecord): void {
  const record = source.value;
  if (!isJsonObject(record)) {
    log.skip(state.report, source, 'Expected an object.');
    log.keep(state.main, source);
    return;
  }
  const data = asObject(record.data);
  noteSession(state, asText(record.type) ?? '', { record, data });
  const conversation = conversationOf(state, record, data);
  const event = { source, record, data, conversation, time: asTime(record.timestamp) };
  if (!addEvent(state, event)) log.keep(conversation, source);
}

/** Events of a sub-agent name it, or in older logs the call that started it. */
function conversationOf(state: State, record: JsonObject, data: JsonObject): log.Conversation {
  const id = asName(record.agentId) ?? asName(data.parentToolCallId);
  if (id === undefined || asText(record.type)?.startsWith('subagent.')) return state.main;
  const known = state.sides.get(id);
  if (known) return known;
  const sideOf = asName(data.parentToolCallId) ?? state.starters.get(id) ?? id;
  const side = { ...log.newConversation(), sideOf };
  state.sides.set(id, side);
  return side;
}

function addEvent(state: State, event: Event): boolean {
  const { record, data, source, conversation } = event;
  const type = asText(record.type) ?? '';
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
      return addText(event, 'content', `!${asText(data.toolName) ?? ''} ${JSON.stringify(data.arguments ?? {})}`);
    case 'system.notification':
      return addText(event, 'content', asText(data.content));
    case 'session.compaction_complete':
      if (data.success === false) return false;
      log.markCompression(conversation);
      return addText(event, 'summaryContent', asName(data.summaryContent));
    default:
      if (bookkeeping.some((names) => names.test(type))) return false;
      return log.skip(state.report, source, `Unknown event type ${JSON.stringify(type)}.`);
  }
}

interface EventMessage {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly origin?: Origin | undefined;
  /** The event's data without what the parts carry. */
  readonly data: JsonObject;
  readonly about?: log.Draft['about'];
}

function start(event: Event, { role, parts, origin, data, about }: EventMessage): log.Draft {
  const { source, record, time, conversation } = event;
  const line = { source, parts, entry: { record: { ...omit(record, ['data']), data } } };
  return log.startDraft(conversation, { role, about: { ...defined({ time, origin }), ...about } }, line);
}

/** The log repeats the system prompt in every turn; it is a message where it changed. */
function addSystem(state: State, event: Event): boolean {
  const { content, ...data } = event.data;
  const text = asText(content);
  const said = 'Expected data.content of a system.message to be a text.';
  if (text === undefined) return log.skip(state.report, event.source, said);
  if (event.conversation === state.main) {
    if (state.systemPrompt === text) return false;
    state.systemPrompt = text;
  }
  start(event, { role: 'system', parts: [{ type: 'text', text }], data });
  return true;
}

function addUser(state: State, event: Event): boolean {
  const { content, attachments, ...data } = event.data;
  const text = asText(content) ?? asText(data.transformedContent);
  const said = 'Expected data.content of a user.message to be a text.';
  if (text === undefined) return log.skip(state.report, event.source, said);
  const from = asName(data.source);
  // What a sub-agent is asked is written by the agent that started it.
  const isHost = (from !== undefined && from !== 'user') || event.conversation !== state.main;
  const parts: Part[] = [{ type: 'text', text }, ...asList(attachments).map(attachmentPart)];
  start(event, { role: 'user', parts, origin: isHost ? 'host' : undefined, data });
  return true;
}

function addAssistant(state: State, event: Event): boolean {
  const { source, record, time, conversation } = event;
  const providerId = asName(event.data.messageId);
  const model = asName(event.data.model) ?? state.model;
  const parts = assistantParts(event.data);
  for (const part of parts) if (part.type === 'toolCall') state.calls.set(part.callId, part.name);
  const taken = ['content', 'encryptedContent', 'reasoningOpaque', 'reasoningText', 'toolRequests'];
  const data = omit(event.data, taken);
  const open = providerId === undefined ? undefined : state.drafts.get(providerId);
  if (open) log.addLine(open, { source, parts, entry: { record: { ...omit(record, ['data']), data } } });
  const draft = open ?? start(event, { role: 'assistant', parts, data, about: defined({ model, providerId }) });
  if (providerId !== undefined) state.drafts.set(providerId, draft);
  if (typeof data.outputTokens === 'number') {
    const report = { outputTokens: data.outputTokens };
    draft.notes = { ...draft.notes, usage: report };
    // All that the log tells: the length of the prompt stays unknown.
    const seller = model === undefined ? undefined : `github-copilot/${model}`;
    const id = `copilot-cli:${providerId ?? asName(record.id) ?? ''}`;
    log.noteReport(conversation.usage, defined({ id, model: seller, time, report }));
  }
  return true;
}

/** A result without a call belongs to a command that a person ran; the model reads it as the program's message. */
function addResult(state: State, event: Event): boolean {
  const { toolCallId, result, ...rest } = event.data;
  const callId = asName(toolCallId);
  if (callId === undefined) {
    return log.skip(state.report, event.source, 'Expected data.toolCallId in a tool.execution_complete.');
  }
  const content = result === undefined || result === null ? errorContent(rest.error) : resultContent(result);
  const data = { ...rest, ...json({ result: restOfResult(result) }) };
  const name = state.calls.get(callId);
  const isError = is.flag(rest.success) ? !rest.success : undefined;
  if (name === undefined) start(event, { role: 'user', parts: content, origin: 'host', data });
  else start(event, { role: 'tool', parts: [defined({ type: 'toolResult', callId, name, content, isError })], data });
  return true;
}

/** What the program says in the user's place; a summary stands in a member of its own. */
function addText(event: Event, member: 'content' | 'summaryContent', text: string | undefined): boolean {
  if (text === undefined) return false;
  const origin = member === 'content' ? 'host' : 'summary';
  start(event, { role: 'user', parts: [{ type: 'text', text }], origin, data: omit(event.data, [member]) });
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
    log.finish(conversation, defined({ format, id: side, sideOf: conversation.sideOf, workingDirectory })),
  );
  return [log.finish(state.main, defined({ format, id, title, model, workingDirectory })), ...sides];
}

// What stands in the events of Copilot CLI as parts: attachments, answers, results.

/** Files of the workspace are named; only pasted data and selected text stand in the log. */
function attachmentPart(value: JsonValue): Part {
  const file = asObject(value);
  const name = asName(file.displayName) ?? asName(file.path) ?? asName(file.title);
  const mediaType = asName(file.mimeType);
  const data = asText(file.data);
  const taken = ['displayName', 'mimeType', 'data', 'text'];
  const extra = { format, fields: { rest: omit(file, taken) } } as const;
  if (data !== undefined && mediaType?.startsWith('image/')) return { type: 'image', mediaType, data, extra };
  if (data === undefined && name === undefined) return { type: 'other', value };
  return defined({ type: 'file', mediaType, name, data, text: asText(file.text), extra });
}

function assistantParts(data: JsonObject): Part[] {
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

function errorContent(error: JsonValue | undefined): ResultContent[] {
  const text = asText(error) ?? asText(asObject(error).message);
  if (text !== undefined) return [{ type: 'text', text }];
  return error === undefined ? [] : [{ type: 'other', value: error }];
}

/** `content` is the text for the model; `contents` repeats it as blocks and adds images and other attachments. */
function resultContent(result: JsonValue): ResultContent[] {
  if (!isJsonObject(result)) return typeof result === 'string' ? [{ type: 'text', text: result }] : [];
  const text = asText(result.content);
  const blocks = asList(result.contents).flatMap((block) => resultBlock(block, text));
  return text === undefined ? blocks : [{ type: 'text', text }, ...blocks];
}

/** What no part carries: the longer form for the screen, and blocks such as the exit code of a terminal. */
function restOfResult(result: JsonValue | undefined): JsonValue | undefined {
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
