/** The oldest SQLite that several processes may write with. */
import { PalimpsestError } from '../../shared/errors.ts';

/** Older ones can lose pages when the WAL is reset (sqlite.org/wal.html#the_wal_reset_bug). */
const oldest = [3, 51, 3] as const;

/** Throws `STORE_ENGINE` for a version with the bug. */
export function requireEngine(version: string): void {
  const numbers = version.split('.').map(Number);
  for (const [i, least] of oldest.entries()) {
    const number = numbers[i] ?? 0;
    if (number > least) return;
    if (!(number < least)) continue;
    throw new PalimpsestError(
      'STORE_ENGINE',
      `Expected SQLite ${oldest.join('.')} or newer; this Node brings ${version}, which can damage a store that several ` +
        'processes write to. Use Node 24.15 or newer.',
      { evidence: { version } },
    );
  }
}
