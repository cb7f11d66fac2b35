/**
 * The packages of the optional model for vectors (335 MB), which `npm ci` leaves out. As a program (`npm run test:vectors`):
 * installs them once into a folder of the cache, then runs the tests that need them (`*.arm.ts`).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadPackage } from '@palimpsest/core/search';

const root = join(import.meta.dirname, '..');
const wanted = join(root, 'optional', 'vectors');

/** The module that loads the packages, in the folder that they were installed into. */
export const vectorLoader = (): string => join(folder(), 'load.mjs');

/** What loads the packages. Throws where `npm run test:vectors` has not installed them. */
export async function vectorPackages(): Promise<LoadPackage> {
  const loader = vectorLoader();
  if (!existsSync(loader))
    throw new Error('Expected the packages of optional/vectors; run `npm run test:vectors` first.');
  // Our own file, copied there: it exports `load`.
  const { load } = (await import(pathToFileURL(loader).href)) as { load: LoadPackage };
  return load;
}

/** Named after the lock file, so that other versions get a folder of their own. */
function folder(): string {
  const lock = readFileSync(join(wanted, 'package-lock.json'));
  const key = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'palimpsest', `vectors-${key}`);
}

/** Into a folder beside it first, so that an install that was broken off is not taken for a whole one. */
function install(target: string): void {
  const half = `${target}.${process.pid}`;
  mkdirSync(half, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'load.mjs']) cpSync(join(wanted, file), join(half, file));
  const status = run('npm', { args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], cwd: half });
  if (status !== 0) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(`Expected npm ci in optional/vectors to pass; it ended with ${status}. See above.`);
  }
  renameSync(half, target);
}

const run = (command: string, { args, cwd }: { readonly args: readonly string[]; readonly cwd: string }): number =>
  spawnSync(command, args, { cwd, stdio: 'inherit' }).status ?? 1;

if (import.meta.main) {
  if (!existsSync(folder())) install(folder());
  const tests = globSync('test/**/*.arm.ts', { cwd: root });
  process.exitCode = run(process.execPath, { args: ['--test', ...tests], cwd: root });
}
