/** MEMORY.md and USER.md: what is remembered, in two files that a person may edit at any moment. */
import { join } from 'node:path';
import { PalimpsestError } from '../../shared/errors.ts';
import { aFunction, anEnum, aText, checkKnownOptions } from '../../shared/options/known-options.ts';
import { appendLines } from './disk.ts';
import {
  defaultMemoryLimits,
  entryHash,
  type MemoryLimits,
  type MemoryTarget,
  memoryFileNames,
  memoryTargets,
} from './entries.ts';
import { defaultLockOptions, type LockOptions } from './lock.ts';
import { type Changed, changeEntries, type MemoryOperation, type MemoryRefusal, type Refusal } from './operations.ts';
import { type MemoryPlace, readCurrent, rewrite } from './rewrite.ts';
import { type MemorySnapshot, type MemoryUsage, renderSnapshot, usageOf } from './snapshot.ts';

/** Where the files are, and what may be written to them. */
export interface MemoryFilesOptions {
  /** The folder of both files; made, for its owner alone, with the first write. */
  readonly folder: string;
  /** Says why a text may not be remembered, or be shown to a model; undefined for one that may. */
  readonly check: (text: string) => Refusal | undefined;
  /** Most characters (code points) of each file. @default { memory: 2200, user: 1375 } */
  readonly limits?: Partial<MemoryLimits>;
  /** What becomes of an entry that does not fit: refused, or the oldest ones move to ARCHIVE.jsonl. @default refuse */
  readonly onFull?: 'refuse' | 'archive';
  /** How processes wait for each other. */
  readonly lock?: LockOptions;
}

/** An entry of a file. */
export interface HeldEntry {
  readonly text: string;
  /** Names exactly this text, for operations that are decided on later. */
  readonly hash: string;
}

/** What a file holds. */
export interface MemoryFile extends MemoryUsage {
  readonly target: MemoryTarget;
  readonly path: string;
  readonly entries: readonly HeldEntry[];
}

/** What became of operations. Refused ones leave the file as it is, and show what it holds. */
export type MemoryOutcome =
  | {
      readonly type: 'done';
      readonly file: MemoryFile;
      /** False when everything was there already. */
      readonly isChanged: boolean;
      /** Entries that were replaced or removed. */
      readonly removed: readonly string[];
      /** Entries that moved to the archive. */
      readonly archived: readonly string[];
      /** Entries that an editor had overwritten, and that are back. */
      readonly returned: readonly string[];
      /** What a model is told of it, where that is more than whether something changed. */
      readonly note?: string;
      /** Ids of entries that are not saved but wait for the person. */
      readonly waiting?: readonly string[];
    }
  | { readonly type: 'refused'; readonly refusal: MemoryRefusal; readonly file: MemoryFile };

/** The two files. Every member reads them anew. */
export interface MemoryFiles {
  readonly folder: string;
  /** The check that the files were opened with. */
  readonly check: (text: string) => Refusal | undefined;
  /** @throws FILE_UNREADABLE for a file that cannot be read; one that is not there is empty */
  read(target: MemoryTarget): Promise<MemoryFile>;
  /** What a prompt shows. @throws FILE_UNREADABLE */
  snapshot(): Promise<MemorySnapshot>;
  /**
   * Does all operations or none, on what the file holds now: edits of a person and writes of other processes stay.
   *
   * @throws MEMORY_BUSY when another process holds the lock or changes the file for too long
   * @throws FILE_UNREADABLE when the file cannot be read or written; it is as it was
   */
  apply(target: MemoryTarget, operations: readonly MemoryOperation[]): Promise<MemoryOutcome>;
}

/**
 * Opens the files of a folder. Nothing is made or read yet. @throws BAD_OPTION
 *
 * @example
 * import { openMemoryFiles } from '@palimpsest/core/memory';
 * const files = openMemoryFiles({ folder: 'memories', check: () => undefined });
 * await files.apply('user', [{ action: 'add', content: 'Answers in British English.' }]);
 * const { text } = await files.snapshot();
 */
