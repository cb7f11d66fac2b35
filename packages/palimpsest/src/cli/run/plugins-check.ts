/** `palimpsest plugins check`: holds a plugin against what an engine promises. */
import { resolve } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { checkInWorker, type PluginCheck } from '../plugins/check-in-worker.ts';
import { heardSettings } from '../plugins/heard-settings.ts';
import { requireFolder } from '../plugins/require-folder.ts';
import { checkLines } from '../render/plugin-list.ts';
import { type GlobalFlags, stdoutScreen, type Terminal, writeJson, writeReport } from '../terminal.ts';

export interface PluginsCheckFlags extends GlobalFlags {
  readonly timeout?: string;
}

export async function runPluginsCheck(folder: string, flags: PluginsCheckFlags, terminal: Terminal): Promise<ExitCode> {
  const { plugins } = await heardSettings(terminal);
  const timeoutMs = secondsOf(flags.timeout) * 1_000;
  const path = resolve(terminal.cwd, folder);
  await requireFolder(path, 'plugin');
  const check = await checkInWorker({ folder: path, options: plugins.options, timeoutMs });
  const holds = isSound(check);
  if (flags.json) await writeJson(terminal.stdout, documentOf(check, holds));
  else await writeReport(terminal, checkLines(check, holds, stdoutScreen(terminal, flags)), flags);
  return holds ? exitCodes.fine : exitCodes.finding;
}

const isSound = ({ engines, problem }: PluginCheck): boolean =>
  problem === undefined &&
  engines.length > 0 &&
  engines.every(({ findings }) => findings.every(({ holds, level }) => holds || level === 'should'));

function secondsOf(text = '20'): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3_600) return seconds;
  const message = `expected --timeout to be a number of seconds up to 3600, got ${JSON.stringify(text.slice(0, 40))}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: '--timeout' } });
}

/** The document of `--json`; docs/guide/plugins.md describes it. */
function documentOf({ name, version, engines, problem }: PluginCheck, holds: boolean): unknown {
  return {
    command: 'plugins check',
    name: name ?? null,
    version: version ?? null,
    holds,
    problem: problem ?? null,
    engines: engines.map(({ name: engine, findings }) => ({
      name: engine,
      promises: findings.map((finding) => ({ ...finding, problem: finding.problem ?? null })),
    })),
  };
}
