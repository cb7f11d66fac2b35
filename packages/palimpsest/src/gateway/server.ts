/** The gateway as a server: its sockets, their limits, and how it stops. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { PalimpsestError, platformTimers, type Timers } from '@palimpsest/core/settings';
import { type GatewayConfig, gatewayDefaults } from '../config/gateway.ts';
import { isLoopback, openRateLimit } from './admit.ts';
import type { Desk, Visit } from './desk.ts';
import { type Refusal, refusalBody, sendRefusal } from './errors.ts';
import { openKeyRing } from './keys.ts';
import { openMetrics } from './metrics.ts';
import { type Middle, plainMiddle } from './middle.ts';
import type { ProxyFor } from './proxies.ts';
import { serveRequest } from './serve-request.ts';
import { openToldLines } from './told-lines.ts';
import { openUpstreams } from './upstream.ts';

export interface GatewayOptions extends Partial<Pick<Desk, 'upstreamKeys' | 'note' | 'now'>> {
  readonly config: GatewayConfig;
  /** One more key beside those of the configuration. @default none */
  readonly authToken?: string | undefined;
  /** @default `plainMiddle`, which changes nothing */
  readonly middle?: Middle;
  /** The proxy on the way to an upstream. @default none */
  readonly proxyFor?: ProxyFor;
  /** @default a real timer */
  readonly timers?: Timers;
}

/** A gateway that takes requests. */
export interface Gateway {
  /** Such as `http://127.0.0.1:4780`. */
  readonly url: string;
  /** Takes no more requests, lets open answers end for as long as the configuration says, and then ends every connection. */
  stop(): Promise<void>;
  /** Ends every connection now. */
  end(): Promise<void>;
}

/** What all bodies that are held may take together. */
const mostHeldBytes = 512 * 1_024 * 1_024;
const maxHeaderSize = 64 * 1_024;
/** How long a client may take for a whole request, however steadily it comes. */
const wholeRequestMs = 900_000;
/** Longer than clients keep theirs, so that it is they who end an idle connection. */
const idleMs = 65_000;

/**
 * Starts to listen.
 * @throws BAD_OPTION where others could reach the gateway and it has no key, and for an address that cannot be listened on
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { config } = options;
  const desk = openDesk(options);
  if (!desk.ring.isLocked && !isLoopback(config.host)) throw openToAll(config.host);
  const receiveMs = config.receiveTimeoutSeconds * 1_000;
  const server = createServer({
    maxHeaderSize,
    headersTimeout: receiveMs,
    requestTimeout: Math.max(wholeRequestMs, receiveMs),
    connectionsCheckingInterval: Math.min(1_000, receiveMs),
    keepAliveTimeout: idleMs,
    // We answer it ourselves, and say what is missing.
    requireHostHeader: false,
  });
  server.maxConnections = 4 * config.maxRequests + 64;
  listen(server, desk);
  await listening(server, config);
  return { url: urlOf(server, config.host), ...ending(server, desk) };
}

function openDesk(options: GatewayOptions): Desk {
  const { config, timers = platformTimers, now = () => performance.now() } = options;
  const {
    authToken,
    middle = plainMiddle,
    upstreamKeys = {},
    note = () => undefined,
    proxyFor = () => undefined,
  } = options;
  return {
    config,
    middle,
    upstreams: openUpstreams(config, { timers, proxyFor }),
    bases: basesOf(config),
    chatgptBase: chatgptBaseOf(config, upstreamKeys),
    upstreamKeys,
    ring: openKeyRing(config.keys, authToken),
    rate: openRateLimit(config.requestsPerMinute, now),
    bodies: {
      maxBytes: Math.floor(config.maxBodyMb * 1_024 * 1_024),
      silenceMs: config.receiveTimeoutSeconds * 1_000,
      timers,
      held: { bytes: 0, most: mostHeldBytes },
    },
    metrics: openMetrics(),
    timers,
    now,
    note,
    lines: openToldLines(now),
    state: { open: 0, isDraining: false },
  };
}

const basesOf = ({ upstreams }: GatewayConfig): Desk['bases'] => ({
  'openai-chat': new URL(upstreams.openaiChat.baseUrl),
  'openai-responses': new URL(upstreams.openaiResponses.baseUrl),
  anthropic: new URL(upstreams.anthropic.baseUrl),
  gemini: new URL(upstreams.gemini.baseUrl),
});

/**
 * Codex with a ChatGPT login has a token that is good there alone, and asks there by itself (github.com/openai/codex). An upstream that
 * was named, and one whose key the gateway has, gets these requests as all others.
 */
