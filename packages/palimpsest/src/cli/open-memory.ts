/** The memory of a command: which files and store it has, which project it is opened for, and which entry a person means. */
import { basename, dirname, join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { createMemory, type Memory, type MemoryOptions, scanMemory } from '@palimpsest/core/memory';
import type { MemoryEntry } from '@palimpsest/core/store';
import { dataFolder } from '../config/folders.ts';
import { isOfAgent } from '../config/of-an-agent.ts';
import {
  absolute,
  exists,
  isSameFile,
  mostListed,
  type OpenedStore,
  openStoreFor,
  type StoreFlags,
  storePlace,
} from './open-store.ts';
import { badOption, bothGiven, given, projectFolder, quoted } from './option-values.ts';
import { shownEntry } from './render/memory-entries.ts';
import { firstOf, oneLine } from './render/text.ts';
import { isFromProject, readSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

export interface MemoryFlags extends StoreFlags {
  readonly project?: string;
  readonly everywhere?: boolean;
  /** The person says so, where no terminal shows that there is one. */
  readonly yes?: boolean;
  /** The person keeps what the scan finds, but for credentials. */
  readonly force?: boolean;
}

export interface OpenedMemory extends OpenedStore {
  readonly memory: Memory;
  /** Of USER.md, MEMORY.md and `projects/`. */
  readonly folder: string;
  /** Absent for what holds everywhere alone. */
  readonly project?: string;
}

/** Where the files are, and who edits them where that is known. */
export type FilesPlace = Pick<MemoryOptions, 'folder' | 'editor'> & {
  /** True for the folder that the configuration names. */
  readonly isNamed: boolean;
  readonly notes: readonly string[];
};

/**
 * Opens the memory of a command; whoever opened it closes its store. With `mayBeNew` it may be the first thing remembered.
 * Throws as `openStore` does, and `FILE_UNREADABLE` where the files are gone that the store knows of.
 */
export async function openMemoryFor(
  flags: MemoryFlags,
  terminal: Terminal,
  { mayBeNew = false }: { readonly mayBeNew?: boolean } = {},
): Promise<OpenedMemory> {
  const { project: named, everywhere, force } = flags;
  if (named !== undefined && everywhere) throw bothGiven('--project', '--everywhere');
  const { path } = await storePlace(flags, terminal);
  const { notes, isNamed: _, ...place } = await filesPlace(flags, path, terminal);
  const { folder } = place;
  const hasFolder = await exists(folder);
  if (!mayBeNew && !hasFolder && !(await exists(path))) {
    const message = `Nothing is remembered yet: there is neither a store at ${path} nor a folder ${folder}. Begin with: palimpsest memory add TEXT`;
    throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path } });
  }
  const opened = await openStoreFor(flags, terminal, { mayBeNew: mayBeNew || hasFolder });
  const { store } = opened;
  try {
    if (!hasFolder) refuseLostFiles((await store.memory.list()).length, folder);
    const project = everywhere ? undefined : projectFolder(named ?? '.', terminal.cwd);
    const memory = createMemory({ store, ...place, ...given({ project }), ...(force ? { check: credentialIn } : {}) });
    return { ...opened, notes: [...opened.notes, ...notes], memory, folder, ...given({ project }) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * The memory that goes with a store which is open already, for what else a command does; none where there are no files and the
 * configuration names no folder, and with a note where the files are gone.
 */
export async function memoryBeside(
  { store, path }: Pick<OpenedStore, 'store' | 'path'>,
  {
    flags,
    project,
    terminal,
  }: { readonly flags: StoreFlags; readonly project: string | undefined; readonly terminal: Terminal },
): Promise<{ readonly memory?: Memory; readonly notes: readonly string[] }> {
  const { notes, isNamed, ...place } = await filesPlace(flags, path, terminal);
  if (!(await exists(place.folder))) {
    const entries = (await store.memory.list()).length;
    if (entries > 0)
      return { notes: [...notes, `Nothing was kept in the memory: its folder ${place.folder} is missing.`] };
    if (!isNamed) return { notes };
  }
  return { memory: createMemory({ store, ...place, ...given({ project }) }), notes };
}

/** The memory of a store that is open already. Throws `FILE_UNREADABLE` where the files are gone that the store knows of. */
export async function memoryOver(
  { store, path }: Pick<OpenedStore, 'store' | 'path'>,
  { flags, project, terminal }: { readonly flags: StoreFlags; readonly project: string; readonly terminal: Terminal },
): Promise<{ readonly memory: Memory; readonly notes: readonly string[] }> {
  const { notes, isNamed: _, ...place } = await filesPlace(flags, path, terminal);
  if (!(await exists(place.folder))) refuseLostFiles((await store.memory.list()).length, place.folder);
  return { memory: createMemory({ store, ...place, project }), notes };
}

/** Files that are gone as a whole were not emptied by hand: what is remembered must not go with them. */
function refuseLostFiles(entries: number, folder: string): void {
  if (entries === 0) return;
  const message = `The folder of the memory is missing: ${folder}. What it held (${entries === 1 ? '1 entry' : `${entries} entries`}) is still in the store. Bring the folder back, or set memory.folder. To have the files written anew, make the folder, run palimpsest memory history, and undo the act that says that the entries are gone.`;
  throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path: folder } });
}

