/**
 * A lock between processes: a file of its own that only one of them can make. Node has no lock that the system releases
 * when a process dies, so the file says who holds it, and one whose holder is gone is taken away.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { PalimpsestError } from '../../shared/errors.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';
import { pause, platformTimers, type Timers } from '../../shared/timers.ts';
import { type ProcessName, processName, stateOf, thisProcess } from './processes.ts';

/** How long to wait for a lock, and what is waited by. */
export interface LockOptions {
  /** Longest wait in milliseconds. @default 20000 */
  readonly waitMs?: number;
  /**
   * Age in milliseconds from which a lock counts as left behind where nobody can tell whether its holder lives: on another
   * machine, or cut short. Whoever holds a lock is done in a fraction of it. @default 10000
   */
  readonly staleMs?: number;
  /** From 0 to 1: spreads the tries of those that wait. @default Math.random */
  readonly random?: () => number;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** @default those of the platform */
  readonly timers?: Timers;
}

export const defaultLockOptions: Required<LockOptions> = {
  waitMs: 20_000,
  staleMs: 10_000,
  random: Math.random,
  now: Date.now,
  timers: platformTimers,
};

/** A lock that this process holds until it is disposed of. */
export interface FileLock extends Disposable {
  /** False when somebody took it away, because this process stood still for too long. */
  isHeld(): boolean;
}

/** Who holds a lock. */
interface Holder extends ProcessName {
  readonly id: string;
}

const shortestPauseMs = 2;
const longestPauseMs = 50;

/**
 * Waits for the lock at `path` and takes it. @throws MEMORY_BUSY after the longest wait @throws FILE_UNREADABLE where no
 * such file can be made, or where its name leads elsewhere
 */
export async function takeLock(path: string, options: LockOptions = {}): Promise<FileLock> {
  const settings = { ...defaultLockOptions, ...options };
  const end = settings.now() + settings.waitMs;
  for (let tries = 0; ; tries++) {
    const lock = tryLock(path);
    if (lock) return lock;
    if (takeAway(path, settings)) continue;
    const left = end - settings.now();
    if (left <= 0) throw busy(path, settings);
    const most = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.min(tries, 10));
    const ms = shortestPauseMs + settings.random() * most;
    await pause(Math.min(ms, left), { timers: settings.timers });
  }
}

/** The lock; undefined while there is one already. */
function tryLock(path: string): FileLock | undefined {
  const own: Holder = { id: randomUUID(), ...thisProcess() };
  let file: number;
  try {
    // Exclusive creation follows no link, not even one that leads nowhere.
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw unusable(path, `cannot be made (${codeOf(error)})`, error);
  }
  try {
    writeSync(file, JSON.stringify(own));
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw unusable(path, `cannot be written (${codeOf(error)})`, error);
  } finally {
    closeSync(file);
  }
  const isHeld = (): boolean => holderAt(path)?.id === own.id;
  return {
    isHeld,
    [Symbol.dispose]: () => {
      if (isHeld()) rmSync(path, { force: true });
    },
  };
}

/**
 * Takes a lock away whose holder is gone; true when it is worth trying again at once. Only who holds a second lock does so,
 * or two processes that see the same old lock could take away the new one of a third.
 */
function takeAway(path: string, settings: Required<LockOptions>): boolean {
  if (!isLeftBehind(path, settings)) return false;
  const breaker = `${path}.break`;
  using right = tryLock(breaker);
  if (!right) {
    if (isLeftBehind(breaker, settings)) rmSync(breaker, { force: true });
    return false;
  }
  if (isLeftBehind(path, settings)) rmSync(path, { force: true });
  return true;
}

function isLeftBehind(path: string, { now, staleMs }: Required<LockOptions>): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return false;
  if (!found.isFile()) throw unusable(path, 'is no plain file');
  const holder = holderAt(path);
  const state = holder ? stateOf(holder) : 'unknown';
  return state === 'gone' || (state === 'unknown' && now() - found.mtimeMs > staleMs);
}

/** Undefined for no lock, and for one that is not written to its end. */
function holderAt(path: string): Holder | undefined {
  let text: string;
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      text = readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch {
    // It was released meanwhile, or nobody may read it: then its age decides.
    return undefined;
  }
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { id } = value;
  const name = processName(value);
  return typeof id === 'string' && name ? { id, ...name } : undefined;
}

function busy(path: string, { waitMs }: Required<LockOptions>): PalimpsestError {
  const holder = holderAt(path);
  const who = holder ? `process ${holder.pid} on ${holder.host.split(' ')[0]}` : 'another process';
  const message = `The memory was locked by ${who} for longer than ${waitMs} ms (${path}). Nothing was written: try again, or end that process.`;
  return new PalimpsestError('MEMORY_BUSY', message, { evidence: { path, pid: holder?.pid, waitMs } });
}

const unusable = (path: string, what: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError(
    'FILE_UNREADABLE',
    `The lock ${path} ${what}. Nothing was written: expected a folder that can be written to, and no other file of that name.`,
    { evidence: { path }, cause },
  );

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown reason';
