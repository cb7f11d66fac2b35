/** What stands below the printed text, composed anew for each frame: unfinished text, activity, queue, question, editor, status. */
import { type Offer, offerRows } from './completion.ts';
import { type Dialog, dialogRows } from './dialog.ts';
import type { Draft } from './editor/draft.ts';
import { layoutOf } from './editor/layout.ts';
import type { Frame } from './painter.ts';
import { clip, glyph, headOf, type Screen } from './screen.ts';
import { paintedLine } from './spans.ts';
import { type Segment, statusRow } from './status-bar.ts';
import { harmless } from './visible.ts';

/** Everything that the live area shows. */
export interface Live {
  /** Rows of text that is not finished. */
  readonly tail: readonly string[];
  readonly activity: { readonly text: string; readonly frame: number } | undefined;
  readonly queue: readonly string[];
  readonly dialog: Dialog | undefined;
  readonly draft: Draft;
  readonly offer: Offer | undefined;
  /** Stands in place of the status bar. */
  readonly hint: string | undefined;
  readonly status: readonly Segment[];
}

interface Room {
  readonly screen: Screen;
  /** Rows of the terminal. */
  readonly rows: number;
}

/**
 * The frame is no wider, however wide the screen is: a row that fills the screen is broken by the terminal when it becomes
 * narrower, which pushes what stands above into the scrollback, where nobody can take it away.
 */
const frameColumns = 60;

/** The sign before the editor and a space. */
const promptWidth = 2;

/** Cells for text in a row of the editor: the sign stands before it, and the cursor after it. */
export const editorColumns = (columns: number): number => Math.max(2, columns - promptWidth - 1);

/** The rows of the live area, never more than the terminal has, and the cursor in them. The editor always has a row. */
export function liveFrame(live: Live, { screen, rows }: Room): Omit<Frame, 'print'> {
  const isLow = rows < 8;
  const bottom = live.status.length > 0 || live.hint !== undefined ? [bottomRow(live, screen)] : [];
  const line = glyph(screen, '─', '-').repeat(Math.min(screen.columns, frameColumns));
  const rule = isLow ? [] : [paintedLine([{ text: line, style: 'dim' }], screen)];
  let left = Math.max(1, rows - bottom.length - 2 * rule.length);

  const editor = editorRows(live, screen, Math.max(1, live.dialog ? 1 : Math.min(left, Math.ceil(rows / 3))));
  left -= editor.rows.length;
  const activity = live.activity && left > 0 ? [activityRow(live.activity, screen)] : [];
  left -= activity.length;
  const offer = live.offer ? offerRows(live.offer, screen, left) : [];
  left -= offer.length;
  const dialog = live.dialog && left > 0 ? dialogRows(live.dialog, { screen, room: left }) : [];
  left -= dialog.length;
  const queue = queueRows(live.queue, screen, left);
  left -= queue.length;
  const tail = left > 0 ? live.tail.slice(-left) : [];

  const above = [...tail, ...activity, ...queue, ...dialog, ...rule];
  return {
    rows: [...above, ...editor.rows, ...rule, ...offer, ...bottom],
    cursor: { row: above.length + editor.row, column: Math.min(promptWidth + editor.column, screen.columns - 1) },
  };
}

function bottomRow({ hint, status }: Live, screen: Screen): string {
  const segments: readonly Segment[] = hint === undefined ? status : [{ text: hint, style: 'yellow' }];
  return statusRow(segments, screen, Math.min(screen.columns, frameColumns));
}

/** One turn of the sign takes this many frames. */
const signs = { unicode: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'], ascii: [...'|/-\\'] };

function activityRow({ text, frame }: NonNullable<Live['activity']>, screen: Screen): string {
  const own = screen.unicode ? signs.unicode : signs.ascii;
  const shown = clip(harmless(text), screen.columns - 2, glyph(screen, '…', '~'));
  return paintedLine(
    [
      { text: `${own[frame % own.length]} `, style: 'cyan' },
      { text: shown, style: 'dim' },
    ],
    screen,
  );
}

const mostQueued = 3;

/** The messages that wait, the next one first. */
function queueRows(queue: readonly string[], screen: Screen, room: number): readonly string[] {
  const most = Math.min(room, mostQueued);
  if (most < 1 || queue.length === 0) return [];
  const shown = queue.length > most ? queue.slice(0, most - 1) : queue;
  const sign = glyph(screen, '↳ ', '+ ');
  const lines = shown.map((text) => sign + harmless(text.replaceAll(/\s+/g, ' ').trim()));
  if (shown.length < queue.length) lines.push(`${sign}${queue.length - shown.length} more messages wait`);
  return lines.map((text) =>
    paintedLine([{ text: clip(text, screen.columns, glyph(screen, '…', '~')), style: 'dim' }], screen),
  );
}

interface EditorRows {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

/** The rows around the cursor, where not all have room. */
function editorRows({ draft }: Live, screen: Screen, most: number): EditorRows {
  const columns = editorColumns(screen.columns);
  const layout = layoutOf(draft, columns);
  const first = Math.max(0, Math.min(layout.row - Math.floor(most / 2), layout.rows.length - most));
  const sign = glyph(screen, '❯ ', '> ');
  const rows = layout.rows.slice(first, first + most).map(({ text }, at) => {
    // A very narrow screen has no room for the sign.
    const before = first + at === 0 ? sign : '  ';
    return paintedLine([{ text: before, style: ['bold', 'cyan'] }, headOf(text, columns)], screen);
  });
  return { rows, row: layout.row - first, column: layout.column };
}
