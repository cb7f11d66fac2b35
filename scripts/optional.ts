/** Packages that `npm ci` leaves out, each set with a manifest and a lock file of its own in `optional/`. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** `vectors`: the model for vectors. `package-checks`: what checks the packages before they are published. */
export type OptionalSet = 'vectors' | 'package-checks';

/** Where a set is installed, in the cache; named after its lock file, so that other versions get a folder of their own. */
export function optionalFolder(set: OptionalSet): string {
  const lock = readFileSync(join(root, 'optional', set, 'package-lock.json'));
  const key = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, 'palimpsest', `${set}-${key}`);
}

/** Installs a set unless it is there, and gives its folder. */
export function installOptional(set: OptionalSet): string {
  const folder = optionalFolder(set);
  if (existsSync(folder)) return folder;
  // Beside it first, so that an install that was broken off is not taken for a whole one.
  const half = `${folder}.${process.pid}`;
  const wanted = join(root, 'optional', set);
  mkdirSync(half, { recursive: true });
  for (const file of readdirSync(wanted)) cpSync(join(wanted, file), join(half, file));
  const status = run('npm', { args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], cwd: half });
  if (status !== 0) {
    rmSync(half, { recursive: true, force: true });
    throw new Error(`Expected npm ci in optional/${set} to pass; it ended with ${status}. See above.`);
  }
  renameSync(half, folder);
  return folder;
}

/** Runs a command in sight of the person, and gives its exit code. */
export const run = (
  command: string,
  { args, cwd }: { readonly args: readonly string[]; readonly cwd: string },
): number => spawnSync(command, args, { cwd, stdio: 'inherit' }).status ?? 1;
