/** What one line of Markdown is, by how it begins. */

export type MarkdownLine =
  | { readonly type: 'blank' }
  | { readonly type: 'fence'; readonly indent: number; readonly mark: string; readonly language: string }
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'rule' }
  | { readonly type: 'entry'; readonly indent: number; readonly marker: string; readonly text: string }
  | { readonly type: 'quote'; readonly rest: string }
  | { readonly type: 'text'; readonly indent: number; readonly text: string };

/** A line outside of code and tables. */
export function readLine(line: string): MarkdownLine {
  const text = line.trimStart();
  const indent = line.length - text.length;
  if (text === '') return { type: 'blank' };
  return (
    fenceAt(text, indent) ?? headingAt(text) ?? listAt(text, indent) ?? { type: 'text', indent, text: text.trimEnd() }
  );
}

function fenceAt(text: string, indent: number): MarkdownLine | undefined {
  const [, mark = '', language = ''] = /^(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/.exec(text) ?? [];
  return mark === '' ? undefined : { type: 'fence', indent, mark, language };
}

function headingAt(text: string): MarkdownLine | undefined {
  const [, marks = '', title] = /^(#{1,6})\s+(\S.*)$/.exec(text) ?? [];
  // Counted from the end instead of with a pattern, which would look at every run of spaces twice.
  if (title !== undefined) return { type: 'heading', level: marks.length, text: withoutClosing(title.trimEnd()) };
  return undefined;
}

/** `## Title ##` closes its marks; `C#` does not. */
function withoutClosing(title: string): string {
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  return end < title.length && title[end - 1] === ' ' ? title.slice(0, end).trimEnd() : title;
}

function listAt(text: string, indent: number): MarkdownLine | undefined {
  if (/^(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/.test(text)) return { type: 'rule' };
  if (text.startsWith('>')) return { type: 'quote', rest: text.slice(1).replace(/^ /, '') };
  const [, marker, rest] = /^([-*+]|\d{1,9}[.)])(?:\s+(.*))?$/s.exec(text) ?? [];
  // A lone number is more often a number than a list.
  if (marker === undefined || (rest === undefined && /\d/.test(marker))) return undefined;
  return { type: 'entry', indent, marker, text: (rest ?? '').trimEnd() };
}

/** True while a line that has only begun may still become anything: it is not shown until that is decided. */
export const isUndecided = (begun: string): boolean =>
  /^\s*(?:>\s?)*\s*(?:#{1,6}\s*|[-*+_](?:\s*[-*_])*\s*|\d{1,9}[.)]?\s*|`{1,}[^\s`]*|~{1,}\w*|>|\|.*)?$/.test(
    begun.slice(0, 400),
  ) && begun.length <= 400;
