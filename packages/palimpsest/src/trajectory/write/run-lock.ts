/** Keeps two runs from writing one output: a file that names the process that does. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { PalimpsestError } from '@palimpsest/core';

/** The locks of this process: its number in another one was left by an earlier process, as in a container that starts again. */
const ours = new Set<string>();

/** Takes the lock; one that a process left which is gone is taken over. Throws `BAD_OPTION` where another run has it. */
export async function lockRun(path: string): Promise<AsyncDisposable> {
  for (let tries = 0; ; tries++) {
    try {
      await writeFile(path, `${process.pid}\n`, { flag: 'wx' });
      ours.add(path);
      return { [Symbol.asyncDispose]: () => unlock(path) };
    } catch (error) {
      const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!isThere) throw unwritable(path, error);
      const owner = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10);
      if (tries > 2 || isHeld(path, owner)) throw held(path, owner);
      await rm(path, { force: true });
    }
  }
}

async function unlock(path: string): Promise<void> {
  await rm(path, { force: true });
  ours.delete(path);
}

const isHeld = (path: string, owner: number): boolean => (owner === process.pid ? ours.has(path) : isAlive(owner));

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const held = (path: string, owner: number): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    `process ${owner} is writing this output: wait for it or stop it. If there is no such run, remove ${path}`,
    { evidence: { path, owner } },
  );

const unwritable = (path: string, cause: unknown): PalimpsestError =>
  new PalimpsestError(
    'FILE_UNREADABLE',
    `${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    { evidence: { path }, cause },
  );
