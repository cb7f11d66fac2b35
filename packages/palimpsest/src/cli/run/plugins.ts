/** `palimpsest plugins`: the engines and memory providers there are, which are active, what keeps its promises, and whose code may run. */
import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { PalimpsestError, redact } from '@palimpsest/core';
import { reasonOf } from '@palimpsest/core/engine';
import { packageVersion } from '../../config/package.ts';
import { memoryProviderNames } from '../../memory-providers/provider-list.ts';
import { builtInEngines, type ChosenEngine } from '../../plugins/choose-engine.ts';
import { type FoundPlugin, findPlugins, realPath } from '../../plugins/load-plugin.ts';
import { glyph, type Screen, styled } from '../../terminal/screen.ts';
import { changeSettings } from '../change-settings.ts';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { badOption, given, quoted } from '../option-values.ts';
import { checkInWorker, type PluginCheck } from '../plugins/check-in-worker.ts';
import { type Containment, containPlugins, engineFor, isPluginFailure, missingEngine } from '../plugins/run-engine.ts';
import { gives, tableOf } from '../render/table.ts';
import { linesOf, oneLine, wrap } from '../render/text.ts';
import { type HeardSettings, heardSettings, loadOwnSettings } from '../settings.ts';
import { stdoutScreen, writeJson, writeReport, writeResult } from '../terminal.ts';

interface PluginRow {
  readonly name: string;
  readonly kind: 'context_engine' | 'memory_provider' | 'general' | 'unknown';
  readonly version: string;
  readonly from: string;
  /** Absent for what ships with Palimpsest. */
  readonly folder?: string;
  readonly description: string;
  readonly isActive: boolean;
  /** Why it cannot be used. */
  readonly problem?: string;
}

export async function runPluginsList({ terminal }: Call<object>): Promise<ExitCode> {
  const heard = await heardSettings(terminal);
  const found = await findPlugins(heard.places);
  using containment = containPlugins(terminal);
  const active = await engineFor(heard, { terminal, containment });
  const rows = rowsOf(found, active, heard.memory.provider);
  await writeResult(terminal, {
    // docs/guide/plugins.md describes it.
    json: () => ({
      command: 'plugins list',
      wanted: heard.engine,
      active: { name: active.name, from: active.from },
      plugins: rows.map(({ problem, folder, isActive, ...row }) => {
        return { ...row, folder: folder ?? null, active: isActive, problem: problem ?? null };
      }),
      folders: heard.places.folders.map(({ path }) => path),
      trusted: heard.isTrusted,
    }),
    notes: linesOf(heard.all.notes, heard.notes, active.warning),
    lines: (screen) => pluginLines(rows, heard, screen),
  });
  return active.warning === undefined ? exitCodes.fine : exitCodes.finding;
}

function rowsOf(
  found: readonly FoundPlugin[],
  active: ChosenEngine,
  memoryProvider: string | null,
): readonly PluginRow[] {
  const isFolder = active.from === 'plugins/context_engine';
  const kind = 'context_engine' as const;
  const running = isFolder
    ? found.find(({ name, manifest }) => name === active.name && manifest?.kind === kind)
    : undefined;
  const remembering = memoryProviderNames.includes(memoryProvider ?? '')
    ? undefined
    : found.find(({ name, manifest }) => name === memoryProvider && manifest?.kind === 'memory_provider');
  const description = '';
  const ours = builtInEngines.map((name): PluginRow => {
    const isActive = active.from === 'built-in' && active.name === name;
    return { name, kind, version: packageVersion(), from: 'built-in', isActive, description };
  });
  const plugins = found.map((plugin): PluginRow => {
    const { name, from, folder, manifest } = plugin;
    const { version = '', description: about = '' } = manifest ?? {};
    const own: PluginRow['kind'] = manifest?.kind ?? 'unknown';
    const problem = plugin.problem ?? hiddenBy(plugin, found);
    const isActive = plugin === running || plugin === remembering;
    const known = { name, kind: own, version, from, folder, description: about, isActive };
    return { ...known, ...given({ problem }) };
  });
  const isListed = active.from === 'built-in' || running !== undefined;
  const registered = { name: active.name, kind, version: '', from: active.from, isActive: true, description };
  return [...ours, ...plugins, ...(isListed ? [] : [registered])];
}

