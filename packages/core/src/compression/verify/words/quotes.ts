/** What stands between quotation marks or backticks in one line. */

/** A quotation; `start` and `end` enclose the marks as well. */
export interface Quote {
  /** What stands between the marks. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly open: string;
  /** Empty where the quotation runs on to the end of the line. */
  readonly close: string;
}

/** A code span; `start` and `end` enclose the backticks. */
export interface CodeSpan {
  /** What stands between the backticks, without the padding that Markdown allows. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Marks that show by their shape which side they stand on, with every mark that may close them. */
const pairs: ReadonlyMap<string, string> = new Map([
  ['“', '”'],
  ['„', '“”'],
  ['‟', '”'],
  ['«', '»'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['｢', '｣'],
  ['〝', '〞〟'],
  ['‘', '’'],
  ['‚', '‘’'],
]);

/**
 * The quotations of a line, outermost only, in order. An apostrophe is none, nor is the mark of an inch; a mark inside
 * a code span is a letter. Without its closing mark a quotation reaches to the end of the line if at least two words
 * (or four letters of a wide script) follow its opening one.
 */
export function quotesIn(line: string): readonly Quote[] {
  const codeEnds = new Map(codeIn(line).map(({ start, end }) => [start, end]));
  const quotes: Quote[] = [];
  // A mark that nothing closed once is closed by nothing further on: without this a row of them costs its square.
  const unclosed = new Set<string>();
  for (let at = 0; at < line.length; ) {
    const mark = line[at] ?? '';
    const start = at;
    at = codeEnds.get(at) ?? at + 1;
    if (at > start + 1 || unclosed.has(mark) || !opensAt(line, start)) continue;
    const close = closeOf(line, start, codeEnds);
    if (close === undefined) unclosed.add(mark);
    const quote = close === undefined ? toTheEnd(line, start) : between(line, start, close);
    if (quote) quotes.push(quote);
    at = quote?.end ?? at;
  }
  return quotes;
}

const letter = /[\p{L}\p{N}_]/u;
const wideLetter = /[\u2e80-\ud7ff\uff00-\uffef]/;
const isLetter = (char: string | undefined): boolean => char !== undefined && letter.test(char);
/** A letter that an apostrophe or an inch mark can follow; wide scripts put quotation marks right after theirs. */
const isNarrow = (char: string | undefined): boolean => isLetter(char) && !wideLetter.test(char ?? '');
const isSpace = (char: string | undefined): boolean => char === undefined || /\s/.test(char);

function opensAt(line: string, at: number): boolean {
  const mark = line[at] ?? '';
  if (pairs.has(mark)) return true;
  if (mark !== '"' && mark !== "'") return false;
  const before = line[at - 1];
  if (isSpace(line[at + 1]) || before === '\\') return false;
  return mark === '"'
    ? !isNarrow(before)
    : !isLetter(before) && before !== "'" && !shortened.test(line.slice(at, at + 8));
}

/** Words and years that begin with an apostrophe. */
const shortened = /^'(?:\d0s|tis\b|twas\b|til\b|em\b|cause\b|n['’]|n\b)/i;

function between(line: string, start: number, close: number): Quote | undefined {
  const open = line[start] ?? '';
  const text = line.slice(start + 1, close);
  // A lone letter between straight single marks is a key or the like, and nothing at all is an empty string in code.
  if (text.trim() === '' || (open === "'" && text.trim().length < 2)) return undefined;
  return { text, start, end: close + 1, open, close: line[close] ?? '' };
}

function toTheEnd(line: string, start: number): Quote | undefined {
  const open = line[start] ?? '';
  if (open === "'" || open === '‘' || open === '‚') return undefined;
  if (open === '"' && !/[\s:：(（\]>*_—–-]/.test(line[start - 1] ?? ' ')) return undefined;
  const rest = line.slice(start + 1).trimEnd();
  const long = /\S\s+\S/.test(rest) || (rest.match(/[\u2e80-\ud7ff]/g)?.length ?? 0) >= 4;
  return long ? { text: rest, start, end: line.length, open, close: '' } : undefined;
}

/** Where the mark that closes the one at `start` stands; undefined without one. */
function closeOf(line: string, start: number, codeEnds: ReadonlyMap<number, number>): number | undefined {
  const open = line[start] ?? '';
  const closing = pairs.get(open) ?? open;
  const nests = !closing.includes(open) && open !== '‘';
  let depth = 0;
  for (let at = start + 1; at < line.length; at++) {
    const char = line[at] ?? '';
    const codeEnd = codeEnds.get(at);
    if (codeEnd !== undefined) at = codeEnd - 1;
    else if (nests && char === open) depth++;
    else if (closing.includes(char) && closes(line, at, open) && depth-- === 0) return at;
  }
  return undefined;
}

function closes(line: string, at: number, open: string): boolean {
  const before = line[at - 1];
  const after = line[at + 1];
  if (open === '"') return before !== '\\' && !(isNarrow(after) && isSpace(before));
  if (open === "'" || open === '‘' || open === '‚') return !isSpace(before) && !isNarrow(after);
  return true;
}

/** The code spans of a line, in order: a run of backticks up to the next run of the same length. Linear. */
export function codeIn(line: string): readonly CodeSpan[] {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ ticks: ticks.length, index }));
  const next: number[] = [];
  const nearest = new Map<number, number>();
  for (const [back, { ticks }] of runs.toReversed().entries()) {
    const at = runs.length - 1 - back;
    next[at] = nearest.get(ticks) ?? -1;
    nearest.set(ticks, at);
  }
  const spans: CodeSpan[] = [];
  for (let at = 0; at < runs.length; at++) {
    const open = runs[at];
    const close = runs[next[at] ?? -1];
    if (!open || !close) continue;
    const start = open.index + open.ticks;
    spans.push({ text: line.slice(start, close.index).trim(), start: open.index, end: close.index + close.ticks });
    at = next[at] ?? at;
  }
  return spans;
}

/** Stands for a letter of code in a masked line. */
export const codeMark = '\ufffc';
/** Stands for a letter of a quotation in a masked line. */
export const quoteMark = '\ufffb';

/** The line at its full length, with code spans and quotations replaced by marks: words in them claim nothing. */
export function masked(line: string): string {
  const spans = [
    ...quotesIn(line).map(({ start, end }) => ({ start, end, mark: quoteMark })),
    ...codeIn(line).map(({ start, end }) => ({ start, end, mark: codeMark })),
  ].sort((a, b) => a.start - b.start);
  let out = '';
  for (const { start, end, mark } of spans) {
    // Code inside a quotation belongs to it.
    if (start < out.length) continue;
    out += line.slice(out.length, start) + mark.repeat(end - start);
  }
  return out + line.slice(out.length);
}
