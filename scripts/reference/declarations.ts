/** The declarations of exported names, as the reference shows them: read from tokens, because TypeScript 7 has no parser for scripts. */
import { posix } from 'node:path';
import type { Token } from '../../test/architecture/lexer.ts';
import { publicNames } from '../../test/architecture/public-entry.ts';
import type { SourceFile } from '../../test/architecture/source-file.ts';
import { type Comment, commentOf } from './doc-comments.ts';

export interface Declaration {
  readonly name: string;
  readonly kind: 'function' | 'class' | 'value' | 'interface' | 'type';
  /** The file that declares it, from the root of the repository. */
  readonly path: string;
  /** TypeScript without bodies; of an interface and a class the first line alone. */
  readonly signature: string;
  readonly comment: Comment;
  /** Of an interface and a class. */
  readonly members: readonly DeclaredMember[];
}

export interface DeclaredMember {
  /** With `?` where it may be left out, and `()` where it is a method. */
  readonly name: string;
  readonly type: string;
  readonly comment: Comment;
}

const kinds: ReadonlyMap<string, Declaration['kind']> = new Map([
  ['function', 'function'],
  ['class', 'class'],
  ['const', 'value'],
  ['interface', 'interface'],
  ['type', 'type'],
]);

/** Every name that a door exports, as it is declared, through the files that only hand it on. */
export const declarationsOf = (door: SourceFile, files: ReadonlyMap<string, SourceFile>): readonly Declaration[] =>
  publicNames(door).names.map(({ name, from, original }) => ({ ...declared(files, from, original), name }));

function declared(files: ReadonlyMap<string, SourceFile>, path: string, name: string): Declaration {
  const file = files.get(path);
  if (!file) throw new Error(`Expected a source file ${path}; found none.`);
  const starts = startsOf(file, name);
  if (starts.length === 0) {
    const on = publicNamesOf(file).find((other) => other.name === name);
    if (!on) throw new Error(`Expected ${path} to declare ${name}; it does not.`);
    return declared(files, on.from, on.original);
  }
  // Of a function with overloads the last one is the body, which nobody calls by its signature.
  const shown = starts.length > 1 ? starts.slice(0, -1) : starts;
  const found = shown.map((start) => read(file, start));
  const [first] = found;
  if (!first) throw new Error(`Expected a declaration of ${name} in ${path}; found none.`);
  const members = [...first.members, ...basesOf(first).flatMap((base) => baseMembers(files, file, base))];
  return { ...first, signature: found.map(({ signature }) => signature).join('\n'), members };
}

/** The interfaces that one extends; of `Pick<…>` and its kind nothing is told. */
const basesOf = ({ kind, signature }: Declaration): readonly string[] => {
  const plain = signature.replaceAll(/<(?:[^<>]|<[^<>]*>)*>/g, '');
  return kind === 'interface' ? (/ extends (.*)$/s.exec(plain)?.[1]?.match(/\w+/g) ?? []) : [];
};

/** The members of an interface that a file declares or imports; none of one from elsewhere. */
function baseMembers(files: ReadonlyMap<string, SourceFile>, file: SourceFile, name: string): Declaration['members'] {
  if (startsOf(file, name).length > 0) return declared(files, file.path, name).members;
  const from = new RegExp(`import [^;]*\\b${name}\\b[^;]*from '(\\.[^']+)'`).exec(file.text)?.[1];
  const path = from === undefined ? '' : posix.join(posix.dirname(file.path), from);
  return files.has(path) ? declared(files, path, name).members : [];
}

/** Only what a file hands on: its own declarations are no list of names. */
const publicNamesOf = (file: SourceFile): ReturnType<typeof publicNames>['names'] => publicNames(file).names;