/** Why a plugin is never used although nothing is wrong with it. */
function hiddenBy(plugin: FoundPlugin, found: readonly FoundPlugin[]): string | undefined {
  const kind = plugin.manifest?.kind;
  if (kind !== 'context_engine' && kind !== 'memory_provider') return undefined;
  if (kind === 'memory_provider' && memoryProviderNames.includes(plugin.name))
    return 'hidden by the provider of the same name that ships with Palimpsest';
  // A broken one hides others where it lies in the folder of the kind.
  const kindOf = ({ manifest, folder }: FoundPlugin): string => manifest?.kind ?? basename(dirname(folder));
  const first = found.find((one) => one.name === plugin.name && kindOf(one) === kind);
  return first === plugin ? undefined : `hidden by the plugin of the same name in ${first?.from}`;
}

function pluginLines(
  rows: readonly PluginRow[],
  { places, isTrusted }: HeardSettings,
  screen: Screen,
): readonly string[] {
  const clean = (text: string): string => oneLine(redact(text));
  const isBroken = ({ isActive, problem }: PluginRow): boolean => !isActive && problem !== undefined;
  const styleOf = (row: PluginRow | undefined) => (row?.isActive ? 'green' : row && isBroken(row) ? 'red' : undefined);
  const table = tableOf(
    rows,
    [
      ['name', ({ name }) => clean(name), { style: 'cyan' }],
      ['kind', ({ kind }) => clean(kind.replace('_', ' '))],
      ['version', ({ version }) => clean(version)],
      ['from', ({ from }) => clean(from)],
      ['state', (row) => (row.isActive ? 'active' : isBroken(row) ? 'broken' : '')],
      ['description', ({ description }) => clean(description), gives],
    ],
    { screen, rowStyle: (at) => styleOf(rows[at]) },
  );
  const reasons = rows.flatMap(({ name, problem }) =>
    problem === undefined ? [] : wrap(clean(`${name}: ${problem}`), screen.columns - 2).map((line) => `  ${line}`),
  );
  const kinds = ['context_engine', 'memory_provider'];
  const where = places.folders.flatMap(({ path }) => kinds.map((kind) => `${path}/${kind}/NAME`)).join(', ');
  const trust = isTrusted ? '' : ' This project is not trusted, so its plugins are ignored.';
  const hint = wrap(`Plugins are searched for in ${where || 'no folder'}.${trust}`, screen.columns - 2);
  return linesOf(
    table,
    reasons.length > 0 && ['', ...reasons],
    '',
    hint.map((line) => `  ${styled(line, 'dim', screen)}`),
  );
}

/** Throws `BAD_PLUGIN` for an engine that is unknown, or cannot be loaded or made; then nothing is written. */
export async function runPluginsUse({
  words: [name = ''],
  flags,
  terminal,
}: Call<{ readonly project?: boolean }>): Promise<void> {
  const before = await heardSettings(terminal);
  using containment = containPlugins(terminal);
  const chosen = await engineFor({ ...before, engine: name }, { onFailure: 'throw', terminal, containment });
  const problem = chosen.problem ?? (await unmakable(chosen, { heard: before, containment }));
  if (problem !== undefined) throw await missingEngine(name, problem, before);
  const change = { path: ['context', 'engine'], value: name };
  const path = await changeSettings([change], { whose: flags.project ? 'project' : 'own', terminal });
  const after = await heardSettings(terminal);
  const { engine: active } = after;
  const overruled = `"${active}" still runs here, not "${name}": another setting takes precedence (palimpsest config show --changed).`;
  const engines = { engine: name, from: chosen.from, before: before.engine, active };
  await writeResult(terminal, {
    json: () => ({ command: 'plugins use', ...engines, path }),
    notes: linesOf(after.notes, active !== name && overruled),
    lines: () => [`context.engine is now ${name} (${chosen.from}), in ${path}`],
  });
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

export async function runPluginsTrust({
  words: [folder = '.'],
  flags: { remove = false },
  terminal,
}: Call<{ readonly remove?: boolean }>): Promise<void> {
  const project = await realPath(resolve(terminal.cwd, folder));
  // What is not there yet could be made by anybody, and would be trusted.
  if (!remove) await requireFolder(project, 'project');
  const { trustedProjects } = (await loadOwnSettings(terminal)).config.plugins;
  const others: string[] = [];
  for (const path of trustedProjects) if ((await realPath(path)) !== project) others.push(path);
  const value = remove ? others : [...others, project];
  const path = await changeSettings([{ path: ['plugins', 'trusted_projects'], value }], { whose: 'own', terminal });
  if (terminal.json) return writeJson(terminal, { command: 'plugins trust', project, trusted: !remove, path });
  const what = remove ? 'is no longer trusted' : 'is trusted: its plugins, packages and hook commands may run';
  await writeReport(terminal, [`${project} ${what} (${path})`]);
}

/** Throws `FILE_UNREADABLE` where there is none; `what` is the kind of folder that was expected. */
async function requireFolder(path: string, what: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  const message = `expected the folder of a ${what}, but ${path} is not a folder: check the path`;
  throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path } });
}

