/** One request from its head on: who calls, which route it is, its body, and then the relay; or a refusal that says why not. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayDialect } from '../config/gateway.ts';
import { addressOf, refusedCaller, tooMany, whoCalls } from './admit.ts';
import type { Exchange } from './attempt.ts';
import { receiveBody, refuseBody } from './body.ts';
import { openClientAnswer } from './client.ts';
import type { Desk, Visit } from './desk.ts';
import { failureRefusal, type Refusal, sendRefusal } from './errors.ts';
import { pairsOf, requestHeaders, withCredential, withoutQueryKeys } from './headers.ts';
import type { HeaderList, Received, UpstreamFailure } from './middle.ts';
import { ownRefusal, sendOwn } from './own-routes.ts';
import { type Relayed, relay } from './relay.ts';
import { isOfChatgpt, joinPath, knownPaths, likelyDialect, type Route, routeOf } from './routes.ts';
import { inRequest, noteAnswer, noteRelayed } from './trace.ts';
import { reasonOf } from './upstream.ts';

/** Answers a request. Rejects only for an error in the gateway itself. */
export async function serveRequest(
  desk: Desk,
  { request, response, isAsking }: Pick<Visit, 'request' | 'response' | 'isAsking'>,
): Promise<void> {
  const { url: target = '/' } = request;
  const headers = pairsOf(request.rawHeaders);
  const visit: Visit = { request, response, headers, target, isAsking, span: undefined };
  if (sendOwn(desk, visit)) return;
  const route = routeOf(target, visit.headers);
  await inRequest(request, route, (span) => answerVisit(desk, { ...visit, span }, route));
}

async function answerVisit(desk: Desk, visit: Visit, route: Route | undefined): Promise<void> {
  const { request, response, target } = visit;
  if (request.method === 'OPTIONS' && (route || target === '*')) return sendAllow(response, route?.methods ?? ['POST']);
  const refusal = headRefusal(desk, visit, route);
  if (refusal || !route) return refuse(desk, visit, { route, refusal: refusal ?? unknownPath(target) });
  const caller = whoCalls({
    ring: desk.ring,
    headers: visit.headers,
    target,
    isPlaceFree: desk.upstreamKeys[route.dialect] !== undefined,
  });
  if ('status' in caller) return refuse(desk, visit, { route, refusal: caller });
  const seconds = desk.rate.take(caller.user ?? addressOf(request));
  if (seconds > 0) return refuse(desk, visit, { route, refusal: tooMany(seconds) });
  if (desk.state.open >= desk.config.maxRequests) return refuse(desk, visit, { route, refusal: busy });
  await serveOpen(desk, visit, { route, user: caller.user });
}

/** Why a request is refused by its head alone; undefined when nothing speaks against it. */
function headRefusal(desk: Desk, { request, headers, target }: Visit, route: Route | undefined): Refusal | undefined {
  if (desk.state.isDraining) return draining;
  const refused = refusedCaller(headers, desk.config);
  if (refused) return refused;
  if (!target.startsWith('/')) return absoluteTarget;
  // `Upgrade: h2c`, which many clients send along, is an offer that may be left unanswered.
  if (/(?:^|,)\s*websocket\b/i.test(request.headers.upgrade ?? '')) return noWebSocket;
  if (!route) return unknownPath(target);
  return route.methods.includes(request.method ?? '') ? undefined : wrongMethod(route);
}

/** Sends a refusal; the client of a body that nobody reads is told, and its connection ends. */
function refuse(
  desk: Desk,
  { request, response, target, span }: Visit,
  { route, refusal }: { readonly route: Route | undefined; readonly refusal: Refusal },
): void {
  noteAnswer(span, refusal);
  desk.metrics.refused(refusal.code);
  desk.metrics.answered(route?.name ?? 'none', refusal.status);
  const dialect = route?.dialect ?? likelyDialect(target);
  if (request.complete || !hasBody(request)) sendRefusal(response, dialect, refusal);
  else refuseBody({ request, response, dialect, timers: desk.timers }, refusal);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

interface Admitted {
  readonly route: Route;
  readonly user: string | undefined;
}

/** From here on the request counts as open, until its answer has ended. */
async function serveOpen(desk: Desk, visit: Visit, admitted: Admitted): Promise<void> {
  const { request, response } = visit;
  const { state, metrics, bodies } = desk;
  const controller = new AbortController();
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
      resolve();
    });
  });
  state.open++;
  metrics.open(1);
  let held = 0;
  const ours: Ours = { refusal: undefined };
  let relayed: Relayed | undefined;
  try {
    if (visit.isAsking) response.writeContinue();
    const arrival = await receiveBody(request, bodies);
    if (arrival === 'left') {
      response.destroy();
      return;
    }
    if (!(arrival instanceof Uint8Array)) return refuse(desk, visit, { route: admitted.route, refusal: arrival });
    held = arrival.length;
    metrics.bytes('request', arrival.length);
    const arrived = { ...admitted, body: arrival, signal: controller.signal, ours };
    relayed = await relay(exchangeFor(desk, visit, arrived));
    await ended;
  } finally {
    bodies.held.bytes -= held;
    state.open--;
    metrics.open(-1);
  }
  await relayed.read;
  noteEnd(desk, visit, { route: admitted.route, relayed, ours });
}

/** What the gateway answered in place of the upstream: the code of its refusal. */
interface Ours {
  refusal: string | undefined;
}

