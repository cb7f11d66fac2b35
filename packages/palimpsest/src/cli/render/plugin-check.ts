/** What a plugin keeps of an engine's promises, one line each. */
import { redact } from '@palimpsest/core';
import type { PluginCheck } from '../plugins/check-in-worker.ts';
import { glyph, type Screen, styled } from './screen.ts';
import { oneLine, wrap } from './text.ts';

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
