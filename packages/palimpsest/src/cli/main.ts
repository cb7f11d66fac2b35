#!/usr/bin/env node
/**
 * The entry of the command line. Says which Node it needs, and its version, before it loads the rest: an old Node cannot
 * even parse that, and a script that asks for the version should not wait for it. So it imports nothing that imports more.
 */
import { packageVersion } from '../config/package.ts';
import { keepCompiledCode } from './compiled-code.ts';
import { nodeProblem } from './node-version.ts';

const { argv, env, platform, stderr, stdout, versions } = process;
const [word, ...more] = argv.slice(2);

const problem = nodeProblem(versions.node);
if (problem !== undefined) {
  stderr.write(`palimpsest: ${problem}\n`);
  // Wrong options, arguments or configuration, as `exitCodes` has it.
  process.exitCode = 2;
} else if (more.length === 0 && (word === '--version' || word === '-v')) {
  stdout.once('error', (error) => {
    // As `process.ts` takes it: the reader of a pipe has seen enough, and everything else is a file that cannot be written.
    if ('code' in error && error.code === 'EPIPE') process.exit(0);
    stderr.write(`palimpsest: standard output cannot be written: ${error.message}\n`);
    process.exit(3);
  });
  stdout.write(`${packageVersion()}\n`);
} else {
  keepCompiledCode(env, platform);
  // Not awaited at the top: what is loaded shares files with this one, and would wait for it in turn.
  import('./process.ts').then(({ runProcess }) => runProcess());
}