interface Ended {
  readonly route: Route;
  readonly relayed: Relayed;
  readonly ours: Ours;
}

/** Counts a request that was relayed, and tells its span what came of it. */
function noteEnd(desk: Desk, { response, span, headers }: Visit, { route, relayed, ours }: Ended): void {
  const { metrics } = desk;
  const status = response.headersSent ? response.statusCode : clientLeft;
  const { name, dialect, act } = route;
  metrics.answered(name, status);
  const last = relayed.told.at(-1);
  if (last) metrics.done(dialect, relayed.isRecovered ? { action: 'recovered' } : last);
  noteRelayed(span, relayed, { dialect, base: baseFor(desk, dialect, headers), isCall: act === 'answer' });
  noteAnswer(span, { status, code: ours.refusal });
}

/** How others count a request whose client left before its answer. */
const clientLeft = 499;

interface Arrived extends Admitted {
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
  readonly ours: Ours;
}

function exchangeFor(
  desk: Desk,
  { request, response, headers, target }: Visit,
  { route, user, body, signal, ours }: Arrived,
): Exchange {
  const { config, timers, upstreamKeys, middle, upstreams, metrics, now, lines, note } = desk;
  const { method = 'GET' } = request;
  const { dialect, act } = route;
  const base = baseFor(desk, dialect, headers);
  const key = upstreamKeys[dialect];
  const path = joinPath(base.pathname, key === undefined ? route.upstreamPath : withoutQueryKeys(route.upstreamPath));
  const received: Received = {
    dialect,
    act,
    method,
    path: target,
    headers: requestHeaders(headers),
    body,
    user,
    signal,
  };
  const tellFailure = (failure: UpstreamFailure): void => {
    ours.refusal = fail(desk, { response, dialect, failure, host: base.host });
  };
  return {
    received,
    client: openClientAnswer(response, {
      timers,
      silenceMs: config.silenceTimeoutSeconds * 1_000,
      unwritable: (error) => tellFailure({ kind: 'broken', isSent: true, reason: reasonOf(error) }),
    }),
    middle,
    upstreams,
    metrics,
    now,
    tell: (told) => {
      metrics.prepared(dialect, told);
      const line = lines.lineFor(told, received);
      if (line !== undefined) note(line);
    },
    timers,
    requestFor: ({ headers: others, body: sent }) => {
      // Whatever a middle wrote: length, host and connection are ours.
      const own = others === undefined ? received.headers : requestHeaders(others);
      return {
        method,
        origin: base.origin,
        path,
        headers: key === undefined ? own : withCredential(own, credentialOf(dialect, key)),
        body: sent,
      };
    },
    fail: tellFailure,
  };
}

const baseFor = ({ bases, chatgptBase }: Desk, dialect: GatewayDialect, headers: HeaderList): URL =>
  (dialect === 'openai-responses' && isOfChatgpt(headers) ? chatgptBase : undefined) ?? bases[dialect];

/** Where each dialect has its key. */
function credentialOf(dialect: GatewayDialect, key: string): readonly [string, string] {
  if (dialect === 'anthropic') return ['x-api-key', key];
  return dialect === 'gemini' ? ['x-goog-api-key', key] : ['authorization', `Bearer ${key}`];
}

interface Failed {
  readonly response: ServerResponse;
  readonly dialect: GatewayDialect;
  readonly failure: UpstreamFailure;
  readonly host: string;
}

/** Tells the client, and gives back the code of the refusal. */
function fail({ config, metrics, note }: Desk, { response, dialect, failure, host }: Failed): string {
  const refusal = failureRefusal(failure, { host, seconds: config.firstByteTimeoutSeconds });
  metrics.refused(refusal.code);
  note(`${dialect}: ${refusal.message}`);
  sendRefusal(response, dialect, refusal);
  return refusal.code;
}

const draining: Refusal = {
  status: 503,
  code: 'stopping',
  message: 'expected a gateway that takes requests, got one that is being stopped. Try again in 1 s.',
  headers: { 'retry-after': '1', connection: 'close' },
};

const busy: Refusal = {
  status: 503,
  code: 'busy',
  message: 'expected fewer requests at the same time (gateway.max_requests). Try again in 1 s.',
  headers: { 'retry-after': '1' },
};

const absoluteTarget: Refusal = {
  status: 400,
  code: 'bad-target',
  message:
    'expected a path that begins with "/", got another request target: set the address of the gateway as base URL, not as HTTP proxy',
};

const noWebSocket: Refusal = {
  status: 426,
  code: 'no-websocket',
  message: 'expected a plain request, got the upgrade to a WebSocket: send the request by POST',
  headers: { upgrade: 'HTTP/1.1', connection: 'upgrade, close' },
};

const unknownPath = (target: string): Refusal => ({
  status: 404,
  code: 'unknown-path',
  message: `expected one of ${knownPaths}; got ${JSON.stringify(target.split('?')[0]?.slice(0, 120))}. ${ownRefusal}`,
});

const wrongMethod = ({ methods, name }: Route): Refusal => ({
  status: 405,
  code: 'wrong-method',
  message: `expected ${methods.join(' or ')} for ${name}, got another method`,
  headers: { allow: [...methods, 'OPTIONS'].join(', ') },
});

/** Answers `OPTIONS`. No page of another origin is told that it may call. */
function sendAllow(response: ServerResponse, methods: readonly string[]): void {
  response.writeHead(204, { allow: [...methods, 'OPTIONS'].join(', ') });
  response.end();
}
