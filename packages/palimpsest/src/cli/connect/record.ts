/** What is kept of a connected client: how its file was, so that it can be made so again. Only the person may read it. */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PalimpsestError } from '@palimpsest/core';
import { parseJson } from '@palimpsest/core/settings';
import type { DoneEdit } from '../../clients/connection.ts';
import { dataFolder } from '../../config/folders.ts';
import { systemCode } from '../system-code.ts';
import type { Terminal } from '../terminal.ts';

export interface ClientRecord {
  readonly version: 1;
  readonly client: string;
  readonly file: string;
  readonly gateway: string;
  readonly edits: readonly DoneEdit[];
  /** Of the file as it was left; whoever changes it later changes this. */
  readonly sha256: string;
  /** False where there was no file, and so there is no backup. */
  readonly wasThere: boolean;
  /** Folders that were made for the file, from the outside in. */
  readonly madeFolders: readonly string[];
}

/** Where a record is, and beside it the file as it was. */
export interface RecordPlace {
  readonly record: string;
  readonly backup: string;
}

/** A record that was found. */
export interface FoundRecord extends ClientRecord {
  readonly place: RecordPlace;
}

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Throws `BAD_CONFIG` where the environment names no home. */
export function recordFolder({ env, platform }: Terminal): string {
  const folder = dataFolder(env, platform);
  if (folder !== undefined) return join(folder, 'clients');
  throw new PalimpsestError('BAD_CONFIG', 'expected the environment to name your home folder: set HOME');
}

const placeNamed = (name: string, terminal: Terminal): RecordPlace => ({
  record: join(recordFolder(terminal), `${name}.json`),
  backup: join(recordFolder(terminal), `${name}.backup`),
});

/** A client has as many files as a variable names folders for it: each has a record. */
export const placeOf = ({ client, file }: Pick<ClientRecord, 'client' | 'file'>, terminal: Terminal): RecordPlace =>
  placeNamed(`${client}-${sha256(file).slice(0, 12)}`, terminal);

/** Where the one record of a client was when it had only one; its file may be named from where that palimpsest was started. */
const placeBefore = (client: string, terminal: Terminal): RecordPlace => placeNamed(client, terminal);

/** Undefined where the file is not connected. Throws `BAD_CONFIG` for a record that cannot be understood. */
export async function readRecord(
  { client, file }: Pick<ClientRecord, 'client' | 'file'>,
  terminal: Terminal,
): Promise<FoundRecord | undefined> {
  const found = await recordAt(placeOf({ client, file }, terminal));
  if (found) return found;
  const old = await recordAt(placeBefore(client, terminal));
  return old && resolve(terminal.cwd, old.file) === file ? { ...old, file } : undefined;
}

async function recordAt(place: RecordPlace): Promise<FoundRecord | undefined> {
  const text = await readFile(place.record, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value: unknown = parseJson(text);
  if (isRecord(value)) return { ...value, place };
  const message = `${place.record} is not what palimpsest connect wrote: put ${place.backup} back by hand, and remove it`;
  throw new PalimpsestError('BAD_CONFIG', message, { evidence: { path: place.record } });
}

/** The files of a client that are connected, wherever they are. */
export async function connectedFiles(client: string, terminal: Terminal): Promise<readonly string[]> {
  const names = await readdir(recordFolder(terminal)).catch((): string[] => []);
  const isOf = (name: string): boolean =>
    name.startsWith(client) && /^(?:-[0-9a-f]{12})?\.json$/.test(name.slice(client.length));
  const files = names
    .filter(isOf)
    .toSorted()
    .map(async (name) => (await recordAt(placeNamed(name.slice(0, -'.json'.length), terminal)))?.file ?? []);
  return [...new Set((await Promise.all(files)).flat().map((path) => resolve(terminal.cwd, path)))];
}

function isRecord(value: unknown): value is ClientRecord {
  const { version, file, edits, sha256: hash, madeFolders } = Object(value);
  const isEdit = (edit: unknown): boolean => {
    const { path, before, after, replaced, depth, entry = {}, isLost = false } = Object(edit);
    const isOld = [before, replaced, ...Object.values(Object(entry))].every(
      (value) => value === null || typeof value === 'string',
    );
    const isNew = typeof after === 'string' && typeof depth === 'number' && typeof isLost === 'boolean';
    return Array.isArray(path) && isOld && isNew;
  };
  const isWhole = version === 1 && typeof file === 'string' && typeof hash === 'string' && Array.isArray(madeFolders);
  return isWhole && Array.isArray(edits) && edits.every(isEdit);
}

/** The backup first: a record without one would promise what it cannot keep. */
export async function writeRecord(
  record: ClientRecord,
  { before, terminal }: { readonly before: Uint8Array | undefined; readonly terminal: Terminal },
): Promise<void> {
  const place = placeOf(record, terminal);
  if (before === undefined) await rm(place.backup, { force: true });
  else await writePrivate(place.backup, before);
  await writePrivate(place.record, `${JSON.stringify(record, null, 2)}\n`);
  const old = await recordAt(placeBefore(record.client, terminal));
  if (old && resolve(terminal.cwd, old.file) === record.file) await removeRecord(old.place);
}

/** Leaves in a record what is still to be taken back. */
export const keepEdits = async ({ place, ...record }: FoundRecord, edits: readonly DoneEdit[]): Promise<void> =>
  writePrivate(place.record, `${JSON.stringify({ ...record, edits }, null, 2)}\n`);

/** It may hold the keys of the person. */
async function writePrivate(path: string, content: Uint8Array | string): Promise<void> {
  await writeFile(path, content, { mode: 0o600 });
  await chmod(path, 0o600);
}

export async function removeRecord({ record, backup }: RecordPlace): Promise<void> {
  await rm(record, { force: true });
  await rm(backup, { force: true });
}

/** Takes away folders that were made for a file, as far as nothing else is in them. */
export async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) {
    try {
      await rmdir(folder);
    } catch {
      // Somebody keeps something in it.
      return;
    }
  }
}

const mostTries = 200;
const betweenMs = 25;

/** Keeps two of these commands from changing one file: a file that names the process. Waits up to five seconds for another one. */
export async function lockClient(client: string, terminal: Terminal): Promise<AsyncDisposable> {
  await mkdir(recordFolder(terminal), { recursive: true, mode: 0o700 });
  const path = join(recordFolder(terminal), `${client}.lock`);
  for (let tries = 0; tries < mostTries; tries++) {
    try {
      await writeFile(path, `${process.pid}\n`, { flag: 'wx' });
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    if (await isLeft(path)) await unlink(path).catch(() => undefined);
    else await wait(betweenMs);
  }
  const message = `another palimpsest is changing the settings of ${client}: try again when it has ended. If there is none, remove ${path}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { path } });
}

/** True for a lock of a process that is gone. One that is empty is being written. */
async function isLeft(path: string): Promise<boolean> {
  const owner = Number.parseInt(await readFile(path, 'utf8').catch(() => ''), 10);
  if (!(owner > 0)) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    // Somebody else's process is one.
    return systemCode(error) !== 'EPERM';
  }
}
