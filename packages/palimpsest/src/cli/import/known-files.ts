/** Files that have not changed since they were imported whole: they need not be read again. */
import { createHash } from 'node:crypto';
import { type FormatName, formatNames } from '@palimpsest/core';
import type { JsonValue } from '@palimpsest/core/engine';
import { isJsonObject, parseJson } from '@palimpsest/core/settings';
import type { ImportedSession, Store } from '@palimpsest/core/store';

/** What tells whether a file is the same as before, without reading it. */
export interface FileStamp {
  /** Absolute path. */
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: number;
  /** Of Palimpsest: another one may read more in the same file. */
  readonly version: string;
}

/** What the file held when it was imported. */
export interface KnownFile {
  readonly format: FormatName;
  readonly sessions: readonly ImportedSession[];
  readonly skipped: number;
  readonly remarks: readonly string[];
}

/** The path itself stays out of the store's small values: sessions name it, and go when they are deleted. */
const keyOf = ({ path }: FileStamp): string => `import:${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;

/** What an unchanged file held; undefined when it must be read: it is new, has changed, or a session of it was deleted. */
export async function knownFile(store: Store, stamp: FileStamp): Promise<KnownFile | undefined> {
  const value = parseJson((await store.meta.get(keyOf(stamp))) ?? 'null');
  if (!isJsonObject(value) || value.stamp !== stampText(stamp)) return undefined;
  const format = formatNames.find((name) => name === value.format);
  const sessions = Array.isArray(value.sessions) ? value.sessions.map(unchanged) : [];
  if (!format || sessions.length === 0) return undefined;
  const all: ImportedSession[] = [];
  for (const session of sessions) {
    if (!session?.sessionId || !(await store.sessions.get(session.sessionId))) return undefined;
    all.push(session);
  }
  const remarks = Array.isArray(value.remarks) ? value.remarks.filter((one) => typeof one === 'string') : [];
  return { format, sessions: all, skipped: typeof value.skipped === 'number' ? value.skipped : 0, remarks };
}

/** Remembers a file that was imported to its end. */
export async function rememberFile(
  store: Store,
  stamp: FileStamp,
  { format, sessions, skipped, remarks }: KnownFile,
): Promise<void> {
  const isWhole = sessions.every(({ sessionId, heldBack }) => sessionId !== undefined && heldBack === 0);
  const rows = sessions.map(({ sessionId = '', sourceId, isSide, messages }) => [
    sessionId,
    sourceId,
    isSide,
    messages,
  ]);
  const value = isWhole
    ? JSON.stringify({ stamp: stampText(stamp), format, skipped, remarks, sessions: rows })
    : undefined;
  await store.meta.set(keyOf(stamp), value);
}

/** Raised when an import takes more out of a file than it did: what was imported before is then read again. */
const revision = 2;

const stampText = ({ size, modifiedAt, version }: FileStamp): string => `${size} ${modifiedAt} ${version} ${revision}`;

function unchanged(row: JsonValue): ImportedSession | undefined {
  if (!Array.isArray(row)) return undefined;
  const [sessionId, sourceId, isSide, messages] = row;
  if (typeof sessionId !== 'string' || typeof sourceId !== 'string' || typeof messages !== 'number') return undefined;
  const nothingNew = { outcome: 'unchanged', appended: 0, stored: 0, heldBack: 0 } as const;
  return { sessionId, sourceId, isSide: isSide === true, messages, ...nothingNew };
}
