/** What both APIs of OpenAI share: keys, failures, limits and the list of models. */
import type { JsonObject } from '../../shared/json.ts';
import type { Rejection, WireEvent } from './dialect.ts';

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
export function openAiFailure(error: Rejection): { status: number; body: JsonObject } {
  return { status: error.status, body: { error: failureFields(error) } };
}

/** The members of OpenAI's `error`. */
export function failureFields({ status, type, code, message, param }: Rejection): {
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
export const chatFailureEvents = (error: Rejection): readonly WireEvent[] => [
  { data: { error: failureFields(error) }, isEnd: true },
];

/** The key goes into `Authorization: Bearer …`. */
export function authorizeBearer(
  headers: Readonly<Record<string, string>>,
  key: string | undefined,
): Rejection | undefined {
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
export const openAiLimits = (): Readonly<Record<string, string>> => ({
  'openai-organization': 'org-fake',
  'openai-processing-ms': '1',
  'openai-version': '2020-10-01',
  'x-ratelimit-limit-requests': '10000',
  'x-ratelimit-limit-tokens': '30000000',
  'x-ratelimit-remaining-requests': '9999',
  'x-ratelimit-remaining-tokens': '29999000',
  'x-ratelimit-reset-requests': '6ms',
  'x-ratelimit-reset-tokens': '2ms',
});

/** The answer to `GET /v1/models`. */
export const openAiModels = (names: readonly string[], created: number): JsonObject => ({
  object: 'list',
  data: names.map((id) => ({ id, object: 'model', created, owned_by: 'fake' })),
});

/** A refusal of a field, as OpenAI words them. */
export const invalid = (message: string, param: string | undefined, code?: string): Rejection => ({
  status: 400,
  type: 'invalid_request_error',
  message,
  ...(param === undefined ? {} : { param }),
  ...(code === undefined ? {} : { code }),
});