/**
 * `memory.folder` belongs to the configured store. Every other store has files of its own beside it: entries of one store
 * would come into another as if a person had written them there.
 */
export async function filesPlace({ store }: StoreFlags, path: string, terminal: Terminal): Promise<FilesPlace> {
  const { all, own } = await readSettings(terminal);
  const isRefused = all.settings.some(({ key, source }) => key === 'memory.folder' && isFromProject(source));
  const notes = isRefused ? ["memory.folder in the project's configuration is ignored: set it in your own."] : [];
  const { folder } = own.config.memory;
  // Without a home there is no other store than the one that was named.
  const usual = store === undefined ? path : (await storePlace({}, terminal).catch(() => undefined))?.path;
  const isUsual = usual !== undefined && (usual === path || (await isSameFile(usual, path)));
  if (folder !== null && isUsual) return { folder: absolute(folder, terminal), isNamed: true, notes };
  // The person's own, also where a whole home is a checkout.
  const isOwn = dirname(path) === dataFolder(terminal.env, terminal.platform);
  return { folder: folderBeside(path), isNamed: false, notes, ...(isOwn ? { editor: 'person' } : {}) };
}

/** Where the files of a store are that has no others: beside it. */
export function folderBeside(store: string): string {
  const name = basename(store).replace(/\.db$/, '');
  return join(dirname(store), name === 'palimpsest' ? 'memories' : `${name}-memories`);
}

/** What nobody may keep, whatever they say. */
const credentialIn: NonNullable<MemoryOptions['check']> = (text) =>
  scanMemory(text).some((threat) => threat.class === 'credential')
    ? { reason: 'it has a credential', findings: ['credential'] }
    : undefined;

/** True where a person is there: at a terminal, or by their word. A program that an agent runs has neither, whatever it says. */
export const isPerson = ({ yes }: MemoryFlags, { stderr, env }: Terminal): boolean =>
  !isOfAgent(env) && (yes === true || stderr.isTTY === true);

export function requirePerson(flags: MemoryFlags, terminal: Terminal): void {
  if (isPerson(flags, terminal)) return;
  throw badOption('expected --yes: there is no terminal, and only you may decide this, no program for you');
}

/** Entries with these statuses that are seen from here, after what was done by hand was noted. */
export async function entriesOf(
  { memory }: OpenedMemory,
  status: readonly MemoryEntry['status'][] = ['live'],
): Promise<readonly MemoryEntry[]> {
  await memory.reconcile();
  return memory.entries.list({ status, project: memory.project ?? null });
}

/** The entry with an id, whatever its status. Throws `ID_UNKNOWN`, for one of another project too. */
export async function entryWithId(opened: OpenedMemory, id: string): Promise<MemoryEntry> {
  const entry = await opened.memory.entries.get(id);
  if (entry && (entry.project === undefined || entry.project === opened.project)) return entry;
  const elsewhere = entry ? ': it belongs to another project, so name that with --project' : '';
  const message = `there is no entry ${quoted(id)} here${elsewhere}. palimpsest memory show --all lists the entries`;
  throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 40) } });
}

/** The live entry that a person means by its id or by a part of its text. Throws `ID_UNKNOWN` and `ID_AMBIGUOUS`. */
export async function findEntry(opened: OpenedMemory, wanted: string): Promise<MemoryEntry> {
  const live = await entriesOf(opened);
  if (/^e\d+$/.test(wanted)) {
    const entry = await entryWithId(opened, wanted);
    if (entry.status === 'live') return entry;
    const now = entry.status === 'pending' ? 'it waits for palimpsest memory approve' : `it is ${entry.status}`;
    const message = `${wanted} is not remembered now: ${now}. palimpsest memory history ${wanted} tells what became of it`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: wanted } });
  }
  const part = plain(wanted);
  if (part === '') throw badOption('expected the id of an entry or a part of its text, got an empty text');
  const whole = live.filter(({ text }) => plain(text) === part);
  const found = whole.length > 0 ? whole : live.filter(({ text }) => plain(text).includes(part));
  const [first] = found;
  const evidence = { entry: wanted.slice(0, 40) };
  if (!first) {
    const message = `no entry has the id or the text ${quoted(wanted)}: palimpsest memory show lists what is remembered`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence });
  }
  if (found.length === 1) return first;
  const lines = found.map((entry) => `  ${entry.id}  ${oneLine(shownEntry(entry))}`);
  const listed = firstOf(lines, mostListed, (rest) => `  … and ${rest} more`).join('\n');
  const message = `${quoted(wanted)} stands in ${found.length} entries: give the id of one of them, or more of its text:\n${listed}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence });
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