/** Where a name is declared: indexes of `export` in the tokens. */
const startsOf = ({ tokens }: SourceFile, name: string): readonly number[] =>
  tokens.flatMap((token, at) => {
    if (token.text !== 'export') return [];
    const words = tokens.slice(at + 1, at + 5).flatMap(({ text }) => (text === '*' ? [] : [text]));
    const kind = words.findIndex((word) => kinds.has(word));
    return kind >= 0 && words[kind + 1] === name ? [at] : [];
  });

function read(file: SourceFile, start: number): Declaration {
  const { tokens, text, path } = file;
  const above = tokens[start - 1];
  const comment = commentOf(above?.type === 'comment' ? above.text : '');
  const rest = tokens.slice(start + 1).filter(({ text: word }) => word !== 'async' && word !== '*');
  const at = rest.findIndex(({ text: word }) => kinds.has(word));
  const keyword = rest[at]?.text ?? '';
  const name = rest[at + 1]?.text ?? '';
  const kind = kinds.get(keyword) ?? 'value';
  const code = rest.slice(at);
  const base = { name, path, comment, members: [] };
  if (kind === 'function') return { ...base, kind, signature: functionText(text, code) };
  if (kind === 'value') return constantOf(base, text, code);
  if (kind === 'type') return { ...base, kind, signature: slice(text, code, endOf(code, ';') + 1) };
  const open = code.findIndex((token, index) => token.text === '{' && index > 1 && !inAngles(code, index));
  const members = membersOf(text, code.slice(open + 1, closing(code, open)), kind === 'class');
  return { ...base, kind, signature: slice(text, code, open), members };
}

/** A constant: a function where an arrow stands for one, else its name with its type. */
function constantOf(base: Omit<Declaration, 'kind' | 'signature'>, text: string, code: readonly Token[]): Declaration {
  const equals = endOf(code, '=');
  const value = code.slice(equals + 1).filter(({ text: word }) => word !== 'async');
  if (equals === 2 && (value[0]?.text === '(' || value[0]?.text === '<')) {
    const arrow = endOf(value, '=>', value[0].text === '<' ? value.findIndex(({ text: sign }) => sign === '(') : 0);
    const signature = `function ${base.name}${withoutPatterns(text, value.slice(0, arrow))}`;
    return { ...base, kind: 'function', signature };
  }
  const typed = equals > 2 ? slice(text, code, equals) : slice(text, code, endOf(code, ';') + 1);
  return { ...base, kind: 'value', signature: typed };
}

/** A function up to its body. */
const functionText = (text: string, code: readonly Token[]): string =>
  withoutPatterns(text, code.slice(0, bodyOf(code)));

/** Where the body begins, or the `;` of an overload or an abstract member. A brace behind one of these signs opens a type. */
const beforeType: ReadonlySet<string> = new Set([':', '|', '&', '=>', '<', ',', '(', 'is', 'extends', '?', '[']);
function bodyOf(code: readonly Token[]): number {
  let depth = 0;
  for (const [at, { text }] of code.entries()) {
    if (depth === 0 && (text === ';' || (text === '{' && !beforeType.has(code[at - 1]?.text ?? '')))) return at;
    depth += depthOf(text);
  }
  return code.length;
}

/** The text of a function's head, with `options` for a parameter that is taken apart. */
function withoutPatterns(text: string, code: readonly Token[]): string {
  const [first] = code;
  const end = code.at(-1);
  if (!first || !end) return '';
  let written = '';
  let from = first.at;
  for (const [at, token] of code.entries()) {
    if (token.text !== '{' || !['(', ','].includes(code[at - 1]?.text ?? '') || token.at < from) continue;
    const close = closing(code, at);
    const last = code[close];
    if (code[close + 1]?.text !== ':' || !last) continue;
    written += `${text.slice(from, token.at)}options`;
    from = last.at + 1;
  }
  return written + text.slice(from, end.at + end.text.length);
}

