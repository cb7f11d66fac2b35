/** The Anthropic Messages API. */
import { type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Message } from '../../transcript/message.ts';
import { fromAnthropic, fromAnthropicSystem } from '../../transcript/wire/anthropic/format.ts';
import type { Finish } from '../reply.ts';
import { invalid, rejectAnthropic } from './anthropic-check.ts';
import {
  type Answer,
  type AnswerUsage,
  type Dialect,
  idOf,
  listOf,
  piecesOf,
  type Rejection,
  type WireEvent,
} from './dialect.ts';

// An answer as the Anthropic Messages API writes it, whole and as a stream of events.

const stopReasons: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  refusal: 'refusal',
  toolCalls: 'tool_use',
  contentFilter: 'refusal',
};

/** The body of an answer that is not streamed. */
function anthropicMessage(answer: Answer): JsonObject {
  return {
    ...message(
      answer,
      contentOf(answer).map(({ block }) => block),
    ),
    ...stopFields(answer),
  };
}

/** The events of a streamed answer, from `message_start` to `message_stop`. */
function* anthropicStream(answer: Answer): Iterable<WireEvent> {
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
    yield event('content_block_start', { index, content_block: emptied(entry.block) });
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
  readonly block: JsonObject & { readonly type: 'thinking' | 'text' | 'tool_use' };
  readonly said: string;
}

function contentOf({ number, text, reasoning, calls }: Answer): readonly ContentEntry[] {
  const entries: ContentEntry[] = [];
  if (reasoning !== '') {
    entries.push({ block: { type: 'thinking', thinking: reasoning, signature: signatureOf(number) }, said: reasoning });
  }
  if (text !== '') entries.push({ block: { type: 'text', text }, said: text });
  for (const { id, name, input } of calls) {
    entries.push({ block: { type: 'tool_use', id, name, input: argumentsOf(input) }, said: input });
  }
  return entries;
}

/** Base64 as a real signature is, and the same for the same request. */
const signatureOf = (number: number): string => `RmFrZVNpZ25hdHVyZQ${String(number).padStart(14, '0')}`;

/** The format carries arguments as a value: text that is no JSON arrives as a string. */
const argumentsOf = (input: string): JsonValue => (input === '' ? {} : (parseJson(input) ?? input));

/** A block as it stands when it opens. */
function emptied(block: ContentEntry['block']): JsonObject {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

const deltaTypes = {
  text: { type: 'text_delta', key: 'text' },
  thinking: { type: 'thinking_delta', key: 'thinking' },
  tool_use: { type: 'input_json_delta', key: 'partial_json' },
} as const;

function* deltasOf({ block, said }: ContentEntry, pieceChars: number): Iterable<{ delta: JsonObject; chars: number }> {
  const { type, key } = deltaTypes[block.type];
  if (block.type === 'tool_use') yield { delta: { type, [key]: '' }, chars: 0 };
  for (const piece of piecesOf(said, pieceChars)) yield { delta: { type, [key]: piece }, chars: piece.length };
  if (block.type === 'thinking') {
    yield { delta: { type: 'signature_delta', signature: String(block.signature) }, chars: 0 };
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

/** The dialect of `POST /v1/messages`. */
export const anthropic: Dialect = {
  name: 'anthropic',
  path: '/v1/messages',
  callId: { prefix: 'toolu_', length: 24 },
  requestId: { header: 'request-id', prefix: 'req_', length: 24 },
  read,
  reject: rejectAnthropic,
  authorize,
  failure: (error, requestId) => ({ status: error.status, body: failureBody(error, requestId) }),
  failureEvents: (error, { requestId }): readonly WireEvent[] => [
    { name: 'error', data: failureBody(error, requestId), isEnd: true },
  ],
  overflow: (tokens, limit) => invalid(`prompt is too long: ${tokens} tokens > ${limit} maximum`),
  limitHeaders,
  complete: anthropicMessage,
  stream: anthropicStream,
  models: (names, created) => ({
    data: names.map((id) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: new Date(created * 1_000).toISOString(),
    })),
    has_more: false,
    first_id: names[0] ?? null,
    last_id: names.at(-1) ?? null,
  }),
};

/** What Anthropic sends with a status. */
const usual: Readonly<Record<number, { readonly type: string; readonly message: string }>> = {
  400: { type: 'invalid_request_error', message: 'Invalid request.' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  402: {
    type: 'billing_error',
    message:
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  },
  403: { type: 'permission_error', message: 'Your API key does not have permission to use the specified resource.' },
  404: { type: 'not_found_error', message: 'Not found' },
  408: { type: 'timeout_error', message: 'Request timed out' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  429: {
    type: 'rate_limit_error',
    message:
      "This request would exceed your organization's rate limit of 30,000 input tokens per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits.",
  },
  500: { type: 'api_error', message: 'Internal server error' },
  504: { type: 'timeout_error', message: 'Request timed out' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
};

function failureBody({ status, type, message }: Rejection, requestId: string): JsonObject {
  const standard = usual[status] ?? { type: 'api_error', message: 'The request failed.' };
  return {
    type: 'error',
    error: { type: type ?? standard.type, message: message ?? standard.message },
    request_id: requestId,
  };
}

function read(body: JsonObject): readonly Message[] {
  const system = fromAnthropicSystem(body.system);
  const messages = fromAnthropic(listOf(body.messages));
  return system ? [system, ...messages] : messages;
}

/** A key stands in `x-api-key`, a token in `Authorization: Bearer …`; the version of the API is always named. */
function authorize(headers: Readonly<Record<string, string>>, key: string | undefined): Rejection | undefined {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  const given = headers['x-api-key'] ?? bearer;
  if (key !== undefined && given === undefined) return { status: 401, message: 'x-api-key header is required' };
  if (key !== undefined && given !== key) {
    return { status: 401, message: headers['x-api-key'] === undefined ? 'Invalid bearer token' : 'invalid x-api-key' };
  }
  return headers['anthropic-version'] === undefined ? invalid('anthropic-version: header is required') : undefined;
}

function limitHeaders(now: number): Readonly<Record<string, string>> {
  const reset = new Date(now + 60_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const kinds = { requests: 4_000, 'input-tokens': 2_000_000, 'output-tokens': 400_000, tokens: 2_400_000 };
  const headers: Record<string, string> = { 'anthropic-organization-id': '00000000-0000-4000-8000-000000000000' };
  for (const [kind, limit] of Object.entries(kinds)) {
    headers[`anthropic-ratelimit-${kind}-limit`] = String(limit);
    headers[`anthropic-ratelimit-${kind}-remaining`] = String(limit - 1_000);
    headers[`anthropic-ratelimit-${kind}-reset`] = reset;
  }
  return headers;
}
