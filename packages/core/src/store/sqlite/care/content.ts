/** Holds every message and every saved output against the hash that it was stored under. */
import { contentIds } from '../../message-body.ts';
import type { CareFinding } from '../../store-care.ts';
import type { Connection } from '../connection.ts';
import { bodyText } from '../messages.ts';
import { contentHash, piecesFrom } from '../outputs/texts.ts';
import { bytes, integer, type Row, text } from '../rows.ts';

/** How the scan is followed. */
export interface ContentScan {
  readonly onProgress: (done: number, all: number) => void;
}

const selectMessages = 'select seq, id, hash, body from messages order by seq';
const selectOutputs = 'select seq, id, hash from outputs order by seq';
const countAll = 'select (select count(*) from messages) + (select count(*) from outputs) as n';

/** How often progress is told, in messages. */
const progressEvery = 1_000;

export function contentFinding(connection: Connection, { onProgress }: ContentScan): CareFinding {
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
