/** Chains of sessions: from a session to the newest one that continues it, and back to where the conversation began. */
import type { Connection } from './connection.ts';
import { integer, optionalInteger, type Row } from './rows.ts';

/** How far the walk to the newest session goes in one step; a chain as a whole has no end but its own. */
const maxHops = 100;

/** Only what was opened when its parent had ended continues it; branches and side conversations began before. */
const selectNext = `
select c.seq from sessions p join sessions c on c.parent = p.seq
where p.seq = ? and c.relation = 'continuation' and c.started_at >= p.ended_at
order by c.started_at desc, c.seq desc limit 1`;

const selectPrevious = `select parent from sessions where seq = ? and relation = 'continuation'`;

/** The sessions before one and behind it, in their order, however many: what is left out would be lost to whoever exports. */
export function chainOf({ sql }: Connection, seq: number): readonly number[] {
  const before = walk(seq, Number.POSITIVE_INFINITY, (from) => rowNumber(sql(selectPrevious).get(from), 'parent'));
  const behind = walk(seq, Number.POSITIVE_INFINITY, (from) => rowNumber(sql(selectNext).get(from), 'seq'));
  return [...before.toReversed(), seq, ...behind];
}

/** The newest session of the chain within 100 hops; the session itself when nothing continues it. */
export const tipOf = ({ sql }: Connection, seq: number): number =>
  walk(seq, maxHops, (from) => rowNumber(sql(selectNext).get(from), 'seq')).at(-1) ?? seq;

/** The newest session of the chain, however far. */
export const newestOf = ({ sql }: Connection, seq: number): number =>
  walk(seq, Number.POSITIVE_INFINITY, (from) => rowNumber(sql(selectNext).get(from), 'seq')).at(-1) ?? seq;

/** Ends where it comes to a place again. */
function walk(start: number, hops: number, next: (from: number) => number | undefined): readonly number[] {
  const seen = new Set([start]);
  for (let at = next(start); at !== undefined && !seen.has(at) && seen.size <= hops; at = next(at)) seen.add(at);
  return [...seen].slice(1);
}

const rowNumber = (row: Row | undefined, column: string): number | undefined =>
  row === undefined ? undefined : (optionalInteger(row, column) ?? undefined);

/** Every session of a conversation, however long its chain is. */
export const conversationSessions = ({ sql }: Connection, root: number): readonly number[] =>
  sql('select seq from sessions where root = ? order by seq')
    .all(root)
    .map((row) => integer(row, 'seq'));
