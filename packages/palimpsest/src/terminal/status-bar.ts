/** The line at the bottom: what matters most is left when the screen is narrow. */
import { clip, glyph, type Screen, type Style, widthOf } from './screen.ts';
import { type Line, paintedLine, type Span } from './spans.ts';
import { harmless } from './visible.ts';

/** A piece of the status bar. */
export interface Segment {
  readonly text: string;
  readonly style?: Style | readonly Style[];
  /** @default 'left' */
  readonly side?: 'left' | 'right';
}

const gap = '  ';

/**
 * One row, never wider than the screen. The segments come in the order of their importance: the last ones go first.
 *
 * @param edge where the right side ends, if all of it fits so far
 */
export function statusRow(segments: readonly Segment[], screen: Screen, edge: number = screen.columns): string {
  const kept: Segment[] = [];
  let width = 0;
  for (const segment of segments) {
    const shown = { ...segment, text: harmless(segment.text) };
    if (shown.text === '') continue;
    const own = widthOf(shown.text) + (kept.length > 0 ? gap.length : 0);
    if (width + own > screen.columns) {
      // The most important one is cut rather than left out.
      if (kept.length === 0) kept.push({ ...shown, text: clip(shown.text, screen.columns, glyph(screen, '…', '~')) });
      break;
    }
    kept.push(shown);
    width += own;
  }
  return paintedLine(sides(kept, Math.max(edge, width)), screen);
}

function sides(kept: readonly Segment[], columns: number): Line {
  const [left, right] = (['left', 'right'] as const).map((side) =>
    between(kept.filter((segment) => (segment.side ?? 'left') === side)),
  );
  const used = [left, right].flatMap((spans) => spans ?? []).reduce((sum, { text }) => sum + widthOf(text), 0);
  if (!right || right.length === 0) return left ?? [];
  return [...(left ?? []), { text: ' '.repeat(Math.max(0, columns - used)) }, ...right];
}

const between = (segments: readonly Segment[]): readonly Span[] =>
  segments.flatMap(({ text, style = 'dim' }, at) => [...(at > 0 ? [{ text: gap }] : []), { text, style }]);

/**
 * How full a window is, as a slim bar: `━━━━──────`. What is more than nothing shows, and only what is full looks full.
 *
 * @param share from 0 to 1; what is beyond counts as the nearest of both
 */
export function windowBar(share: number, width: number, screen: Pick<Screen, 'unicode'>): string {
  const [full, empty] = screen.unicode ? ['━', '─'] : ['=', '-'];
  const exact = Math.max(0, Math.min(1, Number.isFinite(share) ? share : 0)) * width;
  const filled = share > 0 && exact < 1 ? 1 : share < 1 ? Math.min(width - 1, Math.round(exact)) : width;
  return full.repeat(Math.max(0, filled)) + empty.repeat(Math.max(0, width - filled));
}
