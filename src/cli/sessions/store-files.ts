/** The files of a store on disk: the database, and what SQLite keeps beside it. */
import { rename, rm, stat } from 'node:fs/promises';
import { PalimpsestError } from '../../shared/errors.ts';

const endings = ['', '-wal', '-shm', '-journal'] as const;

/** The files of a store that are there and hold anything. */
export async function storeFiles(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const ending of endings) if ((await sizeOf(`${path}${ending}`)) > 0) found.push(`${path}${ending}`);
  return found;
}

/** Removes what an earlier attempt left. */
export async function removeFiles(path: string): Promise<void> {
  for (const ending of endings) await rm(`${path}${ending}`, { force: true });
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
    await removeFiles(partial);
    const message = `Another process has the store ${path} open. Nothing was changed: end that process and try again.`;
    throw new PalimpsestError('STORE_BUSY', message, { evidence: { path } });
  }
  const aside = await freeName(`${path}.before-restore`);
  for (const ending of endings) {
    if (files.includes(`${path}${ending}`)) await rename(`${path}${ending}`, `${aside}${ending}`);
  }
  return aside;
}

/** Puts a whole store in a place where none is. */
export async function takePlace(partial: string, path: string): Promise<void> {
  await removeFiles(path);
  await rename(partial, path);
}

async function freeName(name: string): Promise<string> {
  let free = name;
  for (let number = 2; (await storeFiles(free)).length > 0; number++) free = `${name}-${number}`;
  return free;
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
