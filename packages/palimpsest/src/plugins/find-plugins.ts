/** Finds plugins by reading manifests; runs nothing of them. */
import { type PluginManifest, readManifest } from './manifest.ts';
import { isPackageName, type PluginFolder, type PluginPlaces } from './places.ts';
import type { PluginFiles } from './plugin-files.ts';

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

/** What finding needs. */
export interface Finding {
  readonly files: PluginFiles;
  /** The version of Palimpsest that a plugin must have been written for. */
  readonly version: string;
}

/** The plugins of every place, broken ones too. Of several with one name only the first one counts. */
export async function findPlugins(places: PluginPlaces, finding: Finding): Promise<readonly FoundPlugin[]> {
  const folders = await Promise.all(places.folders.map((place) => enginesIn(place, finding)));
  const packages = await Promise.all(places.packages.map((one) => packageOf(one, finding)));
  return [...folders.flat(), ...packages];
}

async function enginesIn(place: PluginFolder, finding: Finding): Promise<readonly FoundPlugin[]> {
  const { files } = finding;
  const names = await files.foldersIn(files.join(place.path, 'context_engine'));
  return Promise.all(names.map((name) => engineIn(place, name, finding)));
}

/** The plugin of this name in the first place that has a folder for it. */
export async function findEngine(
  name: string,
  places: PluginPlaces,
  finding: Finding,
): Promise<FoundPlugin | undefined> {
  const { files } = finding;
  for (const place of places.folders) {
    const names = await files.foldersIn(files.join(place.path, 'context_engine'));
    if (names.includes(name)) return engineIn(place, name, finding);
  }
  return undefined;
}

async function engineIn(place: PluginFolder, name: string, finding: Finding): Promise<FoundPlugin> {
  const folder = finding.files.join(place.path, 'context_engine', name);
  const found = await readPlugin(folder, { name, from: place.label }, finding);
  const { manifest } = found;
  if (!manifest) return found;
  if (manifest.name !== name)
    return broken(found, `its folder is named ${name}, but its manifest says ${manifest.name}`);
  if (manifest.kind === 'context_engine') return found;
  return broken(found, `its kind is ${manifest.kind}, but it is in a folder for context engines`);
}

async function packageOf({ name, paths }: PluginPlaces['packages'][number], finding: Finding): Promise<FoundPlugin> {
  const from = `the package ${name}`;
  if (!isPackageName(name)) {
    return { name, from, folder: '', problem: 'plugins.packages expects names of packages and absolute paths' };
  }
  for (const folder of paths) {
    if (await hasManifest(folder, finding)) return readPlugin(folder, { name, from }, finding);
  }
  return { name, from, folder: paths[0] ?? '', problem: `no plugin.json in ${paths.join(' or ')}` };
}

/** What cannot be read is one too, and is said to be broken. */
async function hasManifest(folder: string, { files }: Finding): Promise<boolean> {
  try {
    return (await files.readText(files.join(folder, 'plugin.json'))) !== undefined;
  } catch {
    return true;
  }
}

/** The plugin of a folder, whatever it is called. Never throws for what is wrong with the plugin. */
export async function readPlugin(
  folder: string,
  { name, from }: Pick<FoundPlugin, 'name' | 'from'>,
  { files, version }: Finding,
): Promise<FoundPlugin> {
  try {
    const manifest = readManifest(await files.readText(files.join(folder, 'plugin.json')), { folder, version });
    return { name: manifest.name, from, folder, manifest };
  } catch (error) {
    return { name, from, folder, problem: error instanceof Error ? error.message : String(error) };
  }
}

const broken = ({ name, from, folder }: FoundPlugin, problem: string): FoundPlugin => ({ name, from, folder, problem });
