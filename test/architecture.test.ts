/** The rules of the house, over the source as text. `test/architecture/rules.test.ts` shows that each of them can fail. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import * as functions from './architecture/functions.ts';
import * as imports from './architecture/imports.ts';
import * as layers from './architecture/layers.ts';
import * as literals from './architecture/literals.ts';
import * as places from './architecture/places.ts';
import * as entry from './architecture/public-entry.ts';
import { publicNames } from './architecture/public-names.ts';
import { type Finding, pathsUnder, readSources, shown } from './architecture/source-file.ts';
import * as holes from './architecture/type-holes.ts';
import { foreignWords } from './architecture/words.ts';

const root = join(import.meta.dirname, '..');
const all = readSources(root, ['packages', 'test', 'scripts', 'bench', 'examples']);
const source = all.filter(({ path }) => path.startsWith('packages/'));
const paths = ['packages', 'test', 'scripts', 'bench', 'examples', 'docs'].flatMap((folder) =>
  pathsUnder(root, folder),
);
const entries = [
  ...Object.keys(publicNames),
  ...['main', 'plugins/check-worker', 'plugins/watchdog-worker', 'run/serve-worker'].map(
    (name) => `packages/palimpsest/src/cli/${name}.ts`,
  ),
  'packages/palimpsest/src/agent/tools/search/search-worker.ts',
  'packages/palimpsest/src/trajectory/work/trajectory-worker.ts',
];
const none = (findings: readonly Finding[]): void => assert.equal(shown(findings).join('\n'), '');

describe('layers', () => {
  test('a folder imports only from folders above it', () => none(layers.layerBreaches(source)));
  test('no file imports itself through others', () => none(imports.cycles(all)));
  test('every relative import names a file that exists', () => none(imports.brokenImports(all, known())));
  test('the core uses nothing that a browser lacks', () => none(layers.nodeInCore(source)));
  test('only config and the command line read environment and files', () => none(layers.edgesInside(source)));
  test('a package is used only in the folder that needs it', () => none(layers.strayPackages(source)));
  test('every source file is reached from an entry', () => none(imports.deadFiles(source, entries)));
  test('a package reaches the library through its doors', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'));
    none(layers.strayDoors(all, Object.keys(exports)));
  });
  test('ARCHITECTURE.md names the folders in their order', () => {
    const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `([a-z-]+)\/` \|/gm)].map(([, name]) => name);
    const present = Object.entries(layers.layers).flatMap(([name, folders]) =>
      folders.filter((folder) => existsSync(join(root, 'packages', name, 'src', folder))),
    );
    assert.deepEqual(listed, present);
  });
});

describe('sizes', () => {
  test('a file has at most 400 lines', (t) => {
    const long = functions.longFiles(source, functions.aimFileLines);
    if (long.length > 0) t.diagnostic(`over the ${functions.aimFileLines} lines we aim at:\n${shown(long).join('\n')}`);
    none(functions.longFiles(all));
  });
  test('a function fits a screen', () => none(functions.longFunctions(all)));
  test('a function takes at most 3 positional parameters', () => none(functions.wideFunctions(all)));
});

describe('literals', () => {
  test('no literal is spread into a literal', () => none(literals.spreadLiterals(source)));
  test('nothing is named by underscores alone', () => none(literals.namesOfUnderscores(source)));
});

describe('types', () => {
  test('nothing is of type any', () => none(holes.anyTypes(all)));
  test('nothing claims with ! that a value is there', () => none(holes.nonNullClaims(all)));
  test('no check is silenced without a reason', () => none(holes.silencers(all)));
  test('every cast in the source says why it is true', () => none(holes.unreasonedCasts(source)));
  test('nothing is exported without a name', () => none(holes.defaultExports(all)));
});

describe('words and places', () => {
  test('the source says each thing with our word for it', () => none(foreignWords(source)));
  test('files and folders are named in kebab-case', () => none(places.oddNames(paths)));
  test('nothing names a place of one machine', () => none(places.machinePaths(texts(), places.ownFolders(root))));
  test('no comment marks unfinished work', () => none(places.unfinished(all)));
});

for (const [path, { values, types }] of Object.entries(publicNames)) {
  describe(`the public entry ${path}`, () => {
    const file = source.find((one) => one.path === path);
    test('exports the names that are promised, and no others', () => {
      assert.ok(file, `${path} is missing`);
      const { names, findings } = entry.publicNames(file);
      none(findings);
      assert.deepEqual(names.map(({ name }) => name).sort(), [...values, ...types].sort());
    });
    test('explains every name where it is declared', () => none(file ? entry.undocumented(file, source) : []));
  });
}

test('the front of the library exports at most 60 functions and values', () => {
  assert.ok((publicNames['packages/core/src/index.ts']?.values.length ?? 0) <= 60);
});

/** Every path that an import may name: modules that are made at install time count as present. */
function known(): ReadonlySet<string> {
  const made = paths.filter((path) => path.endsWith('.data.d.ts')).map((path) => path.replace(/\.d\.ts$/, '.js'));
  return new Set([...paths, ...made, 'package.json']);
}

/** Everything a reader of the repository may see as text. */
function texts(): readonly places.TextFile[] {
  const top = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'package.json', '.ci/run'];
  return [...top, ...paths]
    .filter(
      (path) => /\.(?:ts|js|mjs|json|jsonl|md|yaml|yml|scenario|txt)$|run$/.test(path) && !path.endsWith('.data.js'),
    )
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
