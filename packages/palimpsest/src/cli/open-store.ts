/** Which store a command works on, and which session in it a person means; opening it, its files on disk, and the rows of lists. */
import { lstat, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PalimpsestError, redact } from '@palimpsest/core';
import { conversationTitle } from '@palimpsest/core/search';
import {
  type Conversation,
  databaseEndings,
  giveName,
  openStore,
  type Session,
  type SessionId,
  type Store,
  titleNumber,
} from '@palimpsest/core/store';
import { dataFolder } from '../config/folders.ts';
import { badOption, given, pathOf } from './option-values.ts';
import { firstOf, oneLine, timeStamp, timeText } from './render/text.ts';
import { isFromProject, readSettings } from './settings.ts';
import type { Surroundings } from './terminal.ts';

export interface StoreFlags {
  readonly store?: string | undefined;
}

/** Where a store is, and what a person should know of that. */
export interface StorePlace {
  readonly path: string;
  readonly notes: readonly string[];
}

/**
 * The store that was named on the command line, else in the person's own configuration, else the one in the data folder.
 * A project's configuration cannot name one: whoever wrote it could bring foreign memories along.
 */
export async function storePlace({ store }: StoreFlags, terminal: Surroundings): Promise<StorePlace> {
  if (store !== undefined) return { path: absolute(store, terminal), notes: [] };
  const { all, own } = await readSettings(terminal);
  const isNamed = all.settings.some(({ key, source }) => key === 'store.path' && isFromProject(source));
  const ignored = "store.path in the project's configuration is ignored: set it in your own.";
  const notes = isNamed ? [...all.notes, ignored] : all.notes;
  const configured = own.config.store.path;
  if (configured !== null) return { path: absolute(configured, terminal), notes };
  const folder = dataFolder(terminal.env, terminal.platform);
  if (folder !== undefined) return { path: join(folder, 'palimpsest.db'), notes };
  throw badOption(
    'The store cannot be located: the environment names no home folder. Give --store FILE, or set store.path.',
  );
}

export interface OpenedStore extends StorePlace {
  readonly store: Store;
}

interface OpenStoreOptions {
  /** For a command that fills it; elsewhere a store that is not there is an error that says how to fill one. */
  readonly mayBeNew?: boolean;
  readonly readOnly?: boolean;
  /** How long a call waits for other processes. @default that of the library */
  readonly busyMilliseconds?: number;
  readonly gathersWrites?: boolean;
}

/** Opens the store of a command; whoever opened it closes it. Throws as `openStore` does. */
export async function openStoreFor(
  flags: StoreFlags,
  terminal: Surroundings,
  { mayBeNew = false, readOnly = false, busyMilliseconds, gathersWrites }: OpenStoreOptions = {},
): Promise<OpenedStore> {
  const place = await storePlace(flags, terminal);
  const { path } = place;
  if (!mayBeNew && !(await exists(path))) {
    const message = `There is no store at ${path} yet: create one with \`palimpsest import PATH\`, or with \`palimpsest import --discover\` for your own sessions.`;
    throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path } });
  }
  try {
    const how = { ...(readOnly ? { readOnly } : {}), ...given({ busyMilliseconds, gathersWrites }) };
    return { ...place, store: await openStore({ path, ...how }) };
  } catch (error) {
    const isReadOnly = PalimpsestError.isInstance(error) && error.code === 'STORE_READ_ONLY';
    if (readOnly || mayBeNew || !isReadOnly) throw error;
    // A store that may only be read, such as a backup on another disk, can still be looked at; writing to it says why not.
    return { ...place, store: await openStore({ path, readOnly: true }) };
  }
}

/** A path of a setting or an option, where `~/` is the home of the person. */
export function absolute(path: string, { cwd, env }: Pick<Surroundings, 'cwd' | 'env'>): string {
  const home = env.HOME ?? env.USERPROFILE;
  return home !== undefined && /^~[/\\]/.test(path) ? join(home, path.slice(2)) : pathOf(path, { cwd });
}

export const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined;

// The files of a store on disk: the database, and what SQLite keeps beside it.

const endings = ['', ...databaseEndings] as const;

/** The paths of a store and what may stand beside it. */
export const filesAt = (path: string): readonly string[] => endings.map((ending) => `${path}${ending}`);

/** The files of a store that are there and hold anything. */
export async function storeFiles(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of filesAt(path)) if ((await sizeOf(file)) > 0) found.push(file);
  return found;
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
    await rm(partial, { force: true });
    const message = `Another process has the store ${path} open. Nothing was changed: close that process and try again.`;
    throw new PalimpsestError('STORE_BUSY', message, { evidence: { path } });
  }
  const aside = await freeName(`${path}.before-restore`);
  for (const file of files) await rename(file, aside + file.slice(path.length));
  return aside;
}

/** Puts a whole store in a place where none is, but for empty files; throws `BAD_OPTION` where one was made meanwhile. */
export async function takePlace(partial: string, path: string): Promise<void> {
  for (const file of filesAt(path)) if ((await sizeOf(file)) === 0) await rm(file, { force: true });
  giveName(partial, path);
}

/** The name, or the next one with a number that nothing has. */
export async function freeName(name: string): Promise<string> {
  let free = name;
  for (let number = 2; await isTaken(free); number++) free = `${name}-${number}`;
  return free;
}

