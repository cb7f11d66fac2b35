/** What a newcomer copies from a page: each block is a file of its own that compiles against the package. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { doors, examples } from '../../scripts/reference/library-pages.ts';
import { pathsUnder } from '../architecture/source-file.ts';

const root = join(import.meta.dirname, '..', '..');
const pages = ['README.md', ...pathsUnder(root, 'docs/guide').filter((path) => path.endsWith('.md'))];

/** The blocks of all pages, by file name. */
const blocks = pages.flatMap((path) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
    ([, code = ''], at) => [`${basename(path, '.md')}-${at + 1}.ts`, code] as const,
  ),
);

/** The examples in doc comments, by the name that they explain. */
const commented = examples().map(([name, code], at) => [`${name}-${at + 1}.ts`, code] as const);

/** A project as a newcomer makes it, where the package's names lead to the source. */
const options = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  erasableSyntaxOnly: true,
  module: 'nodenext',
  target: 'esnext',
  types: ['node'],
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  paths: {},
};

/** Compiles files; what the compiler says about them, nothing where all is well. */
function compile(files: readonly (readonly [name: string, code: string])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-snippets-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['blocks'] }));
    mkdirSync(join(folder, 'blocks'));
    // Whatever imports nothing has to be a module all the same: `await` is one of its rights.
    for (const [name, code] of files) writeFileSync(join(folder, 'blocks', name), `${code}\nexport {};\n`);
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    return `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('every block of README and guide, and every example of a doc comment, compiles on its own', () => {
  assert.ok(blocks.length > 20, `${blocks.length} blocks`);
  assert.equal(compile([...blocks, ...commented]), '');
});

test('every function of the front has an example of at most eight lines', () => {
  const [front] = doors();
  const functions = front?.declarations.filter(({ kind }) => kind === 'function') ?? [];
  assert.ok(functions.length >= 35, `${functions.length} functions`);
  const without = functions.filter(({ comment }) => comment.examples.length === 0);
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
  );
  assert.ok(commented.every(([, code]) => code.split('\n').length <= 8));
});

test('a block that names what nobody imported does not compile', () => {
  assert.match(compile([['bad.ts', 'await openStore({ path: "agent.db" });']]), /bad\.ts\(1,7\).*Cannot find name/);
});
