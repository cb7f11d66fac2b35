/** The last word on width: whatever line of a report is still too wide goes on below, a little further in. */
import type { Screen } from './screen.ts';
import { headOf, widthOf } from './width.ts';

/** Colours take no cell. */
const colour = /\x1b\[[\d;]*m/g;

const shownWidth = (text: string): number => widthOf(text.replaceAll(colour, ''));

/** The lines, none wider than the screen but a command to copy, whose words have to stay whole. */
export function fitLines(lines: readonly string[], { columns }: Pick<Screen, 'columns'>): readonly string[] {
  return lines.flatMap((line, at) =>
    shownWidth(line) <= columns || isCommand(line, lines[at - 1]) ? [line] : broken(line, columns),
  );
}

function isCommand(line: string, before = ''): boolean {
  const plain = (text: string): string => text.replaceAll(colour, '').trim();
  return plain(line).startsWith('palimpsest ') || plain(before).endsWith(' \\');
}

function broken(line: string, columns: number): readonly string[] {
  const [indent = ''] = /^ */.exec(line.replaceAll(colour, '')) ?? [];
  const further = ' '.repeat(Math.min(indent.length + 2, columns - 10));
  const lines: string[] = [];
  let done = '';
  for (const word of line.slice(indent.length).split(/(?<=\S) +(?=\S)/)) {
    const start = lines.length === 0 ? indent : further;
    const longer = done === '' ? start + word : `${done} ${word}`;
    if (shownWidth(longer) <= columns) {
      done = longer;
      continue;
    }
    if (done !== '') lines.push(done);
    const pieces = cut(word, columns - further.length).map((piece) => (lines.length === 0 ? indent : further) + piece);
    lines.push(...pieces.slice(0, -1));
    done = pieces.at(-1) ?? '';
  }
  return [...lines, done];
}

/** A word in pieces of at most a width; the colours in it stay where they are. */
function cut(word: string, width: number): readonly string[] {
  const pieces = [''];
  let used = 0;
  for (const part of word.split(/(\x1b\[[\d;]*m)/)) {
    let rest = part;
    while (rest !== '' && !part.startsWith('\x1b')) {
      const head = headOf(rest, width - used);
      if (head === '' && used === 0) break;
      pieces[pieces.length - 1] += head;
      used += widthOf(head);
      rest = rest.slice(head.length);
      if (rest === '') break;
      pieces.push('');
      used = 0;
    }
    pieces[pieces.length - 1] += rest;
  }
  return pieces;
}
