/** `read_file`: a page of a file, with the numbers of its lines. */
import { dirname } from 'node:path';
import { nearest } from '@palimpsest/core/settings';
import type { PathPlace } from '../../approval/project.ts';
import {
  type AgentTool,
  type Arguments,
  counted,
  grouped,
  mayRead,
  placeOf,
  readArguments,
  type ToolPlace,
} from '../tool.ts';
import { namesIn, readFound } from './disk.ts';
import type { SeenFiles } from './seen-files.ts';
import { kindOf, textOf } from './text-content.ts';

/** No page is longer, whatever is asked for. */
const mostPageChars = 30_000;
const mostLineChars = 2_000;
const defaultLines = 1_000;
const mostNames = 200;

export function createReadFile(place: ToolPlace, seen: SeenFiles): AgentTool {
  return {
    name: 'read_file',
    description: 'Read a text file with line numbers, or list a folder. Long files come in pages.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        offset: { type: 'integer', description: 'first line, from 1' },
        limit: { type: 'integer', description: 'lines' },
      },
      required: ['path'],
    },
    run: async (given, call) => {
      const read = readArguments(given, { path: 'text', offset: 'number', limit: 'number' });
      if (typeof read === 'string') return read;
      const file = placeOf(read.text('path'), place);
      if (typeof file === 'string') return file;
      const refused = await mayRead('read_file', file, { call, approve: place.approve });
      return refused ?? answer(file, read, seen);
    },
  };
}

function answer(place: PathPlace, given: Arguments, seen: SeenFiles): string {
  const { path, shown } = place;
  const found = readFound(path);
  switch (found.type) {
    case 'none':
      return `There is no file ${shown}.${nearName(place)}`;
    case 'folder':
      return folderText(path, shown);
    case 'special':
      return `${shown} is no file but a pipe, a socket or a device: it is not read.`;
    case 'large':
      return `${shown} is too large to be read whole (${grouped(found.bytes)} bytes): find lines with search_files, or cut some out in the terminal, such as sed -n '1,100p'.`;
    case 'unreadable':
      return `${shown} cannot be read: ${found.reason}.`;
    case 'file': {
      const content = textOf(found.bytes);
      if (!content)
        return `${shown} is ${kindOf(found.bytes)} (${grouped(found.bytes.length)} bytes), no UTF-8 text: it is not shown.`;
      seen.note(path, found.hash);
      return page(content.text, { shown, given });
    }
  }
}

function nearName({ path, shown }: PathPlace): string {
  const names = namesIn(dirname(path)).map((name) => name.replace(/\/$/, ''));
  const name = path.split(/[/\\]/).at(-1) ?? '';
  const near = nearest(name, names);
  if (near !== undefined) return ` Did you mean ${shown.slice(0, shown.length - name.length)}${near}?`;
  return names.length === 0
    ? ' Its folder is not there or empty: search_files finds files by name.'
    : ' search_files finds files by name.';
}

function folderText(path: string, shown: string): string {
  const names = namesIn(path);
  const rest = names.length - mostNames;
  const lines = names.slice(0, mostNames);
  return [
    `${shown} is a folder with ${names.length === 1 ? '1 entry' : `${grouped(names.length)} entries`}:`,
    ...lines,
    ...(rest > 0 ? [`[${grouped(rest)} more: narrow it down with search_files]`] : []),
  ].join('\n');
}

function page(text: string, { shown, given }: { readonly shown: string; readonly given: Arguments }): string {
  if (text === '') return `[${shown} is empty]`;
  const lines = text.replace(/\n$/, '').split('\n');
  const from = Math.max(1, Math.floor(given.number('offset') ?? 1));
  const limit = Math.max(1, Math.floor(given.number('limit') ?? defaultLines));
  if (from > lines.length) return `[${shown} has ${counted(lines.length, 'line')}; there is no line ${grouped(from)}]`;
  const taken: string[] = [];
  let chars = 0;
  for (const line of lines.slice(from - 1, from - 1 + limit)) {
    const one = `${from + taken.length}\t${cutLine(line)}`;
    chars += one.length + 1;
    if (chars > mostPageChars && taken.length > 0) break;
    taken.push(one);
  }
  const last = from + taken.length - 1;
  if (from === 1 && last === lines.length) return taken.join('\n');
  const on = last < lines.length ? `; read on with offset ${last + 1}` : '';
  return `${taken.join('\n')}\n[lines ${grouped(from)} to ${grouped(last)} of ${grouped(lines.length)}${on}]`;
}

function cutLine(line: string): string {
  if (line.length <= mostLineChars) return line;
  return `${line.slice(0, mostLineChars).toWellFormed()}… [${grouped(line.length - mostLineChars)} more characters]`;
}
