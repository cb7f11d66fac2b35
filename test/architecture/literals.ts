/** Finds forms that stand there for the formatter: literals spread into a literal, names of underscores alone. */
import type { Token } from './lexer.ts';
import type { Exception, Finding, SourceFile } from './source-file.ts';

/** Places that may have both, each with its reason. */
export const allowedForms: readonly Exception[] = [];

const isJudged = ({ path }: SourceFile, exceptions: readonly Exception[]): boolean =>
  !exceptions.some(({ what }) => path.startsWith(what));

const closerOf: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** `{ ...{ a, b } }` and `[...['a', 'b']]`, and the same in a call; a spread that depends on something is none. */
export function spreadLiterals(
  files: readonly SourceFile[],
  exceptions: readonly Exception[] = allowedForms,
): readonly Finding[] {
  return files
    .filter((file) => isJudged(file, exceptions))
    .flatMap(({ path, code }) =>
      code.flatMap((token, at) => {
        const isSpread = token.text === '...' && isLiteral(code, at + 1);
        return isSpread ? [{ path, line: token.line, message: 'spreads a literal; write its members plainly' }] : [];
      }),
    );
}

/** `__` and longer say nothing of what they stand for; one underscore is the value that nobody needs. */
export function namesOfUnderscores(
  files: readonly SourceFile[],
  exceptions: readonly Exception[] = allowedForms,
): readonly Finding[] {
  return files
    .filter((file) => isJudged(file, exceptions))
    .flatMap(({ path, code }) =>
      code
        .filter(({ type, text }) => type === 'word' && /^_{2,}$/.test(text))
        .map(({ text, line }) => ({ path, line, message: `names something ${text}` })),
    );
}

/** True when a literal starts here and the member of the list or object ends with it. */
function isLiteral(code: readonly Token[], start: number): boolean {
  const opener = code[start]?.text ?? '';
  const closer = closerOf[opener];
  if (closer === undefined) return false;
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    const text = code[at]?.text;
    if (text === opener) depth++;
    if (text === closer && --depth === 0) return memberEnds.has(code[at + 1]?.text ?? '');
  }
  return false;
}

const memberEnds: ReadonlySet<string> = new Set([',', '}', ']', ')']);
