/** The Messages API as a server: requests checked in Anthropic's words, answers whole and as a stream of events. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import * as wire from '../answer.ts';
import { asList, asObject, asText, is } from '../values.ts';
import { fromAnthropic, fromAnthropicSystem, writeBlock } from './messages.ts';

/** The dialect of `POST /v1/messages`. */
export const anthropicDialect: wire.Dialect = {
  name: 'anthropic',
  path: '/v1/messages',
  modelsPath: '/v1/models',
  asked: wire.askedAt('/v1/messages'),
  callId: { prefix: 'toolu_', length: 24 },
  requestId: { header: 'request-id', prefix: 'req_', length: 24 },
  read: (body) => {
    const system = fromAnthropicSystem(body.system);
    const messages = fromAnthropic(asList(body.messages));
    return system ? [system, ...messages] : messages;
  },
  reject: rejectAnthropic,
  authorize,
  failure: (error, requestId) => ({ status: error.status, body: failureBody(error, requestId) }),
  failureEvents: (error, { requestId }) => [{ name: 'error', data: failureBody(error, requestId), isEnd: true }],
  overflow: (tokens, limit) => invalid(`prompt is too long: ${tokens} tokens > ${limit} maximum`),
  notJson: { status: 400, message: 'The request body is not valid JSON: expected an object' },
  unknownModel: (model) => ({ status: 404, message: `model: ${model}` }),
  unknownPath: () => ({ status: 404 }),
  limitHeaders,
  complete: (answer) => {
    const blocks = contentOf(answer).map(({ block }) => block);
    return { ...messageBody(answer, blocks), ...stopFields(answer) };
  },
  stream,
  models: (names, created) => {
    const since = new Date(created * 1_000).toISOString();
    return {
      data: names.map((id) => ({ type: 'model', id, display_name: id, created_at: since })),
      has_more: false,
      first_id: names[0] ?? null,
      last_id: names.at(-1) ?? null,
    };
  },
};

/** What Anthropic sends with a status: type and message. */
const usual: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ['invalid_request_error', 'Invalid request.'],
  401: ['authentication_error', 'invalid x-api-key'],
  402: [
    'billing_error',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  ],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'Not found'],
  408: ['timeout_error', 'Request timed out'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: [
    'rate_limit_error',
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits.",
  ],
  500: ['api_error', 'Internal server error'],
  504: ['timeout_error', 'Request timed out'],
  529: ['overloaded_error', 'Overloaded'],
};

function failureBody(error: wire.Rejection, requestId: string): JsonObject {
  const [type, message] = usual[error.status] ?? ['api_error', 'The request failed.'];
  const told = { type: error.type ?? type, message: error.message ?? message };
  return { type: 'error', error: told, request_id: requestId };
}

/** A key stands in `x-api-key`, a token in `Authorization: Bearer …`; the version of the API is always named. */
function authorize(headers: wire.Headers, key: string | undefined): wire.Rejection | undefined {
  const given = headers['x-api-key'] ?? wire.bearerIn(headers);
  if (key !== undefined && given !== key) {
    if (given === undefined) return { status: 401, message: 'x-api-key header is required' };
    return { status: 401, message: headers['x-api-key'] === undefined ? 'Invalid bearer token' : 'invalid x-api-key' };
  }
  return headers['anthropic-version'] === undefined ? invalid('anthropic-version: header is required') : undefined;
}

