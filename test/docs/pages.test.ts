/** What a reader is told: links lead somewhere, commands exist, tables and snippets are those of the code. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { formatRows } from '../../scripts/reference/formats-page.ts';
import { anchorsOf, table } from '../../scripts/reference/markdown.ts';
import { pathsUnder } from '../architecture/source-file.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pathsUnder(root, 'docs')].filter(
  (path) => path.endsWith('.md'),
);

/** The links of a page that lead into the repository: the page itself where only an anchor is named. */
const linksOf = (path: string): readonly { readonly target: string; readonly anchor: string }[] =>
  [...withoutCode(text(path)).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?[^)]*\)/g)].map(
    ([, file = '', anchor = '']) => ({ target: file === '' ? path : join(dirname(path), file), anchor }),
  );

/** Code shows brackets that are no links. */
const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]+`/g, 'code');

test('every link of a page leads to a file of the repository', () => {
  const broken = pages.flatMap((path) =>
    linksOf(path)
      .filter(({ target }) => !existsSync(join(root, target)))
      .map(({ target }) => `${path}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('every link to a heading leads to one that the page has', () => {
  const anchors = new Map(pages.map((path) => [path, new Set(anchorsOf(text(path)))]));
  const broken = pages.flatMap((path) =>
    linksOf(path)
      .filter(({ target, anchor }) => anchor !== '' && anchors.get(target)?.has(anchor) !== true)
      .map(({ target, anchor }) => `${path}: ${target}#${anchor}`),
  );
  assert.deepEqual(broken, []);
});

test('headings get the anchors that GitHub gives them', () => {
  const page = '# `a.b`: What `Now`?\n\n```\n# no heading\n```\n\n## [Linked](x.md) – twice\n## same\n## Same\n';
  assert.deepEqual(anchorsOf(page), ['ab-what-now', 'linked--twice', 'same', 'same-1']);
});

test('the index of the documentation leads to every page under docs, and the README to the index', () => {
  assert.ok(text('README.md').includes('](docs/README.md)'));
  const reached = new Set(['docs/README.md']);
  for (const path of reached) for (const { target } of linksOf(path)) if (pages.includes(target)) reached.add(target);
  assert.deepEqual(
    pages.filter((path) => path.startsWith('docs/') && !reached.has(path)),
    [],
  );
  const listed = linksOf('docs/README.md').map(({ target }) => target);
  assert.deepEqual(
    pages.filter(
      (path) => /^docs\/(?:guide|reference|reference\/library)\/[^/]+$/.test(path) && !listed.includes(path),
    ),
    [],
  );
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
