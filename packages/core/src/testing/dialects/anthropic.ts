/** Anthropic as a server: the Messages API. */
import type { JsonObject } from '../../shared/json.ts';
import type { Message } from '../../transcript/message.ts';
import { listOf, type Rejection, type WireEvent } from '../../transcript/wire/answer.ts';
import { fromAnthropic, fromAnthropicSystem } from '../../transcript/wire/anthropic/format.ts';
import {
  anthropicMessage,
  anthropicStream,
  invalid,
  rejectAnthropic,
} from '../../transcript/wire/anthropic/provider.ts';
import { askedAt, type Dialect } from './dialect.ts';

/** The dialect of `POST /v1/messages`. */
export const anthropic: Dialect = {
  name: 'anthropic',
  path: '/v1/messages',
  modelsPath: '/v1/models',
  asked: askedAt('/v1/messages'),
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
  notJson: { status: 400, message: 'The request body is not valid JSON: expected an object' },
  unknownModel: (model) => ({ status: 404, message: `model: ${model}` }),
  unknownPath: () => ({ status: 404 }),
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
