/** The files of a store on disk: the database, and what SQLite keeps beside it. */
import { lstat, realpath, rename, rm, stat } from 'node:fs/promises';
import { PalimpsestError } from '@palimpsest/core';
import { databaseEndings, giveName } from '@palimpsest/core/store';

const endings = ['', ...databaseEndings] as const;

/** The files of a store that are there and hold anything. */
export async function storeFiles(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const ending of endings) if ((await sizeOf(`${path}${ending}`)) > 0) found.push(`${path}${ending}`);
  return found;
}

/**
 * Gives a store another name, and returns it. A log beside a store that was closed properly belongs to another process,
 * which has it open: then nothing is moved, `partial` is removed, and `STORE_BUSY` is thrown. The log of one that cannot
 * be opened goes with it.
 */
export async function putAside(
  path: string,
  { isWhole, partial }: { readonly isWhole: boolean; readonly partial: string },
): Promise<string> {
  const files = await storeFiles(path);
  if (isWhole && files.some((file) => file !== path)) {
    await rm(partial, { force: true });
    const message = `Another process has the store ${path} open. Nothing was changed: close that process and try again.`;
    throw new PalimpsestError('STORE_BUSY', message, { evidence: { path } });
  }
  const aside = await freeName(`${path}.before-restore`);
  for (const ending of endings) {
    if (files.includes(`${path}${ending}`)) await rename(`${path}${ending}`, `${aside}${ending}`);
  }
  return aside;
}

/** Puts a whole store in a place where none is, but for empty files; throws `BAD_OPTION` where one was made meanwhile. */
export async function takePlace(partial: string, path: string): Promise<void> {
  for (const ending of endings) {
    if ((await sizeOf(`${path}${ending}`)) === 0) await rm(`${path}${ending}`, { force: true });
  }
  giveName(partial, path);
}

/** The name, or the next one with a number that nothing has. */
export async function freeName(name: string): Promise<string> {
  let free = name;
  for (let number = 2; await isTaken(free); number++) free = `${name}-${number}`;
  return free;
}

async function isTaken(name: string): Promise<boolean> {
  for (const ending of endings) if (await lstat(`${name}${ending}`).catch(() => undefined)) return true;
  return false;
}

/** The file itself; a path that leads nowhere stays as it is. */
export const withoutLinks = (path: string): Promise<string> => realpath(path).catch(() => path);

/** True for two names of one file, whatever they are. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
