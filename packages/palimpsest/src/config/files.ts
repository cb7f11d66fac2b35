/** Where configuration files are, and what is in them. */
import { posix, win32 } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { isObject } from '@palimpsest/core/settings';
import { excessIn, excessOfValue } from './limits.ts';

export type ReadFile = (path: string) => Promise<string | undefined>;

export interface ConfigFile {
  readonly path: string;
  readonly content: Readonly<Record<string, unknown>>;
}

const endings = ['yaml', 'yml', 'json'] as const;

/**
 * The one file `name.yaml`, `.yml` or `.json` of a folder; undefined when there is none. Throws `BAD_CONFIG` when
 * there are two, or when the text is not what its ending says, and `FILE_UNREADABLE` when it cannot be read.
 */
export async function readConfigFile(
  readFile: ReadFile,
  { folder, name, platform }: { folder: string; name: string; platform: string },
): Promise<ConfigFile | undefined> {
  const { join } = platform === 'win32' ? win32 : posix;
  const found: { path: string; text: string }[] = [];
  for (const ending of endings) {
    const path = join(folder, `${name}.${ending}`);
    const text = await read(readFile, path);
    if (text !== undefined) found.push({ path, text });
  }
  const [first, second] = found;
  if (first && second) {
    const message = `Found two configuration files, ${first.path} and ${second.path}: keep one of them.`;
    throw new PalimpsestError('BAD_CONFIG', message, { evidence: { path: first.path } });
  }
  return first && { path: first.path, content: await parse(first.path, first.text) };
}

/**
 * The user's configuration folder: `$XDG_CONFIG_HOME/palimpsest`, else the folder that the system has for it.
 * Undefined when the environment names no home.
 */
export function userFolder(env: Readonly<Record<string, string | undefined>>, platform: string): string | undefined {
  // The XDG specification says that a relative path is to be ignored.
  const xdg = env.XDG_CONFIG_HOME;
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'palimpsest');
  if (platform === 'win32') {
    const base = env.APPDATA ?? (env.USERPROFILE && join(env.USERPROFILE, 'AppData', 'Roaming'));
    return base ? join(base, 'palimpsest') : undefined;
  }
  if (!env.HOME) return undefined;
  return platform === 'darwin'
    ? join(env.HOME, 'Library', 'Application Support', 'palimpsest')
    : join(env.HOME, '.config', 'palimpsest');
}

/** The folder for what a person's programs keep; undefined where the environment does not tell. */
export function dataFolder(env: Readonly<Record<string, string | undefined>>, platform: string): string | undefined {
  const xdg = env.XDG_DATA_HOME;
  const { join, isAbsolute } = platform === 'win32' ? win32 : posix;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'palimpsest');
  if (platform === 'win32') {
    const base = env.LOCALAPPDATA ?? (env.USERPROFILE && join(env.USERPROFILE, 'AppData', 'Local'));
    return base ? join(base, 'palimpsest') : undefined;
  }
  if (!env.HOME) return undefined;
  return platform === 'darwin'
    ? join(env.HOME, 'Library', 'Application Support', 'palimpsest')
    : join(env.HOME, '.local', 'share', 'palimpsest');
}

async function read(readFile: ReadFile, path: string): Promise<string | undefined> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) throw cause;
    const message = `Cannot read the configuration file ${path}: check that it is a file and that you may read it.`;
    throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path }, cause });
  }
}

async function parse(path: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  refuseExcess(path, excessIn(text));
  let value: unknown;
  try {
    value = await parseText(path, text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const kind = path.endsWith('.json') ? 'JSON' : 'YAML';
    const message = `${path} is not valid ${kind}: ${reason}`;
    throw new PalimpsestError('BAD_CONFIG', message, { evidence: { path }, cause });
  }
  refuseExcess(path, excessOfValue(value));
  // An empty YAML document is null: a file in which everything is commented out.
  if (value === null || value === undefined) return {};
  if (isObject(value)) return value;
  const message = `${path}: expected sections such as "compression:" at the top, got ${Array.isArray(value) ? 'a list' : 'a single value'}.`;
  throw new PalimpsestError('BAD_CONFIG', message, { evidence: { path } });
}

/** Throws `BAD_CONFIG` that names the file and the limit. */
export function refuseExcess(path: string, excess: string | undefined): void {
  if (excess === undefined) return;
  const message = `${path} is not a configuration: ${excess}. Shorten it, or remove it.`;
  throw new PalimpsestError('BAD_CONFIG', message, { evidence: { path } });
}

async function parseText(path: string, text: string): Promise<unknown> {
  if (path.endsWith('.json')) return JSON.parse(text);
  // Loaded only here: whoever configures in code or has no file does not pay for a YAML parser.
  const { parse } = await import('yaml');
  return parse(text);
}
