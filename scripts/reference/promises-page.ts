/** docs/reference/promises.md: what each id promises, and the tests that name it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tokensOf } from '../../test/architecture/lexer.ts';
import { pathsUnder } from '../../test/architecture/source-file.ts';
import { page, table } from './markdown.ts';
import { promiseGroups } from './promises.data.ts';

const root = join(import.meta.dirname, '..', '..');

/** Every id that a promise has, in the order of the page. */
export const promiseIds: readonly string[] = promiseGroups.flatMap(({ promises }) => Object.keys(promises));

/** Numbers of tests by file, by the id that they name. */
type TestsById = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The ids that begin a title, as in `S9 …`, `P2, P4: …`, `E3 E6 …` and `A1–A6 …`; a range means every id within it. */
export function idsOfTitle(title: string): readonly string[] {
  const head = /^(?:[A-Z]\d{1,2}(?:–[A-Z]?\d{1,2})?\b[,:]? ?)+/.exec(title)?.[0] ?? '';
  const found = [...head.matchAll(/([A-Z])(\d{1,2})(?:–[A-Z]?(\d{1,2}))?/g)];
  return found.flatMap(([, letter = '', from = '', to = from]) =>
    Array.from({ length: Math.max(0, Number(to) - Number(from)) + 1 }, (_, i) => `${letter}${Number(from) + i}`),
  );
}

/** Titles of the tests and suites of a source: the text behind `test(`, `it(`, `describe(` and `suite(`, of `t.test(` too. */
export function titlesOf(source: string): readonly string[] {
  const code = tokensOf(source).filter(({ type }) => type !== 'comment');
  return code.flatMap(({ text }, at) => {
    if (!['test', 'it', 'describe', 'suite'].includes(text) || code[at + 1]?.text !== '(') return [];
    const title = code[at + 2];
    return title?.type === 'string' || title?.type === 'template' ? [title.text.slice(1, -1)] : [];
  });
}

/** How many tests and suites name each id, by file. */
export function testsById(): TestsById {
  const tests = new Map<string, Map<string, number>>();
  for (const path of pathsUnder(root, 'test').filter((name) => /\.(?:test|arm)\.ts$/.test(name)))
    for (const id of titlesOf(readFileSync(join(root, path), 'utf8')).flatMap(idsOfTitle)) {
      const files = tests.get(id) ?? new Map<string, number>();
      tests.set(id, files.set(path, (files.get(path) ?? 0) + 1));
    }
  return tests;
}

export function promisesPage(): string {
  const tests = testsById();
  const missing = promiseIds.filter((id) => !tests.has(id));
  return page(
    'Promises',
    'Each promise of the product has an id. A test that shows one begins its title with the id; the last column counts these ' +
      'tests and suites by file. Some have an id because they guard the same code, so a count says where to look, not ' +
      'how much is proven.',
    `${promiseIds.length} ids: ${promiseIds.length - missing.length} are named by tests. Not there yet: ${missing.join(', ')}.`,
    ...promiseGroups.flatMap(({ title, promises }) => [
      `## ${title}`,
      table(
        ['id', 'promise', 'tests'],
        Object.entries(promises).map(([id, text]) => [id, text, shown(tests.get(id))]),
      ),
    ]),
  );
}

/** The files with most tests first; a long list ends in what is left. */
const mostFiles = 6;
function shown(files: ReadonlyMap<string, number> = new Map()): string {
  if (files.size === 0) return 'not there yet';
  const sorted = [...files].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const links = sorted
    .slice(0, mostFiles)
    .map(
      ([path, count]) => `[${path.replace(/^test\//, '').replace(/\.(?:test|arm)\.ts$/, '')}](../../${path}) ${count}`,
    );
  const left = sorted.length - mostFiles;
  return `**${total}**: ${links.join(', ')}${left > 0 ? `, ${left} more files` : ''}`;
}
