/**
 * The loader, the only place that reads the files of plugins: finds them by their manifests, which runs nothing of them,
 * runs the module of one that was named, and says whose projects are trusted with that.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { badPlugin, inTime, reasonOf } from '@palimpsest/core/engine';
import { checkKnownOptions, platformTimers } from '@palimpsest/core/settings';
import { readSmallFile } from '../config/files.ts';
import { packageVersion } from '../config/package.ts';
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
  const inFolders = folders.flatMap((place) =>
    folderKinds.map(async (kind) =>
      Promise.all((await namesIn(place, kind)).map((name) => pluginIn(place, kind, name))),
    ),
  );
  return [...(await Promise.all(inFolders)).flat(), ...(await Promise.all(packages.map(packageOf)))];
}

/** The plugin of this kind and name in the first place that has a folder for it. */
export async function findPlugin(
  kind: FolderKind,
  name: string,
  { folders }: PluginPlaces,
): Promise<FoundPlugin | undefined> {
  for (const place of folders) if ((await namesIn(place, kind)).includes(name)) return pluginIn(place, kind, name);
  return undefined;
}

/** Kinds that have a folder each, of the same name. */
const folderKinds = ['context_engine', 'memory_provider'] as const;
type FolderKind = (typeof folderKinds)[number];

const kindNames: Readonly<Record<FolderKind, string>> = {
  context_engine: 'context engines',
  memory_provider: 'memory providers',
};

/** The names of the folders of a kind, sorted. */
async function namesIn({ path }: PluginFolder, kind: FolderKind): Promise<readonly string[]> {
  const entries = (await whereThere(() => readdir(join(path, kind), { withFileTypes: true }))) ?? [];
  const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
  return folders.map(({ name }) => name).sort();
}

async function pluginIn({ path, label }: PluginFolder, kind: FolderKind, name: string): Promise<FoundPlugin> {
  const { manifest, ...found } = await readPlugin(join(path, kind, name), { name, from: label });
  if (!manifest) return found;
  if (manifest.name !== name)
    return { ...found, problem: `its folder is named ${name}, but its manifest says ${manifest.name}` };
  if (manifest.kind === kind) return { ...found, manifest };
  return { ...found, problem: `its kind is ${manifest.kind}, but it is in a folder for ${kindNames[kind]}` };
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
  const { name, manifest } = plugin;
  if (manifest?.kind === 'memory_provider') throw badPlugin(`the plugin "${name}" is a memory provider, not an engine`);
  if (manifest?.kind !== 'general') {
    const create = await loadExport(plugin, 'createEngine', timeoutMs);
    // What it gives back is checked where it is called.
    registry.registerContextEngine({ name, create: create as EngineFactory['create'] });
    return;
  }
  const register = await loadExport(plugin, 'register', timeoutMs);
  await inLimit(`register of the plugin "${name}" failed`, () => register(registry), timeoutMs);
}

type Exported = (argument: unknown) => unknown;

/** Runs the module of a plugin, and gives the function that it exports by this name. Throws `BAD_PLUGIN` with the reason. */
export async function loadExport(
  { name, folder, manifest, problem }: FoundPlugin,
  wanted: string,
  timeoutMs: number,
): Promise<Exported> {
  if (!manifest) throw badPlugin(`the plugin "${name}" cannot be used: ${problem ?? 'it has no manifest'}`);
  const { main } = manifest;
  const exported = await inLimit(`${main} of the plugin "${name}" failed to load`, () => run(folder, main), timeoutMs);
  const found: unknown = Reflect.get(Object(exported), wanted);
  if (typeof found !== 'function') throw badPlugin(`the plugin "${name}" does not export a function ${wanted}`);
  // Tested right here to be a function; what it gives back is checked where it is called.
  return found as Exported;
}

async function inLimit(what: string, work: () => unknown, timeoutMs: number): Promise<unknown> {
  try {
    return await inTime({ timers: platformTimers, timeoutMs }, work);
  } catch (error) {
    throw badPlugin(`${what}: ${reasonOf(error)}`, error);
  }
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

/** A folder that holds `context_engine/<name>/` and `memory_provider/<name>/`. */
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
