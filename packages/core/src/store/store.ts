/**
 * The port to what is kept: every message ever said or seen, once; sessions as views over them; what calls used; saved
 * output; and an index over all of it. `sqlite/` is the adapter that needs nothing; all adapters run one contract suite.
 */
import type { LeaseStore } from './lease-store.ts';
import type { MessageStore } from './message-store.ts';
import type { OutputStore } from './output-store.ts';
import type { SearchIndex } from './search-index.ts';
import type { SessionStore } from './session-store.ts';
import type { StoreCare } from './store-care.ts';
import type { UsageStore } from './usage-store.ts';
import type { VectorStore } from './vector-store.ts';

/** Small values that belong to no session, such as the policy's state or a remembered window. */
export interface MetaStore {
  get(key: string): Promise<string | undefined>;
  /** `undefined` takes it away. */
  set(key: string, value: string | undefined): Promise<void>;
}

/** Everything that is kept; made by `openStore`. */
export interface Store extends AsyncDisposable {
  /** What people call it: the name of its file. Absent where it ends with the process. */
  readonly name?: string;
  readonly messages: MessageStore;
  readonly sessions: SessionStore;
  readonly leases: LeaseStore;
  readonly usage: UsageStore;
  readonly outputs: OutputStore;
  readonly index: SearchIndex;
  readonly vectors: VectorStore;
  readonly meta: MetaStore;
  readonly care: StoreCare;
  /** Waits for what is under way. Further calls throw `STORE_CLOSED`. */
  close(): Promise<void>;
}
