/** The files of plugins: the only place that reads them and runs their modules. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { badPlugin } from '@palimpsest/core/engine';

import { readSmallFile } from '../config/small-file.ts';

/** What finding and loading plugins asks of a file system. */
export interface PluginFiles {
  /** The text of a file; undefined when there is none. */
  readonly readText: (path: string) => Promise<string | undefined>;
  /** The names of the folders in a folder, sorted; none when it does not exist. */
  readonly foldersIn: (path: string) => Promise<readonly string[]>;
  /** A path without links; as it is when it does not exist. */
  readonly realPath: (path: string) => Promise<string>;
  readonly join: (...parts: readonly string[]) => string;
  /** Runs a module of a folder and gives its exports. Throws `BAD_PLUGIN` for one that lies elsewhere. */
  readonly load: (folder: string, main: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** The file system of this machine. */
export const machineFiles: PluginFiles = {
  // Only what is a file: reading a pipe would wait for ever.
  readText: async (path) =>
    whereThere(async () => ((await stat(path)).isFile() ? await readSmallFile(path) : undefined), undefined),
  foldersIn: async (path) => {
    const entries = await whereThere(() => readdir(path, { withFileTypes: true }), []);
    const folders = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
    return folders.map(({ name }) => name).sort();
  },
  realPath: async (path) => whereThere(() => realpath(path), resolve(path)),
  join,
  load: async (folder, main) => {
    const [home, module] = await Promise.all([realpath(folder), realpath(join(folder, main))]);
    if (!module.startsWith(home + sep)) throw badPlugin(`${main} of ${folder} is a link that leads out of the folder`);
    return import(pathToFileURL(module).href);
  },
};

const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

async function whereThere<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(error.code)) return otherwise;
    throw error;
  }
}
