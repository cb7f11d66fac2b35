/** Pins: rows beside the conversation that they belong to, which go when it goes. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { MessageId, SessionId } from '../ids.ts';
import type { PinDraft, Pinned, PinStore, StoredPin } from '../pin-store.ts';
import { count, type Database, integer, type Row, type Sql, text } from './database.ts';
import { requireOwnRow } from './session-rows.ts';

const selectPins = `
select m.id, p.pinned_at, p.tokens
from pins p join messages m on m.seq = p.message
where p.conversation = ? order by p.seq`;
const selectMessage = 'select seq from messages where id = ?';
const insertPin = `
insert into pins (conversation, message, tokens, pinned_at) values (?, ?, ?, ?)
on conflict (conversation, message) do nothing`;
const deletePin = `
delete from pins where conversation = :root and message = (select seq from messages where id = :message)`;

export const createPinStore = ({ read, write, clock }: Database): PinStore => ({
  list: (sessionId) => read(async (sql) => pinsOf(sql, await rootOf(sql, sessionId))),
  add: (sessionId, draft) => write(async (sql) => add(sql, await rootOf(sql, sessionId), { draft, now: clock() })),
  remove: (sessionId, messageId) => write(async (sql) => removePin(sql, await rootOf(sql, sessionId), messageId)),
  share: (from, to, messageIds) =>
    write(async (sql) => {
      const root = await rootOf(sql, to);
      const shared = new Set(messageIds);
      for (const pin of await pinsOf(sql, await rootOf(sql, from)))
        if (shared.has(pin.messageId)) await insert(sql, root, pin);
    }),
});

interface Adding {
  readonly draft: PinDraft;
  readonly now: number;
}

/** Inside a write transaction, so that nobody else takes the room meanwhile. */
async function add(sql: Sql, root: number, { draft, now }: Adding): Promise<Pinned> {
  const { messageId, mostTokens } = draft;
  const tokens = count(draft.tokens, 'tokens');
  const pins = await pinsOf(sql, root);
  if (pins.some((pin) => pin.messageId === messageId)) return { type: 'known', pins };
  if (tokensOf(pins) + tokens > mostTokens) return { type: 'full', pins };
  await insert(sql, root, { messageId, tokens, pinnedAt: now });
  return { type: 'pinned', pins: await pinsOf(sql, root) };
}

async function insert(sql: Sql, root: number, { messageId, tokens, pinnedAt }: StoredPin): Promise<void> {
  const row = await sql.get(selectMessage, [messageId]);
  if (!row) throw unknownMessage(messageId);
  await sql.insert(insertPin, [root, integer(row, 'seq'), tokens, pinnedAt]);
}

/** Takes a pin away; inside a write transaction. */
const removePin = async (sql: Sql, root: number, message: MessageId): Promise<boolean> =>
  (await sql.run(deletePin, { root, message })) === 1;

const tokensOf = (pins: readonly StoredPin[]): number => pins.reduce((sum, { tokens }) => sum + tokens, 0);

const rootOf = async (sql: Sql, sessionId: SessionId): Promise<number> =>
  integer(await requireOwnRow(sql, sessionId), 'root');

const pinsOf = async (sql: Sql, root: number): Promise<readonly StoredPin[]> =>
  (await sql.all(selectPins, [root])).map(pinFrom);

const pinFrom = (row: Row): StoredPin => ({
  messageId: text(row, 'id'),
  pinnedAt: integer(row, 'pinned_at'),
  tokens: integer(row, 'tokens'),
});

function unknownMessage(id: string): PalimpsestError {
  const message = `There is no message ${id.slice(0, 80)} in the store.`;
  return new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 80) } });
}
