/**
 * The spans of the gateway: one of the request, which continues the trace that the client names, and below it what was done for it. Only
 * a provider that this process has registered sees them; headers to an upstream stay as they came.
 */
import type { IncomingMessage } from 'node:http';
import {
  type CallTokens,
  failSpan,
  genAi,
  inSpan,
  isTraced,
  namedModel,
  openSpan,
  type Span,
  usageAttributes,
} from '@palimpsest/core/tracing';
import type { GatewayDialect } from '../config/gateway.ts';
import type { Told } from './middle.ts';
import type { Relayed } from './relay.ts';
import type { Route } from './routes.ts';

/** Who makes these spans. */
const scope = { name: 'palimpsest', version: '0.1.0' } as const;

/** Answers a request in its span. */
export function inRequest(
  request: IncomingMessage,
  route: Route | undefined,
  answer: (span: Span | undefined) => Promise<void>,
): Promise<void> {
  const asked = () => {
    const { method = 'GET' } = request;
    return {
      name: route ? `${method} ${route.name}` : method,
      scope,
      kind: 'server' as const,
      headers: headersOf(request),
      attributes: {
        'http.request.method': method,
        'http.route': route?.name,
        'url.scheme': 'http',
        'palimpsest.gateway.dialect': route?.dialect,
        'palimpsest.gateway.act': route?.act,
      },
    };
  };
  return inSpan(asked, answer);
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  );

/** How a request was answered. `code` is that of a refusal of the gateway itself. */
export interface Answered {
  readonly status: number;
  readonly code?: string | undefined;
}

/** Notes the answer on the span of its request. What the client did wrong is no failure of the gateway. */
export function noteAnswer(span: Span | undefined, { status, code }: Answered): void {
  span?.setAttributes({ 'http.response.status_code': status, 'palimpsest.gateway.refusal': code });
  if (status >= 500) failSpan(span, code ?? String(status));
}

/** Whom a request went to. */
export interface Upstream {
  readonly dialect: GatewayDialect;
  readonly base: URL;
  /** False for what asks for no answer of a model. */
  readonly isCall: boolean;
}

/** Notes what was done with a request, and makes the spans below it that were not made where it was done. */
export function noteRelayed(span: Span | undefined, relayed: Relayed, upstream: Upstream): void {
  if (!span || !isTraced()) return;
  const { told, tries, end, isRecovered } = relayed;
  const last = told.at(-1);
  span.setAttributes({
    'palimpsest.gateway.action': last?.action,
    'palimpsest.gateway.reason': last?.reason,
    'palimpsest.gateway.tries': tries,
    'palimpsest.gateway.recovered': isRecovered || undefined,
    'palimpsest.gateway.end': end,
    'palimpsest.session.id': last?.sessionId,
    [genAi.conversation]: last?.conversationId,
  });
  if (end === 'broken') failSpan(span, 'upstream-broken');
  for (const one of told) if (!one.isTraced) spanOfCompression(one);
  if (tries > 0 && upstream.isCall && !last?.isTraced) spanOfCall(relayed, upstream);
}

function spanOfCompression({ compression, conversationId, sessionId, isRecovery }: Told): void {
  if (!compression) return;
  const { tokensBefore, tokensAfter, writer, startedAt, endedAt } = compression;
  openSpan(() => ({
    name: 'compress',
    scope,
    startedAt,
    attributes: {
      [genAi.operation]: 'compress',
      [genAi.conversation]: conversationId,
      'palimpsest.session.id': sessionId,
      'palimpsest.compression.cause': isRecovery ? 'window' : 'threshold',
      'palimpsest.compression.outcome': 'compressed',
      'palimpsest.compression.tokens_before': tokensBefore,
      'palimpsest.compression.tokens_after': tokensAfter,
      'palimpsest.compression.writer': writer,
    },
  }))?.end(new Date(endedAt));
}

const vendors: Readonly<Record<GatewayDialect, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
};

function spanOfCall({ told, end, sentAt, endedAt, usage }: Relayed, { dialect, base }: Upstream): void {
  const { model = 'unknown', conversationId, sessionId, isCompacted } = told.at(-1) ?? {};
  const { provider } = namedModel('', vendors[dialect]);
  const span = openSpan(() => ({
    name: model === 'unknown' ? 'chat' : `chat ${model}`,
    scope,
    kind: 'client',
    startedAt: sentAt,
    attributes: {
      [genAi.operation]: 'chat',
      [genAi.provider]: provider,
      [genAi.requestModel]: model === 'unknown' ? undefined : model,
      [genAi.conversation]: conversationId,
      [genAi.compacted]: isCompacted || undefined,
      'palimpsest.session.id': sessionId,
      'server.address': base.hostname,
      'server.port': Number(base.port) || (base.protocol === 'https:' ? 443 : 80),
    },
  }));
  if (end === 'broken') failSpan(span, 'upstream-broken');
  const finish = (tokens?: CallTokens): void => {
    span?.setAttributes(usageAttributes(tokens));
    span?.end(new Date(endedAt));
  };
  // Who reads the answer may need longer than the client; it never rejects.
  if (usage) void usage.then(finish);
  else finish();
}
