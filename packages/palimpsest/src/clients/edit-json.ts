/** Settings in JSON, with the comments and the commas at the end that clients allow in it. */
import { broken, type Editor, type KeyPath, keyName, lineEnd, notText, splice } from './editor.ts';

interface Node {
  readonly type: 'object' | 'array' | 'text' | 'other';
  readonly start: number;
  readonly end: number;
  readonly members: readonly Member[];
}

interface Member {
  readonly key: string;
  readonly start: number;
  readonly value: Node;
  /** Where the comma behind it is; undefined without one. */
  readonly comma: number | undefined;
}

export const jsonEditor: Editor = {
  read(text, path) {
    const node = find(text, path).found.at(path.length);
    if (node === undefined) return undefined;
    if (node.type !== 'text') throw broken(text, node.start, notText(path));
    return textOf(text, node);
  },
  depth: (text, path) => find(text, path).found.length - 1,
  set(text, path, value) {
    if (isEmpty(text)) return `${text}${wholeFile(path, value, lineEnd(text))}`;
    const { found } = find(text, path);
    const old = found.at(path.length);
    if (old) return splice(text, { start: old.start, end: old.end, text: JSON.stringify(value) });
    const parent = found.at(-1);
    if (parent?.type !== 'object')
      throw broken(text, parent?.start ?? 0, `expected ${keyName(path.slice(0, found.length - 1))} to be an object`);
    return insert(text, parent, { keys: path.slice(found.length - 1).map(String), value });
  },
  remove(text, path, made) {
    let rest = text;
    for (let length = path.length; length > made; length--) {
      const { found } = find(rest, path.slice(0, length));
      const [node, parent] = [found.at(length), found.at(length - 1)];
      if (!node || !parent) continue;
      // A comment in it was written by a person, who wants to keep it.
      if (length < path.length && !/^\{\s*\}$/.test(rest.slice(node.start, node.end))) break;
      rest = cut(rest, parent, node);
    }
    return rest;
  },
  entries(text, path) {
    const list = find(text, path).found.at(path.length);
    if (list?.type !== 'array') return [];
    return list.members.map(({ value: entry }) => {
      const texts = entry.type === 'object' ? entry.members.filter(({ value }) => value.type === 'text') : [];
      return {
        texts: Object.fromEntries(
          texts.map(({ key, value }) => [key, { value: textOf(text, value), start: value.start }]),
        ),
      };
    });
  },
};

/** Nothing but blanks and a mark of the byte order. */
const isEmpty = (text: string): boolean => /^\uFEFF?\s*$/.test(text);

function wholeFile(path: KeyPath, value: string, end: string): string {
  const content = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return `${JSON.stringify(content, null, 2).replaceAll('\n', end)}${end}`;
}

/** The nodes along a path, from the whole on, as far as they are there. */
function find(text: string, path: KeyPath): { readonly found: readonly Node[] } {
  if (isEmpty(text)) return { found: [{ type: 'object', start: 0, end: 0, members: [] }] };
  const root = parse(text);
  if (root.type !== 'object') throw broken(text, root.start, 'expected an object');
  const found = [root];
  for (const key of path) {
    // Of two with one name the last one counts.
    const next = found.at(-1)?.members.findLast((member) => member.key === String(key))?.value;
    if (!next) break;
    found.push(next);
  }
  const last = found.at(-1);
  if (found.length <= path.length && last && last.type !== 'object')
    throw broken(text, last.start, `expected ${keyName(path.slice(0, found.length - 1))} to be an object`);
  return { found };
}

function insert(text: string, parent: Node, { keys, value }: { keys: readonly string[]; value: string }): string {
  const end = lineEnd(text);
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const outer = indentAt(text, parent.start);
  const last = parent.members.at(-1);
  const isSpread = last === undefined || text.slice(parent.start, last.start).includes('\n');
  const own = last && isSpread ? indentAt(text, last.start) : `${outer}${unit}`;
  const [key = '', ...inner] = keys;
  const content = inner.reduceRight<unknown>((before, name) => ({ [name]: before }), value);
  const shown = isSpread
    ? JSON.stringify(content, null, unit).replaceAll('\n', `${end}${own}`)
    : JSON.stringify(content);
  const member = `${JSON.stringify(key)}: ${shown}`;
  if (last === undefined) return intoEmpty(text, parent, { member: `${end}${own}${member}`, close: `${end}${outer}` });
  if (!isSpread) {
    const at = last.comma === undefined ? last.value.end : last.comma + 1;
    const between = last.comma === undefined ? ', ' : ' ';
    return splice(text, { start: at, end: at, text: `${between}${member}` });
  }
  // Behind what is said about the last one on its line.
  const at = endOfRemark(text, last.comma === undefined ? last.value.end : last.comma + 1, parent.end - 1);
  const added = splice(text, {
    start: at,
    end: at,
    text: `${end}${own}${member}${last.comma === undefined ? '' : ','}`,
  });
  return last.comma === undefined ? splice(added, { start: last.value.end, end: last.value.end, text: ',' }) : added;
}

