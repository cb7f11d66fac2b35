/** The health of a store in SQLite. */
import { PalimpsestError } from '../../../shared/errors.ts';
import type { CareReport, StoreCare } from '../../store-care.ts';
import type { Connection } from '../connection.ts';
import { schemaVersion } from '../migrations/migrate.ts';
import { integer } from '../rows.ts';
import { findings } from './check.ts';
import { copyDatabase } from './copy.ts';
import { repairFile, repairIndexes, repairViews } from './repair.ts';

const selectSizes = `
select (select count(*) from messages) as messages, (select count(*) from sessions) as sessions,
  (select page_count * page_size from pragma_page_count, pragma_page_size) as bytes`;

type Progress = (done: number, all: number) => void;

export function createStoreCare(connection: Connection): StoreCare {
  const { db, where, read, write, alone } = connection;

  async function check(onProgress: Progress = () => undefined): Promise<CareReport> {
    return read(() => {
      const found = findings(connection, { onProgress });
      const sizes = db.prepare(selectSizes).get() ?? {};
      return {
        findings: found,
        ok: found.every(({ ok }) => ok),
        where,
        bytes: integer(sizes, 'bytes'),
        version: schemaVersion(db),
        messages: integer(sizes, 'messages'),
        sessions: integer(sizes, 'sessions'),
      };
    });
  }

  async function repair(onProgress: Progress = () => undefined): Promise<CareReport> {
    const { findings: found } = await check();
    const wrong = new Set(found.filter(({ ok, repairable }) => !ok && repairable).map((finding) => finding.check));
    if (wrong.has('file')) repairFile(connection);
    if (wrong.has('integrity') || wrong.has('index')) await unlessDamaged(write(() => repairIndexes(connection)));
    if (wrong.has('views')) await unlessDamaged(write(() => repairViews(connection)));
    return check(onProgress);
  }

  return { check, repair, backup: (path) => alone(() => copyDatabase(db, path)) };
}

/** A damaged page stops a repair, which then changes nothing; the check that follows tells of the page. */
async function unlessDamaged(repair: Promise<void>): Promise<void> {
  try {
    await repair;
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== 'STORE_DAMAGED') throw error;
  }
}
