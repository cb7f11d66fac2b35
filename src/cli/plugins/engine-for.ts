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
  return aside(() =>
    chooseEngine({ ...options, name: engine, places, options: settings, timeoutMs: timeoutSeconds * 1_000 }),
  );
}

/** What a plugin prints while it loads is not what the command prints: it goes to standard error. */
async function aside<T>(load: () => Promise<T>): Promise<T> {
  const { stdout, stderr } = process;
  const { write } = stdout;
  stdout.write = stderr.write.bind(stderr);
  try {
    return await load();
  } finally {
    stdout.write = write;
  }
}
