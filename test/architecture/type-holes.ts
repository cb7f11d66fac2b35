/** Places where a type is claimed instead of checked, and exports without a name. */
import type { Token } from './lexer.ts';
import type { Finding, SourceFile } from './source-file.ts';

/** How far above its statement the reason of an `as` may end: there, or in the doc comment of a short function. */
const reasonLines = 3;

/** `any` in a type. */
export function anyTypes(files: readonly SourceFile[]): readonly Finding[] {
  return eachCode(files, (code, i) => {
    if (code[i]?.type !== 'word' || code[i]?.text !== 'any') return undefined;
    const before = code[i - 1]?.text;
    const after = code[i + 1]?.text;
    return before === '.' || after === ':' || after === '('
      ? undefined
      : 'says `any`: name the type, or take `unknown`';
  });
}

/** `value!`, which claims that a value is there. */
export function nonNullClaims(files: readonly SourceFile[]): readonly Finding[] {
  return eachCode(files, (code, i) => {
    const before = code[i - 1];
    const token = code[i];
    if (token?.text !== '!' || !before || before.at + before.text.length !== token.at) return undefined;
    const value = before.type === 'word' || before.text === ')' || before.text === ']';
    return value ? 'claims with `!` that a value is there: check it' : undefined;
  });
}

/** Comments that switch the compiler or the linter off. A linter may be silenced with a reason. */
export function silencers(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) =>
    file.tokens
      .filter(({ type, text }) => type === 'comment' && (/@ts-\w/.test(text) || /biome-ignore[^:]*$/m.test(text)))
      .map(({ line }) => ({
        path: file.path,
        line,
        message: 'silences a check without a reason that the linter can read',
      })),
  );
}

/** `as` without a comment that says why it is true. */
export function unreasonedCasts(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) => {
    const commentLines = new Set(file.tokens.filter(({ type }) => type === 'comment').flatMap(linesOf));
    return casts(file)
      .filter((cast) => !reasonNear(commentLines, cast))
      .map(({ line }) => ({
        path: file.path,
        line,
        message: 'casts with `as` without a comment that says why it is true',
      }));
  });
}

/** Default exports: an import could then give the thing any name. */
export function defaultExports(files: readonly SourceFile[]): readonly Finding[] {
  return eachCode(files, (code, i) => {
    const isDefault = code[i]?.text === 'default' && (code[i - 1]?.text === 'export' || code[i - 1]?.text === 'as');
    return isDefault ? 'has a default export: name it' : undefined;
  });
}

interface Cast {
  readonly line: number;
  /** First line of the statement, as far as it can be told. */
  readonly statementLine: number;
}

/** Signs after which `as` is a name, as in `{ as: 1 }` or `as(…)`. */
const afterName: ReadonlySet<string> = new Set([':', ',', '=', '?', ')', '.']);

function casts(file: SourceFile): readonly Cast[] {
  const { code } = file;
  return code.flatMap((token, i) => {
    if (token.type !== 'word' || token.text !== 'as') return [];
    const before = code[i - 1]?.text ?? '';
    const after = code[i + 1]?.text ?? '';
    if (after === 'const' || afterName.has(after) || ['.', '?.', '*', ',', '{', '(', ''].includes(before)) return [];
    if (inClause(code, i) || inMappedKey(code, i)) return [];
    return [{ line: token.line, statementLine: code[statementStart(code, i)]?.line ?? token.line }];
  });
}

/** Goes back to the last `;` or open brace, past whole brackets. */
function statementStart(code: readonly Token[], index: number): number {
  let depth = 0;
  for (let i = index - 1; i >= 0; i--) {
    const text = code[i]?.type === 'sign' ? code[i]?.text : '';
    if (text === ')' || text === ']' || text === '}') depth++;
    if ((text === '(' || text === '[' || text === '{') && --depth < 0) return i + 1;
    if (text === ';' && depth === 0) return i + 1;
    if (depth === 0 && ['const', 'let', 'return'].includes(code[i]?.text ?? '')) return i;
  }
  return 0;
}

/** True inside the braces of an import or export clause. */
function inClause(code: readonly Token[], index: number): boolean {
  for (let i = index; i >= 0; i--) {
    const text = code[i]?.text;
    if (text === '{') return ['import', 'export', 'type'].includes(code[i - 1]?.text ?? '');
    if (text === '}' || text === ';' || text === ')' || text === '(') return false;
  }
  return false;
}

/** True in `[K in keyof T as …]`, which renames keys. */
function inMappedKey(code: readonly Token[], index: number): boolean {
  const back = code.slice(Math.max(0, index - 8), index);
  const open = back.findLastIndex((token) => token.text === '[');
  return (
    open >= 0 && back.slice(open).some((token) => token.text === 'in') && !back.slice(open).some((t) => t.text === ']')
  );
}

function linesOf(comment: Token): readonly number[] {
  return comment.text.split('\n').map((_, i) => comment.line + i);
}

function reasonNear(commentLines: ReadonlySet<number>, { line, statementLine }: Cast): boolean {
  for (let near = statementLine - reasonLines; near <= line; near++) if (commentLines.has(near)) return true;
  return false;
}

function eachCode(
  files: readonly SourceFile[],
  judge: (code: readonly Token[], index: number) => string | undefined,
): readonly Finding[] {
  return files.flatMap((file) =>
    file.code.flatMap((token, i) => {
      const message = judge(file.code, i);
      return message === undefined ? [] : [{ path: file.path, line: token.line, message }];
    }),
  );
}
