/** Gives the room that deletions left back to the disk. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { Connection } from './connection.ts';
import { touchMark } from './mark.ts';
import { integer } from './rows.ts';

/** Room of up to this share of the file is kept for what comes next. */
const keptShare = 0.1;
/** Pages a step, of 4 KiB: other processes write in between. */
const step = 1_000;
const giveBack = `pragma incremental_vacuum(${step})`;
const selectPages = `
select (select freelist_count from pragma_freelist_count) as free, (select page_count from pragma_page_count) as pages,
  (select auto_vacuum from pragma_auto_vacuum) as mode`;

/** `pragma auto_vacuum` of a file whose pages can be given back; one that was made without it keeps them for later. */
const incremental = 2;

/**
 * Shortens the file by its free pages where they are many. The file itself follows when its log is written back. What
 * was deleted before is gone whatever happens here, so that a store that others keep busy is left to the next deletion.
 */
export async function releaseSpace(connection: Connection): Promise<void> {
  try {
    await release(connection);
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== 'STORE_BUSY') throw error;
  }
}

async function release({ db, sql, read, write }: Connection): Promise<void> {
  const free = (): number => {
    const row = sql(selectPages).get() ?? {};
    const isMuch = integer(row, 'free') > integer(row, 'pages') * keptShare;
    return isMuch && integer(row, 'mode') === incremental ? integer(row, 'free') : 0;
  };
  for (let left = await read(free); left > 0; ) {
    const before = left;
    left = await write(() => {
      db.exec(giveBack);
      // No row changes by that, but the log must tell whose it is.
      touchMark({ sql });
      return free();
    });
    if (left >= before) return;
  }
}
