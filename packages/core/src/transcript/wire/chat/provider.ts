/** OpenAI's side of Chat Completions: why it would reject a body, in its own words, and what its answers look like. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
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
import { extraOf } from '../values.ts';
import { toOpenAiChat } from './write.ts';

const format = 'openai-chat';

const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];

/** The first reason, in the order in which the real server looks. */
export function rejectChat(body: JsonObject): Rejection | undefined {
  if (typeof body.model !== 'string' || body.model === '')
    return invalid('you must provide a model parameter', undefined);
  const { messages } = body;
  if (messages === undefined) {
    return invalid("Missing required parameter: 'messages'.", 'messages', 'missing_required_parameter');
  }
  if (!Array.isArray(messages)) {
    return invalid(
      `Invalid type for 'messages': expected an array of objects, but got ${typeNamed(messages)} instead.`,
      'messages',
      'invalid_type',
    );
  }
  if (messages.length === 0) {
    const message =
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
    return invalid(message, 'messages', 'empty_array');
  }
  for (const [index, value] of messages.entries()) {
    const rejection = rejectMessage(value, index);
    if (rejection) return rejection;
  }
  return rejectPairs(messages);
}

function rejectMessage(value: JsonValue, index: number): Rejection | undefined {
  const place = `messages[${index}]`;
  if (!isJsonObject(value)) {
    return invalid(
      `Invalid type for '${place}': expected an object, but got ${typeNamed(value)} instead.`,
      place,
      'invalid_type',
    );
  }
  const { role } = value;
  if (role === undefined) {
    return invalid(`Missing required parameter: '${place}.role'.`, `${place}.role`, 'missing_required_parameter');
  }
  if (typeof role !== 'string' || !roles.includes(role)) {
    const supported = `${roles.slice(0, -1).map(quoted).join(', ')}, and 'developer'`;
    const message = `Invalid value: ${quoted(String(role))}. Supported values are: ${supported}.`;
    return invalid(message, `${place}.role`, 'invalid_value');
  }
  const mayBeNull =
    role === 'assistant' && ['tool_calls', 'function_call', 'refusal', 'audio'].some((key) => value[key]);
  if ((value.content === undefined || value.content === null) && !mayBeNull) {
    const message = "Invalid value for 'content': expected a string, got null.";
    return invalid(message, `messages.[${index}].content`);
  }
  if (role === 'tool' && typeof value.tool_call_id !== 'string') {
    const param = `${place}.tool_call_id`;
    return invalid(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
  }
  return role === 'assistant' ? rejectCalls(value, place) : undefined;
}

function rejectCalls(message: JsonObject, place: string): Rejection | undefined {
  if (Array.isArray(message.tool_calls) && message.tool_calls.length === 0) {
    const text = `Invalid '${place}.tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
    return invalid(text, `${place}.tool_calls`, 'empty_array');
  }
  for (const [index, call] of listOf(message.tool_calls).entries()) {
    const param = `${place}.tool_calls[${index}]`;
    if (!isJsonObject(call) || typeof call.id !== 'string') {
      return invalid(`Missing required parameter: '${param}.id'.`, `${param}.id`, 'missing_required_parameter');
    }
    if (isJsonObject(call.function) && call.function.name === '') {
      const text = `Invalid '${param}.function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.`;
      return invalid(text, `${param}.function.name`, 'empty_string');
    }
  }
  return undefined;
}

/** Every call is answered by tool messages right after it, and every tool message answers one. */
function rejectPairs(messages: readonly JsonValue[]): Rejection | undefined {
  let waiting = new Set<string>();
  let known = new Set<string>();
  for (const [index, value] of messages.entries()) {
    if (!isJsonObject(value)) continue;
    if (value.role === 'tool') {
      const id = String(value.tool_call_id);
      if (!known.has(id)) {
        // The spelling is OpenAI's.
        const text = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        return invalid(`Invalid parameter: ${text}`, `messages.[${index}].role`);
      }
      waiting.delete(id);
      continue;
    }
    if (waiting.size > 0) return unanswered(waiting, index);
    known = new Set(callIds(value));
    waiting = new Set(known);
  }
  return waiting.size > 0 ? unanswered(waiting, messages.length) : undefined;
}

