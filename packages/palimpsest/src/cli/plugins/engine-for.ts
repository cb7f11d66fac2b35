/** The context engine of a name, for a door that keeps conversations. */

import { PalimpsestError } from '@palimpsest/core';
import { reasonOf } from '@palimpsest/core/engine';
import { nearest } from '@palimpsest/core/settings';
import {
  builtInEngines,
  type ChooseEngineOptions,
  type ChosenEngine,
  chooseEngine,
} from '../../plugins/choose-engine.ts';
import { findEngine, findPlugins } from '../../plugins/load-plugin.ts';
import type { Terminal } from '../terminal.ts';
import type { Containment } from './containment.ts';
import type { HeardSettings } from './heard-settings.ts';

/** What a door knows beside the configuration. */
export interface DoorOptions extends Pick<ChooseEngineOptions, 'compressor' | 'onFailure' | 'onNotice'> {
  readonly terminal: Terminal;
  readonly containment: Containment;
}

/** Nobody waits longer for an engine that does not load. */
const mostLoadMs = 15_000;

/** Never throws for what is wrong with a plugin: `warning` says it, and the built-in engine runs. */
export async function engineFor(
  { engine, plugins, places }: Pick<HeardSettings, 'engine' | 'plugins' | 'places'>,
  { terminal, containment, ...options }: DoorOptions,
): Promise<ChosenEngine> {
  const timeoutMs = plugins.timeoutSeconds * 1_000;
  const limits = { timeoutMs, loadTimeoutMs: Math.min(timeoutMs, mostLoadMs) };
  const choose = (): Promise<ChosenEngine> =>
    chooseEngine({ ...options, ...limits, name: engine, places, options: plugins.options });
  const limitMs = builtInEngines.includes(engine) ? undefined : limits.loadTimeoutMs;
  const chosen = await containment
    .run({ name: engine, limitMs }, choose)
    .catch((error: unknown) => unloaded(engine, error));
  const isForeign = chosen.from !== 'built-in' || chosen.problem !== undefined;
  if (isForeign) terminal.onPluginRun?.();
  else containment[Symbol.dispose]();
  return chosen;
}

/** It failed behind the back of its loading. */
function unloaded(engine: string, error: unknown): ChosenEngine {
  if (!isPluginFailure(error)) throw error;
  const [name = ''] = builtInEngines;
  const problem = `could not be loaded: it failed outside any call (${reasonOf(error.cause)})`;
  const warning = `The context engine "${engine}" ${problem}; "${name}" is used instead.`;
  return { name, from: 'built-in', problem, warning };
}

/** True for what is thrown where the code of a plugin is to blame. */
export const isPluginFailure = (error: unknown): error is PalimpsestError =>
  PalimpsestError.isInstance(error) && error.code === 'BAD_PLUGIN';

/** What to say of an engine that a person has typed and that is not to be had. */
export async function missingEngine(name: string, problem: string, heard: HeardSettings): Promise<PalimpsestError> {
  const found = await findPlugins(heard.places);
  const names = [...builtInEngines, ...found.map((plugin) => plugin.name)];
  const next = names.includes(name) ? '' : whatNext(nearest(name, names), heard);
  const message = `The context engine "${name}" ${problem}. Nothing was written.${next}`;
  return new PalimpsestError('BAD_PLUGIN', message, { evidence: { name } });
}

function whatNext(near: string | undefined, { isTrusted }: HeardSettings): string {
  if (near !== undefined) return ` Did you mean ${near}?`;
  const trust = isTrusted ? '' : '; plugins of a project only if you trust it (palimpsest plugins trust)';
  return ` palimpsest plugins lists the engines${trust}.`;
}

/** The engine that runs, and what to tell a person where it is not the one of the configuration. */
export interface EngineName {
  readonly engine: string;
  readonly warning?: string;
}

/** Which engine would run, as far as that can be told without running code; one that only its own code can name, in a package that was named, is taken at its word. */
export async function engineName({ engine, places }: Pick<HeardSettings, 'engine' | 'places'>): Promise<EngineName> {
  if (builtInEngines.includes(engine)) return { engine };
  const found = await findEngine(engine, places);
  if (found?.manifest) return { engine };
  const packages = await findPlugins({ ...places, folders: [] });
  const mayHaveIt = packages.some(
    ({ name, manifest }) => manifest?.kind === 'general' || (manifest && name === engine),
  );
  if (found === undefined && mayHaveIt) return { engine };
  const [builtIn = ''] = builtInEngines;
  const problem = found?.problem === undefined ? 'is not known' : `cannot be used: ${found.problem}`;
  return { engine: builtIn, warning: `The context engine "${engine}" ${problem}; "${builtIn}" is used instead.` };
}
