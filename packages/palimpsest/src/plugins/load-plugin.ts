/** Runs the module of a plugin that was named, and takes from it what its kind promises. */
import { badPlugin, inTime, reasonOf, type Timers } from '@palimpsest/core/engine';
import type { EngineFactory } from './engine-host.ts';
import type { FoundPlugin } from './find-plugins.ts';
import type { PluginFiles } from './plugin-files.ts';
import type { PluginRegistry } from './registry.ts';

/** What loading needs. */
export interface Loading {
  readonly files: PluginFiles;
  readonly timers: Timers;
  readonly timeoutMs: number;
}

/** The engine of a plugin. Throws `BAD_PLUGIN` with the reason. */
export async function loadEngine(plugin: FoundPlugin, loading: Loading): Promise<EngineFactory> {
  const { createEngine } = await exportsOf(plugin, loading);
  const { name } = plugin;
  if (typeof createEngine !== 'function')
    throw badPlugin(`the plugin "${name}" does not export a function createEngine`);
  // What it gives back is checked where it is called.
  return { name, create: createEngine as EngineFactory['create'] };
}

/** Has a general plugin register what it offers. Throws `BAD_PLUGIN` with the reason. */
export async function loadGeneral(plugin: FoundPlugin, registry: PluginRegistry, loading: Loading): Promise<void> {
  const { register, createEngine } = await exportsOf(plugin, loading);
  const { name } = plugin;
  if (typeof createEngine === 'function' && plugin.manifest?.kind === 'context_engine') {
    registry.registerContextEngine({ name, create: createEngine as EngineFactory['create'] }); // checked where it is called
    return;
  }
  if (typeof register !== 'function') throw badPlugin(`the plugin "${name}" does not export a function register`);
  try {
    await inTime(loading, () => register(registry));
  } catch (error) {
    throw badPlugin(`register of the plugin "${name}" failed: ${reasonOf(error)}`, error);
  }
}

async function exportsOf(
  { name, folder, manifest, problem }: FoundPlugin,
  loading: Loading,
): Promise<Readonly<Record<string, unknown>>> {
  if (!manifest) throw badPlugin(`the plugin "${name}" cannot be used: ${problem ?? 'it has no manifest'}`);
  try {
    return await inTime(loading, () => loading.files.load(folder, manifest.main));
  } catch (error) {
    throw badPlugin(`${manifest.main} of the plugin "${name}" failed to load: ${reasonOf(error)}`, error);
  }
}
