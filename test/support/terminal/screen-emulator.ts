/** A terminal in memory, as far as the console drives one: cells, scrollback, line breaks, and rows that reflow with the width. */
import { graphemes } from '@palimpsest/core/settings';
import { widthOf } from '../../../packages/palimpsest/src/terminal/screen.ts';

interface ScreenLine {
  /** One text a cell; the second cell of a wide character holds nothing. */
  cells: string[];
  /** True where the terminal broke the line: the next one goes on with it. */
  goesOn: boolean;
}

export interface EmulatedScreen {
  readonly write: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** The rows on the screen, without spaces at their ends and without empty ones below the last. */
  readonly screen: () => readonly string[];
  /** The same with what has left the screen above. */
  readonly all: () => readonly string[];
  readonly cursor: () => { readonly row: number; readonly column: number; readonly isShown: boolean };
  /** Modes that are set, such as `?2004`, and what was pushed and not taken off. */
  readonly modes: () => readonly string[];
  /** What a terminal was told that could do harm: titles, the clipboard, full clears, moves to fixed places. */
  readonly strange: () => readonly string[];
}

export function screenEmulator(columns: number, rows: number): EmulatedScreen {
  const own = new Emulator(columns, rows);
  return {
    write: (text) => own.write(text),
    resize: (width, height) => own.resize(width, height),
    screen: () => shown(own.lines.slice(own.top)),
    all: () => shown(own.lines),
    cursor: () => ({ row: own.row - own.top, column: own.column, isShown: !own.modes.has('?25l') }),
    modes: () => [...own.modes].filter((mode) => mode !== '?25l').sort(),
    strange: () => own.strange,
  };
}

const shown = (lines: readonly ScreenLine[]): readonly string[] => {
  const texts = lines.map(({ cells }) => cells.join('').trimEnd());
  const last = texts.findLastIndex((text) => text !== '');
  return texts.slice(0, last + 1);
};

const emptyLine = (): ScreenLine => ({ cells: [], goesOn: false });

class Emulator {
  lines: ScreenLine[] = [emptyLine()];
  row = 0;
  column = 0;
  readonly modes = new Set<string>();
  readonly strange: string[] = [];
  /** True after a character in the last cell: the next one breaks the line. */
  private isFull = false;
  private breaksLines = true;
  private rest = '';
  private columns: number;
  private rows: number;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  /** The first line on the screen. */
  get top(): number {
    return Math.max(0, this.lines.length - this.rows);
  }

  write(text: string): void {
    this.rest += text;
    const pattern =
      /\x1b\[([\x30-\x3f]*)([\x20-\x2f]*)([\x40-\x7e])|\x1b([\]P_^])[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b([^[\]P_^])|[\r\n\b]|[^\x1b\r\n\b]+/y;
    let at = 0;
    for (;;) {
      pattern.lastIndex = at;
      const match = pattern.exec(this.rest);
      if (!match) break;
      at = pattern.lastIndex;
      const [whole, parameters = '', , final, string, other] = match;
      if (final !== undefined) this.control(parameters, final);
      else if (string !== undefined || other !== undefined) this.strange.push(whole);
      else if (whole === '\r') this.goTo(this.row, 0);
      else if (whole === '\n') this.lineFeed();
      else if (whole === '\b') this.goTo(this.row, this.column - 1);
      else for (const character of graphemes(whole)) this.put(character);
    }
    this.rest = this.rest.slice(at);
  }

  private put(character: string): void {
    const width = Math.max(1, widthOf(character));
    if (/[\x00-\x1f\x7f-\x9f]/.test(character)) this.strange.push(character);
    if (this.isFull || this.column + width > this.columns) {
      if (this.breaksLines) {
        this.line(this.row).goesOn = true;
        this.lineFeed();
        this.goTo(this.row, 0);
      } else this.column = this.columns - width;
    }
    const { cells } = this.line(this.row);
    while (cells.length < this.column) cells.push(' ');
    cells[this.column] = character;
    for (let next = 1; next < width; next += 1) cells[this.column + next] = '';
    this.column += width;
    this.isFull = this.column >= this.columns && this.breaksLines;
    if (this.column >= this.columns) this.column = this.columns - 1;
  }

  private line(row: number): ScreenLine {
    while (this.lines.length <= row) this.lines.push(emptyLine());
    return this.lines[row] ?? emptyLine();
  }

  private lineFeed(): void {
    this.line(this.row + 1);
    this.goTo(this.row + 1, this.column);
  }

  private goTo(row: number, column: number): void {
    this.row = Math.max(this.top, Math.min(row, this.top + this.rows - 1));
    this.line(this.row);
    this.column = Math.max(0, Math.min(column, this.columns - 1));
    this.isFull = false;
  }

  private control(parameters: string, final: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1);
    switch (final) {
      case 'A':
        this.goTo(this.row - count, this.column);
        break;
      case 'B':
        this.goTo(this.row + count, this.column);
        break;
      case 'G':
        this.goTo(this.row, count - 1);
        break;
      case 'K':
        this.eraseRight();
        break;
      case 'J':
        if (parameters !== '') this.strange.push(`CSI ${parameters} J`);
        this.eraseRight();
        this.lines = this.lines.slice(0, this.row + 1);
        break;
      case 'h':
      case 'l':
        this.mode(parameters, final === 'h');
        break;
      case 'u':
        this.keyboard(parameters);
        break;
      case 'm':
        if (parameters.startsWith('>')) this.set('>4', parameters === '>4;1');
        break;
      default:
        this.strange.push(`CSI ${parameters} ${final}`);
    }
  }

  private eraseRight(): void {
    const { cells } = this.line(this.row);
    cells.length = Math.min(cells.length, this.column);
  }

  private mode(name: string, isOn: boolean): void {
    if (name === '?7') this.breaksLines = isOn;
    this.set(name === '?25' ? '?25l' : name === '?7' ? '?7l' : name, name === '?25' || name === '?7' ? !isOn : isOn);
  }

  private keyboard(parameters: string): void {
    if (parameters.startsWith('>')) this.set('>u', true);
    else if (parameters.startsWith('<')) this.set('>u', false);
  }

  private set(name: string, isOn: boolean): void {
    if (isOn) this.modes.add(name);
    else this.modes.delete(name);
  }

  /** Lines that the terminal broke are put together and broken anew; the cursor stays at its character. */
  resize(columns: number, rows: number): void {
    const whole: { cells: string[]; cursor: number | undefined }[] = [];
    let open: { cells: string[]; cursor: number | undefined } | undefined;
    for (const [at, line] of this.lines.entries()) {
      open ??= { cells: [], cursor: undefined };
      if (at === this.row) open.cursor = open.cells.length + this.column;
      open.cells.push(...line.cells);
      if (line.goesOn) continue;
      whole.push(open);
      open = undefined;
    }
    if (open) whole.push(open);
    this.columns = columns;
    this.rows = rows;
    this.lines = [];
    for (const { cells, cursor } of whole) {
      const start = this.lines.length;
      for (let from = 0; from === 0 || from < cells.length; from += columns)
        this.lines.push({ cells: cells.slice(from, from + columns), goesOn: from + columns < cells.length });
      if (cursor === undefined) continue;
      this.row = start + Math.floor(cursor / columns);
      this.column = cursor % columns;
    }
    this.line(this.row);
    this.isFull = false;
  }
}
