/** Anthropic's side of the Messages API: why it would reject a body, in its own words, and what its answers look like. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import {
  type Answer,
  type AnswerUsage,
  type Finish,
  idOf,
  listOf,
  partsOf,
  piecesOf,
  type Rejection,
  type WireEvent,
} from '../answer.ts';
import { asObject } from '../values.ts';
import { writeBlock } from './write.ts';

/** The first reason, in the order in which the real server looks. */
export function rejectAnthropic(body: JsonObject): Rejection | undefined {
  const { model, messages, max_tokens: maxTokens } = body;
  if (typeof model !== 'string' || model === '') return invalid('model: Field required');
  if (maxTokens === undefined) return invalid('max_tokens: Field required');
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens)) {
    return invalid('max_tokens: Input should be a valid integer');
  }
  if (maxTokens < 1) return invalid('max_tokens: Input should be greater than or equal to 1');
  if (messages === undefined) return invalid('messages: Field required');
  if (!Array.isArray(messages)) return invalid('messages: Input should be a valid list');
  if (messages.length === 0) return invalid('messages: at least one message is required');
  if (listOf(body.system).some(isEmptyText)) return invalid('system: text content blocks must be non-empty');
  return (
    first(messages, rejectMessage) ??
    rejectFirst(messages[0]) ??
    rejectPairs(messages) ??
    rejectThinking(body, messages, maxTokens) ??
    rejectMarks(body)
  );
}

/** A rejection as Anthropic words them: no field, only a message that names it. */
export const invalid = (message: string): Rejection => ({ status: 400, type: 'invalid_request_error', message });

function rejectMessage(value: JsonValue, index: number, count: number): Rejection | undefined {
  const place = `messages.${index}`;
  if (!isJsonObject(value)) return invalid(`${place}: Input should be an object`);
  const { role, content } = value;
  if (role === undefined) return invalid(`${place}.role: Field required`);
  // A system message inside the list is newer than most clients; it stands before an assistant message or at the end.
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    return invalid(`messages: Unexpected role "${String(role)}". Allowed roles are "user" or "assistant".`);
  }
  if (content === undefined || content === null) return invalid(`${place}.content: Field required`);
  if (typeof content !== 'string' && !Array.isArray(content)) {
    return invalid(`${place}.content: Input should be a valid list`);
  }
  const isFinalAssistant = role === 'assistant' && index === count - 1;
  if (content.length === 0 && !isFinalAssistant) {
    return invalid(
      `${place}: all messages must have non-empty content except for the optional final assistant message`,
    );
  }
  if (listOf(content).some(isEmptyText)) return invalid('messages: text content blocks must be non-empty');
  const end = typeof content === 'string' ? content : textOf(listOf(content).at(-1));
  if (isFinalAssistant && /\s$/.test(end)) {
    return invalid('messages: final assistant content cannot end with trailing whitespace');
  }
  return first(listOf(content), (block, at) => rejectBlock(block, `${place}.content.${at}`, role));
}

