/** The health of a store in SQLite. */
import { PalimpsestError } from '../../../shared/errors.ts';
import { contentIds } from '../../message-body.ts';
import type { CareFinding, CareReport, StoreCare } from '../../store-care.ts';
import { requireStorePath } from '../../store-path.ts';
import type { Connection } from '../connection.ts';
import { storeFailure } from '../failures.ts';
import { fileMode, ownerOnly } from '../file.ts';
import { checkIndex } from '../index/search-tables.ts';
import { bodyText } from '../messages.ts';
import { schemaVersion } from '../migrations/migrate.ts';
import { contentHash, piecesFrom } from '../outputs/texts.ts';
import { bytes, integer, type Row, text } from '../rows.ts';
import { copyDatabase } from './copy.ts';
import { areIndexesSound, isRecordWhole, remakeIndexes } from './remake-indexes.ts';
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

// Looks at everything that a store holds, and changes nothing.

/** One sentence for each way in which views can be wrong, and the query that finds the sessions or messages. */
const viewFaults: readonly (readonly [string, string])[] = [
  [
    'sessions whose count of messages is wrong',
    'select count(*) as n from sessions s where message_count <> (select count(*) from entries where session = s.seq)',
  ],
  [
    'sessions with a gap in their view',
    `select count(*) as n from sessions s
     where (select coalesce(max(position) + 1, 0) from entries where session = s.seq) <> (select count(*) from entries where session = s.seq)`,
  ],
  [
    'sessions with a wrong place in their chain',
    "select count(*) as n from sessions s where latest <> (not exists (select 1 from sessions c where c.parent = s.seq and c.relation = 'continuation'))",
  ],
  [
    'sessions with a wrong root',
    `select count(*) as n from sessions s left join sessions p on p.seq = s.parent and s.relation = 'continuation'
     where s.root is null or s.root <> coalesce(p.root, s.seq)`,
  ],
  [
    'messages whose first session does not show them',
    `select count(*) as n from messages m
     where not exists (select 1 from entries e where e.session = m.home and e.position = m.home_position and e.message = m.seq)
       and (exists (select 1 from entries e where e.message = m.seq) or not exists (select 1 from sessions s where s.seq = m.home))`,
  ],
];

/** Every check in turn. One that cannot go on, since a page is damaged, has found something too. */
function findings(connection: Connection, scan: ContentScan): readonly CareFinding[] {
  // Asked only where something is damaged.
  let whole: boolean | undefined;
  const isWhole = (): boolean => {
    whole ??= isRecordWhole(connection);
    return whole;
  };
  const checks: readonly [CareFinding['check'], () => CareFinding][] = [
    ['file', () => fileFinding(connection)],
    ['integrity', () => integrityFinding(connection, isWhole)],
    ['foreign keys', () => foreignKeyFinding(connection)],
    ['index', () => indexFinding(connection, isWhole)],
    ['views', () => viewFinding(connection)],
    ['content', () => contentFinding(connection, scan)],
    ['leases', () => leaseFinding(connection)],
  ];
  return checks.map(([check, look]) => {
    try {
      return look();
    } catch (error) {
      const failure = storeFailure(error, connection.where);
      if (!(failure instanceof Error)) throw failure;
      // What the store says of a damaged page sends people here.
      const isDamage = PalimpsestError.isInstance(failure) && failure.code === 'STORE_DAMAGED';
      const repairable = isDamage && check !== 'content' && isWhole();
      const message = isDamage ? unreadable(repairable) : `It could not be checked: ${failure.message}`;
      return { check, ok: false, repairable, message };
    }
  });
}

const unreadable = (repairable: boolean): string =>
  `It could not be checked, because part of the file cannot be read. ${repairable ? onlyIndexes : beyondRepair}`;

const onlyIndexes = 'Only indexes are damaged: a repair rebuilds them.';
const beyondRepair = 'Restore a backup, or copy what can be read to a new file.';

function integrityFinding({ db }: Connection, isWhole: () => boolean): CareFinding {
  const said = db
    .prepare('pragma integrity_check(20)')
    .all()
    .map((row) => text(row, 'integrity_check'));
  if (said.length === 1 && said[0] === 'ok') return fine('integrity', 'All pages of the file are intact.');
  // A damaged index can be made anew from its table; a damaged table cannot.
  const repairable = said.every((line) => / index |inverted index for FTS5/.test(line)) && isWhole();
  const what = `The file is damaged (${said.slice(0, 3).join('; ')}).`;
  const message = `${what} ${repairable ? onlyIndexes : beyondRepair}`;
  return { check: 'integrity', ok: false, repairable, message };
}

