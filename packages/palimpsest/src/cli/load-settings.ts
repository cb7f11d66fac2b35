/** The configuration for a command, read from the project's folder, the user's folder and the environment. */
import { basename } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { type LoadedConfig, loadConfig } from '../config/load.ts';
import type { Setting, Source } from '../config/settings.ts';
import { readSmallFile } from '../config/small-file.ts';
import { builtInEngines } from '../plugins/choose-engine.ts';
import { type Trust, trustOf } from '../plugins/load-plugin.ts';
import type { Terminal } from './terminal.ts';

/** The configuration with and without the project's file, and whether the person trusts the project. */
export interface LoadedSettings {
  readonly all: LoadedConfig;
  readonly own: LoadedConfig;
  readonly trust: Trust;
}

/**
 * Reads all places. What is wrong with the file of a project that is not trusted stops nothing: the file is left out, and a
 * note says why. Throws `BAD_CONFIG` and `FILE_UNREADABLE` as `loadConfig` does for everything else.
 */
export async function readSettings(terminal: Terminal): Promise<LoadedSettings> {
  const { cwd, env, platform } = terminal;
  const own = await loadOwnSettings(terminal);
  const trust = await trustOf(cwd, own.config.plugins.trustedProjects);
  try {
    return { all: await loadConfig({ cwd, env, platform, readFile: readSmallFile }), own, trust };
  } catch (error) {
    if (trust.isTrusted || !PalimpsestError.isInstance(error)) throw error;
    const note = `The project's configuration is ignored because the project is not trusted: ${error.message}`;
    return { all: { ...own, notes: [...own.notes, note] }, own, trust };
  }
}

/** The configuration of all places. Throws like `readSettings`. */
export const loadSettings = async (terminal: Terminal): Promise<LoadedConfig> => (await readSettings(terminal)).all;

/**
 * The same without the project's file: what the person set, who may have the project from somebody else. Throws
 * `BAD_CONFIG` and `FILE_UNREADABLE` as `loadConfig` does.
 */
export function loadOwnSettings({ cwd, env, platform }: Terminal): Promise<LoadedConfig> {
  const readOwn = async (path: string): Promise<string | undefined> =>
    isProjectFile(path) ? undefined : readSmallFile(path);
  return loadConfig({ cwd, env, platform, readFile: readOwn });
}

/** True for a value that the project's file gave. */
export const isFromProject = (source: Source): boolean => source.type === 'file' && isProjectFile(source.path);

/** The user's file has another name, so that one in the current folder is told by its name alone. */
const isProjectFile = (path: string): boolean => /^palimpsest\.(?:yaml|yml|json)$/.test(basename(path));

/** True for a setting that lets code of others run: a project's own is heard only where the project is trusted. */
export function letsCodeRun({ key, value }: Setting): boolean {
  const isForeignEngine = key === 'context.engine' && !builtInEngines.some((name) => name === value);
  return key.startsWith('plugins.') || key.startsWith('hooks.') || isForeignEngine;
}

/** What is the person's alone to set, in any project: where conversations are kept, who is sent them, who is trusted. */
const ownKeys = /^(?:store\.path|plugins\.trusted_projects|auxiliary\.\w+\.(?:provider|model|base_url))$/;

/** True for what a project's file wishes and does not get. */
export const isUnheard = (setting: Setting, { isTrusted }: Trust): boolean =>
  isFromProject(setting.source) && (ownKeys.test(setting.key) || (!isTrusted && letsCodeRun(setting)));
