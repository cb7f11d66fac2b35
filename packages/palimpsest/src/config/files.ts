/** Files of the configuration: what is in them, and how one setting is changed. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import type { JsonObject, JsonValue } from '@palimpsest/core/engine';
import { isObject } from '@palimpsest/core/settings';

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

/** The content of a file of settings that somebody named. Throws as `readConfigFile` does, and `FILE_UNREADABLE` where there is none. */
export async function readNamedConfig(readFile: ReadFile, path: string): Promise<ConfigFile['content']> {
  const text = await read(readFile, path);
  if (text !== undefined) return parse(path, text);
  throw new PalimpsestError('FILE_UNREADABLE', `There is no file ${path}: check the path.`, { evidence: { path } });
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
function refuseExcess(path: string, excess: string | undefined): void {
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

// Reads the small files that nobody named: what lies in a folder may be anything, and must not hold a command up.

/**
 * The text of a file of at most `mostBytes`; undefined when there is none. Never waits for a pipe or a device, and never
 * reads on in a file that grows.
 *
 * @throws FILE_UNREADABLE for what is no file, is larger, or is no UTF-8; the system's error where it cannot be opened
 */
export async function readSmallFile(path: string): Promise<string | undefined> {
  const file = await opened(path);
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) throw refused(path, 'it is not a file: put a file there, or remove it');
    const bytes = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length, length));
    }
    if (length > mostBytes) throw refused(path, `it is larger than ${mostBytes / 1_024} KB: shorten it, or remove it`);
    return decoded(path, bytes.subarray(0, length));
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    // Opening a pipe for reading waits for a writer otherwise. Windows has no such flag, and no such pipes.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused(path, 'it is not UTF-8 text: save it as UTF-8', cause);
  }
}

const refused = (path: string, what: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError('FILE_UNREADABLE', `Cannot read ${path}: ${what}.`, { evidence: { path }, cause });

// How much a small file may hold before it is parsed: a parser of YAML or JSON takes its time for what is hostile.

/** No configuration and no manifest of a plugin needs so much. */
const mostBytes: number = 64 * 1_024;
const mostDepth = 64;
/** Brackets, quotes and the like: for each a parser looks back, or tells what is wrong with it. */
const mostSigns = 4_000;
const mostMembers = 5_000;

/** What of a text is more than a small file may hold, as a clause; undefined for one that may be parsed. Linear. */
export function excessIn(text: string): string | undefined {
  if (text.length > mostBytes) return `it is larger than ${mostBytes / 1_024} KB`;
  let [depth, deepest, count] = [0, 0, 0];
  for (const [sign] of text.matchAll(signs)) {
    count++;
    if (sign === '[' || sign === '{') deepest = Math.max(deepest, ++depth);
    else if (sign === ']' || sign === '}') depth = Math.max(0, depth - 1);
  }
  for (const [marks] of text.matchAll(openings)) deepest = Math.max(deepest, marks.length / 2);
  if (deepest > mostDepth) return `it is nested more than ${mostDepth} deep`;
  return count > mostSigns ? `it has more than ${mostSigns} brackets, quotes, commas, colons and marks` : undefined;
}

const signs = /[[\]{},:&*!"'%@|>`?]/g;
/** Columns of indentation, and signs of lists and keys in a row, each of which may open a level. */
const openings = /^[ ?:-]{64,}/gm;

/** The same of what came of it: aliases make much of a little text. */
function excessOfValue(value: unknown): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let members = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= mostDepth) return `it is nested more than ${mostDepth} deep`;
    for (const inner of Object.values(next.value)) {
      members++;
      if (members > mostMembers) return `it has more than ${mostMembers} keys and members`;
      open.push({ value: inner, depth: next.depth + 1 });
    }
  }
  return undefined;
}

// Changes one setting in the text of a configuration file and leaves everything else as a person wrote it.

/** A setting as files write it, and what it is to be. */
export interface Change {
  /** Keys in snake_case, from the outside in. */
  readonly path: readonly string[];
  /** Undefined takes the setting out. */
  readonly value: JsonValue | undefined;
}

/**
 * The text with the setting changed; comments and order of a YAML file stay. An empty text becomes a file with
 * this one setting. Throws `BAD_CONFIG` for a text that is not what the ending of its name says.
 */
export async function withSetting(file: { path: string; text: string }, change: Change): Promise<string> {
  refuseExcess(file.path, excessIn(file.text));
  return file.path.endsWith('.json') ? inJson(file, change) : inYaml(file, change);
}

async function inYaml({ path, text }: { path: string; text: string }, change: Change): Promise<string> {
  const { isMap, isScalar, parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem) throw unreadable(path, `not valid YAML: ${problem.message}`);
  if (document.contents !== null && !isMap(document.contents)) throw unreadable(path, 'not a list of sections');
  if (change.value === undefined && !document.hasIn(change.path)) return text;
  // A section whose lines are all commented out is null, which has no members to set.
  for (let depth = 1; depth < change.path.length; depth++) {
    const at = change.path.slice(0, depth);
    const section = document.getIn(at, true);
    if (section === undefined || isMap(section)) continue;
    const emptied = document.createNode({});
    if (isScalar(section) && section.comment) emptied.commentBefore = section.comment;
    document.setIn(at, emptied);
  }
  if (change.value === undefined) document.deleteIn(change.path);
  else document.setIn(change.path, change.value);
  // `[a]` stays `[a]`, and `[ a ]` stays `[ a ]`, as far as a file has one way.
  return document.toString({ lineWidth: 0, flowCollectionPadding: /[[{] /.test(text) });
}

function inJson({ path, text }: { path: string; text: string }, change: Change): string {
  let content: unknown = {};
  try {
    if (text.trim() !== '') content = JSON.parse(text);
  } catch (cause) {
    throw unreadable(path, `not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (!isObject(content)) throw unreadable(path, 'not an object of sections');
  // JSON.parse returns what JSON can carry and nothing else.
  return `${JSON.stringify(setIn(content as JsonObject, change), null, indentOf(text))}\n`;
}

function setIn(content: JsonObject, { path, value }: Change): JsonObject {
  const [key = '', ...rest] = path;
  if (value === undefined && !Object.hasOwn(content, key)) return content;
  if (rest.length === 0) {
    const { [key]: _before, ...others } = content;
    return value === undefined ? others : { ...content, [key]: value };
  }
  const inner = content[key];
  if (value === undefined && !isObject(inner)) return content;
  // Tested right here to be an object.
  const section = isObject(inner) ? (inner as JsonObject) : {};
  return { ...content, [key]: setIn(section, { path: rest, value }) };
}

const indentOf = (text: string): string => /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';

const unreadable = (path: string, what: string): PalimpsestError =>
  new PalimpsestError('BAD_CONFIG', `${path} is ${what}: fix it first; nothing was written.`, { evidence: { path } });
