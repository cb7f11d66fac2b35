/**
 * What Node made of the code of a file is kept for the next process of the tests that loads it: each test file is a process
 * of its own, many start more, and without it each strips and compiles the same hundreds of files. Node checks the content
 * of a file before it takes what was kept of it.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** In a folder that goes with the installed packages, and that nobody publishes. */
export const compiledFolder: string = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/** For this process and all that it starts. `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` have the last word. */
export function keepCompiledCode(): void {
  if (process.env.NODE_COMPILE_CACHE !== undefined) return;
  process.env.NODE_COMPILE_CACHE = compiledFolder;
  module.enableCompileCache(compiledFolder);
}
