/**
 * `npm test` behind its checks: every test, on two cores. A file that takes long has a process of its own, and begins first; the others
 * share some, for each process loads and warms up the same code again: a second of a core for files that need a tenth of it.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { longFiles, slowFiles } from './test-files.ts';

/** So many files share a process: few enough that the two cores end together. */
const filesInBundle = { long: 1, slow: 6, quick: 24 } as const;
const order = { long: 1, slow: 2, quick: 3 } as const;
/** One more than there are cores: some wait for what they started. */
const processes = 3;

const files = globSync('test/**/*.test.ts').sort();
if (files.length === 0) throw new Error('Expected test files in test/, found none: run npm test from the root.');
const isAmong = (parts: readonly string[], file: string): boolean => parts.some((part) => file.includes(part));
const long = files.filter((file) => isAmong(longFiles, file));
const shared = files.filter((file) => !isAmong(longFiles, file));
const slow = shared.filter((file) => isAmong(slowFiles, file));
const quick = shared.filter((file) => !isAmong(slowFiles, file));

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-tests-'));
try {
  process.exitCode = await run([...bundlesOf('long', long), ...bundlesOf('slow', slow), ...bundlesOf('quick', quick)]);
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Files that import the tests of several; neighbours stay together, so that they share what they load. Node begins with the first name of
 * the alphabet: `long` ones, then `slow`, and `quick` ones last, by whose end the other processes have something to do.
 */
function bundlesOf(kind: keyof typeof filesInBundle, all: readonly string[]): readonly string[] {
  const size = filesInBundle[kind];
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => {
    const own = all.slice(at * size, (at + 1) * size);
    const path = join(folder, `${order[kind]}-${kind}-${String(at + 1).padStart(3, '0')}.test.mjs`);
    writeFileSync(path, own.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`).join(''));
    return path;
  });
}

function run(paths: readonly string[]): Promise<number> {
  const flags = ['--import', './test/support/property-seed.ts', '--test', `--test-concurrency=${processes}`];
  const child = spawn(process.execPath, [...flags, ...paths], { stdio: 'inherit' });
  return new Promise((done) => child.once('close', (code) => done(code ?? 1)));
}
