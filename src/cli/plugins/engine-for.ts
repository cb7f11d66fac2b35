/** The context engine that the configuration names, for a door that keeps conversations. */
import { type ChooseEngineOptions, type ChosenEngine, chooseEngine } from '../../plugins/choose-engine.ts';
import type { HeardSettings } from './heard-settings.ts';

/** What a door knows beside the configuration. */
export type DoorOptions = Pick<ChooseEngineOptions, 'compressor' | 'store' | 'onNotice' | 'builtIn'>;

/** Never throws for what is wrong with a plugin: `warning` says it, and a built-in engine runs. */
export function engineFor(
  { engine, plugins, places }: HeardSettings,
  options: DoorOptions = {},
): Promise<ChosenEngine> {
  const { options: settings, timeoutSeconds } = plugins;
  return chooseEngine({ ...options, name: engine, places, options: settings, timeoutMs: timeoutSeconds * 1_000 });
}
