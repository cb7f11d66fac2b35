/** Copies of a store that are whole, whoever writes meanwhile. */
import { DatabaseSync } from 'node:sqlite';
import { PalimpsestError } from '../../../shared/errors.ts';
import { integer, text } from '../../record/database.ts';
import { copyFailure, storeFailure } from '../failures.ts';
import { createWhole } from '../file.ts';
import { readMark, setNewMark } from '../mark.ts';
import { openDatabase } from '../open-database.ts';

/**
 * Writes a consistent copy into a new file; returns its bytes. `vacuum into` reads every page in one read transaction, so
 * that it neither stops other writers nor copies damage unseen. Throws as `createWhole` does; what is wrong with the place
 * of the copy is said of that place, and not of the store.
 */
export const copyDatabase = (db: DatabaseSync, path: string): Promise<number> =>
  createWhole(path, async (partial) => {
    try {
      db.prepare('vacuum into ?').run(partial);
      becomeAnother(partial);
    } catch (error) {
      throw copyFailure(error, { path, bytes: integer(db.prepare(selectBytes).get() ?? {}, 'bytes') });
    }
  });

/** A copy has other pages than its original, and no log of the one may be played into the other. */
function becomeAnother(copy: string): void {
  const db = new DatabaseSync(copy);
  try {
    // The whole file is synced when it gets its name.
    db.exec('pragma journal_mode = memory; pragma synchronous = off');
    if (readMark(db)) setNewMark(db);
  } finally {
    db.close();
  }
}

const selectBytes = 'select page_count * page_size as bytes from pragma_page_count, pragma_page_size';

/** Makes a store of a backup. The backup is checked first and stays as it is. Returns the bytes of the new file. */
export async function restoreDatabase(from: string, to: string): Promise<number> {
  const { db } = await openDatabase({
    path: from,
    readOnly: true,
    anyVersion: true,
    busyMilliseconds: 5_000,
    clock: Date.now,
  });
  try {
    requireWhole(db, from);
    return await copyDatabase(db, to);
  } catch (error) {
    throw storeFailure(error, from);
  } finally {
    db.close();
  }
}

function requireWhole(db: DatabaseSync, path: string): void {
  const said = text(db.prepare('pragma quick_check(1)').get() ?? {}, 'quick_check');
  if (said === 'ok') return;
  throw new PalimpsestError(
    'STORE_DAMAGED',
    `The backup ${path} is damaged (${said}). Nothing was restored: use another backup.`,
    {
      evidence: { path },
    },
  );
}
