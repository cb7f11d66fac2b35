/** What the gateway answers itself: whether it lives, whether it takes requests, and what it counted. */
import { refusedCaller, whoCalls } from './admit.ts';
import type { Desk, Visit } from './desk.ts';
import { type Refusal, sendRefusal } from './errors.ts';
import { metricsType } from './metrics.ts';
import { knownPaths, type OwnRoute, ownRoutes } from './routes.ts';

/** What a 404 says besides. */
export const ownRefusal: string = `The gateway itself answers ${ownRoutes.join(', ')}.`;

/** Answers a path of the gateway itself; false when it is none. */
export function sendOwn(desk: Desk, visit: Visit): boolean {
  const { request, response, target } = visit;
  const [path] = target.split('?');
  const own = ownRoutes.find((route) => route === path);
  if (own === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  const refusal = refusalOf(own, desk, visit);
  if (refusal) {
    desk.metrics.refused(refusal.code);
    sendRefusal(response, undefined, refusal);
    return true;
  }
  const { status = 200, type = 'text/plain; charset=utf-8', text } = ownAnswer(own, desk);
  const body = Buffer.from(text);
  response.writeHead(status, { 'content-type': type, 'content-length': body.length, 'cache-control': 'no-store' });
  response.end(body);
  return true;
}

/**
 * Probes call by any name, or by none: what they ask tells nothing about requests. Prometheus can send a key where keys usually stand, so
 * `/metrics` takes it there too.
 */
function refusalOf(own: OwnRoute, { ring, config }: Desk, { headers, target }: Visit): Refusal | undefined {
  if (own === '/healthz' || own === '/readyz') return undefined;
  const refused = refusedCaller(headers, config);
  if (refused || own === '/') return refused;
  const caller = whoCalls({ ring, headers, target, isPlaceFree: true });
  return 'status' in caller ? caller : undefined;
}

interface OwnAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
}

function ownAnswer(route: OwnRoute, { state, metrics, middle }: Desk): OwnAnswer {
  switch (route) {
    case '/':
      return { text: `Palimpsest gateway. It passes on ${knownPaths}.\n` };
    case '/healthz':
      return { text: 'ok\n' };
    case '/readyz':
      return state.isDraining ? { status: 503, text: 'stopping\n' } : { text: readyText(middle.trouble?.()) };
    case '/metrics':
      return { type: metricsType, text: metrics.page() };
  }
}

/** Requests are taken also while nothing is kept of them: whoever asks for 200 alone should go on sending them here. */
const readyText = (trouble: string | undefined): string =>
  trouble === undefined ? 'ready\n' : `ready\nrequests go as they came: ${trouble}\n`;
