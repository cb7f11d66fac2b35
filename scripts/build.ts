/**
 * Makes packages/<name>/dist, each a whole package to publish: bundled doors with their declarations, and a manifest made
 * from the one in the repository, whose exports name sources. `npm publish packages/core/dist` comes first.
 */
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'tsdown';

/** What the manifests of this repository hold that is not the same when published. */
interface Manifest {
  readonly [field: string]: unknown;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');

/** What a package holds beside its code, from the root. */
const alongside: Readonly<Record<string, readonly string[]>> = {
  core: ['NOTICES.md'],
  palimpsest: ['examples/recorded'],
};

async function buildPackage(name: string): Promise<void> {
  const folder = join(root, 'packages', name);
  const dist = join(folder, 'dist');
  // Our own file, which the tests of the packages read as well.
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  await rm(dist, { recursive: true, force: true });
  const commands = Object.values(manifest.bin ?? {});
  // Files that the code starts by path, such as workers, are found through `imports`.
  await bundle(folder, [...sourcesOf(manifest.exports), ...commands, ...sourcesOf(manifest.imports)]);
  for (const command of commands) {
    await chmod(join(dist, `${entryName(command)}.js`), 0o755);
    await refuseImports(dist, `${entryName(command)}.js`);
  }
  await writeFile(join(dist, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) {
    const from = [join(folder, file), join(root, file)].find(existsSync);
    if (from !== undefined) await copyFile(from, join(dist, file));
  }
  for (const path of alongside[name] ?? []) await cp(join(root, path), join(dist, path), { recursive: true });
}

/** All entries in one call: that is what lets them share their chunks. */
async function bundle(cwd: string, sources: readonly string[]): Promise<void> {
  await build({
    cwd,
    config: false,
    clean: false,
    outDir: 'dist',
    logLevel: 'warn',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    fixedExtension: false,
    entry: Object.fromEntries(sources.map((source) => [entryName(source), source])),
    dts: { oxc: true },
    // Not minified, so that a stack trace can be read as it is; maps would double the package.
    sourcemap: false,
    tsconfig: join(root, 'tsconfig.json'),
    // What a command shares with others gets a chunk of its own.
    inputOptions: { preserveEntrySignatures: 'strict' },
    // The engine keeps the text of all code in memory, for stack traces: what is for readers stands in the declarations.
    outputOptions: { chunkFileNames: 'chunks/[name]-[hash].js', comments: { jsdoc: false } },
  });
}

/** Whoever imports a command runs it. */
async function refuseImports(dist: string, command: string): Promise<void> {
  for (const name of await readdir(join(dist, 'chunks')))
    if ((await readFile(join(dist, 'chunks', name), 'utf8')).includes(`"../${command}"`))
      throw new Error(`expected nothing to import ${command}, but chunks/${name} does`);
}

const isSource = (target: string): boolean => target.endsWith('.ts');
const sourcesOf = (named: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.values(named).filter(isSource);

/** `./src/store.ts` is built to `./store.js`. */
const entryName = (source: string): string => source.replace(/^\.\/src\//, '').replace(/\.ts$/, '');
const built = (target: string): string => (isSource(target) ? `./${entryName(target)}.js` : target);

/** The manifest that users get: not private, and everything that names a source names what was built of it. */
function published({ private: _, devDependencies: __, ...manifest }: Manifest): object {
  const { exports, imports, bin } = manifest;
  return {
    ...manifest,
    exports: mapped(exports, (target) =>
      isSource(target) ? { types: `./${entryName(target)}.d.ts`, default: built(target) } : target,
    ),
    ...(imports && { imports: mapped(imports, built) }),
    ...(bin && { bin: mapped(bin, (target) => built(target).slice('./'.length)) }),
  };
}

const mapped = (
  record: Readonly<Record<string, string>>,
  map: (target: string) => unknown,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(record).map(([name, target]) => [name, map(target)]));

for (const name of ['core', 'palimpsest']) await buildPackage(name);
