/** OpenAI as a server: Chat Completions, which many speak, and the Responses API. */
import type { JsonObject } from '../../shared/json.ts';
import type { Message } from '../../transcript/message.ts';
import { idOf, listOf, type Rejection, type WireEvent } from '../../transcript/wire/answer.ts';
import { fromOpenAiChat } from '../../transcript/wire/chat/format.ts';
import { chatCompletion, chatStream, rejectChat } from '../../transcript/wire/chat/provider.ts';
import { fromOpenAiResponses } from '../../transcript/wire/responses/format.ts';
import { rejectResponses, responseObject, responseStream } from '../../transcript/wire/responses/provider.ts';
import { askedAt, type Dialect, type FailurePlace } from './dialect.ts';

const notJson: Rejection = {
  status: 400,
  type: 'invalid_request_error',
  message:
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
};

const unknownModel = (model: string): Rejection => ({
  status: 404,
  code: 'model_not_found',
  param: 'model',
  message: `The model \`${model}\` does not exist or you do not have access to it.`,
});

const unknownPath = (method: string, path: string): Rejection => ({
  status: 404,
  type: 'invalid_request_error',
  message: `Invalid URL (${method} ${path})`,
});

/** The dialect of `POST /v1/chat/completions`. */
export const openAiChat: Dialect = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  modelsPath: '/v1/models',
  asked: askedAt('/v1/chat/completions'),
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
  notJson,
  unknownModel,
  unknownPath,
  limitHeaders: openAiLimits,
  complete: chatCompletion,
  stream: chatStream,
  models: openAiModels,
};

/** The dialect of `POST /v1/responses`. */
export const openAiResponses: Dialect = {
  name: 'openai-responses',
  path: '/v1/responses',
  modelsPath: '/v1/models',
  asked: askedAt('/v1/responses'),
  callId: { prefix: 'call_', length: 24 },
  requestId: { header: 'x-request-id', prefix: 'req_', length: 32 },
  read,
  reject: rejectResponses,
  authorize: authorizeBearer,
  failure: openAiFailure,
  failureEvents,
  overflow: () => ({
    status: 400,
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
    param: 'input',
    message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  }),
  notJson,
  unknownModel,
  unknownPath,
  limitHeaders: openAiLimits,
  complete: responseObject,
  stream: responseStream,
  models: openAiModels,
};

/** A plain string is one user message; `instructions` lead. */
function read({ instructions, input }: JsonObject): readonly Message[] {
  const system: readonly Message[] =
    typeof instructions === 'string' && instructions !== ''
      ? [{ role: 'system', parts: [{ type: 'text', text: instructions }] }]
      : [];
  const given: readonly Message[] =
    typeof input === 'string'
      ? [{ role: 'user', parts: [{ type: 'text', text: input }] }]
      : fromOpenAiResponses(listOf(input));
  return [...system, ...given];
}

/** An `error` event, and the response as it stands after it. */
function failureEvents(error: Rejection, { number, sent }: FailurePlace): readonly WireEvent[] {
  const { message, code, param, type } = failureFields(error);
  const reason = code ?? type;
  const response = {
    id: idOf({ prefix: 'resp_', length: 48 }, number),
    object: 'response',
    status: 'failed',
    error: { code: reason, message },
    output: [],
    usage: null,
  };
  return [
    { name: 'error', data: { type: 'error', sequence_number: sent, code: reason, message, param }, isEnd: true },
    { name: 'response.failed', data: { type: 'response.failed', sequence_number: sent + 1, response }, isEnd: true },
  ];
}

// What both share: keys, failures, limits and the list of models.

interface Usual {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

/** What OpenAI sends with a status; 402 is not OpenAI's, and stands here as DeepSeek and OpenRouter send it. */
const usual: Readonly<Record<number, Usual>> = {
  400: { type: 'invalid_request_error', code: null, message: 'Invalid request.' },
  401: {
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    message:
      'Incorrect API key provided: fake-***. You can find your API key at https://platform.openai.com/account/api-keys.',
  },
  402: { type: 'unknown_error', code: 'invalid_request_error', message: 'Insufficient Balance' },
  403: {
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
    message: 'Country, region, or territory not supported',
  },
  404: {
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: 'The model does not exist or you do not have access to it.',
  },
  408: { type: 'server_error', code: null, message: 'Request timed out.' },
  409: { type: 'invalid_request_error', code: null, message: 'The resource was updated by another request.' },
  413: { type: 'invalid_request_error', code: null, message: 'The request body is too large.' },
  422: { type: 'invalid_request_error', code: null, message: 'Unprocessable request.' },
  429: {
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message:
      'Rate limit reached for this model in organization org-fake on tokens per min (TPM): Limit 30000, Used 29500, Requested 4200. Please try again in 7.4s. Visit https://platform.openai.com/account/rate-limits to learn more.',
  },
  500: {
    type: 'server_error',
    code: null,
    message: 'The server had an error while processing your request. Sorry about that!',
  },
  503: {
    type: 'server_error',
    code: null,
    message: 'That model is currently overloaded with other requests. You can retry your request.',
  },
  529: { type: 'server_error', code: null, message: 'The engine is currently overloaded, please try again later.' },
  504: { type: 'server_error', code: null, message: 'Gateway timeout.' },
};

const unknownFailure: Usual = { type: 'server_error', code: null, message: 'The request failed.' };

/** Status and body of a failure. */
function openAiFailure(error: Rejection): { status: number; body: JsonObject } {
  return { status: error.status, body: { error: failureFields(error) } };
}

/** The members of OpenAI's `error`. */
function failureFields({ status, type, code, message, param }: Rejection): {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
} {
  const standard = usual[status] ?? unknownFailure;
  return {
    message: message ?? standard.message,
    type: type ?? standard.type,
    param: param ?? null,
    // The usual code belongs to the usual type.
    code: code ?? (type === undefined || type === standard.type ? standard.code : null),
  };
}

/** The failure in mid-stream of Chat Completions: an object with `error` in place of a chunk. */
function chatFailureEvents(error: Rejection): readonly WireEvent[] {
  return [{ data: { error: failureFields(error) }, isEnd: true }];
}

/** The key goes into `Authorization: Bearer …`. */
function authorizeBearer(headers: Readonly<Record<string, string>>, key: string | undefined): Rejection | undefined {
  if (key === undefined) return undefined;
  const given = /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  if (given === undefined) {
    return {
      status: 401,
      type: 'invalid_request_error',
      message:
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    };
  }
  return given === key ? undefined : { status: 401 };
}

/** The headers about requests and tokens a minute. */
function openAiLimits(): Readonly<Record<string, string>> {
  return {
    'openai-organization': 'org-fake',
    'openai-processing-ms': '1',
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-limit-tokens': '30000000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-remaining-tokens': '29999000',
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-reset-tokens': '2ms',
  };
}

/** The answer to `GET /v1/models`. */
function openAiModels(names: readonly string[], created: number): JsonObject {
  return {
    object: 'list',
    data: names.map((id) => ({ id, object: 'model', created, owned_by: 'fake' })),
  };
}
