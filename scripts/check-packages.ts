/**
 * `npm run check:packages [tarball …]`: unused files, exports and dependencies of the repository (knip), and the form and
 * the types of packed packages (publint, arethetypeswrong). Installs the three once into the cache; `npm ci` leaves them out.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installOptional, run } from './optional.ts';

const root = join(import.meta.dirname, '..');
const tarballs = process.argv.slice(2).map((path) => resolve(path));
const missing = tarballs.find((path) => !existsSync(path));
if (missing !== undefined) throw new Error(`Expected a packed package at ${missing}; make one with \`npm pack\`.`);

const tools = join(installOptional('package-checks'), 'node_modules', '.bin');
const checks = [
  ['knip'],
  ...tarballs.flatMap((path) => [
    ['publint', 'run', '--strict', path],
    ['attw', '--profile', 'esm-only', path],
  ]),
];
const ends = checks.map(([tool = '', ...args]) => run(join(tools, tool), { args, cwd: root }));
process.exitCode = ends.every((end) => end === 0) ? 0 : 1;
