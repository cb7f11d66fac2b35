/**
 * The loader, the only place that reads the files of plugins: finds them by their manifests, which runs nothing of them,
 * runs the module of one that was named, and says whose projects are trusted with that.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { badPlugin, inTime, reasonOf } from '@palimpsest/core/engine';
import { checkKnownOptions, platformTimers } from '@palimpsest/core/settings';
import { packageVersion, readSmallFile } from '../config/files.ts';
import {
  type EngineFactory,
  manifestFile,
  type PluginManifest,
  type PluginRegistry,
  readManifest,
} from './engine-host.ts';

/** A plugin that lies in one of the places. */
export interface FoundPlugin {
  readonly name: string;
  /** Where it was found, for people. */
  readonly from: string;
  readonly folder: string;
  /** Absent for one that is broken. */
  readonly manifest?: PluginManifest;
  /** Why it cannot be used. */
  readonly problem?: string;
}

/** The plugins of every place, broken ones too. Of several with one name only the first one counts. */
export async function findPlugins({ folders, packages }: PluginPlaces): Promise<readonly FoundPlugin[]> {
  const inFolders = folders.map(async (place) =>
    Promise.all((await enginesIn(place)).map((name) => engineIn(place, name))),
  );
  return [...(await Promise.all(inFolders)).flat(), ...(await Promise.all(packages.map(packageOf)))];
}

/** The plugin of this name in the first place that has a folder for it. */
export async function findEngine(name: string, { folders }: PluginPlaces): Promise<FoundPlugin | undefined> {
  for (const place of folders) if ((await enginesIn(place)).includes(name)) return engineIn(place, name);
  return undefined;
}

const enginesFolder = 'context_engine';

/** The names of the folders for engines, sorted. */
async function enginesIn({ path }: PluginFolder): Promise<readonly string[]> {
  const entries = (await whereThere(() => readdir(join(path, enginesFolder), { withFileTypes: true }))) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  return folders.map(({ name }) => name).sort();
}

async function engineIn({ path, label }: PluginFolder, name: string): Promise<FoundPlugin> {
  const { manifest, ...found } = await readPlugin(join(path, enginesFolder, name), { name, from: label });
  if (!manifest) return found;
  if (manifest.name !== name)
    return { ...found, problem: `its folder is named ${name}, but its manifest says ${manifest.name}` };
  if (manifest.kind === 'context_engine') return { ...found, manifest };
  return { ...found, problem: `its kind is ${manifest.kind}, but it is in a folder for context engines` };
}

/** The name of a package, with or without a scope. */
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

async function packageOf({ name, paths }: PluginPlaces['packages'][number]): Promise<FoundPlugin> {
  const from = `the package ${name}`;
  if (!isAbsolute(name) && !packageName.test(name)) {
    return { name, from, folder: '', problem: 'plugins.packages expects names of packages and absolute paths' };
  }
  for (const folder of paths) {
    // What cannot be read is one too, and is said to be broken.
    const isThere = await manifestText(folder).then(
      (text) => text !== undefined,
      () => true,
    );
    if (isThere) return readPlugin(folder, { name, from });
  }
  return { name, from, folder: paths[0] ?? '', problem: `no ${manifestFile} in ${paths.join(' or ')}` };
}