function limitHeaders(now: number): wire.Headers {
  const reset = new Date(now + 60_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const limits = { requests: 4_000, 'input-tokens': 2_000_000, 'output-tokens': 400_000, tokens: 2_400_000 };
  const headers = Object.entries(limits).flatMap(([kind, limit]) => [
    [`anthropic-ratelimit-${kind}-limit`, String(limit)],
    [`anthropic-ratelimit-${kind}-remaining`, String(limit - 1_000)],
    [`anthropic-ratelimit-${kind}-reset`, reset],
  ]);
  return { 'anthropic-organization-id': '00000000-0000-4000-8000-000000000000', ...Object.fromEntries(headers) };
}

// Why a request would be rejected.

function rejectAnthropic(body: JsonObject): wire.Rejection | undefined {
  const { model, messages, max_tokens: maxTokens } = body;
  if (!is.text(model) || model === '') return invalid('model: Field required');
  if (maxTokens === undefined) return invalid('max_tokens: Field required');
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens)) {
    return invalid('max_tokens: Input should be a valid integer');
  }
  if (maxTokens < 1) return invalid('max_tokens: Input should be greater than or equal to 1');
  if (messages === undefined) return invalid('messages: Field required');
  if (!is.list(messages)) return invalid('messages: Input should be a valid list');
  if (messages.length === 0) return invalid('messages: at least one message is required');
  if (asList(body.system).some(isEmptyText)) return invalid('system: text content blocks must be non-empty');
  const startsWrong = asObject(messages[0]).role === 'assistant';
  return (
    wire.firstRejection(messages, (value, index) => rejectMessage(value, index, index === messages.length - 1)) ??
    (startsWrong ? invalid('messages: first message must use the "user" role') : undefined) ??
    rejectPairs(messages) ??
    rejectThinking(asObject(body.thinking), messages, maxTokens) ??
    rejectMarks(body)
  );
}

/** A rejection as Anthropic words them: no field, only a message that names it. */
const invalid = (message: string): wire.Rejection => ({ status: 400, type: 'invalid_request_error', message });

function rejectMessage(value: JsonValue, index: number, isLast: boolean): wire.Rejection | undefined {
  const place = `messages.${index}`;
  if (!isJsonObject(value)) return invalid(`${place}: Input should be an object`);
  const { role, content } = value;
  if (role === undefined) return invalid(`${place}.role: Field required`);
  // A system message inside the list is newer than most clients; it stands before an assistant message or at the end.
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    return invalid(`messages: Unexpected role "${String(role)}". Allowed roles are "user" or "assistant".`);
  }
  if (content === undefined || content === null) return invalid(`${place}.content: Field required`);
  if (!is.text(content) && !is.list(content)) return invalid(`${place}.content: Input should be a valid list`);
  const isFinalAssistant = role === 'assistant' && isLast;
  if (content.length === 0 && !isFinalAssistant) {
    return invalid(
      `${place}: all messages must have non-empty content except for the optional final assistant message`,
    );
  }
  const blocks = asList(content);
  if (blocks.some(isEmptyText)) return invalid('messages: text content blocks must be non-empty');
  const end = asObject(blocks.at(-1));
  const last = is.text(content) ? content : end.type === 'text' ? asText(end.text) : '';
  if (isFinalAssistant && /\s$/.test(last ?? '')) {
    return invalid('messages: final assistant content cannot end with trailing whitespace');
  }
  return wire.firstRejection(blocks, (block, at) => rejectBlock(block, `${place}.content.${at}`, role));
}

function rejectBlock(block: JsonValue, place: string, role: string): wire.Rejection | undefined {
  if (!isJsonObject(block)) return invalid(`${place}: Input should be an object`);
  const { type, id, input, signature } = block;
  if (!is.text(type)) return invalid(`${place}.type: Field required`);
  if (type === 'tool_use') {
    if (role !== 'assistant') return invalid(`${place}: \`tool_use\` blocks can only be in \`assistant\` messages`);
    if (!/^[\w-]+$/.test(String(id ?? ''))) {
      return invalid(`${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    }
    if (!isJsonObject(input)) return invalid(`${place}.tool_use.input: Input should be a valid dictionary`);
  }
  if (type === 'tool_result' && role !== 'user') {
    return invalid(`${place}: \`tool_result\` blocks can only be in \`user\` messages`);
  }
  return type === 'thinking' && !is.text(signature)
    ? invalid(`${place}.thinking.signature: Field required`)
    : undefined;
}

/** The results of a message's calls stand in the very next one, and nowhere else. */
function rejectPairs(messages: readonly JsonValue[]): wire.Rejection | undefined {
  let waiting: readonly string[] = [];
  const unanswered = (ids: readonly string[], index: number): wire.Rejection =>
    invalid(
      `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  const rejection = wire.firstRejection(messages, (value, index) => {
    const results = idsOf(value, 'tool_result', 'tool_use_id');
    const stray = results.findIndex((id) => !waiting.includes(id));
    if (stray >= 0) {
      return invalid(
        `messages.${index}.content.${stray}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${results[stray]}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    }
    const missing = waiting.filter((id) => !results.includes(id));
    if (missing.length > 0) return unanswered(missing, index - 1);
    waiting = idsOf(value, 'tool_use', 'id');
    const isUnique = new Set(waiting).size === waiting.length;
    return isUnique ? undefined : invalid(`messages.${index}: \`tool_use\` ids must be unique`);
  });
  return rejection ?? (waiting.length > 0 ? unanswered(waiting, messages.length - 1) : undefined);
}

