/** What may name the file of a store. */
import { PalimpsestError } from '../shared/errors.ts';

/**
 * Throws `BAD_OPTION` for what is no path. An address such as `file:store.db` is none: SQLite would open the file that it
 * means, and everything else one of that very name.
 */
export function requireStorePath(path: unknown): asserts path is string {
  if (typeof path !== 'string' || path === '' || path.includes('\0')) {
    throw new PalimpsestError('BAD_OPTION', 'Expected the path of a store: a file, or `:memory:`.');
  }
  if (!/^file:/i.test(path)) return;
  const message = `Expected the path of a store, not the address ${path}: give the path alone, or ./${path} for a file of that name.`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { path } });
}