/** The plugin of a folder, whatever it is called. Never throws for what is wrong with the plugin. */
export async function readPlugin(
  folder: string,
  { name, from }: Pick<FoundPlugin, 'name' | 'from'>,
): Promise<FoundPlugin> {
  try {
    const manifest = readManifest(await manifestText(folder), { folder, version: packageVersion() });
    return { name: manifest.name, from, folder, manifest };
  } catch (error) {
    return { name, from, folder, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Only of what is a file. */
const manifestText = (folder: string): Promise<string | undefined> =>
  whereThere(async () => {
    const path = join(folder, manifestFile);
    return (await stat(path)).isFile() ? readSmallFile(path) : undefined;
  });

/**
 * Runs the module of a plugin and registers what it offers: the engine of `createEngine`, or whatever `register`
 * registers. Throws `BAD_PLUGIN` with the reason.
 */
export async function loadPlugin(plugin: FoundPlugin, registry: PluginRegistry, timeoutMs: number): Promise<void> {
  const { name, folder, manifest, problem } = plugin;
  if (!manifest) throw badPlugin(`the plugin "${name}" cannot be used: ${problem ?? 'it has no manifest'}`);
  const limit = { timers: platformTimers, timeoutMs };
  const load = async (what: string, work: () => unknown): Promise<unknown> => {
    try {
      return await inTime(limit, work);
    } catch (error) {
      throw badPlugin(`${what}: ${reasonOf(error)}`, error);
    }
  };
  const { main, kind } = manifest;
  const exported = await load(`${main} of the plugin "${name}" failed to load`, () => run(folder, main));
  const { createEngine, register } = exported as Readonly<Record<string, unknown>>; // a module, whatever it exports
  const wanted = kind === 'general' ? register : createEngine;
  const missing = kind === 'general' ? 'register' : 'createEngine';
  if (typeof wanted !== 'function') throw badPlugin(`the plugin "${name}" does not export a function ${missing}`);
  if (kind === 'general') await load(`register of the plugin "${name}" failed`, () => wanted(registry));
  // What it gives back is checked where it is called.
  else registry.registerContextEngine({ name, create: wanted as EngineFactory['create'] });
}

async function run(folder: string, main: string): Promise<unknown> {
  const [home, module] = await Promise.all([realpath(folder), realpath(join(folder, main))]);
  if (!module.startsWith(home + sep)) throw badPlugin(`${main} of ${folder} is a link that leads out of the folder`);
  return import(pathToFileURL(module).href);
}

/** Whether a project is trusted, and what of the person's list is not what it was. */
export interface Trust {
  readonly isTrusted: boolean;
  /** Paths of the list that lead elsewhere by now, and where. */
  readonly moved: readonly { readonly path: string; readonly to: string }[];
}

/**
 * Trusted where the person's own configuration names the real path of this very folder; one that lies below a trusted
 * folder is not trusted by that. A path that is a link, or has become one, stands for nothing: whoever can change the link
 * would choose what is trusted.
 */
export async function trustOf(project: string, trusted: readonly string[]): Promise<Trust> {
  if (trusted.length === 0) return { isTrusted: false, moved: [] };
  const here = await realPath(project);
  const named = await Promise.all(trusted.map(async (path) => ({ path, to: await realPath(path) })));
  return {
    isTrusted: named.some(({ path, to }) => path === to && to === here),
    moved: named.filter(({ path, to }) => path !== to && to === here),
  };
}

/** A path without links; as it is when it does not exist. */
export const realPath = async (path: string): Promise<string> =>
  (await whereThere(() => realpath(path))) ?? resolve(path);

const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

/** What is read of a file or folder; undefined where there is none. */
export async function whereThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(error.code)) return undefined;
    throw error;
  }
}

// Where plugins may come from. Nothing is looked for anywhere else.

/** A folder that holds `context_engine/<name>/`. */
export interface PluginFolder {
  /** For people, such as `your plugins`. */
  readonly label: string;
  readonly path: string;
}

/** Where plugins may come from; what stands first wins. */
export interface PluginPlaces {
  readonly folders: readonly PluginFolder[];
  /** Folders of packages that were named, each with the places where it may lie. */
  readonly packages: readonly { readonly name: string; readonly paths: readonly string[] }[];
}

/** What decides about the places. */
export interface PlaceOptions {
  /** The person's folder for data; undefined where the environment does not tell. */
  readonly dataFolder: string | undefined;
  /** The project, where the person trusts it; undefined otherwise. */
  readonly trustedProject: string | undefined;
  /** `plugins.packages`. */
  readonly packages: readonly string[];
}

/** `.palimpsest/plugins` of a trusted project, then `plugins` in the person's data folder. */
export function pluginPlaces(options: PlaceOptions): PluginPlaces {
  checkKnownOptions('pluginPlaces', options, { dataFolder: true, trustedProject: true, packages: true });
  const { dataFolder, trustedProject, packages } = options;
  const own = dataFolder === undefined ? [] : [{ label: 'your plugins', path: join(dataFolder, 'plugins') }];
  const project =
    trustedProject === undefined
      ? []
      : [{ label: "the project's plugins", path: join(trustedProject, '.palimpsest', 'plugins') }];
  const installed = [
    ...own.map(({ path }) => join(path, 'node_modules')),
    ...(trustedProject === undefined ? [] : [join(trustedProject, 'node_modules')]),
  ];
  return {
    folders: [...project, ...own],
    packages: packages.map((name) => ({
      name,
      paths: isAbsolute(name) ? [name] : installed.map((folder) => join(folder, ...name.split('/'))),
    })),
  };
}
