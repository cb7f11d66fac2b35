/** Chat Completions, which many providers speak, as a server: requests checked in OpenAI's words, answers whole and in chunks. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import * as wire from '../answer.ts';
import { emptyAt, failureFields, invalid, missing, openAiDialect, rejectRole, wrongType } from '../openai.ts';
import { keeping } from '../parts.ts';
import { asList, asObject, is } from '../values.ts';
import { fromOpenAiChat, toOpenAiChat } from './messages.ts';

const format = 'openai-chat';
const { extraOf } = keeping(format);

/** The dialect of `POST /v1/chat/completions`. */
export const chatDialect: wire.Dialect = openAiDialect({
  name: format,
  path: '/v1/chat/completions',
  read: (body) => fromOpenAiChat(asList(body.messages)),
  reject: rejectChat,
  // The failure in mid-stream is an object with `error` in place of a chunk.
  failureEvents: (error) => [{ data: { error: failureFields(error) }, isEnd: true }],
  overflow: (tokens, limit) => ({
    status: 400,
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    param: 'messages',
    message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
  }),
  complete,
  stream,
});

// Why a request would be rejected.

const roles = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];

function rejectChat({ model, messages }: JsonObject): wire.Rejection | undefined {
  if (!is.text(model) || model === '') return invalid('you must provide a model parameter');
  if (messages === undefined) return missing('messages');
  if (!is.list(messages)) return wrongType('messages', 'an array of objects', messages);
  if (messages.length === 0) return emptyAt('messages', 'array');
  return wire.firstRejection(messages, (value, index) => rejectMessage(value, index)) ?? rejectPairs(messages);
}

function rejectMessage(value: JsonValue, index: number): wire.Rejection | undefined {
  const place = `messages[${index}]`;
  if (!isJsonObject(value)) return wrongType(place, 'an object', value);
  const { role, content, tool_calls: calls } = value;
  const wrong = rejectRole(role, roles, place);
  if (wrong) return wrong;
  const mayBeNull = [calls, value.function_call, value.refusal, value.audio].some(Boolean) && role === 'assistant';
  if ((content === undefined || content === null) && !mayBeNull) {
    return invalid("Invalid value for 'content': expected a string, got null.", `messages.[${index}].content`);
  }
  if (role === 'tool' && !is.text(value.tool_call_id)) return missing(`${place}.tool_call_id`);
  if (role !== 'assistant') return undefined;
  if (is.list(calls) && calls.length === 0) return emptyAt(`${place}.tool_calls`, 'array');
  return wire.firstRejection(asList(calls).map(asObject), (call, at) => {
    const param = `${place}.tool_calls[${at}]`;
    if (!is.text(call.id)) return missing(`${param}.id`);
    return asObject(call.function).name === '' ? emptyAt(`${param}.function.name`, 'string') : undefined;
  });
}

/** Every call is answered by tool messages right after it, and every tool message answers one. */
function rejectPairs(messages: readonly JsonValue[]): wire.Rejection | undefined {
  let waiting = new Set<string>();
  let known = new Set<string>();
  const unanswered = (index: number): wire.Rejection =>
    invalid(
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...waiting].join(', ')}`,
      `messages.[${index}].role`,
    );
  const rejection = wire.firstRejection(
    messages.map(asObject),
    ({ role, tool_call_id: id, tool_calls: calls }, index) => {
      if (role === 'tool') {
        waiting.delete(String(id));
        if (known.has(String(id))) return undefined;
        // The spelling is OpenAI's.
        const text = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        return invalid(`Invalid parameter: ${text}`, `messages.[${index}].role`);
      }
      if (waiting.size > 0) return unanswered(index);
      known = new Set(asList(calls).map((call) => String(asObject(call).id)));
      waiting = new Set(known);
      return undefined;
    },
  );
  return rejection ?? (waiting.size > 0 ? unanswered(messages.length) : undefined);
}

// Answers.

const finishReasons: Readonly<Record<wire.Finish, string>> = {
  stop: 'stop',
  length: 'length',
  // A refusal is no finish reason of this format: the text stands in `refusal`.
  refusal: 'stop',
  toolCalls: 'tool_calls',
  contentFilter: 'content_filter',
};

const fingerprint = 'fp_fake000000';

/** The body of an answer that is not streamed. */
function complete(answer: wire.Answer): JsonObject {
  const { text, calls, finish, usage } = answer;
  const isRefusal = finish === 'refusal';
  const parts = wire
    .partsOf(answer)
    .map((part) => (isRefusal && part.type === 'text' ? { ...part, ...extraOf({}, { field: 'refusal' }) } : part));
  const content = text === '' && calls.length === 0 && !isRefusal ? 'string' : undefined;
  const extra = extraOf({ refusal: isRefusal ? text : null, annotations: [] }, { content });
  const [message = {}] = toOpenAiChat([{ role: 'assistant', parts, ...extra }]);
  return {
    ...envelope(answer, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasons[finish] }],
    ...(usage ? { usage: usageOf(usage) } : {}),
    service_tier: 'default',
    system_fingerprint: fingerprint,
  };
}

/** The events of a streamed answer, from the role to `[DONE]`. */
function* stream(answer: wire.Answer): Iterable<wire.WireEvent> {
  const { text, reasoning, calls, finish, usage, pieceChars } = answer;
  const wantsUsage = asObject(answer.request.stream_options).include_usage === true;
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
  function* pieces(said: string, fields: (piece: string) => JsonObject): Iterable<wire.WireEvent> {
    for (const piece of wire.piecesOf(said, pieceChars)) yield { data: delta(fields(piece)), chars: piece.length };
  }

  yield { data: delta({ role: 'assistant', content: calls.length > 0 && text === '' ? null : '', refusal: null }) };
  yield* pieces(reasoning, (piece) => ({ reasoning_content: piece }));
  yield* pieces(text, (piece) => ({ [finish === 'refusal' ? 'refusal' : 'content']: piece }));
  for (const [index, { id, name, input }] of calls.entries()) {
    const opening = { index, id, type: 'function', function: { name, arguments: '' } };
    yield { data: delta({ tool_calls: [opening] }), chars: name.length };
    yield* pieces(input, (piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  yield { data: delta({}, finishReasons[finish]), isEnd: true };
  if (wantsUsage && usage) yield { data: event([], usageOf(usage)), isEnd: true };
  yield { data: '[DONE]', isEnd: true };
}

const envelope = ({ number, created, model }: wire.Answer, object: string): JsonObject => ({
  id: wire.idOf({ prefix: 'chatcmpl-', length: 29 }, number),
  object,
  created,
  model,
});

function usageOf(usage: wire.AnswerUsage): JsonObject {
  const { cacheReadTokens: cached, cacheWriteTokens: written, outputTokens: output } = usage;
  const prompt = wire.promptTokensOf(usage);
  const details = { reasoning_tokens: usage.reasoningTokens, audio_tokens: 0 };
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: cached,
      ...(written > 0 ? { cache_write_tokens: written } : {}),
      audio_tokens: 0,
    },
    completion_tokens_details: { ...details, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  };
}
