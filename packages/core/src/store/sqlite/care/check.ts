/** Looks at everything that a store holds, and changes nothing. */
import { PalimpsestError } from '../../../shared/errors.ts';
import type { CareFinding } from '../../store-care.ts';
import type { Connection } from '../connection.ts';
import { storeFailure } from '../failures.ts';
import { fileMode, ownerOnly } from '../file.ts';
import { checkIndex } from '../index/search-tables.ts';
import { integer, text } from '../rows.ts';
import { type ContentScan, contentFinding } from './content.ts';
import { isRecordWhole } from './remake-indexes.ts';

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
export function findings(connection: Connection, scan: ContentScan): readonly CareFinding[] {
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
export const beyondRepair = 'Restore a backup, or copy what can be read to a new file.';

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
