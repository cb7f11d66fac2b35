/** How one line of Markdown looks: its text in styles, and what stands before it. */
import { glyph, type Screen } from '../screen.ts';
import { type Line, plainShape, type Shape, type Span } from '../spans.ts';
import { harmless } from '../visible.ts';
import { inline } from './inline.ts';
import type { MarkdownLine } from './line.ts';
import { readLine } from './line.ts';

export interface ShapeOptions {
  readonly screen: Screen;
  readonly columns: number;
  /** True while the line is still being written. */
  readonly isOpen: boolean;
  /** True below an entry of a list, where text that stands further in belongs to the entry. */
  readonly isInList: boolean;
}

/** A heading, an entry of a list, a quotation, a rule or text. */
export function shapeOf(line: MarkdownLine, options: ShapeOptions): Shape {
  const { screen, columns, isOpen } = options;
  switch (line.type) {
    case 'blank':
      return plainShape('');
    case 'rule':
      return plainShape([{ text: glyph(screen, '─', '-').repeat(Math.min(columns, 40)), style: 'dim' }]);
    case 'heading':
      return {
        shown: inline(line.text, { isOpen, styles: line.level === 1 ? ['bold', 'underline'] : ['bold'] }),
        first: '',
        rest: '',
      };
    case 'entry':
      return entryShape(line, options);
    case 'quote':
      return quoteShape(line.rest, options);
    case 'fence':
      return plainShape(line.mark + line.language);
    case 'text':
      return textShape(line, options);
  }
}

/** The deepest that anything stands in: narrow screens have to hold it. */
const spaces = (indent: number, columns: number): string => ' '.repeat(Math.min(indent, Math.floor(columns / 3)));

function entryShape(
  { indent, marker, text }: Extract<MarkdownLine, { type: 'entry' }>,
  { screen, columns, isOpen }: ShapeOptions,
): Shape {
  const sign = /\d/.test(marker) ? marker : glyph(screen, '•', '-');
  const before = spaces(indent, columns);
  return {
    shown: inline(text, { isOpen }),
    first: [before, { text: sign, style: 'dim' }, ' '],
    rest: before + ' '.repeat(sign.length + 1),
  };
}

/** Bars for as many quotations as stand in each other; more than these are one. */
const deepest = 4;

function quoteShape(rest: string, options: ShapeOptions, depth = 1): Shape {
  const bar: Span = { text: glyph(options.screen, '│ ', '> '), style: 'dim' };
  const line = readLine(rest);
  const inner =
    line.type === 'quote' && depth < deepest
      ? quoteShape(line.rest, options, depth + 1)
      : shapeOf(line.type === 'quote' ? readLine(rest.replace(/^[\s>]+/, '')) : line, {
          ...options,
          columns: options.columns - 2,
        });
  return { shown: inner.shown, first: [bar, ...parts(inner.first)], rest: [bar, ...parts(inner.rest)] };
}

const parts = (line: Line): readonly (string | Span)[] => (typeof line === 'string' ? [line] : line);

function textShape(
  { indent, text }: Extract<MarkdownLine, { type: 'text' }>,
  { columns, isOpen, isInList }: ShapeOptions,
): Shape {
  const before = spaces(indent, columns);
  // Four spaces outside of a list are code: a trace, a drawing.
  const shown = indent >= 4 && !isInList ? { text: harmless(text), marks: [] } : inline(withoutBreak(text), { isOpen });
  return { shown, first: before, rest: before };
}

/** A backslash at the end of a line breaks it, which every line does here. */
const withoutBreak = (text: string): string => text.replace(/(?<!\\)\\$/, '');
