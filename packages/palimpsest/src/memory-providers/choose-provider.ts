/** From the name of a memory provider to the provider: one that ships with Palimpsest, else a plugin of that name. */
import { PalimpsestError } from '@palimpsest/core';
import { badPlugin, type JsonObject, reasonOf } from '@palimpsest/core/engine';
import type { MemoryProvider } from '@palimpsest/core/memory';
import { isJsonObject } from '@palimpsest/core/settings';
import { type FoundPlugin, findPlugin, findPlugins, loadExport, type PluginPlaces } from '../plugins/load-plugin.ts';
import type { ProviderBasis } from './provider-host.ts';
import { memoryProviderNames, rowOf, shippedProvider } from './provider-list.ts';

/** What decides which provider that is; it is made by `ProviderBasis`. */
export interface ChooseProviderOptions extends ProviderBasis {
  readonly name: string;
  /** Where plugins may come from, as `pluginPlaces` gives them. @default nowhere */
  readonly places?: PluginPlaces;
  /** How long the module of a plugin may take to load, in milliseconds. @default 15_000 */
  readonly timeoutMs?: number;
}

/** What `createMemoryProvider` of a plugin is handed. */
export interface MemoryProviderHost {
  /** The name under which the provider was asked for. */
  readonly name: string;
  /** `memory.providers.<name>` of the configuration. */
  readonly settings: JsonObject;
  /** The person's folder for data; undefined where the environment does not tell. */
  readonly dataFolder: string | undefined;
}

/** The provider that a name stands for. */
export interface ChosenProvider {
  readonly provider: MemoryProvider;
  /** Where it came from, for people; `built-in` for ours. */
  readonly from: string;
}

/**
 * The provider of that name. One of ours goes before a plugin of the same name; only the plugin that has the name is run.
 *
 * @throws BAD_OPTION for a name that nobody has, BAD_PLUGIN for a plugin that cannot be used
 */
export async function chooseMemoryProvider(options: ChooseProviderOptions): Promise<ChosenProvider> {
  const { name, places = { folders: [], packages: [] } } = options;
  if (memoryProviderNames.includes(name)) return { provider: await shippedProvider(name, options), from: 'built-in' };
  const plugin = (await findPlugin('memory_provider', name, places)) ?? (await packageNamed(name, places));
  if (plugin) return { provider: await pluginProvider(plugin, options), from: plugin.from };
  // Says which names there are.
  rowOf(name);
  throw new PalimpsestError('BAD_OPTION', `Expected a memory provider, got ${name}.`);
}

async function packageNamed(name: string, places: PluginPlaces): Promise<FoundPlugin | undefined> {
  const packages = await findPlugins({ ...places, folders: [] });
  return packages.find((plugin) => plugin.name === name && plugin.manifest?.kind === 'memory_provider');
}

async function pluginProvider(
  plugin: FoundPlugin,
  { name, settings, dataFolder, timeoutMs = 15_000 }: ChooseProviderOptions,
): Promise<MemoryProvider> {
  const create = await loadExport(plugin, 'createMemoryProvider', timeoutMs);
  // What was configured came from a file, which holds what JSON can carry.
  const host: MemoryProviderHost = { name, settings: settings as JsonObject, dataFolder };
  let made: unknown;
  try {
    made = create(host);
  } catch (error) {
    throw badPlugin(`createMemoryProvider of "${name}" failed: ${reasonOf(error)}`, error);
  }
  if (made instanceof Promise) {
    // Its failure would end the process.
    made.catch(() => undefined);
    throw badPlugin(`createMemoryProvider of "${name}" returned a promise: return the provider itself`);
  }
  if (!isJsonObject(made)) throw badPlugin(`createMemoryProvider of "${name}" returned no provider`);
  if (made.name !== name)
    throw badPlugin(`the memory provider "${name}" does not call itself so: use the same name in both`);
  // Its members are guarded, whatever they are, by createMemoryProviders.
  return made as unknown as MemoryProvider;
}