export async function runPluginsCheck({
  words: [folder = ''],
  flags,
  terminal,
}: Call<{ readonly timeout?: string }>): Promise<ExitCode> {
  const { plugins } = await heardSettings(terminal);
  const timeoutMs = secondsOf(flags.timeout) * 1_000;
  const path = resolve(terminal.cwd, folder);
  await requireFolder(path, 'plugin');
  const check = await checkInWorker({ folder: path, options: plugins.options, timeoutMs });
  const { engines, problem } = check;
  const isKept = engines.every(({ findings }) => findings.every((one) => one.holds || one.level === 'should'));
  const holds = problem === undefined && engines.length > 0 && isKept;
  if (terminal.json) await writeJson(terminal, checkDocument(check, holds));
  else await writeReport(terminal, checkLines(check, holds, stdoutScreen(terminal)));
  return holds ? exitCodes.fine : exitCodes.finding;
}

function secondsOf(text = '20'): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3_600) return seconds;
  const message = `expected --timeout to be a number of seconds up to 3600, got ${quoted(text)}`;
  throw badOption(message, { option: '--timeout' });
}

/** The document of `--json`; docs/guide/plugins.md describes it. */
const checkDocument = ({ name, version, engines, problem }: PluginCheck, holds: boolean): object => ({
  command: 'plugins check',
  name: name ?? null,
  version: version ?? null,
  holds,
  problem: problem ?? null,
  engines: engines.map(({ name: engine, findings }) => ({
    name: engine,
    promises: findings.map((finding) => ({ ...finding, problem: finding.problem ?? null })),
  })),
});

/** What a plugin keeps of an engine's promises, one line each. */
function checkLines(check: PluginCheck, holds: boolean, screen: Screen): readonly string[] {
  const { name, version = '', engines, problem } = check;
  const whose = name === undefined ? '' : `plugin ${name} ${version}: `;
  const verdict = holds
    ? 'The plugin can be used.'
    : 'The plugin is not reliable: where it fails, the built-in engine takes over.';
  return linesOf(
    engines.flatMap(({ name: engine, findings }) => [
      `engine ${engine}${name === engine ? ` ${version}` : `, registered by ${name} ${version}`}`,
      ...findings.flatMap((finding) => promiseLines(finding, screen)),
      '',
    ]),
    problem !== undefined && wrap(oneLine(redact(`${whose}${problem}`)), screen.columns),
    engines.length === 0 && problem === undefined && 'It registers no engine.',
    styled(verdict, holds ? 'green' : 'red', screen),
  );
}

type Finding = PluginCheck['engines'][number]['findings'][number];

function promiseLines({ holds, level, promise, problem = '' }: Finding, screen: Screen): readonly string[] {
  const isMust = level === 'must';
  const mark = holds
    ? styled(glyph(screen, '✓', 'ok'), 'green', screen)
    : isMust
      ? styled(glyph(screen, '✗', 'no'), 'red', screen)
      : styled(glyph(screen, '·', '--'), 'yellow', screen);
  const text = `${oneLine(redact(problem))}${isMust ? '' : ' (advice)'}`;
  const reason = holds ? [] : wrap(text, screen.columns - 6).map((line) => `      ${line}`);
  return [`  ${mark} ${promise}`, ...reason];
}
