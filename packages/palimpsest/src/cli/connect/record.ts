/** What is kept of a connected client: how its file was, so that it can be made so again. Only the person may read it. */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Throws `BAD_CONFIG` where the environment names no home. */
export function recordFolder({ env, platform }: Terminal): string {
  const folder = dataFolder(env, platform);
  if (folder !== undefined) return join(folder, 'clients');
  throw new PalimpsestError('BAD_CONFIG', 'expected the environment to name your home folder: set HOME');
}

export const backupPath = (client: string, terminal: Terminal): string =>
  join(recordFolder(terminal), `${client}.backup`);

const recordPath = (client: string, terminal: Terminal): string => join(recordFolder(terminal), `${client}.json`);

/** Undefined where the client is not connected. Throws `BAD_CONFIG` for a record that cannot be understood. */
export async function readRecord(client: string, terminal: Terminal): Promise<ClientRecord | undefined> {
  const path = recordPath(client, terminal);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value = parseJson(text);
  if (isRecord(value)) return value;
  const message = `${path} is not what palimpsest connect wrote: put ${backupPath(client, terminal)} back by hand, and remove it`;
  throw new PalimpsestError('BAD_CONFIG', message, { evidence: { path } });
}

function isRecord(value: unknown): value is ClientRecord {
  const { version, file, edits, sha256: hash, madeFolders } = Object(value);
  const isEdit = (edit: unknown): boolean => {
    const { path, before, after, replaced, depth } = Object(edit);
    const isOld = [before, replaced].every((value) => value === null || typeof value === 'string');
    return Array.isArray(path) && isOld && typeof after === 'string' && typeof depth === 'number';
  };
  const isWhole = version === 1 && typeof file === 'string' && typeof hash === 'string' && Array.isArray(madeFolders);
  return isWhole && Array.isArray(edits) && edits.every(isEdit);
}

/** The backup first: a record without one would promise what it cannot keep. */
export async function writeRecord(
  record: ClientRecord,
  { before, terminal }: { readonly before: Uint8Array | undefined; readonly terminal: Terminal },
): Promise<void> {
  const backup = backupPath(record.client, terminal);
  if (before === undefined) await rm(backup, { force: true });
  else await writePrivate(backup, before);
  await writePrivate(recordPath(record.client, terminal), `${JSON.stringify(record, null, 2)}\n`);
}

/** It may hold the keys of the person. */
async function writePrivate(path: string, content: Uint8Array | string): Promise<void> {
  await writeFile(path, content, { mode: 0o600 });
  await chmod(path, 0o600);
}

export async function removeRecord(client: string, terminal: Terminal): Promise<void> {
  await rm(recordPath(client, terminal), { force: true });
  await rm(backupPath(client, terminal), { force: true });
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
