/** A source file as the rules see it, and what a rule finds in one. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Token, tokensOf } from './lexer.ts';

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The tokens without comments. */
  readonly code: readonly Token[];
}

export interface Finding {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** An allowed breach of a rule: what it is, and why it is right. */
export interface Exception {
  readonly what: string;
  readonly reason: string;
}

export function sourceFile(path: string, text: string): SourceFile {
  const tokens = tokensOf(text);
  return { path, text, tokens, code: tokens.filter((token) => token.type !== 'comment') };
}

/** Every TypeScript file under some folders of the repository; folders that do not exist hold none. */
export function readSources(root: string, folders: readonly string[]): readonly SourceFile[] {
  return folders.flatMap((folder) =>
    pathsUnder(root, folder)
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
      .map((path) => sourceFile(path, readFileSync(join(root, path), 'utf8'))),
  );
}

/** Paths of all files under a folder, sorted, without what npm, git and the build put there. */
export function pathsUnder(root: string, folder: string): readonly string[] {
  const paths: string[] = [];
  for (const entry of entriesOf(join(root, folder))) {
    if (['node_modules', '.git', 'dist', 'coverage'].includes(entry.name)) continue;
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...pathsUnder(root, path));
    else paths.push(path);
  }
  return paths.sort();
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that is not there yet.
    return [];
  }
}

/** One line for each finding, so that an editor can jump to it. */
export const shown = (findings: readonly Finding[]): readonly string[] =>
  findings.map(({ path, line, message }) => `${path}:${line} ${message}`);
