/** The configuration for a command, read from the project's folder, the user's folder and the environment. */
import { readFile } from 'node:fs/promises';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import { systemCode } from './input.ts';
import type { Terminal } from './terminal.ts';

/** Throws `BAD_CONFIG` and `FILE_UNREADABLE` as `loadConfig` does. */
export function loadSettings({ cwd, env, platform }: Terminal): Promise<LoadedConfig> {
  return loadConfig({ cwd, env, platform, readFile: readText });
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
