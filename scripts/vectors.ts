/**
 * The packages of the optional model for vectors (335 MB), which `npm ci` leaves out. As a program (`npm run test:vectors`):
 * installs them once into a folder of the cache, then runs the tests that need them (`*.arm.ts`).
 */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadPackage } from '@palimpsest/core/search';
import { installOptional, optionalFolder, run } from './optional.ts';

const root = join(import.meta.dirname, '..');

/** The module that loads the packages, in the folder that they were installed into. */
export const vectorLoader = (): string => join(optionalFolder('vectors'), 'load.mjs');

/** What loads the packages. Throws where `npm run test:vectors` has not installed them. */
export async function vectorPackages(): Promise<LoadPackage> {
  const loader = vectorLoader();
  if (!existsSync(loader))
    throw new Error('Expected the packages of optional/vectors; run `npm run test:vectors` first.');
  // Our own file, copied there: it exports `load`.
  const { load } = (await import(pathToFileURL(loader).href)) as { load: LoadPackage };
  return load;
}

if (import.meta.main) {
  installOptional('vectors');
  const tests = globSync('test/**/*.arm.ts', { cwd: root });
  process.exitCode = run(process.execPath, { args: ['--test', ...tests], cwd: root });
}