const idsOf = (message: JsonValue, type: string, key: string): readonly string[] =>
  asList(asObject(message).content)
    .map(asObject)
    .flatMap((block) => (block.type === type ? [String(block[key])] : []));

function rejectThinking(
  thinking: JsonObject,
  messages: readonly JsonValue[],
  maxTokens: number,
): wire.Rejection | undefined {
  if (thinking.type !== 'enabled') return undefined;
  const { budget_tokens: budget } = thinking;
  if (typeof budget !== 'number') return invalid('thinking.enabled.budget_tokens: Field required');
  if (budget < 1024) return invalid('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (maxTokens <= budget) return invalid('`max_tokens` must be greater than `thinking.budget_tokens`.');
  // The turn that goes on has to begin with a thought (anomalyco/opencode#3077).
  const asks = (value: JsonValue): boolean =>
    asObject(value).role === 'user' && idsOf(value, 'tool_result', 'tool_use_id').length === 0;
  const at = messages.findLastIndex(asks) + 1;
  const opening = asObject(messages[at]);
  const [block] = opening.role === 'assistant' ? asList(opening.content) : [];
  const type = isJsonObject(block) ? String(block.type) : 'thinking';
  if (type === 'thinking' || type === 'redacted_thinking') return undefined;
  return invalid(
    `messages.${at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`,
  );
}

const isEmptyText = (block: JsonValue): boolean => {
  const { type, text } = asObject(block);
  return type === 'text' && is.blank(asText(text) ?? '');
};

/** A prompt-cache breakpoint. */
interface Mark {
  readonly path: string;
  readonly isLong: boolean;
}

const mostMarks = 4;

/** Why breakpoints would be rejected (coder/mux#3112, cnighswonger/claude-code-cache-fix#44). */
function rejectMarks({ tools, system, messages, cache_control: automatic }: JsonObject): wire.Rejection | undefined {
  const own = [...marksIn(tools, 'tools'), ...marksIn(system, 'system'), ...marksIn(messages, 'messages')];
  const marks = [...own, ...markOf(automatic, '')];
  if (marks.length > mostMarks) {
    return invalid(`A maximum of ${mostMarks} blocks with cache_control may be provided. Found ${marks.length}.`);
  }
  const short = marks.findIndex(({ isLong }) => !isLong);
  const late = short < 0 ? undefined : marks.slice(short).find(({ isLong }) => isLong);
  if (!late) return undefined;
  return invalid(
    `${late.path}cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: \`tools\`, \`system\`, \`messages\`.`,
  );
}

const markOf = (control: JsonValue | undefined, path: string): readonly Mark[] =>
  control === undefined || control === null ? [] : [{ path, isLong: asObject(control).ttl === '1h' }];

/** Blocks have marks, and so may those inside of their content. */
const marksIn = (blocks: JsonValue | undefined, path: string): readonly Mark[] =>
  asList(blocks).flatMap((block, at) => {
    const { cache_control: control, content } = asObject(block);
    return [...marksIn(content, `${path}.${at}.content`), ...markOf(control, `${path}.${at}.`)];
  });

// Answers.

const stopReasons: Readonly<Record<wire.Finish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  refusal: 'refusal',
  toolCalls: 'tool_use',
  contentFilter: 'refusal',
};

