/** One value of a mapping in a YAML file, set in its own line; how the file is laid out stays. */
import { type Document, isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { broken, type Editor, type KeyPath, keyName, lineEnd, notText, splice } from './editor.ts';

export const yamlEditor: Editor = {
  read(text, path) {
    const node = parse(text).getIn(path, true);
    if (node === undefined) return undefined;
    if (isScalar(node) && typeof node.value === 'string') return node.value;
    throw broken(text, 0, notText(path));
  },
  depth(text, path) {
    const document = parse(text);
    const isMissing = (length: number): boolean => !document.hasIn(path.slice(0, length));
    const missing = path.findIndex((_, at) => isMissing(at + 1));
    return missing < 0 ? path.length : missing;
  },
  set(text, path, value) {
    const document = parse(text);
    const old = document.getIn(path, true);
    const shown = JSON.stringify(value);
    if (isScalar(old) && old.range) return splice(text, { start: old.range[0], end: old.range[1], text: shown });
    const neighbour = mapAt(document, { text, path }).items.findLast(
      (pair) => isScalar(pair.value) && isOneLine(text, pair),
    );
    const range = neighbour && rangeOf(neighbour);
    if (!range) throw broken(text, 0, `expected a line beside which ${keyName(path)} can stand`);
    const at = endOfLine(text, range.end);
    const indent = ' '.repeat(range.start - (text.lastIndexOf('\n', range.start - 1) + 1));
    return splice(text, { start: at, end: at, text: `${lineEnd(text)}${indent}${path.at(-1)}: ${shown}` });
  },
  remove(text, path) {
    const document = parse(text);
    if (!document.hasIn(path)) return text;
    const pair = mapAt(document, { text, path }).items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
    const range = pair && rangeOf(pair);
    const start = range ? text.lastIndexOf('\n', range.start - 1) + 1 : 0;
    if (!range || text.slice(start, range.start).trim() !== '')
      throw broken(text, range?.start ?? 0, `expected ${keyName(path)} to have a line of its own`);
    const end = endOfLine(text, range.end);
    return splice(text, {
      start,
      end: text.startsWith('\r\n', end) ? end + 2 : Math.min(text.length, end + 1),
      text: '',
    });
  },
  entries(text, path) {
    const list = parse(text).getIn(path, true);
    if (!isSeq(list)) return [];
    return list.items.map((entry) => {
      const pairs: readonly Pair[] = isMap(entry) ? entry.items : [];
      const texts = pairs.flatMap(({ key, value }) =>
        isScalar(key) && isScalar(value) && typeof value.value === 'string'
          ? [[String(key.value), { value: value.value, start: value.range?.[0] ?? 0 }] as const]
          : [],
      );
      return { texts: Object.fromEntries(texts) };
    });
  },
};

/** Throws `BAD_CONFIG` for what is no YAML. */
function parse(text: string): Document {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) throw broken(text, problem.pos[0], 'expected YAML');
  return document;
}

function mapAt(document: Document, { text, path }: { text: string; path: KeyPath }): YAMLMap {
  const around = document.getIn(path.slice(0, -1), true);
  if (isMap(around) && !around.flow) return around;
  throw broken(text, 0, `expected ${keyName(path.slice(0, -1))} to be a mapping with a line for each key`);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangeOf({ key, value }: Pair): Range | undefined {
  if (!isScalar(key) || !key.range || !isScalar(value) || !value.range) return undefined;
  return { start: key.range[0], end: value.range[1] };
}

function isOneLine(text: string, pair: Pair): boolean {
  const range = rangeOf(pair);
  return range !== undefined && !text.slice(range.start, range.end).includes('\n');
}

function endOfLine(text: string, from: number): number {
  const end = /\r?\n|$/.exec(text.slice(from));
  return from + (end?.index ?? 0);
}
