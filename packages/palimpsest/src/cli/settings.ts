/** The configuration for a command: read from the project's folder, the user's folder and the environment. */
import { basename } from 'node:path';
import { PalimpsestError, redact } from '@palimpsest/core';
import { isJsonObject } from '@palimpsest/core/settings';
import type { HooksConfig, MemoryConfig, PluginsConfig } from '../config/config.ts';
import { readSmallFile } from '../config/files.ts';
import { dataFolder } from '../config/folders.ts';
import { type LoadedConfig, loadConfig, type Setting, type Source } from '../config/load.ts';
import { builtInEngines } from '../plugins/choose-engine.ts';
import { type PluginPlaces, pluginPlaces, type Trust, trustOf } from '../plugins/load-plugin.ts';
import type { Surroundings } from './terminal.ts';

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
export async function readSettings(terminal: Surroundings): Promise<LoadedSettings> {
  const own = await loadOwnSettings(terminal);
  const trust = await trustOf(terminal.cwd, own.config.plugins.trustedProjects);
  try {
    return { all: await loadFrom(terminal, readSmallFile), own, trust };
  } catch (error) {
    if (trust.isTrusted || !PalimpsestError.isInstance(error)) throw error;
    const note = `The project's configuration is ignored because the project is not trusted: ${error.message}`;
    return { all: { ...own, notes: [...own.notes, note] }, own, trust };
  }
}

export const loadSettings = async (terminal: Surroundings): Promise<LoadedConfig> => (await readSettings(terminal)).all;

/** The same without the project's file: what the person set, who may have the project from somebody else. */
export const loadOwnSettings = (terminal: Surroundings): Promise<LoadedConfig> =>
  loadFrom(terminal, async (path) => (isProjectFile(path) ? undefined : readSmallFile(path)));

const loadFrom = ({ cwd, env, platform }: Surroundings, readFile: typeof readSmallFile): Promise<LoadedConfig> =>
  loadConfig({ cwd, env, platform, readFile });

/** True for a value that the project's file gave. */
export const isFromProject = (source: Source): boolean => source.type === 'file' && isProjectFile(source.path);

/** The user's file has another name, so that one in the current folder is told by its name alone. */
const isProjectFile = (path: string): boolean => /^palimpsest\.(?:yaml|yml|json)$/.test(basename(path));

/** True for a setting that lets code of others run: a project's own is heard only where the project is trusted. */
function letsCodeRun({ key, value }: Setting): boolean {
  const isForeignEngine = key === 'context.engine' && !builtInEngines.some((name) => name === value);
  return key.startsWith('plugins.') || key.startsWith('hooks.') || isForeignEngine;
}

/** What is the person's alone to set, in any project: where conversations and memories are kept, who is sent them, who is trusted. */
const ownKeys =
  /^(?:gateway\..+|store\.path|memory\.folder|plugins\.trusted_projects|auxiliary\.\w+\.(?:provider|model|base_url)|model\.(?:name|provider|base_url))$/;

/** Who is sent conversations and a key, and where that is: a project's own is heard only where the project is trusted. */
const providerKeys: readonly string[] = ['memory.provider', 'memory.providers'];

/** True for what a project's file wishes and does not get. */
export const isUnheard = (setting: Setting, { isTrusted }: Trust): boolean =>
  isFromProject(setting.source) &&
  (ownKeys.test(setting.key) || (!isTrusted && (letsCodeRun(setting) || providerKeys.includes(setting.key))));

/** What may decide which code runs: of a project's own settings only where the person trusts it. */
export interface HeardSettings {
  readonly all: LoadedConfig;
  readonly own: LoadedConfig;
  /** `context.engine`. */
  readonly engine: string;
  readonly plugins: PluginsConfig;
  readonly hooks: HooksConfig;
  /** `memory.provider` and `memory.providers`. */
  readonly memory: Pick<MemoryConfig, 'provider' | 'providers'>;
  readonly isTrusted: boolean;
  readonly places: PluginPlaces;
  /** What of the project's file is not heard, for people. */
  readonly notes: readonly string[];
}

export async function heardSettings(terminal: Surroundings): Promise<HeardSettings> {
  const { all, own, trust } = await readSettings(terminal);
  const { isTrusted, moved } = trust;
  const { context, plugins, hooks, memory } = isTrusted ? all.config : own.config;
  const wanted = all.config.context.engine;
  return {
    all,
    own,
    engine: builtInEngines.includes(wanted) ? wanted : context.engine,
    // Whom to trust is nobody's to say but the person's.
    plugins: { ...plugins, trustedProjects: own.config.plugins.trustedProjects },
    hooks,
    memory,
    isTrusted,
    places: pluginPlaces({
      dataFolder: dataFolder(terminal.env, terminal.platform),
      trustedProject: isTrusted ? terminal.cwd : undefined,
      packages: plugins.packages,
    }),
    notes: isTrusted ? [] : [...moved.map(movedNote), ...unheardNotes(all)],
  };
}

const movedNote = ({ path, to }: Trust['moved'][number]): string =>
  `${path} in plugins.trusted_projects now leads to ${to}, so this project is not trusted. To trust it, run: palimpsest plugins trust`;

function unheardNotes({ settings }: LoadedConfig): readonly string[] {
  const unheard = settings.filter((setting) => isFromProject(setting.source) && letsCodeRun(setting));
  const [first] = unheard;
  if (first?.source.type !== 'file') return [];
  const keys = unheard.map(({ key }) => key).join(', ');
  const are = `${unheard.length === 1 ? 'is' : 'are'} ignored`;
  return [
    `${keys} in ${first.source.path} ${are}: code and commands of a project run only if you trust it (palimpsest plugins trust).`,
  ];
}

/** What of the project's file is not heard about memory providers, for people. */
export function providerNotes({ all, isTrusted }: Pick<HeardSettings, 'all' | 'isTrusted'>): readonly string[] {
  const unheard = all.settings.filter(({ key, source }) => providerKeys.includes(key) && isFromProject(source));
  const [first] = unheard;
  if (isTrusted || first?.source.type !== 'file') return [];
  const keys = unheard.map(({ key }) => key).join(', ');
  return [
    `${keys} in ${first.source.path} ${unheard.length === 1 ? 'is' : 'are'} ignored: a project says where your memories and keys go only if you trust it (palimpsest plugins trust).`,
  ];
}

/** The same settings of providers for people to read: that there is a key, and not which. */
export function withoutKeys(settings: unknown): unknown {
  if (typeof settings === 'string') return redact(settings);
  if (!isJsonObject(settings)) return settings;
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      typeof value === 'string' && isKeyName(key) ? '(hidden)' : withoutKeys(value),
    ]),
  );
}

/** True for a setting of a provider that is a secret, as far as its name says. */
export const isKeyName = (name: string): boolean => /key|token|secret|password|credential/i.test(name);
