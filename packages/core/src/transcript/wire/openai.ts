/** OpenAI as a server, as far as Chat Completions and Responses have it in common: words of refusal, keys, limits, models. */

import { defined } from '../../shared/defined.ts';
import type { JsonValue } from '../../shared/json.ts';
import { askedAt, bearerIn, type Dialect, type Rejection } from './answer.ts';

// Why a field is refused.

export const invalid = (message: string, param?: string, code?: string): Rejection =>
  defined({ status: 400, type: 'invalid_request_error', message, param, code });

export const missing = (param: string): Rejection =>
  invalid(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');

export const wrongType = (param: string, expected: string, value: JsonValue): Rejection =>
  invalid(
    `Invalid type for '${param}': expected ${expected}, but got ${typeNamed(value)} instead.`,
    param,
    'invalid_type',
  );

export const emptyAt = (param: string, kind: 'array' | 'string'): Rejection =>
  invalid(
    `Invalid '${param}': empty ${kind}. Expected ${kind === 'array' ? 'an array' : 'a string'} with minimum length 1, but got an empty ${kind} instead.`,
    param,
    `empty_${kind}`,
  );

/** A role that is none of those that the place takes. */
export function rejectRole(
  role: JsonValue | undefined,
  roles: readonly string[],
  place: string,
): Rejection | undefined {
  if (role === undefined) return missing(`${place}.role`);
  if (typeof role === 'string' && roles.includes(role)) return undefined;
  const supported = roles.map((name, at) => `${at === roles.length - 1 ? 'and ' : ''}'${name}'`).join(', ');
  return invalid(
    `Invalid value: '${String(role)}'. Supported values are: ${supported}.`,
    `${place}.role`,
    'invalid_value',
  );
}

/** A value's type as OpenAI names it in messages. */
function typeNamed(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

// Keys, failures, limits and the list of models.

/** What OpenAI sends with a status: type, code, message; 402 is not OpenAI's, and stands here as DeepSeek and OpenRouter send it. */
const usual: Readonly<Record<number, readonly [type: string, code: string | null, message: string]>> = {
  400: ['invalid_request_error', null, 'Invalid request.'],
  401: [
    'invalid_request_error',
    'invalid_api_key',
    'Incorrect API key provided: fake-***. You can find your API key at https://platform.openai.com/account/api-keys.',
  ],
  402: ['unknown_error', 'invalid_request_error', 'Insufficient Balance'],
  403: ['request_forbidden', 'unsupported_country_region_territory', 'Country, region, or territory not supported'],
  404: ['invalid_request_error', 'model_not_found', 'The model does not exist or you do not have access to it.'],
  408: ['server_error', null, 'Request timed out.'],
  409: ['invalid_request_error', null, 'The resource was updated by another request.'],
  413: ['invalid_request_error', null, 'The request body is too large.'],
  422: ['invalid_request_error', null, 'Unprocessable request.'],
  429: [
    'tokens',
    'rate_limit_exceeded',
    'Rate limit reached for this model in organization org-fake on tokens per min (TPM): Limit 30000, Used 29500, Requested 4200. Please try again in 7.4s. Visit https://platform.openai.com/account/rate-limits to learn more.',
  ],
  500: ['server_error', null, 'The server had an error while processing your request. Sorry about that!'],
  503: ['server_error', null, 'That model is currently overloaded with other requests. You can retry your request.'],
  529: ['server_error', null, 'The engine is currently overloaded, please try again later.'],
  504: ['server_error', null, 'Gateway timeout.'],
};

/** The members of OpenAI's `error`. */
export function failureFields({ status, type, code, message, param }: Rejection): {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
} {
  const [usualType, usualCode, text] = usual[status] ?? ['server_error', null, 'The request failed.'];
  return {
    message: message ?? text,
    type: type ?? usualType,
    param: param ?? null,
    // The usual code belongs to the usual type.
    code: code ?? (type === undefined || type === usualType ? usualCode : null),
  };
}

type Own = Pick<Dialect, 'name' | 'path' | 'read' | 'reject' | 'failureEvents' | 'overflow' | 'complete' | 'stream'>;

/** A dialect of OpenAI's. */
export const openAiDialect = (own: Own): Dialect => ({
  ...own,
  modelsPath: '/v1/models',
  asked: askedAt(own.path),
  callId: { prefix: 'call_', length: 24 },
  requestId: { header: 'x-request-id', prefix: 'req_', length: 32 },
  authorize: (headers, key) => {
    const given = bearerIn(headers);
    if (key === undefined || given === key) return undefined;
    if (given !== undefined) return { status: 401 };
    const message =
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
    return { status: 401, type: 'invalid_request_error', message };
  },
  failure: (error) => ({ status: error.status, body: { error: failureFields(error) } }),
  notJson: {
    status: 400,
    type: 'invalid_request_error',
    message:
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
  },
  unknownModel: (model) => ({
    status: 404,
    code: 'model_not_found',
    param: 'model',
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
  }),
  unknownPath: (method, path) => ({
    status: 404,
    type: 'invalid_request_error',
    message: `Invalid URL (${method} ${path})`,
  }),
  limitHeaders: () => ({
    'openai-organization': 'org-fake',
    'openai-processing-ms': '1',
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-limit-tokens': '30000000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-remaining-tokens': '29999000',
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-reset-tokens': '2ms',
  }),
  models: (names, created) => ({
    object: 'list',
    data: names.map((id) => ({ id, object: 'model', created, owned_by: 'fake' })),
  }),
});
