/** What the engine made of the code is kept for the next start, which then need not parse and compile it again. */
// The module as a whole: a Node that is too old lacks the function, and must be able to load this file.
import module from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from '../config/folders.ts';

/**
 * Keeps compiled code in the user's folder for such things: in a folder that others can write to, they could leave code of
 * their own. Node has the last word: NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 keeps nothing, and
 * what cannot be written is not kept.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv, platform: string): void {
  const folder = cacheFolder(env, platform);
  if (folder !== undefined) module.enableCompileCache(join(folder, 'compiled'));
}