/** Comments in it stay in front. */
function intoEmpty(text: string, { start, end }: Node, { member, close }: { member: string; close: string }): string {
  const body = text.slice(start + 1, end - 1);
  const at = start + 1 + body.trimEnd().length;
  return splice(text, { start: at, end: end - 1, text: `${member}${close}` });
}

const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';

function endOfRemark(text: string, from: number, most: number): number {
  const remark = /^(?:[ \t]|\/\*(?:(?!\*\/)[^\n])*\*\/)*(?:\/\/[^\r\n]*)?/.exec(text.slice(from, most))?.[0] ?? '';
  return from + remark.trimEnd().length;
}

/** Takes a member out, with its comma and with its line where it has one for itself. */
function cut(text: string, parent: Node, value: Node): string {
  const at = parent.members.findIndex((member) => member.value === value);
  const [member, before] = [parent.members[at], parent.members[at - 1]];
  if (!member) return text;
  let [start, end] = [member.start, member.comma === undefined ? value.end : member.comma + 1];
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const lead = line.length - line.trimEnd().length;
  const isOwnLine = text[start - lead - 1] === '\n' && /^[ \t]*\r?\n/.test(text.slice(end));
  if (isOwnLine) {
    start -= lead;
    end += /^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0;
  } else if (member.comma !== undefined) {
    end += /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  } else start -= lead;
  const rest = splice(text, { start, end, text: '' });
  // The one before it is the last one now.
  if (member.comma !== undefined || before?.comma === undefined) return rest;
  return splice(rest, { start: before.comma, end: before.comma + 1, text: '' });
}

// A reader that keeps where everything stands.

const mostDepth = 64;

function parse(text: string): Node {
  const from = text.startsWith('\uFEFF') ? 1 : 0;
  const node = readNode(text, skip(text, from), 0);
  const after = skip(text, node.end);
  if (after < text.length) throw broken(text, after, 'expected the end of the file behind the object');
  return node;
}

function readNode(text: string, start: number, depth: number): Node {
  if (depth > mostDepth) throw broken(text, start, `expected at most ${mostDepth} levels`);
  const sign = text[start];
  if (sign === '{' || sign === '[') return readMembers(text, start, depth);
  const [token] =
    /^(?:"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/.exec(text.slice(start, start + mostToken)) ?? [];
  if (token === undefined) throw broken(text, start, 'expected a value');
  return { type: sign === '"' ? 'text' : 'other', start, end: start + token.length, members: [] };
}

/** More than the files have that are read here. */
const mostToken = 64 * 1_024;

function readMembers(text: string, start: number, depth: number): Node {
  const isObject = text[start] === '{';
  const close = isObject ? '}' : ']';
  const members: Member[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== close) {
    const from = at;
    let key = String(members.length);
    if (isObject) {
      const name = text[at] === '"' ? readNode(text, at, depth) : undefined;
      if (name === undefined) throw broken(text, at, `expected a name in quotes, or ${close}`);
      key = textOf(text, name);
      at = skip(text, name.end);
      if (text[at] !== ':') throw broken(text, at, 'expected a colon behind a name');
      at = skip(text, at + 1);
    }
    const value = readNode(text, at, depth + 1);
    at = skip(text, value.end);
    const comma = text[at] === ',' ? at : undefined;
    members.push({ key, start: from, value, comma });
    if (comma !== undefined) at = skip(text, at + 1);
    else if (text[at] !== close) throw broken(text, at, `expected a comma or ${close}`);
  }
  return { type: isObject ? 'object' : 'array', start, end: at + 1, members };
}

function textOf(text: string, { start, end }: Pick<Node, 'start' | 'end'>): string {
  try {
    return String(JSON.parse(text.slice(start, end)));
  } catch {
    throw broken(text, start, 'expected a text as JSON writes it');
  }
}

/** Behind blanks and comments. */
function skip(text: string, from: number): number {
  const gap = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  gap.lastIndex = from;
  return from + (gap.exec(text)?.[0].length ?? 0);
}
