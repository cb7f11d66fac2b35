/**
 * `npm test` behind its checks: every test, on two cores. A file that takes long, or starts processes, has a process of its own; the others
 * share some, for each process loads the same code again: half a second of a core for files that need a tenth of it.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { slowFiles } from './test-files.ts';

/** So many files share a process: few enough that the two cores end together. */
const filesInBundle = 24;

const files = globSync('test/**/*.test.ts').sort();
if (files.length === 0) throw new Error('Expected test files in test/, found none: run npm test from the root.');
const isSlow = (file: string): boolean => slowFiles.some((part) => file.includes(part));
const [alone, shared] = [files.filter(isSlow), files.filter((file) => !isSlow(file))];

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-tests-'));
try {
  process.exitCode = await run([...alone, ...bundlesOf(shared)]);
} finally {
  rmSync(folder, { recursive: true });
}

/** Files that import the tests of several; neighbours stay together, so that they share what they load. */
function bundlesOf(all: readonly string[]): readonly string[] {
  return Array.from({ length: Math.ceil(all.length / filesInBundle) }, (_, at) => {
    const own = all.slice(at * filesInBundle, (at + 1) * filesInBundle);
    const path = join(folder, `${at + 1}.test.mjs`);
    writeFileSync(path, own.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)).href)};\n`).join(''));
    return path;
  });
}

function run(paths: readonly string[]): Promise<number> {
  const flags = ['--import', './test/support/property-seed.ts', '--test', '--test-concurrency=2'];
  const child = spawn(process.execPath, [...flags, ...paths], { stdio: 'inherit' });
  return new Promise((done) => child.once('close', (code) => done(code ?? 1)));
}
