/** Lines that a search in saved results found, one result below the other. */
import { size } from '@palimpsest/core';
import type { SavedOutput } from '@palimpsest/core/store';
import type { NumberedLine } from '../run/outputs-text.ts';
import { type Screen, styled } from './screen.ts';
import { visible } from './text.ts';
import { timeText } from './time.ts';

/** A result, the name of its tool in one line, and the places in it. */
export interface FoundOutputRow {
  readonly output: SavedOutput;
  readonly tool: string | undefined;
  readonly places: readonly NumberedLine[];
}

export function foundOutputs(rows: readonly FoundOutputRow[], screen: Screen): readonly string[] {
  return rows.flatMap(({ output, tool, places }, at) => {
    const about = [tool ?? 'tool unknown', size(output), timeText(output.savedAt)].join('  ');
    return [
      ...(at === 0 ? [] : ['']),
      `${styled(output.id, 'cyan', screen)}  ${styled(about, 'dim', screen)}`,
      ...places.map((place) => `${numberOf(place, screen)} ${visible(place.text)}`),
    ];
  });
}

const numberOf = ({ line, char }: NumberedLine, screen: Screen): string =>
  styled(`${line}${char === null ? '' : ` at char ${char}`}:`, 'dim', screen);