async function isTaken(name: string): Promise<boolean> {
  for (const file of filesAt(name)) if (await lstat(file).catch(() => undefined)) return true;
  return false;
}

/** The file itself; a path that leads nowhere stays as it is. */
export const withoutLinks = (path: string): Promise<string> => realpath(path).catch(() => path);

/** True for two names of one file, whatever they are. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

// Which session a person means by an id, the beginning of one, or a title; and how lists and programs name one.

/**
 * The newest session of the conversation that is meant. A title stands for the newest of those that are numbered after
 * it. Throws `ID_UNKNOWN`, and `ID_AMBIGUOUS` with those that it may stand for.
 */
export async function findSession(store: Store, wanted: string): Promise<Session> {
  const found = await store.sessions.find(wanted);
  const [best] = found;
  const evidence = { session: wanted.slice(0, 80) };
  if (!best) {
    const message = `no conversation has the id or title ${JSON.stringify(wanted)}: \`palimpsest sessions list\` lists all`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence });
  }
  const text = wanted.trim();
  if (found.length === 1 || best.id === text || best.sourceId === text || isTitle(best, text)) return best;
  const many = found.length < mostFound ? String(found.length) : 'many';
  const message = `${JSON.stringify(wanted)} matches ${many} conversations: give more of the id of one of them:\n${await listed(store, found)}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence });
}

const isTitle = ({ title }: Session, text: string): boolean =>
  title !== undefined && [title, titleNumber(title).base].some((one) => one.toLowerCase() === text.toLowerCase());

const mostFound = 20;
/** More lines than this are no help in an error. */
export const mostListed = 12;

async function listed(store: Store, found: readonly Session[]): Promise<string> {
  const lines = found.map(async ({ id, lastActiveAt, source }) =>
    `  ${id}  ${timeText(lastActiveAt)}  ${oneLine(source)}  ${oneLine(await sessionTitle(store, id))}`.trimEnd(),
  );
  return firstOf(await Promise.all(lines), mostListed, (rest) => `  … and ${rest} more`).join('\n');
}

/** Enough of each id to tell it from the others; at least the milliseconds in which it was given. */
export function shortIds(ids: readonly string[]): readonly string[] {
  const sorted = [...new Set(ids)].sort();
  const lengths = new Map(
    sorted.map((id, at) => {
      const near = [sorted[at - 1], sorted[at + 1]].map((other) => 1 + shared(id, other));
      return [id, Math.max(least, ...near)];
    }),
  );
  return ids.map((id) => id.slice(0, lengths.get(id) ?? id.length).replace(/-$/, ''));
}

/** Of `0193a2b4-c5d6-7…`, the time. */
const least = 13;

function shared(id: string, other: string | undefined): number {
  let length = 0;
  while (other !== undefined && length < id.length && id[length] === other[length]) length++;
  return length;
}

/** A conversation with what it is called; empty where nobody named it and nobody asked anything in it. */
export interface TitledConversation extends Conversation {
  readonly title: string;
}

export const untitled = 'untitled';

export const withTitles = (store: Store, all: readonly Conversation[]): Promise<readonly TitledConversation[]> =>
  Promise.all(all.map(async (one) => ({ ...one, title: await conversationTitle(store, one) })));

export async function sessionTitle(store: Store, id: SessionId): Promise<string> {
  const chain = await store.sessions.chain(id);
  const [root] = chain;
  if (!root) return '';
  const title = newestTitle(chain);
  return conversationTitle(store, { root, ...(title === undefined ? {} : { title }) });
}

/** The title that was given to a conversation in any of its sessions; undefined where it has none. */
export const givenTitle = async (store: Store, id: SessionId): Promise<string | undefined> =>
  newestTitle(await store.sessions.chain(id));

const newestTitle = (chain: readonly Session[]): string | undefined =>
  chain.findLast(({ title }) => title !== undefined)?.title;

// A conversation as programs get it; `docs/guide/sessions.md` describes it.

/** One row of the list. Previews are redacted, as titles are: they are shown, and the messages keep what was said. */
export const conversationRow = ({ tip, root, sessions, title, preview }: TitledConversation): object => ({
  ...about(tip),
  rootId: root.id,
  title: title || null,
  preview: redact(preview),
  sessions,
  startedAt: timeStamp(root.startedAt),
  lastActiveAt: timeStamp(tip.lastActiveAt),
  sourceId: root.sourceId ?? null,
});

export const sessionRow = (session: Session): object => ({
  ...about(session),
  rootId: session.rootId,
  title: session.title === undefined ? null : redact(session.title),
  titleFrom: session.titleFrom ?? null,
  sourceId: session.sourceId ?? null,
  sourcePath: session.sourcePath ?? null,
  startedAt: timeStamp(session.startedAt),
  lastActiveAt: timeStamp(session.lastActiveAt),
  endedAt: session.endedAt === undefined ? null : timeStamp(session.endedAt),
  endReason: session.endReason ?? null,
  toolCalls: session.toolCalls,
  usage: session.usage,
});

const about = ({ id, relation, parentId, source, project, model, messages }: Session): object => ({
  id,
  relation,
  parentId: parentId ?? null,
  source,
  project: project ?? null,
  model: model ?? null,
  messages,
});