/** The members between two braces, in the order of the source; private ones are nobody's business. */
function membersOf(text: string, body: readonly Token[], isClass: boolean): readonly DeclaredMember[] {
  const members: DeclaredMember[] = [];
  for (let at = 0; at < body.length; ) {
    const comments: Token[] = [];
    for (; body[at]?.type === 'comment'; at++) comments.push(...body.slice(at, at + 1));
    const rest = body.slice(at);
    if (rest.length === 0) break;
    const end = isClass ? memberEnd(rest) : endOf(rest, ';');
    const code = rest.slice(0, isClass ? Math.min(end, headEnd(rest)) : end).filter(({ type }) => type !== 'comment');
    at += end + 1;
    const isHidden = code.some(({ text: word }) => word === 'private' || word === 'protected' || word.startsWith('#'));
    const member = isHidden ? undefined : memberOf(text, code);
    const doc = comments.at(-1)?.text ?? '';
    if (member) members.push({ ...member, comment: commentOf(doc.startsWith('/**') ? doc : '') });
  }
  return members;
}

/** Where the head of a class's member ends: at its value or its body. */
function headEnd(rest: readonly Token[]): number {
  const ends = [endOf(rest, '='), bodyOf(rest), endOf(rest, ';')];
  return Math.min(...ends);
}

/** A method ends with its body, a field with `;`. */
function memberEnd(rest: readonly Token[]): number {
  const body = bodyOf(rest);
  const field = endOf(rest, ';');
  return rest[body]?.text === '{' && body < field ? closing(rest, body) : field;
}

const modifiers: ReadonlySet<string> = new Set(['static', 'readonly', 'abstract', 'async', 'override', 'declare']);

/** A member without a type is a counter that starts at 0. */
function memberOf(text: string, code: readonly Token[]): Omit<DeclaredMember, 'comment'> | undefined {
  const words = code.slice(code.findIndex(({ text: word }) => !modifiers.has(word)));
  const [name, next] = words;
  if (!name || name.text === 'constructor') return undefined;
  const line = (from: number): string => oneLine(withoutPatterns(text, words.slice(from)));
  if (name.text === '[' || name.text === '(') return { name: '', type: line(0) };
  if (next?.text === '?') return { name: `${name.text}?`, type: line(words[2]?.text === ':' ? 3 : 2) };
  if (next?.text === ':') return { name: name.text, type: line(2) };
  if (name.text === 'get' && next?.text !== '(') return { name: `${next?.text}`, type: line(2).replace(/^\(\): /, '') };
  return next ? { name: `${name.text}()`, type: line(1) } : { name: name.text, type: 'number' };
}

/** One line, with the commas gone that only stand before a line's end. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/,? ?([)\]>]) ?(?=[)\],;:=[ ]|$)/g, (found, sign: string) =>
      found.startsWith(',') ? `${sign} ` : found,
    )
    .replace(/^\| /, '')
    .trim();

const depthOf = (sign: string): number =>
  sign === '(' || sign === '{' || sign === '[' ? 1 : sign === ')' || sign === '}' || sign === ']' ? -1 : 0;

/** The first such sign outside all brackets, or the end. */
function endOf(code: readonly Token[], sign: string, from = 0): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const text = code[at]?.text ?? '';
    if (depth === 0 && text === sign) return at;
    depth += depthOf(text);
  }
  return code.length;
}

/** The bracket that closes the one at `open`. */
function closing(code: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    depth += depthOf(code[at]?.text ?? '');
    if (depth === 0) return at;
  }
  return code.length;
}

/** Whether a brace stands in the type arguments of a heritage clause. */
const inAngles = (code: readonly Token[], at: number): boolean =>
  code.slice(0, at).filter(({ text }) => text === '<').length >
  code.slice(0, at).filter(({ text }) => text === '>').length;

const slice = (text: string, code: readonly Token[], end: number): string => {
  const [first] = code;
  const last = code[end - 1];
  return first && last ? text.slice(first.at, last.at + last.text.length).trim() : '';
};
