/** `palimpsest plugins use`: makes an engine the active one. */
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { changeSetting } from '../plugins/config-file.ts';
import { containPlugins } from '../plugins/containment.ts';
import { engineFor, missingEngine } from '../plugins/engine-for.ts';
import { heardSettings } from '../plugins/heard-settings.ts';
import { type GlobalFlags, type Terminal, writeJson, writeLines, writeNotes } from '../terminal.ts';

export interface PluginsUseFlags extends GlobalFlags {
  readonly project?: boolean;
  readonly json?: boolean;
}

/** Throws `BAD_PLUGIN` for an engine that is unknown or cannot be loaded; then nothing is written. */
export async function runPluginsUse(name: string, flags: PluginsUseFlags, terminal: Terminal): Promise<ExitCode> {
  const before = await heardSettings(terminal);
  using containment = containPlugins(terminal);
  const chosen = await engineFor({ ...before, engine: name }, { terminal, containment });
  if (chosen.problem !== undefined) throw await missingEngine(name, chosen.problem, before);
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

const overruled = (name: string, active: string): string =>
  `"${active}" runs here all the same, not "${name}": another setting wins (palimpsest config show --changed).`;
