/** File names, places of a machine, and marks of unfinished work. */
import { homedir, tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import type { Exception, Finding, SourceFile } from './source-file.ts';

/** Paths whose names are given by something else. */
export const nameExceptions: readonly Exception[] = [
  { what: 'packages/core/src/tokens/ranks/', reason: 'the files are named like the encodings that they hold' },
  { what: 'test/fixtures/', reason: 'a fixture may need the name that a tool gives its files' },
  { what: 'test/cli/golden/', reason: 'a golden file is named like the command that prints it' },
];

/** Code and folder names that are not kebab-case. */
export function oddNames(paths: readonly string[]): readonly Finding[] {
  return paths
    .filter((path) => !nameExceptions.some(({ what }) => path.startsWith(what)))
    .filter((path) =>
      path
        .replace(/README\.md$/, '')
        .split('/')
        .filter(Boolean)
        .some((part) => !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)*$/.test(part)),
    )
    .map((path) => ({ path, line: 1, message: 'is not named in kebab-case' }));
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Home folders, and the folder that this checkout lies in: nobody else has them. Samples in tests may invent a home, and
 * a top-level folder such as /app, which may happen to be where somebody else's checkout lies.
 */
export function machinePaths(files: readonly TextFile[], own: readonly string[]): readonly Finding[] {
  const homes = /(?:\/(?:home|Users|root)\/|[A-Z]:\\+Users\\+)[\w.-]+/;
  const deep = own.filter((folder) => folder.split('/').length > 2);
  return files.flatMap(({ path, text }) => {
    const isTest = path.startsWith('test/');
    const patterns = [...(isTest ? [] : [homes]), ...(isTest ? deep : own).map(startsWith)];
    return text.split('\n').flatMap((line, i) => {
      const found = patterns.map((pattern) => pattern.exec(line)?.[0]).find((match) => match !== undefined);
      return found === undefined ? [] : [{ path, line: i + 1, message: `names ${found}, a place of one machine` }];
    });
  });
}

/** A path in a folder; `a/src/b` is not in `/src`. */
const startsWith = (folder: string): RegExp =>
  new RegExp(`(?<![\\w./-])${folder.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`);

/** Folders that only this machine has: the checkout, what it lies in, and the home folder. */
export function ownFolders(root: string): readonly string[] {
  const shared = new Set(['/', tmpdir(), '/tmp', '/home', '/usr', '/opt', '/repo']);
  return [root, dirname(root), homedir()].filter((folder) => !shared.has(folder) && basename(folder) !== '');
}

/** Marks of unfinished work in comments. */
export function unfinished(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) =>
    file.tokens
      .filter(({ type, text }) => type === 'comment' && /\b(?:TODO|FIXME|XXX|HACK)\b/.test(text))
      .map(({ line }) => ({
        path: file.path,
        line,
        message: 'marks unfinished work: do it or write it down elsewhere',
      })),
  );
}
