/** The SQLite adapter does what every store must do, in a real file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { storeContract } from '../support/store-contract.ts';

for (const gathersWrites of [false, true]) {
  storeContract(gathersWrites ? 'SQLite that gathers writes' : 'SQLite', {
    newPlace: async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'palimpsest-store-'));
      t.after(() => rm(folder, { recursive: true }));
      return join(folder, 'store.db');
    },
    open: (path, clock) => openStore({ path, gathersWrites, clock: { now: clock } }),
  });
}
