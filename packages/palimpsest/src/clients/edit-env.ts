/** Variables in a `.env` file. */
import { broken, type Editor, type KeyPath, keyName, lineEnd, notText, splice } from './editor.ts';

export const envEditor: Editor = {
  read(text, path) {
    const line = lineOf(text, path);
    if (line === undefined) return undefined;
    const [, , quoted] = /^(["'`])(.*)\1$/.exec(line.value) ?? [];
    if (quoted !== undefined) return quoted;
    if (/^["'`]/.test(line.value)) throw broken(text, line.start, notText(path));
    return line.value;
  },
  depth: (text, path) => (lineOf(text, path) === undefined ? 0 : 1),
  entries: () => [],
  set(text, path, value) {
    const line = lineOf(text, path);
    if (line) return splice(text, { start: line.valueStart, end: line.valueStart + line.value.length, text: value });
    const end = lineEnd(text);
    const gap = text === '' || text.endsWith('\n') ? '' : end;
    return `${text}${gap}${keyName(path)}=${value}${end}`;
  },
  remove(text, path) {
    const line = lineOf(text, path);
    if (line === undefined) return text;
    const end = text.indexOf('\n', line.start);
    return splice(text, { start: line.start, end: end < 0 ? text.length : end + 1, text: '' });
  },
};

interface Line {
  readonly start: number;
  readonly valueStart: number;
  readonly value: string;
}

/** The last one counts, as readers of such files have it. */
function lineOf(text: string, path: KeyPath): Line | undefined {
  const lines = text.matchAll(/^([ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*)([^\r\n]*)/gm);
  const found = Array.from(lines).findLast(([, , key]) => key === keyName(path));
  if (found === undefined) return undefined;
  const [, head = '', , rest = ''] = found;
  // A remark behind the value is not part of it.
  const value = /^(?:"[^"]*"|'[^']*'|`[^`]*`)/.exec(rest)?.[0] ?? rest.slice(0, endOfUnquoted(rest)).trimEnd();
  return { start: found.index, valueStart: found.index + head.length, value };
}

function endOfUnquoted(rest: string): number {
  const at = rest.indexOf('#');
  return at < 0 ? rest.length : at;
}
