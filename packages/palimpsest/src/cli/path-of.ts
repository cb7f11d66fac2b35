/** From what was typed as the name of a file to its path. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';
import type { Terminal } from './terminal.ts';

/**
 * The absolute path of a file to write. Throws `BAD_OPTION` for an address such as `file:///tmp/x`: SQLite would read
 * it as one and everything else as a name, so that two files are meant by one word.
 */
export function pathOf(name: string, { cwd }: Pick<Terminal, 'cwd'>): string {
  if (!/^file:/i.test(name)) return resolve(cwd, name);
  const message = `expected the path of a file, got the URL ${name}: use ${pathIn(name)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { path: name } });
}

function pathIn(address: string): string {
  try {
    if (/^file:\/\//i.test(address)) return fileURLToPath(address);
  } catch {
    // An address of another machine: what follows the word is nearest to a path.
  }
  return address.slice('file:'.length);
}
