/** What a reader is told: links lead somewhere, commands exist, tables and snippets are those of the code. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { formatRows } from '../../scripts/reference/formats-page.ts';
import { table } from '../../scripts/reference/markdown.ts';
import { pathsUnder } from '../architecture/source-file.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pathsUnder(root, 'docs')].filter(
  (path) => path.endsWith('.md'),
);

test('every link of a page leads to a file of the repository', () => {
  const broken = pages.flatMap((path) =>
    [...text(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, link = '']) => join(dirname(path), link))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${path}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('the README leads to every page of the guide', () => {
  const readme = text('README.md');
  const guides = pages.filter((path) => path.startsWith('docs/guide/'));
  assert.deepEqual(
    guides.filter((path) => !readme.includes(`](${path}`)),
    [],
  );
});

test('every npm script that a page names exists', () => {
  // Our own package.json.
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap((path) =>
    [...text(path).matchAll(/(?:`|^)npm run ([a-z]+)/gm)].map(([, name = '']) => name),
  );
  assert.deepEqual(
    named.filter((name) => !(name in scripts)),
    [],
  );
});

test('the README shows the formats as they are', () => {
  const wanted = table(['format', 'what it is', 'read', 'write'], formatRows());
  assert.ok(text('README.md').includes(wanted), `expected in README.md:\n${wanted}`);
});

test('the README shows the example that the tests run', () => {
  const snippet = /```ts\n([\s\S]*?)```/.exec(text('README.md'))?.[1];
  assert.equal(snippet, exampleSnippet());
});

test('the decisions are numbered without a gap and listed', () => {
  const files = pathsUnder(root, 'docs/decisions').map((path) => path.replace('docs/decisions/', ''));
  const decisions = files.filter((name) => /^\d{4}-/.test(name));
  assert.deepEqual(
    decisions.map((name) => Number(name.slice(0, 4))),
    decisions.map((_, i) => i + 1),
  );
  for (const name of decisions)
    assert.ok(text('docs/decisions/README.md').includes(`(${name})`), `${name} is not listed`);
});

/** What a user of the package writes: the example up to its checks, with the package's name. */
function exampleSnippet(): string {
  const [shown = ''] = text('examples/library/compress.ts').split('\n// ---\n');
  const from = shown.indexOf('import { readFile }');
  return shown.slice(from);
}
