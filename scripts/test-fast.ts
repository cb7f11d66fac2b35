/**
 * `npm run test:fast [folder …]`: the tests whose path names one of the folders, or all, one process a core and no
 * isolation between the files of a process. Slow ones are left out unless they are named. For the person who just
 * changed something; `npm test` is the proof.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { slowFiles } from './test-files.ts';

const wanted = process.argv.slice(2);
const named = globSync('test/**/*.test.ts').filter(
  (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
);
/** `store` leaves out its slow files; `kill` or `store/kill` names one of them, and `cli` a slow folder. */
const isLeftOut = (file: string): boolean =>
  slowFiles.some((part) => file.includes(part) && !wanted.some((word) => word.includes(basename(part, '.test.ts'))));
const files = named.filter((file) => !isLeftOut(file)).sort();
const left = named.length - files.length;
if (files.length === 0) {
  const found = left === 0 ? 'none' : `${left} slow ones: name one as ${named[0]}`;
  throw new Error(`Expected test files with ${wanted.join(' or ')} in their path; found ${found}.`);
}
if (left > 0) console.log(`${left} slow files are left to npm test`);
const shards = Math.min(availableParallelism(), files.length);
const ends = await Promise.all(Array.from({ length: shards }, (_, i) => run(i + 1)));
process.exitCode = ends.every((end) => end === 0) ? 0 : 1;

function run(index: number): Promise<number | null> {
  const flags = ['--test', '--test-isolation=none', '--test-reporter=dot', `--test-shard=${index}/${shards}`];
  const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit' });
  return new Promise((resolve) => child.on('exit', resolve));
}
