/** Writes settings into a configuration file for the person who asked for it. */
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { type Change, readConfigFile, readSmallFile, withSetting } from '../config/files.ts';
import { userFolder } from '../config/folders.ts';
import { exists } from './open-store.ts';
import { outputFile } from './output-file.ts';
import type { Terminal } from './terminal.ts';

export interface ChangeOptions {
  readonly whose: 'own' | 'project';
  readonly terminal: Terminal;
  /** True where a key is among what is written: nobody else may read the file from then on. */
  readonly hasSecret?: boolean;
}

/**
 * Writes settings and gives the path of the file, which is made where there is none; its comments stay. All of them are
 * written, or none. Throws `BAD_CONFIG` for a file that cannot be read as what it should be, and `FILE_UNREADABLE` where it
 * cannot be written.
 */
export async function changeSettings(
  changes: readonly Change[],
  { whose, terminal, hasSecret = false }: ChangeOptions,
): Promise<string> {
  const { cwd, env, platform } = terminal;
  const folder = whose === 'project' ? cwd : userFolder(env, platform);
  if (folder === undefined) {
    const message = 'your configuration cannot be located: the environment names no home folder; set HOME';
    throw new PalimpsestError('BAD_CONFIG', message);
  }
  const name = whose === 'project' ? 'palimpsest' : 'config';
  const known = await readConfigFile(readSmallFile, { folder, name, platform });
  const path = known?.path ?? join(folder, `${name}.yaml`);
  const before = (await readSmallFile(path)) ?? '';
  let text = before;
  for (const change of changes) text = await withSetting({ path, text }, change);
  if (text === before && (await exists(path))) return path;
  await mkdir(dirname(path), { recursive: true });
  const write = async (content: string): Promise<void> =>
    (await outputFile(path, { terminal, force: true })).write([content]);
  if (hasSecret) {
    // Closed to others before the key is in it: a file that is replaced keeps its mode.
    if (known === undefined) await write(before);
    await chmod(path, 0o600);
  }
  await write(text);
  return path;
}
