/** OpenAI Chat Completions, and what calls itself compatible with it. */
import { fromOpenAiChat } from '../../transcript/formats/openai-chat.ts';
import { type Dialect, listOf } from './dialect.ts';
import { chatCompletion, chatStream } from './openai-chat-answer.ts';
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
