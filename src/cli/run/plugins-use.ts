/** `palimpsest plugins use`: makes an engine the active one. */
import { nearest } from '../../config/nearest.ts';
import { builtInEngines } from '../../plugins/choose-engine.ts';
import { findPlugins } from '../../plugins/find-plugins.ts';
import { machineFiles, palimpsestVersion } from '../../plugins/plugin-files.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { changeSetting } from '../plugins/config-file.ts';
import { engineFor } from '../plugins/engine-for.ts';
import { type HeardSettings, heardSettings } from '../plugins/heard-settings.ts';
import { type GlobalFlags, type Terminal, writeJson, writeLines, writeNotes } from '../terminal.ts';

export interface PluginsUseFlags extends GlobalFlags {
  readonly project?: boolean;
  readonly json?: boolean;
}

/** Throws `BAD_PLUGIN` for an engine that is unknown or cannot be loaded; then nothing is written. */
export async function runPluginsUse(name: string, flags: PluginsUseFlags, terminal: Terminal): Promise<ExitCode> {
  const before = await heardSettings(terminal);
  const chosen = await engineFor({ ...before, engine: name });
  if (chosen.warning !== undefined) {
    const meant = await meantName(name, before);
    throw new PalimpsestError('BAD_PLUGIN', `${chosen.warning} Nothing was written.${meant}`, { evidence: { name } });
  }
  const change = { path: ['context', 'engine'], value: name };
  const path = await changeSetting(flags.project ? 'project' : 'own', change, terminal);
  const after = await heardSettings(terminal);
  const notes = [...after.notes, ...(after.engine === name ? [] : [overruled(name, after.engine)])];
  if (flags.json) {
    const engines = { engine: name, from: chosen.from, before: before.engine, active: after.engine };
    await writeJson(terminal.stdout, { command: 'plugins use', ...engines, path, notes });
    return exitCodes.fine;
  }
  await writeNotes(terminal, notes, flags);
  await writeLines(terminal.stdout, [`context.engine is ${name} now (${chosen.from}), in ${path}`]);
  return exitCodes.fine;
}

async function meantName(name: string, { places }: HeardSettings): Promise<string> {
  const found = await findPlugins(places, { files: machineFiles, version: await palimpsestVersion() });
  const near = nearest(name, [...builtInEngines, ...found.map((plugin) => plugin.name)]);
  return near === undefined || near === name ? '' : ` Did you mean ${near}?`;
}

const overruled = (name: string, active: string): string =>
  `"${active}" runs here all the same, not "${name}": another setting wins (palimpsest config show --changed).`;
