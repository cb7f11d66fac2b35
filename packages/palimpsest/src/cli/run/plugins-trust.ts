/** `palimpsest plugins trust`: lets the code of a project run, or no longer. */
import { resolve } from 'node:path';
import { realPath } from '../../plugins/load-plugin.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { loadOwnSettings } from '../load-settings.ts';
import { changeSetting } from '../plugins/config-file.ts';
import { requireFolder } from '../plugins/require-folder.ts';
import { type GlobalFlags, type Terminal, writeJson, writeReport } from '../terminal.ts';

export interface PluginsTrustFlags extends GlobalFlags {
  readonly remove?: boolean;
}

export async function runPluginsTrust(
  folder: string | undefined,
  flags: PluginsTrustFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const project = await realPath(resolve(terminal.cwd, folder ?? '.'));
  // What is not there yet could be made by anybody, and would be trusted.
  if (!flags.remove) await requireFolder(project, 'project');
  const { trustedProjects } = (await loadOwnSettings(terminal)).config.plugins;
  const others: string[] = [];
  for (const path of trustedProjects) if ((await realPath(path)) !== project) others.push(path);
  const value = flags.remove ? others : [...others, project];
  const path = await changeSetting('own', { path: ['plugins', 'trusted_projects'], value }, terminal);
  if (flags.json) {
    await writeJson(terminal.stdout, { command: 'plugins trust', project, trusted: !flags.remove, path });
    return exitCodes.fine;
  }
  const what = flags.remove ? 'is no longer trusted' : 'is trusted: its plugins, packages and hook commands may run';
  await writeReport(terminal, [`${project} ${what} (${path})`], flags);
  return exitCodes.fine;
}
