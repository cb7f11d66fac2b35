/** OpenAI Chat Completions, and what calls itself compatible with it. */

import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { fromOpenAiChat } from '../../transcript/wire/chat/format.ts';
import type { Finish } from '../reply.ts';
import { type Answer, type AnswerUsage, type Dialect, idOf, listOf, piecesOf, type WireEvent } from './dialect.ts';
import { rejectChat } from './openai-chat-check.ts';
import { authorizeBearer, chatFailureEvents, openAiFailure, openAiLimits, openAiModels } from './openai-failure.ts';

/** The dialect of `POST /v1/chat/completions`. */
export const openAiChat: Dialect = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  callId: { prefix: 'call_', length: 24 },
  requestId: { header: 'x-request-id', prefix: 'req_', length: 32 },
  read: (body) => fromOpenAiChat(listOf(body.messages)),
  reject: rejectChat,
  authorize: authorizeBearer,
  failure: openAiFailure,
  failureEvents: chatFailureEvents,
  overflow: (tokens, limit) => ({
    status: 400,
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    param: 'messages',
    message: `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
  }),
  limitHeaders: openAiLimits,
  complete: chatCompletion,
  stream: chatStream,
  models: openAiModels,
};

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
function chatCompletion(answer: Answer): JsonObject {
  const { text, reasoning, calls, finish, usage } = answer;
  const isRefusal = finish === 'refusal';
  const message = {
    role: 'assistant',
    content: isRefusal || (text === '' && calls.length > 0) ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, input }) => ({
            id,
            type: 'function',
            function: { name, arguments: input },
          })),
        }),
    refusal: isRefusal ? text : null,
    annotations: [],
  };
  return {
    ...envelope(answer, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasons[finish] }],
    ...(usage ? { usage: chatUsage(usage) } : {}),
    service_tier: 'default',
    system_fingerprint: fingerprint,
  };
}

/** The events of a streamed answer, from the role to `[DONE]`. */
function* chatStream(answer: Answer): Iterable<WireEvent> {
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
