/** Changes a setting in the person's or the project's configuration file. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { type Change, withSetting } from '../../config/edit.ts';
import { readConfigFile, userFolder } from '../../config/files.ts';
import { readSmallFile } from '../../config/small-file.ts';
import { outputFile } from '../output-file.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Writes the setting and gives the path of the file, which is made where there is none; its comments stay. Throws
 * `BAD_CONFIG` for a file that cannot be read as what it should be, and `FILE_UNREADABLE` where it cannot be written.
 */
export async function changeSetting(whose: 'own' | 'project', change: Change, terminal: Terminal): Promise<string> {
  const place = placeOf(whose, terminal);
  const known = await readConfigFile(readSmallFile, { ...place, platform: terminal.platform });
  const path = known?.path ?? join(place.folder, `${place.name}.yaml`);
  const text = await withSetting({ path, text: (await readSmallFile(path)) ?? '' }, change);
  await mkdir(dirname(path), { recursive: true });
  const file = await outputFile(path, { terminal, force: true });
  await file.write([text]);
  return path;
}

function placeOf(whose: 'own' | 'project', { cwd, env, platform }: Terminal): { folder: string; name: string } {
  if (whose === 'project') return { folder: cwd, name: 'palimpsest' };
  const folder = userFolder(env, platform);
  if (folder !== undefined) return { folder, name: 'config' };
  const message = 'your configuration cannot be located: the environment names no home folder; set HOME';
  throw new PalimpsestError('BAD_CONFIG', message);
}
