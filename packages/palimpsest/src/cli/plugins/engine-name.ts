/** Which engine would run, as far as that can be told without running its code. */

import { packageVersion } from '../../config/package-version.ts';
import { builtInEngines } from '../../plugins/choose-engine.ts';
import { findEngine, findPlugins } from '../../plugins/find-plugins.ts';
import { machineFiles } from '../../plugins/plugin-files.ts';
import type { HeardSettings } from './heard-settings.ts';

/** The engine that runs, and what to tell a person where it is not the one of the configuration. */
export interface EngineName {
  readonly engine: string;
  readonly warning?: string;
}

/** One that only its own code can name, in a package that was named, is taken at its word. */
export async function engineName({ engine, places }: Pick<HeardSettings, 'engine' | 'places'>): Promise<EngineName> {
  if (builtInEngines.includes(engine)) return { engine };
  const finding = { files: machineFiles, version: packageVersion() };
  const found = await findEngine(engine, places, finding);
  if (found?.manifest) return { engine };
  const packages = await findPlugins({ ...places, folders: [] }, finding);
  const mayHaveIt = packages.some(
    ({ name, manifest }) => manifest?.kind === 'general' || (manifest && name === engine),
  );
  if (found === undefined && mayHaveIt) return { engine };
  const [builtIn = ''] = builtInEngines;
  const problem = found?.problem === undefined ? 'is not known' : `cannot be used: ${found.problem}`;
  return { engine: builtIn, warning: `The context engine "${engine}" ${problem}; "${builtIn}" is used instead.` };
}
