/** The health of a store in SQLite. */
import { PalimpsestError } from '../../../shared/errors.ts';
import type { CareFinding, CareReport, StoreCare } from '../../store-care.ts';
import { requireStorePath } from '../../store-path.ts';
import type { Connection } from '../connection.ts';
import { schemaVersion } from '../migrations/migrate.ts';
import { integer, type Row } from '../rows.ts';
import { beyondRepair, findings } from './check.ts';
import { copyDatabase } from './copy.ts';
import { areIndexesSound, remakeIndexes } from './remake-indexes.ts';
import { repairFile, repairIndexes, repairViews } from './repair.ts';

const selectSizes = `
select (select count(*) from messages not indexed) as messages, (select count(*) from sessions not indexed) as sessions,
  (select page_count * page_size from pragma_page_count, pragma_page_size) as bytes`;

type Progress = (done: number, all: number) => void;

export function createStoreCare(connection: Connection): StoreCare {
  const { db, where, read, write, alone } = connection;

  async function check(onProgress: Progress = () => undefined): Promise<CareReport> {
    return read(() => {
      const found = findings(connection, { onProgress });
      const sizes = sizesOf(connection);
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
    const isOfIndexes = wrong.has('integrity') || wrong.has('index');
    if (isOfIndexes) {
      await unlessDamaged(write(() => repairIndexes(connection)));
      const isSound = await read(() => areIndexesSound(connection));
      if (!isSound) await unlessDamaged(alone(() => remakeIndexes(connection)));
    }
    // Views are looked at with the help of indexes.
    if (isOfIndexes || wrong.has('views')) await unlessDamaged(write(() => repairViews(connection)));
    const report = await check(onProgress);
    return isOfIndexes ? { ...report, findings: report.findings.map(triedInVain) } : report;
  }

  async function backup(path: string): Promise<number> {
    requireStorePath(path);
    return alone(() => copyDatabase(db, path));
  }

  return { check, repair, backup };
}

/** What is wrong after a repair must not promise one. */
function triedInVain(finding: CareFinding): CareFinding {
  if (finding.ok || !finding.repairable) return finding;
  const message = finding.message.replace(/(?:Only indexes are damaged: a|A) repair makes [^.]*\.$/, '');
  return { ...finding, repairable: false, message: `${message}A repair was tried and failed. ${beyondRepair}` };
}

/** A damaged page stops a repair, which then changes nothing; the check that follows tells of the page. */
async function unlessDamaged(repair: Promise<void>): Promise<void> {
  try {
    await repair;
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== 'STORE_DAMAGED') throw error;
  }
}

/** Counted without indexes, which may be damaged; 0 where a table itself is. */
function sizesOf({ db }: Connection): Row {
  try {
    return db.prepare(selectSizes).get() ?? {};
  } catch {
    // The findings tell of the damage.
    return { messages: 0, sessions: 0, bytes: 0 };
  }
}
