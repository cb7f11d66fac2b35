/**
 * One change of a memory file, whoever else is at it: other processes wait for the lock, and what a person saves meanwhile
 * is taken into account.
 */
import { dirname, join } from 'node:path';
import { PalimpsestError } from '../../shared/errors.ts';
import { pause } from '../../shared/timers.ts';
import * as disk from './disk.ts';
import { entryHash, parseEntries, renderEntries } from './entries.ts';
import { afterWrite, noWrites, type RecentWrites, readWrites, withLostWrites, writesText } from './hand-edits.ts';
import { type LockOptions, takeLock } from './lock.ts';

/** A memory file, and what is kept beside it of the last writes. */
export interface MemoryPlace {
  readonly path: string;
  readonly notePath: string;
  readonly lock: Required<LockOptions>;
}

/** What a file holds. */
export interface Current {
  readonly state: disk.FileState | undefined;
  readonly entries: readonly string[];
  /** Entries of ours that an editor had overwritten. */
  readonly returned: readonly string[];
  readonly writes: RecentWrites;
}

/** What a file is to hold. */
export interface Wanted {
  readonly entries: readonly string[];
  /** Texts that were not there before. */
  readonly added: readonly { readonly text: string; readonly replaced?: string }[];
}

/** Reads a file without the lock. */
export function readCurrent(place: MemoryPlace): Current {
  const writes = writesOf(place);
  return currentOf(place, disk.readSettled(place.path), writes);
}

/** What is kept of the last writes only helps: without it, what a file holds is taken as it is. */
function writesOf({ notePath }: MemoryPlace): RecentWrites {
  try {
    return readWrites(disk.readState(notePath)?.text ?? '') ?? noWrites;
  } catch {
    return noWrites;
  }
}

function currentOf({ lock }: MemoryPlace, state: disk.FileState | undefined, writes: RecentWrites): Current {
  const text = state?.text ?? '';
  const found = parseEntries(text);
  if (entryHash(text) === writes.to) return { state, entries: found, returned: [], writes };
  return { state, writes, ...withLostWrites(found, state?.savedAt ?? lock.now(), writes) };
}

const mostRounds = 50;
const mostPatientRounds = 3;
/** An editor that saves in place empties the file first; what is there has to be the same for so long. */
const stillMs = 25;
const mostStillRounds = 20;

/**
 * Changes a file under its lock. `decide` may be asked several times, when somebody saves the file meanwhile; undefined
 * leaves it as it is. `keep` is called right before a write. @throws MEMORY_BUSY @throws FILE_UNREADABLE
 */
export async function rewrite(
  place: MemoryPlace,
  decide: (now: Current) => Wanted | undefined,
  keep: () => void = () => undefined,
): Promise<void> {
  const folder = dirname(place.path);
  disk.makeFolder(folder);
  using lock = await takeLock(join(folder, '.lock'), place.lock);
  disk.dropTemporaries(folder);
  const write: Write = { place, keep, isHeld: () => lock.isHeld() };
  await takeLeftAside(write);
  await writeOnce(write, decide);
}

interface Write {
  readonly place: MemoryPlace;
  readonly keep: () => void;
  readonly isHeld: () => boolean;
}

async function writeOnce(write: Write, decide: (now: Current) => Wanted | undefined): Promise<void> {
  const { place } = write;
  for (let round = 0; round < mostRounds; round++) {
    const writes = writesOf(place);
    const read = (): disk.FileState | undefined => disk.readState(place.path);
    // Whoever saves faster than we wait would be waited for without end.
    const state = round < mostPatientRounds ? await still(place, read, writes.to) : read();
    const now = currentOf(place, state, writes);
    const wanted = decide(now);
    if (!wanted || (now.returned.length === 0 && isEqual(wanted.entries, parseEntries(state?.text ?? '')))) return;
    if (!replaced(write, now, wanted)) continue;
    await takeCaptured(write, now, wanted);
    return;
  }
  throw busy(place.path);
}

/** The note is there before the file, so that a crash between the two loses neither; a failure takes it back. */
function replaced({ place, keep, isHeld }: Write, now: Current, { entries, added }: Wanted): boolean {
  const text = renderEntries(entries);
  const { state, writes, returned } = now;
  const note = afterWrite(writes, {
    from: state?.text ?? '',
    to: text,
    entries,
    added,
    returned,
    now: place.lock.now(),
  });
  keep();
  disk.writeNote(place.notePath, writesText(note));
  let isDone = false;
  try {
    if (!isHeld()) throw busy(place.path);
    isDone = disk.replaceFile(place.path, text, state);
  } finally {
    if (!isDone) disk.writeNote(place.notePath, writesText(writes));
  }
  return isDone;
}

/** Where an editor saved between the last look and the write, the file that was moved aside is theirs. */
async function takeCaptured(write: Write, { state }: Current, wanted: Wanted): Promise<void> {
  const { path } = write.place;
  const captured = await still(write.place, () => disk.readAside(path), entryHash(state?.text ?? ''));
  const known = [...parseEntries(state?.text ?? ''), ...wanted.entries];
  if (captured && !disk.isSame(captured, state)) await addStrangers(write, captured, known);
  disk.dropAside(path);
}

/** After a crash between the two moves the file has no name, and after one behind them the old file is still there. */
async function takeLeftAside(write: Write): Promise<void> {
  const { path } = write.place;
  disk.bringBack(path);
  const aside = disk.readAside(path);
  if (!aside) return;
  const writes = writesOf(write.place);
  const known = parseEntries(disk.readState(path)?.text ?? '');
  if (entryHash(aside.text) !== writes.from) await addStrangers(write, aside, known);
  disk.dropAside(path);
}

/** What somebody wrote into a file that was replaced in the same moment. */
async function addStrangers(write: Write, aside: disk.FileState, known: readonly string[]): Promise<void> {
  const strangers = parseEntries(aside.text).filter((entry) => !known.includes(entry));
  if (strangers.length === 0) return;
  await writeOnce(write, ({ entries }) => ({
    entries: [...entries, ...strangers.filter((entry) => !entries.includes(entry))],
    added: [],
  }));
}

/**
 * Reads until nobody is writing any more, or until it is plain that somebody saves whole files again and again. A file that is
 * as we left it is read once.
 */
async function still(
  { lock }: MemoryPlace,
  read: () => disk.FileState | undefined,
  expected: string,
): Promise<disk.FileState | undefined> {
  let state = read();
  if (entryHash(state?.text ?? '') === expected) return state;
  for (let round = 0; round < mostStillRounds; round++) {
    await pause(stillMs, { timers: lock.timers });
    const next = read();
    if (disk.isSame(state, next)) return next;
    state = next;
  }
  return state;
}

const isEqual = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((entry, i) => entry === b[i]);

function busy(path: string): PalimpsestError {
  const message = `The memory ${path} was changed again and again while it was to be written. Nothing was written: try again.`;
  return new PalimpsestError('MEMORY_BUSY', message, { evidence: { path } });
}
