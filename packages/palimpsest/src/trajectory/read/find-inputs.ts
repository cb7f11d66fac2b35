/** The files that are meant by words: files, folders, patterns and standard input; and what each becomes. */
import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { glob, lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { nearest } from '@palimpsest/core/settings';
import type { InputIdentity } from '../write/journal.ts';
import { metricsPath } from '../write/metrics-path.ts';
import type { Packing } from './unpack.ts';

/** A file to read, and the one to write. */
export interface PlannedFile {
  /** For reports: as it was typed, or below the folder that was. */
  readonly name: string;
  /** Undefined for standard input. */
  readonly path: string | undefined;
  readonly size: number | undefined;
  /** Its name below the folder of all outputs; absent for the only input, whatever its name. */
  readonly below?: string | undefined;
  readonly output: string;
}

/** What is to be done. */
export interface FilePlan {
  readonly files: readonly PlannedFile[];
  /** The folder of all outputs; undefined where the output is one file. */
  readonly folder: string | undefined;
}

interface PlanOptions {
  /** Where relative names begin. */
  readonly cwd: string;
  readonly output: string;
  /** Added to the names of files in a folder. */
  readonly suffix: string;
  /** What `-` is called in reports, and its file in a folder, where it is not standard input. */
  readonly source?: string | undefined;
  /** True where metrics are written beside each output. @default false */
  readonly hasMetrics?: boolean;
}

const endings = /(\.(?:jsonl|json|ndjson))((?:\.(?:gz|zst))?)$/i;

/** How a file of this name is packed. */
export function packingFor(name: string): Packing {
  if (/\.gz$/i.test(name)) return 'gzip';
  return /\.zst$/i.test(name) ? 'zstd' : 'plain';
}

/** True for a name that says that one JSON document is in the file. */
export const isJsonName = (name: string): boolean => /\.json(?:\.gz|\.zst)?$/i.test(name);

/**
 * One input file becomes the file that was named; several, a folder or a pattern become a folder with the same names and the
 * suffix. Throws `FILE_UNREADABLE` for what is not there, and `BAD_OPTION` where two inputs would become one file, or an output
 * is an input.
 */
export async function planFiles(inputs: readonly string[], options: PlanOptions): Promise<FilePlan> {
  if (inputs.length === 0) throw noInput();
  const target = resolve(options.cwd, options.output);
  const found: Found[] = [];
  const there = await stat(target).catch(() => undefined);
  // A device would be replaced by a file.
  if (there && !there.isFile() && !there.isDirectory())
    throw badOption(`${options.output} is neither a file nor a folder: name one of them`);
  let isAlone = inputs.length === 1;
  let isMany = !isAlone || /[/\\]$/.test(options.output) || (there?.isDirectory() ?? false);
  for (const input of inputs) {
    const { files, isOne } = await someFiles(input, { ...options, target });
    isAlone &&= isOne;
    isMany ||= !isOne;
    found.push(...files);
  }
  const [first] = found;
  const files = isMany
    ? found.map((file) => ({ ...file, output: join(target, suffixed(file.below, options.suffix)) }))
    : [first].flatMap((file) => (file ? [{ ...file, output: target }] : []));
  await refuseClashes(files, options.hasMetrics ?? false);
  return {
    files: files.map((file) => ({ ...file, below: isAlone ? undefined : file.below })),
    folder: isMany ? target : undefined,
  };
}

/** The files to read where nothing is written. Throws as `planFiles` does. */
export async function readableFiles(
  inputs: readonly string[],
  options: Pick<PlanOptions, 'cwd' | 'source'>,
): Promise<readonly PlannedFile[]> {
  if (inputs.length === 0) throw noInput();
  const all: Found[] = [];
  let isAlone = inputs.length === 1;
  for (const input of inputs) {
    const { files, isOne } = await someFiles(input, { ...options, target: undefined });
    isAlone &&= isOne;
    all.push(...files);
  }
  return all.map((file) => ({ ...file, below: isAlone ? undefined : file.below, output: '' }));
}

const noInput = (): PalimpsestError =>
  badOption('expected at least one input: a file, a folder, a pattern or - for standard input');

interface Found {
  readonly name: string;
  readonly path: string | undefined;
  readonly size: number | undefined;
  /** Its name below the folder of all outputs. */
  readonly below: string;
}

/** `a/b.jsonl.gz` → `a/b_compressed.jsonl.gz`. */
function suffixed(name: string, suffix: string): string {
  const found = endings.exec(name);
  return found ? `${name.slice(0, found.index)}${suffix}${found[0]}` : `${name}${suffix}`;
}

interface Place extends Pick<PlanOptions, 'cwd' | 'source'> {
  /** The output, which is no input. */
  readonly target: string | undefined;
}

async function someFiles(input: string, place: Place): ReturnType<typeof filesOf> {
  const found = await filesOf(input, place);
  if (found.files.length > 0) return found;
  throw unreadable(input, `${input} holds no .jsonl, .jsonl.gz, .jsonl.zst or .json file`);
}

async function filesOf(
  input: string,
  { cwd, target, source }: Place,
): Promise<{ readonly files: readonly Found[]; readonly isOne: boolean }> {
  if (input === '-')
    return {
      files: [{ name: source ?? '-', path: undefined, size: undefined, below: `${source ?? 'stdin'}.jsonl` }],
      isOne: true,
    };
  const path = resolve(cwd, input);
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) {
    if (path === target) throw badOption(`${input} is an input: name another folder`);
    const names = await namesBelow(path, target);
    const files = await Promise.all(names.map((name) => foundAt(join(path, name), join(input, name), name)));
    return { files, isOne: false };
  }
  if (there) return { files: [await foundAt(path, input, basename(path))], isOne: true };
  if (!/[*?[{]/.test(input)) throw await notThere(input, path);
  return { files: await matching(input, { cwd, target }), isOne: false };
}

async function matching(input: string, { cwd, target }: Place): Promise<readonly Found[]> {
  const paths: string[] = [];
  for await (const name of glob(input, { cwd })) paths.push(resolve(cwd, name));
  const base = resolve(cwd, input.slice(0, input.search(/[*?[{]/)).replace(/[^/\\]*$/, ''));
  const isMeant = async (path: string): Promise<boolean> =>
    !(target !== undefined && path.startsWith(target + sep)) &&
    ((await stat(path).catch(() => undefined))?.isFile() ?? false);
  const [plain, links]: [string[], string[]] = [[], []];
  for (const path of paths) if (await isMeant(path)) ((await isLink(path)) ? links : plain).push(path);
  const files: Found[] = [];
  for (const path of await eachOnce(plain, links)) {
    const [name, below] = [relative(cwd, path), relative(base, path)];
    if (target !== undefined && (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)))
      throw badOption(
        `${name} is not below ${base}, where ${input} begins, and would be written outside of the output: name its folder as an input of its own`,
      );
    files.push(await foundAt(path, name, below));
  }
  return files;
}

async function foundAt(path: string, name: string, below: string): Promise<Found> {
  try {
    const { size } = await stat(path);
    return { name, path, size, below };
  } catch (cause) {
    if (await isLink(path)) throw leadsNowhere(name, cause);
    throw unreadable(name, `${name} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

const isLink = async (path: string): Promise<boolean> =>
  (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;

const leadsNowhere = (name: string, cause?: unknown): PalimpsestError =>
  unreadable(name, `${name} is a link that leads nowhere: fetch or remove it`, cause);

/** Names of the data files of a folder and those below it; not of hidden ones, of metrics, nor of what a run writes. Each file has one. */
async function namesBelow(folder: string, target: string | undefined): Promise<readonly string[]> {
  const [paths, links]: [string[], string[]] = [[], []];
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === target) continue;
    for (const entry of await readdir(next, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (endings.test(entry.name) && !/_metrics\.json$/.test(entry.name) && (await isFileAt(path, entry)))
        (entry.isSymbolicLink() ? links : paths).push(path);
    }
  }
  return (await eachOnce(paths, links)).map((path) => relative(folder, path));
}

/** The paths in their order: of each file one, and that of the file itself before links to it. */
async function eachOnce(paths: readonly string[], links: readonly string[]): Promise<readonly string[]> {
  if (links.length === 0) return paths.toSorted();
  const byPlace = new Map<string, string>();
  for (const path of [...paths, ...links.toSorted()]) {
    const place = await realpath(path).catch(() => path);
    if (!byPlace.has(place)) byPlace.set(place, path);
  }
  return [...byPlace.values()].toSorted();
}

/** A link to a file counts as one; one that leads nowhere is refused when its size is asked for. Links to folders could go round. */
async function isFileAt(path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const there = await stat(path).catch(() => undefined);
  return there?.isFile() ?? true;
}

async function refuseClashes(
  files: readonly (Found & { readonly output: string })[],
  hasMetrics: boolean,
): Promise<void> {
  const places = new Map<string, string>();
  for (const { name, output } of files) {
    const other = places.get(output);
    if (other !== undefined)
      throw badOption(`${other} and ${name} would both become ${output}: compress them in two runs, to two folders`);
    places.set(output, name);
  }
  const sums = new Map<string, string>();
  for (const { name, output } of hasMetrics ? files : []) {
    const other = sums.get(metricsPath(output));
    if (other !== undefined)
      throw badOption(`${other} and ${name} would both have the metrics ${metricsPath(output)}: rename one of them`);
    sums.set(metricsPath(output), name);
  }
  const inputs = new Set(await Promise.all(files.map(({ path }) => path && realpath(path))));
  for (const { output } of files) {
    const place = await realpath(output).catch(() => join(dirname(output), basename(output)));
    if (inputs.has(place)) throw badOption(`${output} is an input: name another output`);
  }
}

async function notThere(input: string, path: string): Promise<PalimpsestError> {
  if (await isLink(path)) return leadsNowhere(input);
  const near = nearest(basename(path), await readdir(dirname(path)).catch(() => []));
  return unreadable(input, `there is no file ${input}: ${near ? `did you mean ${near}?` : 'check the path'}`);
}

const unreadable = (path: string, message: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path }, cause });

const badOption = (message: string): PalimpsestError => new PalimpsestError('BAD_OPTION', message);

/** How much of a file tells it from others of the same size and time. */
const headBytes = 64 * 1_024;

/** What a file is known by. */
export async function identityOf({ name, path, output }: PlannedFile): Promise<InputIdentity> {
  if (path === undefined) return { name, output };
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw unreadable(name, `${name} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  });
  try {
    const { size, mtimeMs } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = createHash('sha256').update(buffer.subarray(0, bytesRead)).digest('hex').slice(0, 32);
    return { name, output, size, modifiedMs: mtimeMs, head };
  } finally {
    await file.close();
  }
}