/** The events of a streamed answer, from `message_start` to `message_stop`. */
function* stream(answer: wire.Answer): Iterable<wire.WireEvent> {
  const { usage } = answer;
  const event = (
    type: string,
    fields: JsonObject,
    more: Omit<wire.WireEvent, 'name' | 'data'> = {},
  ): wire.WireEvent => ({
    name: type,
    data: { type, ...fields },
    ...more,
  });
  // The first report has the prompt whole and of the answer one token, as the real one.
  const opening: wire.Answer = { ...answer, usage: usage && { ...usage, outputTokens: 1, reasoningTokens: 0 } };
  yield event('message_start', { message: { ...messageBody(opening, []), stop_reason: null, stop_sequence: null } });
  for (const [index, entry] of contentOf(answer).entries()) {
    yield event('content_block_start', { index, content_block: entry.opened });
    if (index === 0) yield event('ping', {});
    for (const { delta, chars } of deltasOf(entry, answer.pieceChars)) {
      yield event('content_block_delta', { index, delta }, { chars });
    }
    yield event('content_block_stop', { index });
  }
  const reported = { usage: usage ? usageOf(usage) : { output_tokens: 0 } };
  yield event('message_delta', { delta: stopFields(answer), ...reported }, { isEnd: true });
  yield event('message_stop', {}, { isEnd: true });
}

/** A block of the content as it is and as it opens, and what the deltas of a stream spell out: text, thinking or arguments. */
interface ContentEntry {
  readonly type: 'text' | 'reasoning' | 'toolCall';
  readonly block: JsonObject;
  readonly opened: JsonObject;
  readonly said: string;
}

/** The blocks as the format writes them. It carries arguments as a value: text that is no JSON arrives as a string. */
const contentOf = (answer: wire.Answer): readonly ContentEntry[] =>
  wire.partsOf(answer).map((part) => {
    const { type } = part;
    if (type === 'toolCall') {
      const isValue = part.input === '' || parseJson(part.input) !== undefined;
      const input = isValue ? part.input : JSON.stringify(part.input);
      const block = asObject(writeBlock({ ...part, input }));
      return { type, block, opened: { ...block, input: {} }, said: part.input };
    }
    const text = part.text;
    if (type === 'text') return { type, block: asObject(writeBlock(part)), opened: { type, text: '' }, said: text };
    // Base64 as a real signature is, and the same for the same request.
    const signature = `RmFrZVNpZ25hdHVyZQ${String(answer.number).padStart(14, '0')}`;
    const opened = { type: 'thinking', thinking: '', signature: '' };
    return { type, block: asObject(writeBlock({ ...part, signature })), opened, said: text };
  });

const deltaTypes = {
  text: ['text_delta', 'text'],
  reasoning: ['thinking_delta', 'thinking'],
  toolCall: ['input_json_delta', 'partial_json'],
} as const;

function* deltasOf(entry: ContentEntry, pieceChars: number): Iterable<{ delta: JsonObject; chars: number }> {
  const [type, key] = deltaTypes[entry.type];
  if (entry.type === 'toolCall') yield { delta: { type, [key]: '' }, chars: 0 };
  for (const piece of wire.piecesOf(entry.said, pieceChars))
    yield { delta: { type, [key]: piece }, chars: piece.length };
  if (entry.type === 'reasoning') {
    yield { delta: { type: 'signature_delta', signature: String(entry.block.signature) }, chars: 0 };
  }
}

const messageBody = ({ number, model, usage }: wire.Answer, content: readonly JsonObject[]): JsonObject => ({
  id: wire.idOf({ prefix: 'msg_', length: 24 }, number),
  type: 'message',
  role: 'assistant',
  model,
  content,
  usage: usage ? usageOf(usage, true) : { input_tokens: 0, output_tokens: 0 },
});

function stopFields({ finish }: wire.Answer): JsonObject {
  const details = { type: 'refusal', category: null, explanation: null };
  const reason = stopReasons[finish];
  return { stop_reason: reason, stop_sequence: null, stop_details: reason === 'refusal' ? details : null };
}

/** The report of a whole message says more than that of a delta. */
function usageOf(usage: wire.AnswerUsage, isWhole = false): JsonObject {
  const { cacheWriteTokens: written, reasoningTokens: thought } = usage;
  const creation = { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 };
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: usage.cacheReadTokens,
    ...(isWhole ? { cache_creation: creation } : {}),
    output_tokens: usage.outputTokens,
    ...(thought === 0 ? {} : { output_tokens_details: { thinking_tokens: thought } }),
    ...(isWhole ? { service_tier: 'standard' } : {}),
  };
}
