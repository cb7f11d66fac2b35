/** Whether what is remembered agrees with its history, and what of it can be made anew from that. */
import type { MemoryEntry } from '../memory-store.ts';
import type { CareFinding } from '../store.ts';
import { integer, type Row, type Sql, text } from './database.ts';
import { columnsOf, entryFrom, forgotten, isSameEntry, numberIn } from './memory-rows.ts';
import { fine } from './repair.ts';

const selectEntries = `select * from memory_entries where status <> '${forgotten}' order by seq`;
const selectNewest = 'select entry_after from memory_changes where entry = ? order by seq desc limit 1';
const countBroken = `
select count(*) as n from memory_acts a where changes <> (select count(*) from memory_changes c where c.act = a.seq)`;
const countTwice = `
select count(*) as n from (
  select 1 from memory_entries where status = 'live' and key is not null group by key, coalesce(project, '') having count(*) > 1)`;

export async function memoryFinding(sql: Sql): Promise<CareFinding> {
  const rows = await sql.all(selectEntries);
  let strange = 0;
  for (const row of rows) if (!(await agrees(sql, row))) strange++;
  const faults = [
    [strange, 'entries that are not as their last act left them'],
    [await numberOf(sql, countBroken), 'acts without all of their changes'],
    [await numberOf(sql, countTwice), 'keys that two entries have'],
  ] as const;
  const found = faults.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  if (found.length === 0) return fine('memory', `All ${rows.length} entries of the memory agree with its history.`);
  const message = `The memory has ${found.join(', ')}. Restore a backup.`;
  return { check: 'memory', ok: false, repairable: false, message };
}

async function agrees(sql: Sql, row: Row): Promise<boolean> {
  try {
    const newest = await newestOf(sql, integer(row, 'seq'));
    return newest !== undefined && isSameEntry(newest, entryFrom(row));
  } catch {
    // What a column holds is no JSON.
    return false;
  }
}

async function newestOf(sql: Sql, seq: number): Promise<MemoryEntry | undefined> {
  const row = await sql.get(selectNewest, [seq]);
  // Written from an entry; what is none fails where it is read.
  return row && (JSON.parse(text(row, 'entry_after')) as MemoryEntry);
}

const numberOf = async (sql: Sql, query: string): Promise<number> => integer((await sql.get(query)) ?? {}, 'n');

const dropBroken = `
delete from memory_acts where seq in (
  select seq from memory_acts a where changes <> (select count(*) from memory_changes c where c.act = a.seq))`;
const dropOrphans = 'delete from memory_changes where act not in (select seq from memory_acts)';
const dropNames = [
  'update memory_acts set undoes = null where undoes not in (select seq from memory_acts)',
  'update memory_acts set undone_by = null where undone_by not in (select seq from memory_acts)',
];
const selectKnown = `
select seq from memory_entries union select entry as seq from memory_changes order by seq`;
const selectActs = 'select seq from memory_acts union select act as seq from memory_changes order by seq';
const hasEntry = 'select seq from memory_entries where seq = ?';
const insertEntry = `
insert into memory_entries (seq, target, kind, status, source, project, key, value, text, session, messages, replaces,
  created_at, updated_at, stated_at, until, confirmed_at, used_at)
values (:seq, :target, :kind, :status, :source, :project, :key, :value, :text, :session, :messages, :replaces,
  :created, :updated, :stated, :until, :confirmed, :used)`;
const insertForgotten = `
insert into memory_entries (seq, target, kind, status, source, text, messages, replaces, created_at, updated_at, stated_at)
values (?, 'memory', 'fact', '${forgotten}', 'document', '""', '[]', '[]', 0, 0, 0)`;
const insertAct = `
insert into memory_acts (at, actor, what, reason, changes) values (?, 'runtime', '"rescue"', ?, ?)`;
const insertChange = 'insert into memory_changes (act, place, entry, entry_after) values (?, ?, ?, ?)';

/**
 * Inside a write transaction, over rows that were rescued one by one: entries whose rows are gone come back as their last act
 * left them, and acts of which a part is gone go whole, so that none is taken back by half. Tells what is gone for good.
 */
export async function repairMemory(
  sql: Sql,
  now: number,
): Promise<{ readonly entries: number; readonly acts: number }> {
  const known = (await sql.all(selectKnown)).map((row) => integer(row, 'seq'));
  const acts = (await sql.all(selectActs)).map((row) => integer(row, 'seq'));
  let lost = 0;
  for (let seq = 1; seq <= (known.at(-1) ?? 0); seq++) if (!(await isThere(sql, seq))) lost++;
  await sql.run(dropBroken);
  await sql.run(dropOrphans);
  for (const statement of dropNames) await sql.run(statement);
  const kept = new Set((await sql.all('select seq from memory_acts')).map((row) => integer(row, 'seq')));
  await noteStrange(sql, now);
  return { entries: lost, acts: (acts.at(-1) ?? 0) - kept.size };
}

/** True for a row that can be read, or that could be made from the history. */
async function isThere(sql: Sql, seq: number): Promise<boolean> {
  if (await sql.get(hasEntry, [seq])) return true;
  let newest: MemoryEntry | undefined;
  try {
    newest = await newestOf(sql, seq);
    if (newest) await sql.run(insertEntry, { seq, ...columnsOf(newest) });
  } catch {
    // What was read is no entry.
    newest = undefined;
  }
  if (!newest) await sql.run(insertForgotten, [seq]);
  return newest !== undefined;
}

/** The history of entries whose last acts are gone begins anew with how they are. */
async function noteStrange(sql: Sql, now: number): Promise<void> {
  const strange: MemoryEntry[] = [];
  for (const row of await sql.all(selectEntries)) if (!(await agrees(sql, row))) strange.push(entryFrom(row));
  if (strange.length === 0) return;
  const reason = JSON.stringify('What led to these entries was lost when the store was rescued.');
  const act = await sql.insert(insertAct, [now, reason, strange.length]);
  for (const [place, entry] of strange.entries())
    await sql.run(insertChange, [act ?? 0, place, numberIn('e', entry.id) ?? 0, JSON.stringify(entry)]);
}
