/** Sends one request to an upstream and hands over what comes back, piece by piece, as it comes. */
import type { Timers } from '@palimpsest/core/settings';
import { Agent, type Dispatcher } from 'undici';
import type { GatewayConfig } from '../config/gateway.ts';
import { flatOf, pairsOf } from './headers.ts';
import type { HeaderList, UpstreamFailure } from './middle.ts';
import type { ProxyFor } from './proxies.ts';
import { connectorFor } from './tunnel.ts';

/** The upstreams of a gateway, with their open connections. */
export interface Upstreams {
  /** Sends a request. Never throws: what goes wrong is told to the hearer. */
  readonly send: (request: UpstreamRequest, hearer: Hearer) => Call;
  /** Ends every connection. */
  readonly close: () => Promise<void>;
}

export interface UpstreamRequest {
  readonly method: string;
  /** `https://host`, with a port where it has one. */
  readonly origin: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** One request on its way. */
export interface Call {
  /** Ends it; the hearer hears nothing more. */
  readonly abort: () => void;
  readonly pause: () => void;
  readonly resume: () => void;
}

export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  /** As they came. */
  readonly headers: HeaderList;
}

/** Hears the head, the pieces and the end, or a failure at any point. Nothing after an end or a failure. */
export interface Hearer {
  readonly head: (head: AnswerHead) => void;
  readonly bytes: (bytes: Buffer) => void;
  readonly end: () => void;
  readonly failure: (failure: UpstreamFailure) => void;
}

/** What is waited between attempts to connect: two more, because nothing was sent. */
const connectPausesMs = [100, 400];

/** As much as a head may hold; providers send some 4 KB. */
const maxHeaderSize = 64 * 1_024;

export interface UpstreamParts {
  readonly timers: Timers;
  readonly proxyFor: ProxyFor;
}

type DispatchOptions = Dispatcher.DispatchOptions;

type Limits = Pick<GatewayConfig, 'connectTimeoutSeconds' | 'firstByteTimeoutSeconds' | 'silenceTimeoutSeconds'>;

/** Opens the pool of connections. Nothing connects before the first request. */
export function openUpstreams(limits: Limits, { timers, proxyFor }: UpstreamParts): Upstreams {
  const proxyOrigins = new Set<string>();
  const agent = new Agent({
    maxHeaderSize,
    connect: connectorFor({ proxyFor, proxyOrigins }, limits.connectTimeoutSeconds * 1_000),
    headersTimeout: limits.firstByteTimeoutSeconds * 1_000,
    bodyTimeout: limits.silenceTimeoutSeconds * 1_000,
    // Who calls limits how many requests there are at once: each has a connection of its own.
    connections: null,
    pipelining: 1,
    // Headers keep their order and case only in HTTP/1.
    allowH2: false,
  });
  return {
    send: (request, hearer) => startCall({ agent, request, hearer, timers, proxyFor, proxyOrigins }),
    close: () => agent.destroy(),
  };
}

interface CallParts extends UpstreamParts {
  /** Learns of the proxies that are sent requests themselves. */
  readonly proxyOrigins: Set<string>;
  readonly agent: Agent;
  readonly request: UpstreamRequest;
  readonly hearer: Hearer;
}

function startCall(parts: CallParts): Call {
  const { agent, request, hearer, timers } = parts;
  const given = new AbortController();
  const state: { controller?: Dispatcher.DispatchController } = {};
  const options = optionsOf(request, parts);
  let attempt = 0;
  const again = (): boolean => {
    const ms = connectPausesMs[attempt++];
    if (ms === undefined) return false;
    timers.after(ms, () => {
      if (!given.signal.aborted) dispatch();
    });
    return true;
  };
  const dispatch = (): void => {
    try {
      agent.dispatch(options, handlerOf({ hearer, state, given: given.signal, again }));
    } catch (error) {
      hearer.failure({ kind: 'unsendable', isSent: false, reason: reasonOf(error) });
    }
  };
  dispatch();
  return {
    abort: () => {
      given.abort();
      state.controller?.abort(new Error('nobody waits for the answer any more'));
    },
    pause: () => state.controller?.pause(),
    resume: () => state.controller?.resume(),
  };
}

