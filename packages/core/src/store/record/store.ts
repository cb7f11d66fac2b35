/** Every store: the record over a database, and what its adapter brings. */
import type { Store } from '../store.ts';
import type { Database, Sql } from './database.ts';
import { createEpisodeStore } from './episodes.ts';
import { createMemoryStore } from './memory.ts';
import { createMessageStore } from './messages.ts';
import { createOutputStore } from './outputs.ts';
import { createPinStore } from './pins.ts';
import { createSessionStore } from './sessions.ts';
import { createLeaseStore, createMetaStore } from './state.ts';
import { createUsageStore } from './usage.ts';

/** What differs from database to database. */
export interface StoreParts extends Pick<Store, 'name' | 'index' | 'vectors' | 'care'> {
  readonly database: Database;
  /** Waits for the calls under way, lets `last` write, and closes. */
  close(last: (sql: Sql) => Promise<void>): Promise<void>;
}

export function storeOver({ database, close, ...parts }: StoreParts): Store {
  const leases = createLeaseStore(database);
  const closeAll = (): Promise<void> => close(leases.releaseAll);
  return {
    ...parts,
    messages: createMessageStore(database),
    sessions: createSessionStore(database),
    leases,
    usage: createUsageStore(database),
    outputs: createOutputStore(database),
    memory: createMemoryStore(database),
    episodes: createEpisodeStore(database),
    pins: createPinStore(database),
    meta: createMetaStore(database),
    close: closeAll,
    [Symbol.asyncDispose]: closeAll,
  };
}
