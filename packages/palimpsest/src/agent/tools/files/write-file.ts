/** `write_file`: a new file, or a whole new content for one that was read. */
import { type AgentTool, counted, placeOf, readArguments, type ToolPlace } from '../tool.ts';
import { changedSince, changeFile, unchangeable } from './change-file.ts';
import { readFound } from './disk.ts';
import type { SeenFiles } from './seen-files.ts';
import { inEndings, textOf } from './text-content.ts';

export function createWriteFile(place: ToolPlace, seen: SeenFiles): AgentTool {
  return {
    name: 'write_file',
    description: 'Write a whole file; folders are made. Read an existing file first; for parts of it use patch.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
    run: async (given, call) => {
      const read = readArguments(given, { path: 'text', content: 'text' });
      if (typeof read === 'string') return read;
      const content = read.text('content');
      if (content === undefined) return 'Expected content: the whole text of the file.';
      const file = placeOf(read.text('path'), place);
      if (typeof file === 'string') return file;
      const found = readFound(file.path);
      const problem = unchangeable(file, found);
      if (problem !== undefined) return problem;
      const size = counted(content.replace(/\n$/, '').split('\n').length, 'line');
      if (found.type !== 'file') {
        const done = `Wrote ${file.shown}: a new file of ${size}.`;
        return changeFile({ tool: 'write_file', file, before: undefined, after: content, done }, { place, seen, call });
      }
      if (seen.hashOf(file.path) === undefined)
        return `${file.shown} is there already and you have not read it: read it first. Nothing was written.`;
      const changed = changedSince(file, found, seen);
      if (changed !== undefined) return changed;
      const before = textOf(found.bytes);
      const after = before ? inEndings(content, before) : content;
      if (Buffer.from(after).equals(found.bytes))
        return `${file.shown} holds exactly that already: nothing was written.`;
      const done = `Wrote ${file.shown}: ${size} in place of what it held.`;
      return changeFile({ tool: 'write_file', file, before: found, after, done }, { place, seen, call });
    },
  };
}