const unanswered = (ids: ReadonlySet<string>, index: number): Rejection =>
  invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...ids].join(', ')}`,
    `messages.[${index}].role`,
  );

const callIds = (message: JsonObject): readonly string[] =>
  listOf(message.tool_calls).flatMap((call) => (isJsonObject(call) && typeof call.id === 'string' ? [call.id] : []));

const quoted = (text: string): string => `'${text}'`;

/** A value's type as OpenAI names it in messages. */
export function typeNamed(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'a boolean';
  return typeof value === 'number' ? 'a number' : 'an object';
}

/** A refusal of a field, as OpenAI words them. */
export const invalid = (message: string, param: string | undefined, code?: string): Rejection => ({
  status: 400,
  type: 'invalid_request_error',
  message,
  ...(param === undefined ? {} : { param }),
  ...(code === undefined ? {} : { code }),
});

// An answer as Chat Completions writes it, whole and as a stream of `chat.completion.chunk`.

const finishReasons: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  length: 'length',
  // A refusal is no finish reason of this format: the text stands in `refusal`.
  refusal: 'stop',
  toolCalls: 'tool_calls',
  contentFilter: 'content_filter',
};

const fingerprint = 'fp_fake000000';

/** The body of an answer that is not streamed. */
export function chatCompletion(answer: Answer): JsonObject {
  const { text, calls, finish, usage } = answer;
  const parts = partsOf(answer).map((part) =>
    finish === 'refusal' && part.type === 'text' ? { ...part, ...extraOf(format, {}, { field: 'refusal' }) } : part,
  );
  const content = text === '' && calls.length === 0 && finish !== 'refusal' ? 'string' : undefined;
  const extra = extraOf(format, { refusal: finish === 'refusal' ? text : null, annotations: [] }, { content });
  const [message = {}] = toOpenAiChat([{ role: 'assistant', parts, ...extra }]);
  return {
    ...envelope(answer, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasons[finish] }],
    ...(usage ? { usage: chatUsage(usage) } : {}),
    service_tier: 'default',
    system_fingerprint: fingerprint,
  };
}

/** The events of a streamed answer, from the role to `[DONE]`. */
export function* chatStream(answer: Answer): Iterable<WireEvent> {
  const { text, reasoning, calls, finish, usage, pieceChars } = answer;
  const wantsUsage =
    isJsonObject(answer.request.stream_options) && answer.request.stream_options.include_usage === true;
  const event = (choices: readonly JsonValue[], reported: JsonValue = null): JsonObject => ({
    ...envelope(answer, 'chat.completion.chunk'),
    service_tier: 'default',
    system_fingerprint: fingerprint,
    choices,
    // Every event names usage once it was asked for; it is null until the last.
    ...(wantsUsage ? { usage: reported } : {}),
  });
  const delta = (fields: JsonObject, reason: string | null = null): JsonObject =>
    event([{ index: 0, delta: fields, logprobs: null, finish_reason: reason }]);

  yield { data: delta({ role: 'assistant', content: calls.length > 0 && text === '' ? null : '', refusal: null }) };
  for (const piece of piecesOf(reasoning, pieceChars)) {
    yield { data: delta({ reasoning_content: piece }), chars: piece.length };
  }
  const field = finish === 'refusal' ? 'refusal' : 'content';
  for (const piece of piecesOf(text, pieceChars)) yield { data: delta({ [field]: piece }), chars: piece.length };
  for (const [index, { id, name, input }] of calls.entries()) {
    yield {
      data: delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      chars: name.length,
    };
    for (const piece of piecesOf(input, pieceChars)) {
      yield { data: delta({ tool_calls: [{ index, function: { arguments: piece } }] }), chars: piece.length };
    }
  }
  yield { data: delta({}, finishReasons[finish]), isEnd: true };
  if (wantsUsage && usage) yield { data: event([], chatUsage(usage)), isEnd: true };
  yield { data: '[DONE]', isEnd: true };
}

const envelope = ({ number, created, model }: Answer, object: string): JsonObject => ({
  id: idOf({ prefix: 'chatcmpl-', length: 29 }, number),
  object,
  created,
  model,
});

function chatUsage({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
  reasoningTokens,
}: AnswerUsage): JsonObject {
  const prompt = inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: outputTokens,
    total_tokens: prompt + outputTokens,
    prompt_tokens_details: {
      cached_tokens: cacheReadTokens,
      ...(cacheWriteTokens > 0 ? { cache_write_tokens: cacheWriteTokens } : {}),
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
