/** `palimpsest plugins list`: the engines there are, and which one is active. */

import { packageVersion } from '../../config/package-version.ts';
import { builtInEngines, type ChosenEngine } from '../../plugins/choose-engine.ts';
import { type FoundPlugin, findPlugins } from '../../plugins/load-plugin.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { containPlugins } from '../plugins/containment.ts';
import { engineFor } from '../plugins/engine-for.ts';
import { type HeardSettings, heardSettings } from '../plugins/heard-settings.ts';
import { type PluginRow, pluginLines } from '../render/plugin-list.ts';
import { type GlobalFlags, type Terminal, writeResult } from '../terminal.ts';

export async function runPluginsList(flags: GlobalFlags, terminal: Terminal): Promise<ExitCode> {
  const heard = await heardSettings(terminal);
  const version = packageVersion();
  const found = await findPlugins(heard.places);
  using containment = containPlugins(terminal, flags);
  const active = await engineFor(heard, { terminal, containment });
  const rows = rowsOf(found, { active, version });
  const notes = [...heard.all.notes, ...heard.notes, ...(active.warning === undefined ? [] : [active.warning])];
  const json = (): object => documentOf({ heard, active, rows });
  await writeResult({ json, notes, lines: (screen) => pluginLines(rows, heard, screen) }, flags, terminal);
  return active.warning === undefined ? exitCodes.fine : exitCodes.finding;
}

interface Known {
  readonly active: ChosenEngine;
  readonly version: string;
}

function rowsOf(found: readonly FoundPlugin[], { active, version }: Known): readonly PluginRow[] {
  const isFolder = active.from === 'plugins/context_engine';
  const running = isFolder ? found.find(({ name, manifest }) => name === active.name && manifest) : undefined;
  const ours = builtInEngines.map((name): PluginRow => {
    const isActive = active.from === 'built-in' && active.name === name;
    return { name, kind: 'context_engine', version, from: 'built-in', isActive, description: '' };
  });
  const plugins = found.map((plugin): PluginRow => {
    const { name, from, folder, manifest, problem } = plugin;
    const first = found.find((one) => one.name === name && one.manifest?.kind !== 'general');
    const isHidden = manifest?.kind === 'context_engine' && first !== plugin;
    const kind: PluginRow['kind'] = manifest?.kind ?? 'unknown';
    const { version: own = '', description = '' } = manifest ?? {};
    const why = problem ?? (isHidden ? `hidden by the plugin of the same name in ${first?.from}` : undefined);
    const known = { name, kind, version: own, from, folder, description, isActive: plugin === running };
    return { ...known, ...(why === undefined ? {} : { problem: why }) };
  });
  const isListed = active.from === 'built-in' || running !== undefined;
  const kind = 'context_engine' as const;
  const registered = { name: active.name, kind, version: '', from: active.from, isActive: true, description: '' };
  return [...ours, ...plugins, ...(isListed ? [] : [registered])];
}

interface Listed {
  readonly heard: HeardSettings;
  readonly active: ChosenEngine;
  readonly rows: readonly PluginRow[];
}

/** The document of `--json`; docs/guide/plugins.md describes it. */
function documentOf({ heard, active, rows }: Listed): object {
  return {
    command: 'plugins list',
    wanted: heard.engine,
    active: { name: active.name, from: active.from },
    plugins: rows.map(({ problem, folder, isActive, ...row }) => {
      return { ...row, folder: folder ?? null, active: isActive, problem: problem ?? null };
    }),
    folders: heard.places.folders.map(({ path }) => path),
    trusted: heard.isTrusted,
  };
}
