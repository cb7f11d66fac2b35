/** Exact replacements in a text: each must match in one place, or none is made. Pure. */

/** One replacement. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  /** True to replace it everywhere. */
  readonly all: boolean;
}

export type Edited =
  | { readonly type: 'done'; readonly raw: string; readonly places: number }
  /** What to tell the model, in one sentence or more. */
  | { readonly type: 'failed'; readonly reason: string };

/** Makes the edits one after the other; each sees what those before have made. Line endings of the file stay. */
export function applyEdits(raw: string, edits: readonly Edit[]): Edited {
  let now = raw;
  let places = 0;
  for (const [i, edit] of edits.entries()) {
    const which = edits.length > 1 ? `Edit ${i + 1} of ${edits.length}: ` : '';
    const done = applyEdit(now, edit);
    if (done.type === 'failed') return { type: 'failed', reason: `${which}${done.reason}` };
    now = done.raw;
    places += done.places;
  }
  return { type: 'done', raw: now, places };
}

function applyEdit(raw: string, edit: Edit): Edited {
  const [wanted, replacement] = [lf(edit.old), lf(edit.new)];
  if (wanted === '')
    return failed('`old` is empty: give the text that is to be replaced. write_file writes a whole file.');
  if (wanted === replacement) return failed('`old` and `new` are the same: nothing would change.');
  const text = lf(raw);
  const starts = startsOf(text, wanted);
  if (starts.length === 0) return failed(`\`old\` is not in the file. ${nearestPlace(text, wanted)}`);
  if (starts.length > 1 && !edit.all) {
    const lines = starts.slice(0, 10).map((start) => lineAt(text, start));
    return failed(
      `\`old\` is in the file ${starts.length} times, at lines ${lines.join(', ')}${starts.length > 10 ? ' …' : ''}: add lines around it until it is in one place only, or set \`all\`.`,
    );
  }
  return { type: 'done', raw: replaced(raw, { starts, length: wanted.length, replacement }), places: starts.length };
}

const failed = (reason: string): Edited => ({ type: 'failed', reason });
const lf = (text: string): string => text.replaceAll('\r\n', '\n');

function startsOf(text: string, wanted: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) starts.push(at);
  return starts;
}

interface Replacing {
  /** Places in the text with `\n` alone, in their order. */
  readonly starts: readonly number[];
  readonly length: number;
  readonly replacement: string;
}

/** Lines that are not touched keep their endings, and new ones get that of their neighbours. */
function replaced(raw: string, { starts, length, replacement }: Replacing): string {
  const pieces: string[] = [];
  let [at, plainAt] = [0, 0];
  /** Where a place of the text with `\n` alone is in the file. */
  const go = (plain: number): number => {
    for (; plainAt < plain; plainAt++) at += raw.startsWith('\r\n', at) ? 2 : 1;
    return at;
  };
  let last = 0;
  for (const start of starts) {
    const from = go(start);
    const to = go(start + length);
    pieces.push(raw.slice(last, from), withEndings(replacement, raw, { from, to }));
    last = to;
  }
  return pieces.join('') + raw.slice(last);
}

function withEndings(text: string, raw: string, { from, to }: { from: number; to: number }): string {
  const inside = /\r?\n/.exec(raw.slice(from, to))?.[0];
  const ending = inside ?? /\r?\n/.exec(raw.slice(to))?.[0] ?? /\r?\n/.exec(raw)?.[0];
  return ending === '\r\n' ? text.replaceAll('\n', '\r\n') : text;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** How many lines around the nearest place are shown. */
const shownLines = 12;
const mostComparisons = 4_000_000;

/** The lines that are most like the wanted ones, with their numbers, and what is different about them. */
function nearestPlace(text: string, wanted: string): string {
  const lines = text.split('\n');
  const sought = wanted.replace(/^\n+|\n+$/g, '').split('\n');
  let best = { start: -1, score: 0 };
  if (lines.length * sought.length <= mostComparisons) {
    const squeezed = lines.map(squeeze);
    const soughtSqueezed = sought.map(squeeze);
    for (let start = 0; start < lines.length; start++) {
      let score = 0;
      for (const [i, line] of soughtSqueezed.entries()) {
        const other = squeezed[start + i];
        if (other === undefined) break;
        score += line === other ? (line === '' ? 0.1 : 1) : likeness(line, other);
      }
      if (score > best.score) best = { start, score };
    }
  }
  if (best.start < 0 || best.score < Math.min(0.5, sought.length * 0.4))
    return 'Nothing in it is like it: read the file again.';
  const found = lines.slice(best.start, best.start + sought.length);
  const isSpace = found.map(squeeze).join('\n') === sought.map(squeeze).join('\n');
  const shown = found.slice(0, shownLines).map((line, i) => `${best.start + i + 1}\t${line.slice(0, 300)}`);
  const more = found.length > shownLines ? [`… ${found.length - shownLines} more lines`] : [];
  const head = isSpace ? 'Only white space is different here:' : 'The nearest place is:';
  return [head, ...shown, ...more].join('\n');
}

const squeeze = (line: string): string => line.trim().replaceAll(/\s+/g, ' ').slice(0, 500);

/** From 0 to 0.9: how many of their words two lines share. */
function likeness(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  const [one, other] = [new Set(a.match(/\w+|\S/g)), new Set(b.match(/\w+|\S/g))];
  const shared = [...one].filter((word) => other.has(word)).length;
  return (0.9 * 2 * shared) / (one.size + other.size);
}