function rejectBlock(block: JsonValue, place: string, role: string): Rejection | undefined {
  if (!isJsonObject(block)) return invalid(`${place}: Input should be an object`);
  if (typeof block.type !== 'string') return invalid(`${place}.type: Field required`);
  if (block.type === 'tool_use') {
    if (role !== 'assistant') return invalid(`${place}: \`tool_use\` blocks can only be in \`assistant\` messages`);
    if (!/^[\w-]+$/.test(String(block.id ?? ''))) {
      return invalid(`${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    }
    if (!isJsonObject(block.input)) return invalid(`${place}.tool_use.input: Input should be a valid dictionary`);
  }
  if (block.type === 'tool_result' && role !== 'user') {
    return invalid(`${place}: \`tool_result\` blocks can only be in \`user\` messages`);
  }
  if (block.type === 'thinking' && typeof block.signature !== 'string') {
    return invalid(`${place}.thinking.signature: Field required`);
  }
  return undefined;
}

const rejectFirst = (value: JsonValue | undefined): Rejection | undefined =>
  isJsonObject(value) && value.role === 'assistant'
    ? invalid('messages: first message must use the "user" role')
    : undefined;

/** The results of a message's calls stand in the very next one, and nowhere else. */
function rejectPairs(messages: readonly JsonValue[]): Rejection | undefined {
  let waiting: readonly string[] = [];
  for (const [index, value] of messages.entries()) {
    const results = idsOf(value, 'tool_result', 'tool_use_id');
    const stray = results.findIndex((id) => !waiting.includes(id));
    if (stray >= 0) {
      return invalid(
        `messages.${index}.content.${stray}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${results[stray]}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    }
    const missing = waiting.filter((id) => !results.includes(id));
    if (missing.length > 0) return unanswered(missing, index - 1);
    const calls = idsOf(value, 'tool_use', 'id');
    const twice = calls.find((id, at) => calls.indexOf(id) !== at);
    if (twice !== undefined) return invalid(`messages.${index}: \`tool_use\` ids must be unique`);
    waiting = calls;
  }
  return waiting.length > 0 ? unanswered(waiting, messages.length - 1) : undefined;
}

const unanswered = (ids: readonly string[], index: number): Rejection =>
  invalid(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );

function rejectThinking(
  { thinking }: JsonObject,
  messages: readonly JsonValue[],
  maxTokens: number,
): Rejection | undefined {
  if (!isJsonObject(thinking) || thinking.type !== 'enabled') return undefined;
  const { budget_tokens: budget } = thinking;
  if (typeof budget !== 'number') return invalid('thinking.enabled.budget_tokens: Field required');
  if (budget < 1024) return invalid('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (maxTokens <= budget) return invalid('`max_tokens` must be greater than `thinking.budget_tokens`.');
  return rejectThoughtless(messages);
}

/** The turn that goes on has to begin with a thought (anomalyco/opencode#3077). */
function rejectThoughtless(messages: readonly JsonValue[]): Rejection | undefined {
  const asks = (value: JsonValue): boolean =>
    isJsonObject(value) && value.role === 'user' && idsOf(value, 'tool_result', 'tool_use_id').length === 0;
  const at = messages.findLastIndex(asks) + 1;
  const opening = messages[at];
  const [block] = isJsonObject(opening) && opening.role === 'assistant' ? listOf(opening.content) : [];
  const type = isJsonObject(block) ? String(block.type) : 'thinking';
  if (type === 'thinking' || type === 'redacted_thinking') return undefined;
  return invalid(
    `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`,
  );
}

function rejectMarks(body: JsonObject): Rejection | undefined {
  const complaint = cacheComplaint(body);
  return complaint === undefined ? undefined : invalid(complaint);
}

/** The first rejection among the members of a list. */
function first(
  values: readonly JsonValue[],
  reject: (value: JsonValue, index: number, count: number) => Rejection | undefined,
): Rejection | undefined {
  for (const [index, value] of values.entries()) {
    const rejection = reject(value, index, values.length);
    if (rejection) return rejection;
  }
  return undefined;
}

const idsOf = (message: JsonValue, type: string, key: string): readonly string[] =>
  (isJsonObject(message) ? listOf(message.content) : []).flatMap((block) =>
    isJsonObject(block) && block.type === type ? [String(block[key])] : [],
  );

const textOf = (block: JsonValue | undefined): string =>
  isJsonObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : '';

const isEmptyText = (block: JsonValue): boolean =>
  isJsonObject(block) && block.type === 'text' && (typeof block.text !== 'string' || block.text.trim() === '');

// Why Anthropic would reject the prompt-cache breakpoints of a body.

const most = 4;

interface Mark {
  readonly path: string;
  readonly isLong: boolean;
}

/** The first reason in its own words (coder/mux#3112, cnighswonger/claude-code-cache-fix#44); undefined where there is none. */
function cacheComplaint({ tools, system, messages, cache_control: automatic }: JsonObject): string | undefined {
  const marks = [...marksIn(tools, 'tools'), ...marksIn(system, 'system'), ...marksIn(messages, 'messages')];
  const all = automatic === undefined || automatic === null ? marks : [...marks, markOf(automatic, '')];
  if (all.length > most) return `A maximum of ${most} blocks with cache_control may be provided. Found ${all.length}.`;
  const short = all.findIndex(({ isLong }) => !isLong);
  const late = short < 0 ? undefined : all.slice(short).find(({ isLong }) => isLong);
  return (
    late &&
    `${late.path}cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`
  );
}

const markOf = (control: JsonValue, path: string): Mark => ({
  path,
  isLong: isJsonObject(control) && control.ttl === '1h',
});

/** Blocks have marks, and so may those inside of their content. */
function marksIn(blocks: JsonValue | undefined, path: string): readonly Mark[] {
  return listOf(blocks).flatMap((block, at) => {
    if (!isJsonObject(block)) return [];
    const { cache_control: control, content } = block;
    const own = control === undefined || control === null ? [] : [markOf(control, `${path}.${at}.`)];
    return [...marksIn(content, `${path}.${at}.content`), ...own];
  });
}

// An answer as the Anthropic Messages API writes it, whole and as a stream of events.

const stopReasons: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  refusal: 'refusal',
  toolCalls: 'tool_use',
  contentFilter: 'refusal',
};

/** The body of an answer that is not streamed. */
export function anthropicMessage(answer: Answer): JsonObject {
  return {
    ...message(
      answer,
      contentOf(answer).map(({ block }) => block),
    ),
    ...stopFields(answer),
  };
}

/** The events of a streamed answer, from `message_start` to `message_stop`. */
export function* anthropicStream(answer: Answer): Iterable<WireEvent> {
  const { usage } = answer;
  const event = (type: string, fields: JsonObject, more: Omit<WireEvent, 'name' | 'data'> = {}): WireEvent => ({
    name: type,
    data: { type, ...fields },
    ...more,
  });
  // The first report has the prompt whole and of the answer one token, as the real one.
  const opening: Answer = { ...answer, usage: usage && { ...usage, outputTokens: 1, reasoningTokens: 0 } };
  yield event('message_start', { message: { ...message(opening, []), stop_reason: null, stop_sequence: null } });
  for (const [index, entry] of contentOf(answer).entries()) {
    yield event('content_block_start', { index, content_block: emptied(entry) });
    if (index === 0) yield event('ping', {});
    for (const { delta, chars } of deltasOf(entry, answer.pieceChars)) {
      yield event('content_block_delta', { index, delta }, { chars });
    }
    yield event('content_block_stop', { index });
  }
  const reported = usage ? { usage: deltaUsage(usage) } : { usage: { output_tokens: 0 } };
  yield event('message_delta', { delta: stopFields(answer), ...reported }, { isEnd: true });
  yield event('message_stop', {}, { isEnd: true });
}

/** A block of the content, and what the deltas of a stream spell out: text, thinking or arguments. */
interface ContentEntry {
  readonly type: 'text' | 'reasoning' | 'toolCall';
  readonly block: JsonObject;
  readonly said: string;
}

/** The blocks as the format writes them. It carries arguments as a value: text that is no JSON arrives as a string. */
const contentOf = (answer: Answer): readonly ContentEntry[] =>
  partsOf(answer).map((part) => {
    const { type } = part;
    if (type !== 'toolCall') {
      const signed = type === 'reasoning' ? { ...part, signature: signatureOf(answer.number) } : part;
      return { type, block: asObject(writeBlock(signed)), said: part.text };
    }
    const isValue = part.input === '' || parseJson(part.input) !== undefined;
    const input = isValue ? part.input : JSON.stringify(part.input);
    return { type, block: asObject(writeBlock({ ...part, input })), said: part.input };
  });

/** Base64 as a real signature is, and the same for the same request. */
const signatureOf = (number: number): string => `RmFrZVNpZ25hdHVyZQ${String(number).padStart(14, '0')}`;

/** A block as it stands when it opens. */
function emptied({ type, block }: ContentEntry): JsonObject {
  if (type === 'reasoning') return { type: 'thinking', thinking: '', signature: '' };
  return type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

const deltaTypes = {
  text: { type: 'text_delta', key: 'text' },
  reasoning: { type: 'thinking_delta', key: 'thinking' },
  toolCall: { type: 'input_json_delta', key: 'partial_json' },
} as const;

function* deltasOf(entry: ContentEntry, pieceChars: number): Iterable<{ delta: JsonObject; chars: number }> {
  const { type, key } = deltaTypes[entry.type];
  if (entry.type === 'toolCall') yield { delta: { type, [key]: '' }, chars: 0 };
  for (const piece of piecesOf(entry.said, pieceChars)) yield { delta: { type, [key]: piece }, chars: piece.length };
  if (entry.type === 'reasoning') {
    yield { delta: { type: 'signature_delta', signature: String(entry.block.signature) }, chars: 0 };
  }
}

const message = ({ number, model, usage }: Answer, content: readonly JsonObject[]): JsonObject => ({
  id: idOf({ prefix: 'msg_', length: 24 }, number),
  type: 'message',
  role: 'assistant',
  model,
  content,
  ...(usage ? { usage: wholeUsage(usage) } : { usage: { input_tokens: 0, output_tokens: 0 } }),
});

function stopFields({ finish }: Answer): JsonObject {
  const stopReason = stopReasons[finish];
  const details = { type: 'refusal', category: null, explanation: null };
  return {
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details: stopReason === 'refusal' ? details : null,
  };
}

const wholeUsage = (usage: AnswerUsage): JsonObject => ({
  input_tokens: usage.inputTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
  output_tokens: usage.outputTokens,
  ...reasoningDetails(usage),
  service_tier: 'standard',
});

const deltaUsage = (usage: AnswerUsage): JsonObject => ({
  input_tokens: usage.inputTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  output_tokens: usage.outputTokens,
  ...reasoningDetails(usage),
});

const reasoningDetails = ({ reasoningTokens }: AnswerUsage): JsonObject =>
  reasoningTokens === 0 ? {} : { output_tokens_details: { thinking_tokens: reasoningTokens } };
