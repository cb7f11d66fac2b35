/** A folder that a person has named. */
import { stat } from 'node:fs/promises';
import { PalimpsestError } from '@palimpsest/core';

/** Throws `FILE_UNREADABLE` where there is none; `what` is the kind of folder that was expected. */
export async function requireFolder(path: string, what: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  const message = `expected the folder of a ${what}, but ${path} is not a folder: check the path`;
  throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path } });
}