function chatgptBaseOf({ upstreams }: GatewayConfig, keys: Desk['upstreamKeys']): URL | undefined {
  const isOwn = upstreams.openaiResponses.baseUrl === gatewayDefaults.upstreams.openaiResponses.baseUrl;
  return isOwn && keys['openai-responses'] === undefined ? new URL('https://chatgpt.com/backend-api/codex') : undefined;
}

/** The newest request of a connection, until it is answered. */
type Answering = Pick<Visit, 'request' | 'response'>;

function listen(server: Server, desk: Desk): void {
  const answering = new Map<Duplex, Answering>();
  const serve = (parts: Parameters<typeof serveRequest>[1]): void => {
    const { request, response } = parts;
    answering.set(request.socket, parts);
    response.once('close', () => {
      if (answering.get(request.socket) === parts) answering.delete(request.socket);
      if (desk.state.isDraining) setImmediate(() => server.closeIdleConnections());
    });
    // A client that is gone is seen by `close`.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    serveRequest(desk, parts).catch((error: unknown) => ownFault(desk, response, error));
  };
  server.on('request', (request, response) => serve({ request, response, isAsking: false }));
  server.on('checkContinue', (request, response) => serve({ request, response, isAsking: true }));
  server.on('checkExpectation', (_request, response) => sendRefusal(response, undefined, unknownExpectation));
  server.on('connect', (_request, socket) => writeRaw(socket, noTunnel));
  server.on('clientError', (error, socket) => {
    const refusal = refusalOfBadRequest(error);
    const open = answering.get(socket);
    if (refusal && open?.request.complete) {
      // What follows a whole request is none: that one is answered, and then the connection ends.
      open.response.shouldKeepAlive = false;
      open.response.once('finish', () => socket.destroy());
      return;
    }
    if (!refusal || !socket.writable || open?.response.headersSent) {
      socket.destroy();
      return;
    }
    desk.metrics.refused(refusal.code);
    writeRaw(socket, refusal);
  });
}

function ownFault(desk: Desk, response: ServerResponse, error: unknown): void {
  desk.note(
    `an error in Palimpsest itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  if (response.headersSent) response.destroy();
  else sendRefusal(response, undefined, { status: 500, code: 'internal', message: 'an error in Palimpsest itself' });
}

/** What a client is told whose request is none. Undefined where there is nobody to tell. */
function refusalOfBadRequest(error: NodeJS.ErrnoException): Refusal | undefined {
  switch (error.code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return undefined;
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        code: 'headers-too-large',
        message: `expected headers of at most ${maxHeaderSize} bytes, got more`,
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: 408,
        code: 'request-too-slow',
        message: 'expected a whole request sooner (gateway.receive_timeout_seconds)',
      };
    default:
      return {
        status: 400,
        code: 'bad-request',
        message: 'expected a request of HTTP/1.1, got something that is none',
      };
  }
}

const unknownExpectation: Refusal = {
  status: 417,
  code: 'bad-expectation',
  message: 'expected Expect: 100-continue or none, got another one',
  headers: { connection: 'close' },
};

const noTunnel: Refusal = {
  status: 405,
  code: 'no-tunnel',
  message: 'expected a path, got CONNECT: set the address of the gateway as base URL, not as HTTP proxy',
};

/** Answers where there is no request to answer, and ends the connection. */
function writeRaw(socket: Duplex, refusal: Refusal): void {
  const body = JSON.stringify(refusalBody(undefined, refusal));
  const head = [
    `HTTP/1.1 ${refusal.status} ${refusal.code}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-palimpsest-error: ${refusal.code}`,
    'connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

const openToAll = (host: string): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    `expected a key for a gateway that others can reach at ${host}, got none: add one to gateway.keys (palimpsest serve --make-key NAME prints it), give --auth-token, or listen on 127.0.0.1`,
    { evidence: { host } },
  );

async function listening(server: Server, { host, port }: Pick<GatewayConfig, 'host' | 'port'>): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `expected to listen on ${host}, port ${port}, got ${reason}: choose another one with --port, or end the program that has it`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { host, port }, cause: error });
  }
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function ending(
  server: Server,
  { state, timers, config, upstreams, lines, note }: Desk,
): Pick<Gateway, 'stop' | 'end'> {
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    state.isDraining = true;
    closed ??= new Promise<void>((resolve) => {
      // The error says that it is closed already.
      server.close(() => resolve());
    });
    return closed;
  };
  const end = async (): Promise<void> => {
    const all = close();
    server.closeAllConnections();
    await all;
    await upstreams.close();
  };
  return {
    stop: async () => {
      const stopClock = timers.after(config.drainSeconds * 1_000, () => server.closeAllConnections());
      await close();
      stopClock();
      const unshown = lines.rest();
      if (unshown !== undefined) note(unshown);
      await upstreams.close();
    },
    end,
  };
}
