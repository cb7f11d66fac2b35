/** Finds the functions of a file: where they start, how long they are, how many parameters they take. */
import type { Token } from './lexer.ts';
import type { Finding, SourceFile } from './source-file.ts';

export interface FoundFunction {
  readonly name: string;
  readonly line: number;
  /** Lines from the first parameter to the end of the body, functions inside it included. */
  readonly lines: number;
  readonly parameters: number;
  /** Set for a function handed to a call, such as the body of `describe`: the name of the call. */
  readonly argumentOf: string | undefined;
}

export const maxFileLines = 400;
export const aimFileLines = 300;
export const maxFunctionLines = 70;
export const maxParameters = 3;

const openers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const closers: ReadonlySet<string> = new Set(Object.values(openers));
const controlWords: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'await']);
const typePrefixes: ReadonlySet<string> = new Set('readonly keyof typeof unique infer asserts new abstract'.split(' '));

/** Files that are too long. */
export function longFiles(files: readonly SourceFile[], most: number = maxFileLines): readonly Finding[] {
  return files
    .map(({ path, text }) => ({ path, lines: text.replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > most)
    .map(({ path, lines }) => ({ path, line: 1, message: `has ${lines} lines; at most ${most}` }));
}

/** Functions that do not fit a screen. The body of a `describe` is a list of tests, not a function to read at once. */
export function longFunctions(files: readonly SourceFile[]): readonly Finding[] {
  return eachFunction(files, ({ name, lines, argumentOf }) =>
    lines > maxFunctionLines && argumentOf !== 'describe'
      ? `${name} has ${lines} lines; at most ${maxFunctionLines}`
      : undefined,
  );
}

/**
 * Functions with more positional parameters than a reader can tell apart at the call. A callback takes what it is handed;
 * its type is judged where it is declared.
 */
export function wideFunctions(files: readonly SourceFile[]): readonly Finding[] {
  return eachFunction(files, ({ name, parameters, argumentOf }) =>
    parameters > maxParameters && argumentOf === undefined
      ? `${name} takes ${parameters} parameters; at most ${maxParameters}`
      : undefined,
  );
}

function eachFunction(
  files: readonly SourceFile[],
  judge: (found: FoundFunction, path: string) => string | undefined,
): readonly Finding[] {
  return files.flatMap((file) =>
    functionsOf(file).flatMap((found) => {
      const message = judge(found, file.path);
      return message === undefined ? [] : [{ path: file.path, line: found.line, message }];
    }),
  );
}

/** Functions, methods, arrows and function types: everything with a parameter list. */
export function functionsOf(file: SourceFile): readonly FoundFunction[] {
  const { code } = file;
  const partners = matchBrackets(code);
  return code.flatMap((token, open) => {
    const close = token.text === '(' ? partners.get(open) : undefined;
    const end = close === undefined ? undefined : bodyEnd(code, partners, { open, close });
    if (end === undefined) return [];
    const line = token.line;
    const lines = (code[end]?.line ?? line) - line + 1;
    return [{ ...naming(code, open), line, lines, parameters: countParameters(code, partners, open) }];
  });
}

type Partners = ReadonlyMap<number, number>;

/** The index of the closing bracket for each opening one. Template pieces count as brackets through their `${` and `}`. */
function matchBrackets(code: readonly Token[]): Partners {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const [i, token] of code.entries()) {
    if (token.type === 'sign' && token.text in openers) open.push(i);
    else if (token.type === 'sign' && closers.has(token.text)) partners.set(open.pop() ?? -1, i);
  }
  return partners;
}

/** The last token of the function whose parameters stand in these brackets; undefined when they are no parameters. */
function bodyEnd(code: readonly Token[], partners: Partners, at: { open: number; close: number }): number | undefined {
  const word = code[at.open - 1];
  if (word?.type === 'word' && controlWords.has(word.text)) return undefined;
  let next = at.close + 1;
  if (code[next]?.text === ':') {
    const typeEnd = skipType(code, partners, next + 1);
    if (typeEnd === next + 1) return undefined;
    if (isSignature(code, at.open) && code[typeEnd]?.text === ';') return typeEnd;
    next = typeEnd;
  }
  if (code[next]?.text === '{') return isCallable(code, at.open) ? partners.get(next) : undefined;
  if (code[next]?.text !== '=>') return undefined;
  return code[next + 1]?.text === '{' ? partners.get(next + 1) : expressionEnd(code, partners, next + 1);
}

/** True when a name, `function` or type parameters stand before the bracket, as in `name(…) {`. */
function isCallable(code: readonly Token[], open: number): boolean {
  const before = code[open - 1];
  return before?.type === 'word' || before?.text === '*' || before?.text === '>' || before?.text === ']';
}

/** True for a member of an interface, `name(…): type;`: nothing else puts a name and a colon there. */
function isSignature(code: readonly Token[], open: number): boolean {
  const before = code[open - 2]?.text;
  return code[open - 1]?.type === 'word' && (before === '{' || before === ';');
}

/** The last token of an expression, or of the type that a function returns: no brace follows a name in the first. */
function expressionEnd(code: readonly Token[], partners: Partners, from: number): number {
  let last = from;
  for (let i = from; i < code.length; i++) {
    const token = code[i];
    if (token?.type === 'sign' && (token.text === ',' || token.text === ';' || closers.has(token.text))) break;
    if (token?.text === '{' && i > from && endsType(code[i - 1])) break;
    i = partners.get(i) ?? i;
    last = i;
  }
  return last;
}

const endsType = (token: Token | undefined): boolean =>
  token?.type === 'word' || token?.text === ']' || token?.text === '>';

/** The index after a type that starts at `from`; `from` itself when there is none. */
function skipType(code: readonly Token[], partners: Partners, from: number): number {
  let i = from;
  for (;;) {
    while (code[i]?.text === '|' || code[i]?.text === '&' || typePrefixes.has(code[i]?.text ?? '')) i++;
    const operand = code[i];
    if (!operand) return i;
    const partner = partners.get(i);
    if (partner !== undefined) i = partner + 1;
    else if (operand.type === 'word' || operand.type === 'string' || operand.type === 'number') i++;
    else if (operand.type === 'template') i++;
    else return i;
    i = skipSuffixes(code, partners, i);
    const sign = code[i]?.text ?? '';
    const continues = sign === '|' || sign === '&' || sign === 'is' || sign === 'extends';
    if (continues || (sign === '=>' && operand.text === '(')) i++;
    else return i;
  }
}

/** Goes past `.name`, `<…>` and `[…]` after the first word of a type. */
function skipSuffixes(code: readonly Token[], partners: Partners, from: number): number {
  let i = from;
  for (;;) {
    const sign = code[i]?.text;
    if (sign === '.') i += 2;
    else if (sign === '[') i = (partners.get(i) ?? i) + 1;
    else if (sign === '<') i = skipAngles(code, partners, i);
    else return i;
  }
}

function skipAngles(code: readonly Token[], partners: Partners, from: number): number {
  let depth = 0;
  for (let i = from; i < code.length; i++) {
    const sign = code[i]?.text;
    if (sign === '<') depth++;
    if (sign === '>' && --depth === 0) return i + 1;
    i = partners.get(i) ?? i;
  }
  return code.length;
}

function countParameters(code: readonly Token[], partners: Partners, open: number): number {
  const close = partners.get(open) ?? open;
  let count = close > open + 1 ? 1 : 0;
  for (let i = open + 1, angles = 0; i < close; i++) {
    const sign = code[i]?.text;
    if (sign === '<') angles++;
    if (sign === '>') angles--;
    if (sign === ',' && angles === 0 && i + 1 < close) count++;
    i = partners.get(i) ?? i;
  }
  return count;
}

function naming(code: readonly Token[], open: number): Pick<FoundFunction, 'name' | 'argumentOf'> {
  const before = code[open - 1]?.text === '>' ? code[typeParametersStart(code, open - 1) - 1] : code[open - 1];
  if (before?.type === 'word' && before.text !== 'function' && before.text !== 'async') {
    return { name: before.text, argumentOf: undefined };
  }
  const start = before?.text === 'async' ? open - 1 : open;
  // `const name = (` and `name: (`, possibly with the type of the constant before.
  const assigned = code.slice(Math.max(0, start - 4), start).findLast((token) => token.type === 'word');
  return { name: assigned?.text ?? 'a function', argumentOf: callAround(code, start) };
}

/** The index of the `<` that the `>` at `close` ends. */
function typeParametersStart(code: readonly Token[], close: number): number {
  let depth = 0;
  for (let i = close; i > 0; i--) {
    if (code[i]?.text === '>') depth++;
    if (code[i]?.text === '<' && --depth === 0) return i;
  }
  return close;
}

/** The call that a function stands in as an argument. */
function callAround(code: readonly Token[], start: number): string | undefined {
  const before = code[start - 1]?.text;
  if (before !== '(' && before !== ',') return undefined;
  let depth = 0;
  for (let i = start - 1; i >= 0; i--) {
    const sign = code[i]?.type === 'sign' ? (code[i]?.text ?? '') : '';
    if (closers.has(sign)) depth++;
    if (sign in openers && depth-- === 0)
      return sign === '(' && code[i - 1]?.type === 'word' ? code[i - 1]?.text : undefined;
  }
  return undefined;
}