export function openMemoryFiles(options: MemoryFilesOptions): MemoryFiles {
  checkKnownOptions('openMemoryFiles', options, {
    folder: { ...aText, isNeeded: true },
    check: { ...aFunction, isNeeded: true, holds: (value) => typeof value === 'function' },
    limits: true,
    onFull: anEnum(['refuse', 'archive']),
    lock: true,
  });
  const place: Place = {
    folder: options.folder,
    limits: limitsOf(options.limits),
    check: options.check,
    onFull: options.onFull ?? 'refuse',
    lock: { ...defaultLockOptions, ...options.lock },
  };
  return {
    folder: place.folder,
    check: place.check,
    read: async (target) => fileOf(place, knownTarget(target), entriesOf(place, target)),
    snapshot: async () => {
      const sections = memoryTargets.map((target) => {
        const entries = entriesOf(place, target);
        return { target, entries, limit: place.limits[target] };
      });
      return renderSnapshot(sections, place.check);
    },
    apply: async (target, operations) => apply(place, knownTarget(target), operations),
  };
}

interface Place extends Required<Omit<MemoryFilesOptions, 'limits' | 'lock'>> {
  readonly limits: MemoryLimits;
  readonly lock: Required<LockOptions>;
}

function limitsOf(given: Partial<MemoryLimits> = {}): MemoryLimits {
  const limits = { ...defaultMemoryLimits, ...given };
  for (const [name, limit] of Object.entries(limits)) {
    if (Number.isSafeInteger(limit) && limit > 0) continue;
    const message = `expected as limits.${name} a whole number of characters of at least 1, got ${String(limit)}`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'limits' } });
  }
  return limits;
}

function knownTarget(target: MemoryTarget): MemoryTarget {
  if (memoryTargets.includes(target)) return target;
  const message = `expected as target one of ${memoryTargets.join(', ')}, got ${String(target).slice(0, 40)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'target' } });
}

const placeOf = ({ folder, lock }: Place, target: MemoryTarget): MemoryPlace => memoryPlace(folder, target, lock);

/** A file of a folder, for whoever changes it without operations. */
export const memoryPlace = (folder: string, target: MemoryTarget, lock: LockOptions): MemoryPlace => ({
  path: join(folder, memoryFileNames[target]),
  notePath: join(folder, `.${memoryFileNames[target]}.recent`),
  lock: { ...defaultLockOptions, ...lock },
});

const entriesOf = (place: Place, target: MemoryTarget): readonly string[] =>
  readCurrent(placeOf(place, target)).entries;

function fileOf(place: Place, target: MemoryTarget, entries: readonly string[]): MemoryFile {
  const held = entries.map((text) => ({ text, hash: entryHash(text) }));
  const { path } = placeOf(place, target);
  return { target, path, entries: held, ...usageOf(entries, place.limits[target]) };
}

async function apply(
  place: Place,
  target: MemoryTarget,
  operations: readonly MemoryOperation[],
): Promise<MemoryOutcome> {
  const rules = { limit: place.limits[target], onFull: place.onFull, check: place.check };
  let last: { readonly changed: Changed; readonly now: readonly string[]; readonly returned: readonly string[] };
  last = { changed: { type: 'refused', refusal: { type: 'no-operation' } }, now: [], returned: [] };
  const kept = new Set<string>();
  await rewrite(
    placeOf(place, target),
    ({ entries, returned }) => {
      const changed = changeEntries(entries, operations, rules);
      last = { changed, now: entries, returned };
      return changed.type === 'changed' ? changed : undefined;
    },
    () => {
      // A second try archives no entry twice.
      const archived = last.changed.type === 'changed' ? last.changed.archived.filter((text) => !kept.has(text)) : [];
      const archivedAt = new Date(place.lock.now()).toISOString();
      const lines = archived.map((text) => JSON.stringify({ target, text, archivedAt }));
      appendLines(join(place.folder, archiveName), lines);
      for (const text of archived) kept.add(text);
    },
  );
  const { changed, now, returned } = last;
  if (changed.type === 'refused') return { ...changed, file: fileOf(place, target, now) };
  const { entries, added, removed, archived } = changed;
  const isChanged = added.length + removed.length > 0;
  return { type: 'done', file: fileOf(place, target, entries), isChanged, removed, archived, returned };
}

/** A line of JSON an entry: `target`, `text`, and `archivedAt` in UTC. */
export const archiveName = 'ARCHIVE.jsonl';
