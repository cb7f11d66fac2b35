/** The health of a store in SQLite. */

import { DatabaseSync } from 'node:sqlite';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Message } from '../../transcript/message.ts';
import { integer, type Row, type Sql, text } from '../record/database.ts';
import { memoryFinding } from '../record/memory-care.ts';
import { messageFrom } from '../record/messages.ts';
import { contentFinding, fine, leaseFinding, repairViews, rowsOf, viewFinding } from '../record/repair.ts';
import type { CareFinding, CareReport, StoreCare } from '../store.ts';
import type { Connection } from './connection.ts';
import { copyFailure, storeFailure } from './failures.ts';
import { createWhole, fileMode, ownerOnly, requireStorePath, setFileMode } from './file.ts';
import { checkIndex, rebuildIndex, searchSchema } from './index/search-tables.ts';
import { readMark, setNewMark } from './mark.ts';
import { schemaVersion } from './migrations/migrate.ts';
import { openDatabase } from './open-database.ts';

const selectSizes = `
select (select count(*) from messages not indexed) as messages, (select count(*) from sessions not indexed) as sessions,
  (select page_count * page_size from pragma_page_count, pragma_page_size) as bytes`;

type Progress = (done: number, all: number) => void;

export function createStoreCare(connection: Connection): StoreCare {
  const { db, where, read, write, alone } = connection;

  const check = (onProgress: Progress = () => undefined): Promise<CareReport> =>
    read(async (sql) => {
      const found = await findings(connection, sql, onProgress);
      const sizes = await sizesOf(sql);
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

  async function repair(onProgress: Progress = () => undefined): Promise<CareReport> {
    const { findings: found } = await check();
    const wrong = new Set(found.filter(({ ok, repairable }) => !ok && repairable).map((finding) => finding.check));
    if (wrong.has('file')) repairFile(where);
    const isOfIndexes = wrong.has('integrity') || wrong.has('index');
    if (isOfIndexes) {
      await unlessDamaged(write(repairIndexes));
      if (!(await read(areIndexesSound))) await unlessDamaged(alone((sql) => remakeIndexes(db, sql)));
    }
    // Views are looked at with the help of indexes.
    if (isOfIndexes || wrong.has('views')) await unlessDamaged(write(repairViews));
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
async function sizesOf(sql: Sql): Promise<Row> {
  try {
    return (await sql.get(selectSizes)) ?? {};
  } catch {
    // The findings tell of the damage.
    return { messages: 0, sessions: 0, bytes: 0 };
  }
}

/** Looks at everything that a store holds, and changes nothing. A check that cannot go on, since a page is damaged, has found something too. */
async function findings({ where, clock }: Connection, sql: Sql, onProgress: Progress): Promise<readonly CareFinding[]> {
  // Asked only where something is damaged.
  let whole: boolean | undefined;
  const isWhole = async (): Promise<boolean> => {
    whole ??= await isRecordWhole(sql);
    return whole;
  };
  const checks: Readonly<Record<CareFinding['check'], () => CareFinding | Promise<CareFinding>>> = {
    file: () => fileFinding(where),
    integrity: () => integrityFinding(sql, isWhole),
    'foreign keys': () => foreignKeyFinding(sql),
    index: () => indexFinding(sql, isWhole),
    views: () => viewFinding(sql),
    content: () => contentFinding(sql, onProgress),
    memory: () => memoryFinding(sql),
    leases: () => leaseFinding(sql, clock()),
  };
  const found: CareFinding[] = [];
  for (const [name, look] of Object.entries(checks)) {
    // The keys are those of the record above.
    const check = name as CareFinding['check'];
    try {
      found.push(await look());
    } catch (error) {
      const failure = storeFailure(error, where);
      if (!(failure instanceof Error)) throw failure;
      // What the store says of a damaged page sends people here.
      const isDamage = PalimpsestError.isInstance(failure) && failure.code === 'STORE_DAMAGED';
      const repairable = isDamage && check !== 'content' && (await isWhole());
      const message = isDamage ? unreadable(repairable) : `It could not be checked: ${failure.message}`;
      found.push({ check, ok: false, repairable, message });
    }
  }
  return found;
}

const unreadable = (repairable: boolean): string =>
  `It could not be checked, because part of the file cannot be read. ${repairable ? onlyIndexes : beyondRepair}`;

const onlyIndexes = 'Only indexes are damaged: a repair rebuilds them.';
const beyondRepair = 'Restore a backup, or copy what can be read to a new file.';

async function integrityFinding(sql: Sql, isWhole: () => Promise<boolean>): Promise<CareFinding> {
  const rows = await sql.all('pragma integrity_check(20)');
  const said = rows.map((row) => text(row, 'integrity_check'));
  if (said.length === 1 && said[0] === 'ok') return fine('integrity', 'All pages of the file are intact.');
  // A damaged index can be made anew from its table; a damaged table cannot.
  const repairable = said.every((line) => / index |inverted index for FTS5/.test(line)) && (await isWhole());
  const what = `The file is damaged (${said.slice(0, 3).join('; ')}).`;
  const message = `${what} ${repairable ? onlyIndexes : beyondRepair}`;
  return { check: 'integrity', ok: false, repairable, message };
}

async function foreignKeyFinding(sql: Sql): Promise<CareFinding> {
  const broken = await sql.all('pragma foreign_key_check');
  if (broken.length === 0) return fine('foreign keys', 'All rows that others refer to exist.');
  const tables = [...new Set(broken.map((row) => text(row, 'table')))].join(', ');
  const message = `${broken.length} rows of ${tables} refer to rows that are missing. Restore a backup.`;
  return { check: 'foreign keys', ok: false, repairable: false, message };
}

async function indexFinding(sql: Sql, isWhole: () => Promise<boolean>): Promise<CareFinding> {
  const { ok, message } = await checkIndex(sql);
  if (ok) return fine('index', message);
  const repairable = await isWhole();
  const advice = repairable ? 'A repair rebuilds the index.' : `It cannot be rebuilt: ${tablesDamaged}`;
  return { check: 'index', ok, message: `${message} ${advice}`, repairable };
}

const tablesDamaged = 'messages that it is built from cannot be read. Restore a backup.';

function fileFinding(where: string): CareFinding {
  const mode = fileMode(where);
  if (mode === undefined || (mode & 0o077) === 0) return fine('file', `Only its owner can read ${where}.`);
  const message = `Others can read ${where} (mode ${mode.toString(8)}). A repair sets mode ${ownerOnly.toString(8)}.`;
  return { check: 'file', ok: false, repairable: true, message };
}

// Copies of a store that are whole, whoever writes meanwhile.

/**
 * Writes a consistent copy into a new file; returns its bytes. `vacuum into` reads every page in one read transaction, so
 * that it neither stops other writers nor copies damage unseen. Throws as `createWhole` does; what is wrong with the place
 * of the copy is said of that place, and not of the store.
 */
const copyDatabase = (db: DatabaseSync, path: string): Promise<number> =>
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

// Makes anew what follows from the tables of the record. Indexes whose own pages are damaged are struck from the
// schema and made from the tables, which are read but never written; what lay on their pages goes when the file is
// written anew.

/** Tables of the search index, with those that FTS5 keeps its data in. */
const isOfSearch = String.raw`tbl_name like 'search\_%' escape '\'`;
const isIndex = `type = 'index' and sql is not null and not ${isOfSearch}`;

const selectTables = `
select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and not ${isOfSearch}`;
const selectIndexes = `select sql from sqlite_schema where ${isIndex}`;
const strikeIndexes = `delete from sqlite_schema where ${isOfSearch} or ${isIndex}`;

/** True when every row of the record can be read without any index: then all of them can be made anew. */
async function isRecordWhole(sql: Sql): Promise<boolean> {
  try {
    for (const row of await sql.all(selectTables)) {
      const columns = await sql.all('select name from pragma_table_info(?)', [text(row, 'name')]);
      // The end of a value is on the last of the pages that it takes.
      const ends = columns.map((column) => `count(substr("${text(column, 'name')}", -1))`).join(', ');
      await sql.get(`select ${ends} from "${text(row, 'name')}" not indexed`);
    }
    return true;
  } catch {
    // A damaged page, and whatever else stops the reading.
    return false;
  }
}

/** True when SQLite finds nothing wrong with its indexes or with that of the search. */
async function areIndexesSound(sql: Sql): Promise<boolean> {
  try {
    const said = (await sql.get('pragma integrity_check(1)')) ?? {};
    return text(said, 'integrity_check') === 'ok' && (await checkIndex(sql)).ok;
  } catch {
    // It cannot even be looked at.
    return false;
  }
}

const selectAll = 'select seq, body from messages where seq > ? order by seq limit 500';

/** Inside a write transaction: SQLite's own indexes, then the search index. */
export async function repairIndexes(sql: Sql): Promise<void> {
  await sql.run('reindex');
  await rebuildIndex(sql, messagesOf(sql));
}

async function* messagesOf(sql: Sql): AsyncGenerator<readonly [number, Message]> {
  for await (const row of rowsOf(sql, selectAll)) yield [integer(row, 'seq'), messageFrom(row)];
}

/** Outside of any transaction, alone with the store. Throws for a damaged table, and has then changed nothing. */
async function remakeIndexes(db: DatabaseSync, sql: Sql): Promise<void> {
  db.enableDefensive(false);
  try {
    db.exec('begin immediate');
    try {
      const indexes = db.prepare(selectIndexes).all();
      db.exec('pragma writable_schema = on');
      db.exec(strikeIndexes);
      db.exec('pragma writable_schema = reset');
      for (const row of indexes) db.exec(text(row, 'sql'));
      db.exec(searchSchema);
      await repairIndexes(sql);
      db.exec('commit');
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      throw error;
    } finally {
      db.exec('pragma writable_schema = reset');
    }
  } finally {
    db.enableDefensive(true);
  }
  db.exec('vacuum');
}

/** Throws `STORE_READ_ONLY` for a file of somebody else. */
function repairFile(where: string): void {
  try {
    setFileMode(where, ownerOnly);
  } catch (cause) {
    const message = `Only the owner of the store ${where} can set its mode. Nothing was repaired: run the repair as the owner.`;
    throw new PalimpsestError('STORE_READ_ONLY', message, { evidence: { path: where }, cause });
  }
}
