/**
 * What stands in the files while, and right behind, a program that may write there:
 *
 *     hold noted    program runs    nobody writes any more?    changes to pending    files put back    hold goes
 *
 * After a crash at any of these the hold is still noted, and whoever looks next does the rest.
 */
import { dirname, join } from 'node:path';
import type { MemoryAct, MemoryEntry } from '../../store/memory-store.ts';
import { appendLines, kindAt } from '../files/disk.ts';
import { memoryFileNames } from '../files/entries.ts';
import { archiveName, memoryPlace } from '../files/memory-files.ts';
import {
  clearFolders,
  clearStrange,
  type FolderState,
  projectFoldersIn,
  putBack,
  readBehind,
} from '../files/put-back.ts';
import type { MemoryPlace } from '../files/rewrite.ts';
import type { Acting } from './acting.ts';
import { type HeldFile, heldWork } from './held-changes.ts';
import { type Hold, isOver, projectsOf, readHolds, writeHolds } from './holds.ts';
import { isAt, type Place, placeKey, projectFolder } from './places.ts';
import type { Shown } from './reconcile.ts';

/** What was held back. */
export interface HeldChanges {
  /** False where nothing is held back, and nothing was. */
  readonly isHeld: boolean;
  /** What waits now, as acts that say how it came. */
  readonly acts: readonly MemoryAct[];
  /** Names of what was found in the place of files and folders of the memory, and moved aside. */
  readonly moved: readonly string[];
  /** True where something that was started still runs: what is changed until it ends is held back, too. */
  readonly stillRuns: boolean;
}

/** Before the lock, which lies in the folder: what was put in the place of folders is moved aside. Returns the new names. */
export async function clearHeldFolders(acting: Acting): Promise<readonly string[]> {
  const holds = await readHolds(acting);
  return holds.length === 0 ? [] : clearFolders(acting.folder, stateOf(holds));
}

export interface Settling {
  /** The hold whose program has ended. */
  readonly released?: string;
  /** What `clearHeldFolders` moved. */
  readonly moved: readonly string[];
}

/** Within the lock: holds back what was changed, and ends the holds that are over. */
export async function settleHolds(acting: Acting, { released, moved: cleared }: Settling): Promise<HeldChanges> {
  const now = acting.clock();
  const holds = (await readHolds(acting)).map((hold) => (hold.id === released ? { ...hold, isReleased: true } : hold));
  if (holds.length === 0) return { isHeld: false, acts: [], moved: cleared, stillRuns: false };
  // Asked before the files are read: whoever is gone by then has written all that it ever writes.
  const over = new Set(holds.filter((hold) => isOver(hold, now)).map(({ id }) => id));
  const { isSettled, ...rest } = await holdBack(acting, holds);
  const found = { ...rest, moved: [...cleared, ...rest.moved] };
  const left = holds.filter(({ id }) => !isSettled || !over.has(id)).map((hold) => withFound(hold, found));
  await writeHolds(acting, left);
  const mine = holds.find(({ id }) => id === released);
  const earlier = mine && mine.acts.length > 0 ? await actsWith(acting, mine.acts) : [];
  return {
    isHeld: true,
    acts: [...earlier, ...found.acts],
    moved: [...(mine?.moved ?? []), ...found.moved],
    stillRuns: left.some(({ id }) => id === released),
  };
}

interface Found {
  readonly acts: readonly MemoryAct[];
  readonly moved: readonly string[];
}

const withFound = (hold: Hold, { acts, moved }: Found): Hold => ({
  ...hold,
  acts: [...hold.acts, ...acts.map(({ id }) => id)],
  moved: [...hold.moved, ...moved],
});

async function actsWith({ store }: Acting, ids: readonly string[]): Promise<readonly MemoryAct[]> {
  const wanted = new Set(ids);
  return (await store.memory.history()).filter(({ id }) => wanted.has(id)).toReversed();
}

/** The folder as it was before the first of them; what a person made between two of them is theirs. */
const stateOf = (holds: readonly Hold[]): FolderState => ({
  links: holds.flatMap(({ before }) => before.links),
  projects: holds.flatMap(({ before }) => before.projects),
  unreadable: holds.flatMap(({ before }) => before.unreadable),
  strange: Object.assign({}, ...holds.toReversed().map(({ before }) => before.strange)),
});

