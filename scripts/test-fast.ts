/**
 * `npm run test:fast [folder …]`: the tests whose path names one of the folders (all but the slow ones where none is
 * named), one process a core and no isolation between the files of a process. For the person who just changed something;
 * `npm test` is the proof.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** They start many processes, or look at thousands of random cases: over 5 seconds each on two cores. */
const slow: readonly string[] = [
  'test/cli/',
  'test/conversation/',
  'test/attacks/',
  'kill.test.ts',
  'test/docs/snippets',
];

const wanted = process.argv.slice(2);
const isWanted = (file: string): boolean =>
  wanted.length === 0 ? !slow.some((part) => file.includes(part)) : wanted.some((part) => file.includes(part));
const files = globSync('test/**/*.test.ts').filter(isWanted).sort();
if (files.length === 0) throw new Error(`Expected test files with ${wanted.join(' or ')} in their path; found none.`);
const shards = Math.min(availableParallelism(), files.length);
const ends = await Promise.all(Array.from({ length: shards }, (_, i) => run(i + 1)));
process.exitCode = ends.every((end) => end === 0) ? 0 : 1;

function run(index: number): Promise<number | null> {
  const flags = ['--test', '--test-isolation=none', '--test-reporter=dot', `--test-shard=${index}/${shards}`];
  const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit' });
  return new Promise((resolve) => child.on('exit', resolve));
}
