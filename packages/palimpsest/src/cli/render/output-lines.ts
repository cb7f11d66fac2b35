/** Lines of a saved result with their numbers; those that were asked for have a mark. */
import type { NumberedLine } from '../run/outputs-text.ts';
import { glyph, type Screen, styled } from './screen.ts';
import { thousands, visible } from './text.ts';

/** More of a line is not shown with its number. */
const mostOfLine = 2_000;

export function outputLines(lines: readonly NumberedLine[], screen: Screen): readonly string[] {
  const width = Math.max(0, ...lines.map(({ line }) => String(line).length));
  return lines.flatMap((row, at) => {
    const before = lines[at - 1];
    const gap = before && row.line > before.line + 1 ? [styled(glyph(screen, '⋮', '...'), 'dim', screen)] : [];
    const sign = row.match ? glyph(screen, '▶', '>') : ' ';
    const number = styled(String(row.line).padStart(width), row.match ? 'cyan' : 'dim', screen);
    const place = row.char === null ? '' : styled(`at char ${row.char}: `, 'dim', screen);
    return [...gap, `${sign} ${number}  ${place}${shown(row, screen)}`.trimEnd()];
  });
}

function shown({ text, line, characters }: NumberedLine, screen: Screen): string {
  // Masking changes the length by a little.
  if (characters === null || characters <= mostOfLine) return visible(text);
  const rest = characters - mostOfLine;
  const more = `${glyph(screen, '…', '...')} ${thousands(rest)} more characters: --lines ${line} --chars ${mostOfLine + 1}-`;
  return `${visible(text.slice(0, mostOfLine).toWellFormed())}${styled(more, 'dim', screen)}`;
}
