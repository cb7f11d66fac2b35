/** `palimpsest plugins use`: makes an engine the active one. */

import { reasonOf } from '@palimpsest/core/engine';
import type { ChosenEngine } from '../../plugins/choose-engine.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { changeSetting } from '../plugins/config-file.ts';
import { type Containment, containPlugins } from '../plugins/containment.ts';
import { engineFor, isPluginFailure, missingEngine } from '../plugins/engine-for.ts';
import { type HeardSettings, heardSettings } from '../plugins/heard-settings.ts';
import { type GlobalFlags, type Terminal, writeResult } from '../terminal.ts';

export interface PluginsUseFlags extends GlobalFlags {
  readonly project?: boolean;
}

/** Throws `BAD_PLUGIN` for an engine that is unknown, or cannot be loaded or made; then nothing is written. */
export async function runPluginsUse(name: string, flags: PluginsUseFlags, terminal: Terminal): Promise<ExitCode> {
  const before = await heardSettings(terminal);
  using containment = containPlugins(terminal, flags);
  const chosen = await engineFor({ ...before, engine: name }, { onFailure: 'throw', terminal, containment });
  const problem = chosen.problem ?? (await unmakable(chosen, { heard: before, containment }));
  if (problem !== undefined) throw await missingEngine(name, problem, before);
  const change = { path: ['context', 'engine'], value: name };
  const path = await changeSetting(flags.project ? 'project' : 'own', change, terminal);
  const after = await heardSettings(terminal);
  const notes = [...after.notes, ...(after.engine === name ? [] : [overruled(name, after.engine)])];
  const engines = { engine: name, from: chosen.from, before: before.engine, active: after.engine };
  const done = `context.engine is now ${name} (${chosen.from}), in ${path}`;
  const json = (): object => ({ command: 'plugins use', ...engines, path });
  await writeResult({ json, notes, lines: () => [done] }, flags, terminal);
  return exitCodes.fine;
}

/** Why no engine can be made of it for a session. */
async function unmakable(
  { name, engine }: ChosenEngine,
  { heard, containment }: { readonly heard: HeardSettings; readonly containment: Containment },
): Promise<string | undefined> {
  if (!engine) return undefined;
  try {
    await containment.run({ name, limitMs: heard.plugins.timeoutSeconds * 1_000 }, async () => engine('a trial'));
    return undefined;
  } catch (error) {
    if (!isPluginFailure(error)) throw error;
    return `could not be created (${reasonOf(error.cause)})`;
  }
}

const overruled = (name: string, active: string): string =>
  `"${active}" still runs here, not "${name}": another setting takes precedence (palimpsest config show --changed).`;