/** Without TLS a proxy is sent the request itself, with the whole address in place of the path (RFC 9112, 3.2.2). */
function optionsOf(
  { method, origin, path, headers, body }: UpstreamRequest,
  { proxyFor, proxyOrigins }: Pick<CallParts, 'proxyFor' | 'proxyOrigins'>,
): DispatchOptions {
  const proxy = origin.startsWith('http:') ? proxyFor(new URL(origin)) : undefined;
  if (proxy === undefined) return { method, origin, path, body, headers: flatOf(headers) };
  proxyOrigins.add(proxy.origin);
  const own = proxy.authorization === undefined ? [] : ['proxy-authorization', proxy.authorization];
  const all = ['host', new URL(origin).host, ...flatOf(headers), ...own];
  return { method, origin: proxy.origin, path: `${origin}${path}`, body, headers: all };
}

interface HandlerParts {
  readonly hearer: Hearer;
  readonly state: { controller?: Dispatcher.DispatchController };
  readonly given: AbortSignal;
  /** Tries to connect once more; false when it was tried often enough. */
  readonly again: () => boolean;
}

function handlerOf({ hearer, state, given, again }: HandlerParts): Dispatcher.DispatchHandler {
  let isSent = false;
  let hasBegun = false;
  return {
    // From here on the upstream may have seen it.
    onRequestStart: (controller) => {
      state.controller = controller;
      if (given.aborted) return controller.abort(new Error('nobody waits for the answer any more'));
      isSent = true;
    },
    onResponseStart: (controller, status, ...rest) => {
      const [, statusText = ''] = rest;
      // `103 Early Hints` and the like are between neighbours.
      if (given.aborted || status < 200) return;
      hasBegun = true;
      // For HTTP/1 a flat list of names and values, which is all that an agent without HTTP/2 speaks.
      const raw = controller.rawHeaders as (string | Uint8Array)[];
      hearer.head({ status, statusText, headers: pairsOf(raw) });
    },
    onResponseData: (_controller, bytes) => {
      if (!given.aborted) hearer.bytes(bytes);
    },
    onResponseEnd: () => {
      if (!given.aborted) hearer.end();
    },
    onResponseError: (_controller, error) => {
      if (given.aborted) return;
      if (!isSent && mayComeBack.has(codeOf(error)) && again()) return;
      hearer.failure(failureOf(error, { isSent, hasBegun }));
    },
  };
}

/** What a server that is just being started looks like; a name that does not exist, or a wrong certificate, stays wrong. */
const mayComeBack: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EAI_AGAIN']);

function failureOf(
  error: Error,
  { isSent, hasBegun }: { readonly isSent: boolean; readonly hasBegun: boolean },
): UpstreamFailure {
  const reason = reasonOf(error);
  switch (codeOf(error)) {
    case 'UND_ERR_INVALID_ARG':
    case 'UND_ERR_NOT_SUPPORTED':
      return { kind: 'unsendable', isSent, reason };
    case 'UND_ERR_CONNECT_TIMEOUT':
      return { kind: 'connectTimeout', isSent, reason };
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { kind: 'firstByteTimeout', isSent, reason };
    case 'UND_ERR_BODY_TIMEOUT':
      return { kind: 'silence', isSent, reason };
    default:
      return { kind: isSent || hasBegun ? 'broken' : 'unreachable', isSent, reason };
  }
}

/** The code of an error, also of one that stands for several addresses. */
function codeOf(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  const code: unknown = inner instanceof Error && 'code' in inner ? inner.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** A code says enough; the text of an error may hold the header that it is about. */
export const reasonOf = (error: unknown): string => codeOf(error) || (error instanceof Error ? error.name : 'an error');
