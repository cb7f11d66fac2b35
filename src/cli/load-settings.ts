/** The configuration for a command, read from the project's folder, the user's folder and the environment. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import type { Source } from '../config/settings.ts';
import { systemCode } from './input.ts';
import type { Terminal } from './terminal.ts';

/** Throws `BAD_CONFIG` and `FILE_UNREADABLE` as `loadConfig` does. */
export function loadSettings({ cwd, env, platform }: Terminal): Promise<LoadedConfig> {
  return loadConfig({ cwd, env, platform, readFile: readText });
}

/**
 * The same without the project's file: what the person set, who may have the project from somebody else. Throws like
 * `loadSettings`.
 */
export function loadOwnSettings({ cwd, env, platform }: Terminal): Promise<LoadedConfig> {
  const readOwn = async (path: string): Promise<string | undefined> =>
    isProjectFile(path) ? undefined : readText(path);
  return loadConfig({ cwd, env, platform, readFile: readOwn });
}

/** True for a value that the project's file gave. */
export const isFromProject = (source: Source): boolean => source.type === 'file' && isProjectFile(source.path);

/** The user's file has another name, so that one in the current folder is told by its name alone. */
const isProjectFile = (path: string): boolean => /^palimpsest\.(?:yaml|yml|json)$/.test(basename(path));

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
