/** One key at the top of a TOML file: its line is set, added or taken out, and nothing else is understood or changed. */
import { broken, type Editor, type KeyPath, keyName, lineEnd, notText, splice } from './editor.ts';

export const tomlEditor: Editor = {
  read(text, path) {
    const line = lineOf(text, path);
    if (line === undefined) return undefined;
    const value = text.slice(line.valueStart, line.valueEnd);
    if (/^'[^'\n]*'$/.test(value)) return value.slice(1, -1);
    // The escapes of TOML that JSON does not know, `\U…` and `\e`, are in no address.
    if (/^"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"$/.test(value)) return String(JSON.parse(value));
    throw broken(text, line.start, notText(path));
  },
  depth: (text, path) => (lineOf(text, path) === undefined ? 0 : 1),
  entries: () => [],
  set(text, path, value) {
    const line = lineOf(text, path);
    const shown = JSON.stringify(value);
    if (line !== undefined) return splice(text, { start: line.valueStart, end: line.valueEnd, text: shown });
    // In front of everything: behind the head of a table it would be a key of that table.
    const at = text.startsWith('\uFEFF') ? 1 : 0;
    return splice(text, { start: at, end: at, text: `${keyName(path)} = ${shown}${lineEnd(text)}` });
  },
  remove(text, path) {
    const line = lineOf(text, path);
    if (line === undefined) return text;
    const end = text.indexOf('\n', line.valueEnd);
    return splice(text, { start: line.start, end: end < 0 ? text.length : end + 1, text: '' });
  },
};

interface Line {
  readonly key: string;
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

function lineOf(text: string, path: KeyPath): Line | undefined {
  const all = linesAtTop(text).filter(({ key }) => key === keyName(path));
  const second = all[1];
  if (second) throw broken(text, second.start, `expected ${keyName(path)} once`);
  return all[0];
}

/** The keys in front of the first table. */
function linesAtTop(text: string): readonly Line[] {
  const lines: Line[] = [];
  let at = skip(text, text.startsWith('\uFEFF') ? 1 : 0);
  while (at < text.length && text[at] !== '[') {
    const start = at;
    const head = match(
      /(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'))*[ \t]*=[ \t]*/y,
      text,
      at,
    );
    if (head === undefined)
      throw broken(text, at, 'expected a key, an equals sign and a value, or the head of a table');
    const valueStart = at + head.length;
    const valueEnd = endOfValue(text, valueStart);
    const rest = match(/[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y, text, valueEnd);
    if (rest === undefined) throw broken(text, valueEnd, 'expected the end of the line behind a value');
    lines.push({ key: nameOf(head), start, valueStart, valueEnd });
    at = skip(text, valueEnd + rest.length);
  }
  return lines;
}

const nameOf = (head: string): string => head.replace(/[ \t]*=[ \t]*$/, '').replace(/^(["'])(.*)\1$/, '$2');

/** Texts of one line and of several, lists and tables in a line over as many lines as they have, and plain words. */
function endOfValue(text: string, start: number): number {
  let [at, depth] = [start, 0];
  do {
    const quoted = match(
      /"""(?:\\[\s\S]|[^\\])*?"{3,5}(?!")|'''[\s\S]*?'{3,5}(?!')|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y,
      text,
      at,
    );
    const sign = text[at];
    if (quoted !== undefined) at += quoted.length;
    else if (sign === '[' || sign === '{') [at, depth] = [at + 1, depth + 1];
    else if (depth > 0 && (sign === ']' || sign === '}')) [at, depth] = [at + 1, depth - 1];
    else {
      const word = match(depth > 0 ? /[^\s"'[\]{}#]+/y : /[^\s"'[\]{}#,]+(?: \d[\d:.Z+-]*)?/y, text, at);
      if (word === undefined) throw broken(text, start, 'expected a value that ends');
      at += word.length;
    }
    if (depth > 0) at = skip(text, at);
  } while (depth > 0);
  return at;
}

const skip = (text: string, from: number): number => from + (match(/(?:\s|#[^\n]*)*/y, text, from)?.length ?? 0);

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
