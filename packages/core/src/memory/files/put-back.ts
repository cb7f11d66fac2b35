/**
 * The files of a memory behind a program that may have written to them: what it left there that is no text file is moved aside,
 * and a file gets back what it held.
 */
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { asideOf, kindAt, moveAway, namesIn, readSettled, readState, writeNew, writeNote } from './disk.ts';
import { memoryFileNames, parseEntries } from './entries.ts';
import { readWrites, writesText } from './hand-edits.ts';
import { type MemoryPlace, rewrite } from './rewrite.ts';

/** How the folder of a memory is before a program runs. Paths are relative to it. */
export interface FolderState {
  /** Links in the place of folders: they are the person's. */
  readonly links: readonly string[];
  /** Folders in `projects/`. */
  readonly projects: readonly string[];
  /** Files that cannot be read: they stay as they are. */
  readonly unreadable: readonly string[];
  /** What the files of projects hold that no entry tells of. */
  readonly strange: Readonly<Record<string, string>>;
}

/** What is looked at that may be in the place of a folder. */
const foldersOf = (folder: string): readonly string[] => {
  const inner = ['', 'projects'].filter((name) => kindAt(join(folder, name)) !== 'none');
  return [...inner, ...projectFoldersIn(folder).map((name) => `projects/${name}`)];
};

/** Names in `projects/`, where a link may stand for a folder. */
export function projectFoldersIn(folder: string): readonly string[] {
  const projects = join(folder, 'projects');
  return ['folder', 'link'].includes(kindAt(projects)) ? namesIn(projects).filter((name) => !name.startsWith('.')) : [];
}

/** @param known folders in `projects/` whose files the store tells of */
export function folderState(folder: string, known: ReadonlySet<string>): FolderState {
  const projects = projectFoldersIn(folder);
  const unreadable = ['', ...projects.map((name) => `projects/${name}/`)]
    .flatMap((inner) => Object.values(memoryFileNames).map((name) => `${inner}${name}`))
    .filter((path) => textAt(join(folder, path)) === undefined && kindAt(join(folder, path)) !== 'none');
  const strange = projects
    .filter((name) => !known.has(name))
    .map((name) => [name, textAt(fileOf(folder, name))] as const)
    .filter((found): found is readonly [string, string] => found[1] !== undefined);
  return {
    links: foldersOf(folder).filter((path) => kindAt(join(folder, path)) === 'link'),
    projects,
    unreadable,
    strange: Object.fromEntries(strange),
  };
}

const fileOf = (folder: string, project: string): string => join(folder, 'projects', project, memoryFileNames.memory);

function textAt(path: string): string | undefined {
  try {
    return readSettled(path)?.text;
  } catch {
    return undefined;
  }
}

/** Moves aside what is in the place of a folder and was not before. Returns the new paths. */
export function clearFolders(folder: string, { links, projects }: FolderState): readonly string[] {
  return foldersOf(folder).flatMap((path) => {
    const here = join(folder, path);
    const kind = kindAt(here);
    if (kind === 'none' || kind === 'folder' || (kind === 'link' && links.includes(path))) return [];
    // What is no folder may lie beside the folders of projects.
    const isBeside = path.startsWith('projects/') && !projects.includes(path.slice('projects/'.length));
    return isBeside && kind !== 'link' ? [] : [movedAside(here)];
  });
}

/** Moves aside files of projects that no entry tells of, where they are not as they were. Returns the new paths. */
export function clearStrange(folder: string, { strange }: FolderState, known: ReadonlySet<string>): readonly string[] {
  return projectFoldersIn(folder).flatMap((project) => {
    if (known.has(project)) return [];
    const path = fileOf(folder, project);
    const before = strange[project];
    const left = [path, asideOf(path)].filter((one) => kindAt(one) !== 'none' && textAt(one) !== before);
    const moved = left.map(movedAside);
    if (before !== undefined && kindAt(path) === 'none') writeNew(path, before);
    return moved;
  });
}

/**
 * What a file holds once nobody is at it: what lies aside is taken in, and what is kept of the last writes tells of nothing but
 * entries that are remembered, so that it brings nothing else back later. What is no text file is moved aside. What is gone is gone:
 * it was no editor that saved an older file.
 *
 * @param live the texts of the entries that the file is to show
 * @param isPatient waits until nobody is in the middle of saving it
 */
export async function readBehind(
  place: MemoryPlace,
  { live, isPatient }: { readonly live: ReadonlySet<string>; readonly isPatient: boolean },
): Promise<{ readonly texts: readonly string[]; readonly moved: readonly string[] }> {
  const moved = [place.path, asideOf(place.path), place.notePath].flatMap((path) =>
    isReadable(path) ? [] : [movedAside(path)],
  );
  const note = readWrites(textAt(place.notePath) ?? '');
  const recent = note?.recent.filter(({ text }) => live.has(text)) ?? [];
  if (note && recent.length < note.recent.length) writeNote(place.notePath, writesText({ ...note, recent }));
  if (isPatient || kindAt(asideOf(place.path)) !== 'none') await rewrite(place, () => undefined);
  return { texts: parseEntries(textAt(place.path) ?? ''), moved };
}

function isReadable(path: string): boolean {
  try {
    readState(path);
    return true;
  } catch {
    return false;
  }
}

/** Changes what a file holds, whatever is there by now. */
export const putBack = (place: MemoryPlace, wanted: (found: readonly string[]) => readonly string[]): Promise<void> =>
  rewrite(place, ({ entries }) => ({ entries: wanted(entries), added: [] }));

function movedAside(path: string): string {
  const to = `${path}.moved-${randomBytes(4).toString('hex')}`;
  moveAway(path, to);
  return basename(to);
}
