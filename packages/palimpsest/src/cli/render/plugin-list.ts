/** Engines and plugins: the list of them, and what a check of one found. */
import { redact } from '@palimpsest/core';
import type { PluginCheck } from '../plugins/check-in-worker.ts';
import type { HeardSettings } from '../plugins/heard-settings.ts';
import { glyph, type Screen, styled } from './screen.ts';
import { table } from './table.ts';
import { oneLine, wrap } from './text.ts';

/** An engine, or a plugin that is broken. */
export interface PluginRow {
  readonly name: string;
  readonly kind: 'context_engine' | 'general' | 'unknown';
  readonly version: string;
  readonly from: string;
  /** Absent for what ships with Palimpsest. */
  readonly folder?: string;
  readonly description: string;
  readonly isActive: boolean;
  /** Why it cannot be used. */
  readonly problem?: string;
}

export function pluginLines(
  rows: readonly PluginRow[],
  { places, isTrusted }: Pick<HeardSettings, 'places' | 'isTrusted'>,
  screen: Screen,
): readonly string[] {
  const columns = [
    { title: 'name', style: 'cyan' as const },
    { title: 'kind' },
    { title: 'version' },
    { title: 'from' },
    { title: 'state' },
    { title: 'description', gives: true as const },
  ];
  const cells = rows.map(({ name, kind, version, from, isActive, problem, description }) => {
    const state = isActive ? 'active' : problem === undefined ? '' : 'broken';
    return [name, kind.replace('_', ' '), version, from, state, description].map((cell) => oneLine(redact(cell)));
  });
  const rowStyle = (at: number): 'red' | 'green' | undefined =>
    rows[at]?.isActive ? 'green' : rows[at]?.problem === undefined ? undefined : 'red';
  const broken = rows.filter(({ problem }) => problem !== undefined);
  const reasons = broken.flatMap(({ name, problem = '' }) =>
    wrap(oneLine(redact(`${name}: ${problem}`)), screen.columns - 2).map((line) => `  ${line}`),
  );
  const where = places.folders.map(({ path }) => `${path}/context_engine/NAME`).join(', ');
  const trust = isTrusted ? '' : ' This project is not trusted, so its plugins are ignored.';
  const hint = wrap(`Plugins are searched for in ${where || 'no folder'}.${trust}`, screen.columns - 2);
  return [
    ...table(columns, cells, { screen, rowStyle }),
    ...(reasons.length > 0 ? ['', ...reasons] : []),
    '',
    ...hint.map((line) => `  ${styled(line, 'dim', screen)}`),
  ];
}

// What a plugin keeps of an engine's promises, one line each.

export function checkLines({ name, version, engines, problem }: PluginCheck, holds: boolean, screen: Screen): string[] {
  const lines = engines.flatMap(({ name: engine, findings }) => [
    `engine ${engine}${name === engine ? ` ${version ?? ''}` : `, registered by ${name} ${version ?? ''}`}`,
    ...findings.flatMap((finding) => promiseLines(finding, screen)),
    '',
  ]);
  const whose = name === undefined ? '' : `plugin ${name} ${version ?? ''}: `;
  const wrong = problem === undefined ? [] : wrap(oneLine(redact(`${whose}${problem}`)), screen.columns);
  const missing = engines.length === 0 && problem === undefined ? ['It registers no engine.'] : [];
  const verdict = holds
    ? 'The plugin can be used.'
    : 'The plugin is not reliable: where it fails, the built-in engine takes over.';
  return [...lines, ...wrong, ...missing, styled(verdict, holds ? 'green' : 'red', screen)];
}

type Finding = PluginCheck['engines'][number]['findings'][number];

function promiseLines({ holds, level, promise, problem = '' }: Finding, screen: Screen): readonly string[] {
  const mark = holds
    ? glyph(screen, '✓', 'ok')
    : level === 'must'
      ? glyph(screen, '✗', 'no')
      : glyph(screen, '·', '--');
  const style = holds ? 'green' : level === 'must' ? 'red' : 'yellow';
  const line = `  ${styled(mark, style, screen)} ${promise}`;
  if (holds) return [line];
  const advice = level === 'should' ? ' (advice)' : '';
  return [line, ...wrap(`${oneLine(redact(problem))}${advice}`, screen.columns - 6).map((text) => `      ${text}`)];
}
