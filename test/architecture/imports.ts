/** Which file imports which, read from the tokens. */
import { posix } from 'node:path';
import type { Finding, SourceFile } from './source-file.ts';

export interface Import {
  readonly from: string;
  readonly line: number;
  /** As written. */
  readonly specifier: string;
  /** Path in the repository; undefined for a package or a Node built-in. */
  readonly path: string | undefined;
  /** True for `import('…')`, which loads only when it runs. */
  readonly lazy: boolean;
}

/** Every static import, re-export and `import('…')` with a literal specifier, type-only ones included. */
export function importsOf(file: SourceFile): readonly Import[] {
  const found: Import[] = [];
  for (const [i, token] of file.code.entries()) {
    if (token.type !== 'string') continue;
    const before = file.code[i - 1];
    const lazy = before?.text === '(' && file.code[i - 2]?.text === 'import';
    const bare = before?.text === 'import';
    if (!lazy && !bare && !(before?.text === 'from' && isClause(file, i - 1))) continue;
    const specifier = token.text.slice(1, -1);
    const path = specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : undefined;
    found.push({ from: file.path, line: token.line, specifier, path, lazy });
  }
  return found;
}

/** True when the `from` at `index` ends an import or export clause, not a call such as `numbers.from`. */
function isClause(file: SourceFile, index: number): boolean {
  const before = file.code[index - 1];
  return before?.text === '}' || before?.text === '*' || before?.type === 'word';
}

/** Files that import each other in a circle, one finding for each circle. */
export function cycles(files: readonly SourceFile[]): readonly Finding[] {
  const known = new Map(files.map((file) => [file.path, importsOf(file)]));
  const done = new Set<string>();
  const findings: Finding[] = [];

  function visit(path: string, trail: readonly string[]): void {
    const start = trail.indexOf(path);
    if (start >= 0) {
      const circle = [...trail.slice(start), path].join(' → ');
      findings.push({ path, line: 1, message: `imports itself: ${circle}` });
    }
    if (start >= 0 || done.has(path)) return;
    for (const { path: target } of known.get(path) ?? []) if (target) visit(target, [...trail, path]);
    done.add(path);
  }

  for (const file of files) visit(file.path, []);
  return findings;
}

/** Files that no entry reaches. */
export function deadFiles(files: readonly SourceFile[], entries: readonly string[]): readonly Finding[] {
  const known = new Map(files.map((file) => [file.path, importsOf(file)]));
  const reached = new Set<string>();
  const open = [...entries];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { path: target } of known.get(path) ?? []) if (target) open.push(target);
  }
  return files
    .filter((file) => !reached.has(file.path))
    .map(({ path }) => ({
      path,
      line: 1,
      message: `is not reached from ${entries.join(' or ')}: use it or delete it`,
    }));
}

/** Relative imports whose file is not among the given paths. */
export function brokenImports(files: readonly SourceFile[], paths: ReadonlySet<string>): readonly Finding[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(({ path }) => path !== undefined && !paths.has(path))
      .map(({ line, specifier }) => ({
        path: file.path,
        line,
        message: `imports "${specifier}", which does not exist`,
      })),
  );
}
