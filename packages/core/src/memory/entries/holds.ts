/**
 * Who may be writing to the files who is no person: programs that run just now. It is noted in the store, so that every process
 * knows of it, also when the one that began the program was killed meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { redact } from '../../redaction/redact.ts';
import { defined } from '../../shared/defined.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';
import { pause } from '../../shared/timers.ts';
import type { MemoryActId, MemoryEntry } from '../../store/memory-store.ts';
import type { MetaStore } from '../../store/store.ts';
import type { LockOptions } from '../files/lock.ts';
import { hasProcessWith, isBeforeRestart, type ProcessName, stateOf, thisProcess } from '../files/processes.ts';
import { type FolderState, folderState } from '../files/put-back.ts';
import type { Acting } from './acting.ts';
import { projectFolder } from './places.ts';

/** What runs that may write to the files. */
export interface HoldOptions {
  /** What a person calls it, such as the line of a command. */
  readonly by: string;
  /**
   * `NAME=value`, which stands in the environment of the program and so of all that it starts: while a process has it, nothing is
   * released. Linux alone tells. @default nothing: it is over when it is released
   */
  readonly variable?: string;
}

export interface Hold extends HoldOptions {
  readonly id: string;
  /** Who releases it. */
  readonly owner: ProcessName;
  readonly at: number;
  /** True once it was released while something still ran. */
  readonly isReleased: boolean;
  /** What was found until now. */
  readonly acts: readonly MemoryActId[];
  readonly moved: readonly string[];
  /** The folder as it was. */
  readonly before: FolderState;
}

const keyOf = (folder: string): string => `memory.held ${resolve(folder)}`;

export async function readHolds({ store, folder }: Pick<Acting, 'store' | 'folder'>): Promise<readonly Hold[]> {
  const value = parseJson((await store.meta.get(keyOf(folder))) ?? '');
  // `writeHolds` wrote them.
  return Array.isArray(value) ? (value.filter(isJsonObject) as unknown as readonly Hold[]) : [];
}

export const writeHolds = ({ store, folder }: Acting, holds: readonly Hold[]): Promise<void> =>
  writeIn(store.meta, keyOf(folder), holds);

const writeIn = (meta: MetaStore, key: string, holds: readonly Hold[]): Promise<void> =>
  meta.set(key, holds.length === 0 ? undefined : JSON.stringify(holds));

/** More of a line is not told. */
const mostNamed = 120;

/** Within the lock. */
export async function addHold(acting: Acting, { by, variable }: HoldOptions): Promise<Hold> {
  const name = redact(by).replaceAll(/\s+/g, ' ').trim();
  const entries = await acting.store.memory.list({ status: ['live', 'pending', 'retired', 'rejected'] });
  const hold: Hold = {
    by: name.length > mostNamed ? `${name.slice(0, mostNamed - 1).toWellFormed()}…` : name,
    ...(variable === undefined ? {} : { variable }),
    id: randomUUID(),
    owner: thisProcess(),
    at: acting.clock(),
    isReleased: false,
    acts: [],
    moved: [],
    before: folderState(acting.folder, new Set(projectsOf(entries, acting.project).keys())),
  };
  await writeHolds(acting, [...(await readHolds(acting)), hold]);
  return hold;
}

/** The folder of each project that something is known of, and its path. */
export function projectsOf(entries: readonly MemoryEntry[], own?: string): ReadonlyMap<string, string> {
  const paths = new Set([...entries.map(({ project }) => project), own]);
  return new Map([...paths].flatMap((path) => (path === undefined ? [] : [[projectFolder(path), path] as const])));
}

/** Where nobody can tell whether a program still runs, it has ended after so long. */
const longestMs = 24 * 3_600_000;

/** True when nothing writes any more of what the hold is for. */
export function isOver({ owner, isReleased, variable, at }: Hold, now: number): boolean {
  if (!isReleased && !isGone(owner, now - at)) return false;
  return variable === undefined || !hasProcessWith(variable);
}

function isGone(owner: ProcessName, age: number): boolean {
  const own = thisProcess();
  if (owner.pid === own.pid && owner.host === own.host && owner.started === own.started) return false;
  const state = stateOf(owner);
  if (state === 'unknown') return isBeforeRestart(owner) || age > longestMs;
  return state === 'gone';
}

/** How long it takes at most until processes are gone that were killed: then they go on. */
const pauses = { count: 25, ms: 20 };

/** Whoever is being ended just now is waited for. */
export async function waitForEnd({ variable }: Hold, { timers }: LockOptions): Promise<void> {
  for (let round = 0; variable !== undefined && round < pauses.count && hasProcessWith(variable); round++)
    await pause(pauses.ms, defined({ timers }));
}