function foreignKeyFinding({ db }: Connection): CareFinding {
  const broken = db.prepare('pragma foreign_key_check').all();
  if (broken.length === 0) return fine('foreign keys', 'All rows that others refer to exist.');
  const tables = [...new Set(broken.map((row) => text(row, 'table')))].join(', ');
  return {
    check: 'foreign keys',
    ok: false,
    repairable: false,
    message: `${broken.length} rows of ${tables} refer to rows that are missing. Restore a backup.`,
  };
}

function indexFinding({ db }: Connection, isWhole: () => boolean): CareFinding {
  const { ok, message } = checkIndex(db);
  if (ok) return fine('index', message);
  const repairable = isWhole();
  const advice = repairable ? 'A repair rebuilds the index.' : `It cannot be rebuilt: ${tablesDamaged}`;
  return { check: 'index', ok, message: `${message} ${advice}`, repairable };
}

const tablesDamaged = 'messages that it is built from cannot be read. Restore a backup.';

function viewFinding({ db }: Connection): CareFinding {
  const faults = viewFaults.flatMap(([name, query]) => {
    const count = integer(db.prepare(query).get() ?? {}, 'n');
    return count > 0 ? [`${count} ${name}`] : [];
  });
  if (faults.length === 0) return fine('views', 'All counts and views of sessions agree.');
  return {
    check: 'views',
    ok: false,
    repairable: true,
    message: `There are ${faults.join(', ')}. A repair counts again.`,
  };
}

function leaseFinding({ db, clock }: Connection): CareFinding {
  const held = integer(
    db.prepare('select count(*) as held from leases where expires_at > ?').get(clock()) ?? {},
    'held',
  );
  return fine(
    'leases',
    held === 0 ? 'No process holds a lease.' : `${held} leases are held; the lease of a crashed process expires.`,
  );
}

function fileFinding({ where }: Connection): CareFinding {
  const mode = fileMode(where);
  if (mode === undefined || (mode & 0o077) === 0) return fine('file', `Only its owner can read ${where}.`);
  const message = `Others can read ${where} (mode ${mode.toString(8)}). A repair sets mode ${ownerOnly.toString(8)}.`;
  return { check: 'file', ok: false, repairable: true, message };
}

const fine = (check: CareFinding['check'], message: string): CareFinding => ({
  check,
  ok: true,
  repairable: false,
  message,
});

// Holds every message and every saved output against the hash that it was stored under.

/** How the scan is followed. */
interface ContentScan {
  readonly onProgress: (done: number, all: number) => void;
}

const selectMessages = 'select seq, id, hash, body from messages order by seq';
const selectOutputs = 'select seq, id, hash from outputs order by seq';
const countAll = 'select (select count(*) from messages) + (select count(*) from outputs) as n';

/** How often progress is told, in messages. */
const progressEvery = 1_000;

function contentFinding(connection: Connection, { onProgress }: ContentScan): CareFinding {
  const { db } = connection;
  const all = integer(db.prepare(countAll).get() ?? {}, 'n');
  const broken: string[] = [];
  let done = 0;
  const note = (row: Row, whole: boolean): void => {
    if (!whole) broken.push(text(row, 'id'));
    if (++done % progressEvery === 0) onProgress(done, all);
  };
  for (const row of db.prepare(selectMessages).iterate())
    note(
      row,
      isWhole(row, () => contentIds(bodyText(row))),
    );
  for (const row of db.prepare(selectOutputs).all()) {
    note(
      row,
      isWhole(row, () => contentHash([...piecesFrom(connection, integer(row, 'seq'))].join(''))),
    );
  }
  onProgress(all, all);
  if (broken.length === 0) {
    return {
      check: 'content',
      ok: true,
      repairable: false,
      message: `All ${all} messages and saved outputs match their hashes.`,
    };
  }
  const shown = broken.slice(0, 5).join(', ');
  return {
    check: 'content',
    ok: false,
    repairable: false,
    message: `${broken.length} of ${all} messages and saved outputs do not match their hashes (${shown}). Restore a backup.`,
  };
}

function isWhole(row: Row, content: () => { hash: Uint8Array; ids: readonly string[] }): boolean {
  try {
    const { hash, ids } = content();
    return Buffer.compare(hash, bytes(row, 'hash')) === 0 && ids.includes(text(row, 'id'));
  } catch {
    // A piece that cannot be unpacked.
    return false;
  }
}
