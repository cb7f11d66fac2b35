/** What the acts of one memory work on. */
import type { MemorySource } from '../../store/memory-store.ts';
import type { Store } from '../../store/store.ts';
import type { LockOptions } from '../files/lock.ts';
import type { Places } from './places.ts';

export interface Acting {
  readonly store: Pick<Store, 'memory' | 'meta'>;
  readonly folder: string;
  readonly project: string | undefined;
  readonly places: Places;
  /** Who edits the files by hand. */
  readonly editor: MemorySource;
  readonly clock: () => number;
  readonly lock: LockOptions;
}