/** Files that change as fast as they are put back are looked at again with the next act. */
const mostRounds = 4;

async function holdBack(acting: Acting, holds: readonly Hold[]): Promise<Found & { readonly isSettled: boolean }> {
  const { folder, project: own } = acting;
  const before = stateOf(holds);
  const entries = await entriesNow(acting);
  const projects = projectsOf(entries, own);
  const moved = [...clearStrange(folder, before, new Set(projects.keys()))];
  const there = new Set([...projectFoldersIn(folder), ...before.projects]);
  const of = [...projects].flatMap(([name, project]) => (there.has(name) || project === own ? [project] : []));
  const groups: readonly (readonly Place[])[] = [
    [{ target: 'user' }, { target: 'memory' }],
    ...of.map((project): readonly Place[] => [{ target: 'memory', project }]),
  ];
  const acts: MemoryAct[] = [];
  let isSettled = true;
  for (const group of groups) {
    const places = group.filter((place) => !before.unreadable.includes(pathOf(place)));
    let round = 0;
    for (; round < mostRounds; round++) {
      const found = await holdBackIn(acting, places, {
        holds,
        entries: round === 0 ? entries : await entriesNow(acting),
      });
      acts.push(...found.acts);
      moved.push(...found.moved);
      if (!found.isChanged) break;
    }
    isSettled &&= round < mostRounds;
  }
  return { acts, moved, isSettled };
}

/** Below the folder of the memory. */
const pathOf = ({ target, project }: Place): string =>
  `${project === undefined ? '' : `projects/${projectFolder(project)}/`}${memoryFileNames[target]}`;

async function holdBackIn(
  acting: Acting,
  places: readonly Place[],
  { holds, entries }: { readonly holds: readonly Hold[]; readonly entries: readonly MemoryEntry[] },
): Promise<Found & { readonly isChanged: boolean }> {
  const { store, editor, clock, folder } = acting;
  const about = { entries, showsWaiting: editor !== 'person', by: holds.map((hold) => hold.by), now: clock() };
  const first = await filesAt(acting, places, { entries, isPatient: false });
  if (!heldWork({ ...about, files: first.files })) return { acts: [], moved: first.moved, isChanged: false };
  const { files, moved: more } = await filesAt(acting, places, { entries, isPatient: true });
  const moved = [...first.moved, ...more];
  const work = heldWork({ ...about, files });
  if (!work) return { acts: [], moved, isChanged: false };
  // The entries first: what waits is in the store before it leaves the file.
  const acts = work.draft ? [await store.memory.act(work.draft)] : [];
  for (const file of work.files) {
    archive(join(folder, archiveName), file, clock());
    await putBack(fileOf(acting, file.place), file.wanted);
  }
  return { acts, moved, isChanged: true };
}

interface Reading {
  readonly entries: readonly MemoryEntry[];
  readonly isPatient: boolean;
}

async function filesAt(acting: Acting, places: readonly Place[], { entries, isPatient }: Reading) {
  const moved: string[] = [];
  const files: Shown[] = [];
  for (const place of places) {
    const file = fileOf(acting, place);
    const live = liveAt(entries, place);
    // A project that nothing is remembered of gets no folder.
    if (live.size === 0 && kindAt(dirname(file.path)) === 'none') continue;
    const read = await readBehind(file, { live, isPatient });
    moved.push(...read.moved);
    files.push({ place, texts: read.texts });
  }
  return { files, moved };
}

const entriesNow = ({ store }: Acting): Promise<readonly MemoryEntry[]> =>
  store.memory.list({ status: ['live', 'pending', 'retired', 'rejected'] });

const liveAt = (entries: readonly MemoryEntry[], place: Place): ReadonlySet<string> =>
  new Set(entries.filter((entry) => entry.status === 'live' && isAt(entry, place)).map(({ text }) => text));

const fileOf = ({ folder, lock }: Acting, { target, project }: Place): MemoryPlace =>
  memoryPlace(project === undefined ? folder : join(folder, 'projects', projectFolder(project)), target, lock);

function archive(path: string, { place, archived }: HeldFile, now: number): void {
  const archivedAt = new Date(now).toISOString();
  appendLines(
    path,
    archived.map((text) => JSON.stringify({ target: place.target, text, archivedAt, from: placeKey(place) })),
  );
}
