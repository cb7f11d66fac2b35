/** A turn of a conversation on its way through the gateway, and what all of them share. */
import type { ConversationRuntime } from '@palimpsest/core';
import type { GatewayDialect } from '../../config/gateway.ts';
import type { Received } from '../middle.ts';
import type { ClientNames } from './client-names.ts';
import type { Fullness } from './fullness.ts';
import type { Later } from './later.ts';
import type { StoreHealth } from './places.ts';
import type { ReadRequest } from './read-request.ts';
import type { Views } from './views.ts';
import type { WholeSizes } from './whole-below.ts';

/** What all requests share. */
export interface Shared {
  /** Undefined where conversations are kept in memory alone for a while. */
  readonly health: StoreHealth | undefined;
  readonly isDryRun: boolean;
  /** Told a line for a person. */
  readonly note: (line: string) => void;
  readonly names: ClientNames;
  readonly views: Views;
  /** Answers that are being kept. */
  readonly onTheWay: Set<Promise<unknown>>;
  readonly later: Later;
  readonly fullness: Fullness;
  /** Undefined where nothing is sent before it was read. */
  readonly wholeSizes: WholeSizes | undefined;
  readonly runtimeFor: (dialect: GatewayDialect, model: string) => ConversationRuntime;
  /** In tokens. */
  readonly windowOf: (dialect: GatewayDialect, model: string) => number;
}

/** A request that is a turn of a conversation. */
export type Turn = Extract<ReadRequest, { type: 'turn' }>;

/** How a conversation begins: the same for all of its requests, and at times for those of others. */
export function beginningOf({ said }: Turn): string {
  const [first] = said.messages.filter(({ role }) => role !== 'system');
  const text = first?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
  return `${text.length}:${text.slice(0, 256)}`;
}

/** A turn of a conversation on its way. */
export interface Call {
  readonly shared: Shared;
  readonly received: Received;
  readonly request: Turn;
  readonly runtime: ConversationRuntime;
}
