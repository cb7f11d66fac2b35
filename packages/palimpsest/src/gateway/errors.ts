/** Answers of the gateway itself: what went wrong, in the words of the dialect that the client speaks. */
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@palimpsest/core/settings';
import type { GatewayDialect } from '../config/gateway.ts';
import type { UpstreamFailure } from './middle.ts';

/** What the gateway says no with. `code` is for programs: it stands in the header `x-palimpsest-error`. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** What was expected, what came, what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a refusal whole, and nothing where an answer has begun. */
export function sendRefusal(response: ServerResponse, dialect: GatewayDialect | undefined, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(JSON.stringify(refusalBody(dialect, refusal)));
  response.writeHead(refusal.status, { ...refusalHeaders(refusal), 'content-length': body.length });
  response.end(body);
}

export const refusalHeaders = ({ code, headers = {} }: Refusal): Record<string, string> => ({
  'content-type': 'application/json',
  'x-palimpsest-error': code,
  ...headers,
});

/** The body of a refusal. A client that speaks no dialect we know reads that of OpenAI, as most do. */
export function refusalBody(dialect: GatewayDialect | undefined, { status, code, message }: Refusal): JsonObject {
  const told = `palimpsest gateway: ${message}`;
  if (dialect === 'anthropic') return { type: 'error', error: { type: anthropicType(status), message: told } };
  if (dialect === 'gemini') return { error: { code: status, message: told, status: googleStatus(status) } };
  return { error: { message: told, type: openAiType(status), param: null, code: code.replaceAll('-', '_') } };
}

const anthropicTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};
const anthropicType = (status: number): string =>
  anthropicTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');

const googleStatuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
const googleStatus = (status: number): string =>
  googleStatuses[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');

function openAiType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}

/** What a client is told of an upstream that gave no answer. `host` is the upstream, `seconds` the limit that was reached. */
export function failureRefusal(
  { kind, isSent, reason }: UpstreamFailure,
  { host, seconds }: { readonly host: string; readonly seconds: number },
): Refusal {
  switch (kind) {
    case 'unsendable': {
      const message = `expected headers and a path of printable characters, got others (${reason}); nothing was sent`;
      return { status: 400, code: 'bad-request', message };
    }
    case 'unreachable':
    case 'connectTimeout': {
      const message = `expected a connection to ${host}, got ${reason}; nothing was sent. Check the network, and gateway.upstreams in the configuration.`;
      const status = kind === 'connectTimeout' ? 504 : 502;
      return { status, code: 'upstream-unreachable', message };
    }
    case 'firstByteTimeout': {
      const message = `expected an answer from ${host} within ${seconds} s, got nothing. Try again, ask for a stream, or raise gateway.first_byte_timeout_seconds.`;
      return { status: 504, code: 'upstream-timeout', message };
    }
    case 'silence':
    case 'broken': {
      const sent = isSent ? 'the request was sent and may have been charged' : 'nothing was sent';
      const message = `expected an answer from ${host}, got ${reason}; ${sent}. Try again.`;
      return { status: 502, code: 'upstream-broken', message };
    }
  }
}
