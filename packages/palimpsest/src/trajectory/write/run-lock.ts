/** Keeps two runs from writing one output: a file that names the process that does, and its machine. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { PalimpsestError } from '@palimpsest/core';

/** The locks of this process: its number in another one was left by an earlier process, as in a container that starts again. */
const ours = new Set<string>();

/** Who holds a lock; an older one names no machine. */
interface Owner {
  readonly pid: number;
  readonly host: string;
}

/** Takes the lock; one that a process left which is gone is taken over. Throws `BAD_OPTION` where another run has it. */
export async function lockRun(path: string): Promise<AsyncDisposable> {
  for (let tries = 0; ; tries++) {
    try {
      await writeFile(path, `${process.pid} ${hostname()}\n`, { flag: 'wx' });
      ours.add(path);
      return { [Symbol.asyncDispose]: () => unlock(path) };
    } catch (error) {
      const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!isThere) throw unwritable(path, error);
      const owner = ownerIn(await readFile(path, 'utf8').catch(() => ''));
      if (tries > 2 || isHeld(path, owner)) throw held(path, owner);
      await rm(path, { force: true });
    }
  }
}

async function unlock(path: string): Promise<void> {
  await rm(path, { force: true });
  ours.delete(path);
}

function ownerIn(text: string): Owner {
  const [, pid = '', host = ''] = /^(\d*) ?(.*)/.exec(text) ?? [];
  return { pid: Number.parseInt(pid, 10), host: host.trim() };
}

/** Every container has a process with the number of ours: one of another machine may be at work. */
function isHeld(path: string, { pid, host }: Owner): boolean {
  if (pid !== process.pid) return isAlive(pid);
  return ours.has(path) || (host !== '' && host !== hostname());
}

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

const held = (path: string, { pid, host }: Owner): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    `process ${pid}${host === '' ? '' : ` on ${host}`} is writing this output: wait for it or stop it. If there is no such run, remove ${path}`,
    { evidence: { path, owner: pid } },
  );

const unwritable = (path: string, cause: unknown): PalimpsestError =>
  new PalimpsestError(
    'FILE_UNREADABLE',
    `${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`,
    { evidence: { path }, cause },
  );
