/** Guesses which file a mistyped path meant. */
import { readdir } from 'node:fs/promises';
import { nearest } from '@palimpsest/core/settings';

/** The file of a folder whose name is nearest to a name; undefined when none is near or the folder cannot be read. */
export async function nearNames(folder: string, name: string): Promise<string | undefined> {
  try {
    return nearest(name, await readdir(folder));
  } catch {
    // Without a folder there is nothing to guess from; the caller reports the missing file itself.
    return undefined;
  }
}
