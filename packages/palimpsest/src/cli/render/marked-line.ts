/** A line of a summary with the words in it that are wrong: coloured, or with carets below where there are no colours. */
import type { WrongClaim } from '@palimpsest/core';
import { glyph, type Screen, type Style, styled } from './screen.ts';
import { clip, widthOf } from './width.ts';

/** What stands below the line begins where its text does. */
export const indent: string = ' '.repeat(11);

/** A line to show. */
export interface Marked {
  readonly number: number;
  /** Without control characters. */
  readonly text: string;
  readonly claims: readonly WrongClaim[];
}

/** As much of the line as fits, around its first wrong word. */
export function markedLine({ number, text, claims }: Marked, screen: Screen): readonly string[] {
  const spans = spansOf(text, claims);
  const room = screen.columns - indent.length;
  const from = widthOf(text) <= room ? 0 : Math.max(0, (spans[0]?.start ?? 0) - Math.floor(room / 3));
  const lead = from === 0 ? '' : glyph(screen, '…', '~');
  const part = lead + clip(text.slice(from), room - lead.length, glyph(screen, '…', '~'));
  const shift = lead.length - from;
  const inside = spans
    .map(({ start, end, style }) => ({ start: start + shift, end: Math.min(end + shift, part.length), style }))
    .filter(({ start, end }) => start >= 0 && start < end);
  const label = `line ${number}`.padEnd(indent.length - 1);
  const line = `${styled(label, 'bold', screen)} ${coloured(part, inside, screen)}`.trimEnd();
  return screen.colour || inside.length === 0 ? [line] : [line, indent + caretsUnder(part, inside)];
}

interface WordSpan {
  readonly start: number;
  readonly end: number;
  readonly style: Style;
}

/** Where the wrong words stand, in order and without overlaps. */
function spansOf(text: string, claims: readonly WrongClaim[]): readonly WordSpan[] {
  const found = claims
    .flatMap(({ text: words, verdict }) => {
      const start = words === '' ? -1 : text.indexOf(words);
      return start < 0 ? [] : [{ start, end: start + words.length, style: styleOf(verdict) }];
    })
    .sort((a, b) => a.start - b.start || b.end - a.end);
  return found.filter((span, at) => at === 0 || span.start >= Math.max(...found.slice(0, at).map(({ end }) => end)));
}

/** How a verdict is coloured. */
export const styleOf = (verdict: WrongClaim['verdict']): Style => (verdict === 'contradicted' ? 'red' : 'yellow');

function coloured(text: string, spans: readonly WordSpan[], screen: Screen): string {
  let shown = '';
  let done = 0;
  for (const { start, end, style } of spans) {
    shown += text.slice(done, start) + styled(text.slice(start, end), style, screen);
    done = end;
  }
  return shown + text.slice(done);
}

function caretsUnder(text: string, spans: readonly WordSpan[]): string {
  let row = '';
  for (const { start, end } of spans) {
    row += ' '.repeat(Math.max(0, widthOf(text.slice(0, start)) - row.length));
    row += '^'.repeat(Math.max(1, widthOf(text.slice(start, end))));
  }
  return row;
}
