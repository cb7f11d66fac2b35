/** What the requests of a gateway share, and what each of them brings. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Timers } from '@palimpsest/core/settings';
import type { Span } from '@palimpsest/core/tracing';
import type { GatewayConfig, GatewayDialect } from '../config/gateway.ts';
import type { RateLimit } from './admit.ts';
import type { BodyLimits } from './body.ts';
import type { KeyRing } from './keys.ts';
import type { Metrics } from './metrics.ts';
import type { HeaderList, Middle } from './middle.ts';
import type { ToldLines } from './told-lines.ts';
import type { Upstreams } from './upstream.ts';

/** What all requests of a gateway share. */
export interface Desk {
  readonly config: GatewayConfig;
  readonly middle: Middle;
  readonly upstreams: Upstreams;
  /** Their base URLs, parsed. */
  readonly bases: Readonly<Record<GatewayDialect, URL>>;
  /** Where requests of a login with ChatGPT go in place of OpenAI's own address; undefined where that is not the upstream. */
  readonly chatgptBase: URL | undefined;
  /** Keys of upstreams that take the place of the client's. */
  readonly upstreamKeys: Readonly<Partial<Record<GatewayDialect, string>>>;
  readonly ring: KeyRing;
  readonly rate: RateLimit;
  readonly bodies: BodyLimits;
  readonly metrics: Metrics;
  readonly timers: Timers;
  readonly now: () => number;
  /** Told in one line what a person who runs the gateway should know. */
  readonly note: (line: string) => void;
  readonly lines: ToldLines;
  readonly state: { open: number; isDraining: boolean };
}

/** A request with its place to answer. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** As they came. */
  readonly headers: HeaderList;
  readonly target: string;
  /** True where the client waits for a word before it sends the body (`Expect: 100-continue`). */
  readonly isAsking: boolean;
  /** Of the request, where requests are traced. */
  readonly span: Span | undefined;
}
