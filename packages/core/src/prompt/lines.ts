/** A text of a file as the lines that a model may see: what a person would not see in it, and credentials, are taken out. Pure. */
import { withoutInvisible } from '../memory/scan/hidden.ts';
import { redact } from '../redaction/redact.ts';

/** A line, and its number in the file; undefined where nobody can tell it any more. */
export interface Line {
  readonly text: string;
  readonly number: number | undefined;
}

/** What is left of a text. */
export interface CleanText {
  readonly lines: readonly Line[];
  /** What was taken out, for a person. */
  readonly remarks: readonly string[];
}

/** Breaks that some programs show as the end of a line, and others do not. */
const breaks = /\r\n?|\u2028|\u2029|\u0085/g;
const controls = /[\p{Cc}--[\n\t]]/gv;

/**
 * The lines of a text without control characters, invisible signs, credentials and, unless it `keepsComments`, comments of
 * HTML: a page of Markdown does not show them. Linear.
 */
export function cleanLines(given: string, { keepsComments = false }: { keepsComments?: boolean } = {}): CleanText {
  const plain = given
    .replace(/^\uFEFF/, '')
    .toWellFormed()
    .replaceAll(breaks, '\n')
    .replaceAll(controls, '');
  const { text: shown, removed: comments } = keepsComments ? { text: plain, removed: 0 } : withoutComments(plain);
  const { text: visible, removed: signs } = withoutInvisible(shown);
  const safe = redact(visible);
  const all = safe.split('\n');
  // A key of many lines becomes one: from there on nobody knows the number of a line.
  const isNumbered = all.length === visible.split('\n').length;
  const lines = all.map((text, at) => ({ text: text.trimEnd(), number: isNumbered ? at + 1 : undefined }));
  const remarks = [
    ...(comments > 0 ? [`${counted(comments, 'comment')} left out`] : []),
    ...(signs > 0 ? [`${counted(signs, 'invisible sign')} taken out`] : []),
    ...(safe === visible ? [] : ['credentials redacted']),
  ];
  return { lines: withoutGaps(lines), remarks };
}

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** No empty lines at the ends, and one for many between. */
function withoutGaps(lines: readonly Line[]): readonly Line[] {
  const isFull = ({ text }: Line): boolean => text !== '';
  const kept = lines.filter((line, at) => isFull(line) || (at > 0 && isFull(lines[at - 1] ?? line)));
  return kept.slice(kept.findIndex(isFull) < 0 ? kept.length : kept.findIndex(isFull), kept.findLastIndex(isFull) + 1);
}

/** The line that opens or closes code in Markdown. */
export const codeMark: RegExp = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;

/**
 * The text without comments of HTML, but with their line breaks. Those in code stay, because a page shows them; and so does one
 * without an end, which would take along everything behind it.
 */
function withoutComments(text: string): { readonly text: string; readonly removed: number } {
  if (!text.includes('<!--')) return { text, removed: 0 };
  const kept: string[] = [];
  let [removed, code, isOpen] = [0, '', false];
  const lines = text.split('\n');
  const lastEnd = lines.findLastIndex((line) => line.includes('-->'));
  for (const [at, line] of lines.entries()) {
    const mark = isOpen ? '' : (codeMark.exec(line)?.[1] ?? '');
    if (code !== '') {
      if (mark.startsWith(code)) code = '';
      kept.push(line);
    } else if (mark !== '') {
      code = mark;
      kept.push(line);
    } else {
      const read = outsideComments(line, isOpen, at <= lastEnd);
      kept.push(read.text);
      removed += read.opened;
      isOpen = read.isOpen;
    }
  }
  return isOpen ? { text, removed: 0 } : { text: kept.join('\n'), removed };
}

/** One line, which may begin inside a comment. */
function outsideComments(line: string, wasOpen: boolean, mayOpen: boolean) {
  let [text, from, isOpen, opened] = ['', 0, wasOpen, 0];
  for (;;) {
    const end = line.indexOf(isOpen ? '-->' : '<!--', from);
    if (end < 0 || (!isOpen && (!mayOpen || isInCode(line, end)))) break;
    if (!isOpen) {
      text += line.slice(from, end);
      opened++;
    }
    from = end + (isOpen ? 3 : 4);
    isOpen = !isOpen;
  }
  return { text: isOpen ? text : text + line.slice(from), isOpen, opened };
}

/** True behind an odd number of backticks. */
const isInCode = (line: string, at: number): boolean => line.slice(0, at).split('`').length % 2 === 0;
