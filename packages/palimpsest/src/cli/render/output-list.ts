/** Saved results as a table: one row each. */
import { bytesText } from '@palimpsest/core';
import type { SavedOutput } from '@palimpsest/core/store';
import { shortIds } from '../sessions/find-session.ts';
import { glyph, type Screen } from './screen.ts';
import { table } from './table.ts';
import { thousands } from './text.ts';
import { timeText } from './time.ts';

/** From this width on there is room for the session. */
const wideFrom = 100;

/** A result, and the name of its tool in one line. */
export interface OutputRow {
  readonly output: SavedOutput;
  readonly tool: string | undefined;
}

export function outputTable(rows: readonly OutputRow[], screen: Screen): readonly string[] {
  if (rows.length === 0) return [];
  const sessions = shortIds(rows.flatMap(({ output }) => output.sessionId ?? []));
  const shortOf = new Map(
    rows.flatMap(({ output }) => output.sessionId ?? []).map((id, at) => [id, sessions[at] ?? id]),
  );
  const isWide = screen.columns >= wideFrom;
  const columns = [
    { title: 'id', style: 'cyan' as const, whole: true as const },
    { title: 'saved' },
    { title: 'size', align: 'right' as const },
    { title: 'lines', align: 'right' as const },
    ...(isWide ? [{ title: 'session' }] : []),
    { title: 'tool', gives: true as const },
  ];
  const cells = rows.map(({ output, tool }) => [
    output.id,
    timeText(output.savedAt),
    bytesText(output.bytes),
    thousands(output.lines),
    ...(isWide ? [shortOf.get(output.sessionId ?? '') ?? glyph(screen, '–', '-')] : []),
    tool ?? glyph(screen, '–', '-'),
  ]);
  return table(columns, cells, { screen, indent: 0 });
}
