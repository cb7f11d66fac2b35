/** `patch`: exact texts of a file replaced by others, all of them or none. */
import { isJsonObject } from '@palimpsest/core/settings';
import { type AgentTool, counted, placeOf, readArguments, type ToolPlace } from '../tool.ts';
import { changedSince, changeFile, unchangeable } from './change-file.ts';
import { readFound } from './disk.ts';
import { applyEdits, type Edit } from './edits.ts';
import type { SeenFiles } from './seen-files.ts';
import { textOf } from './text-content.ts';

export function createPatch(place: ToolPlace, seen: SeenFiles): AgentTool {
  return {
    name: 'patch',
    description:
      'Replace exact texts in a file. Each `old` must be in it exactly once, unless `all`. All edits are made, or none.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: { old: { type: 'string' }, new: { type: 'string' }, all: { type: 'boolean' } },
            required: ['old', 'new'],
          },
        },
      },
      required: ['path', 'edits'],
    },
    run: async (given, call) => {
      const read = readArguments(given, { path: 'text', edits: 'list' });
      if (typeof read === 'string') return read;
      const edits = editsOf(read.list('edits'));
      if (typeof edits === 'string') return edits;
      const file = placeOf(read.text('path'), place);
      if (typeof file === 'string') return file;
      const found = readFound(file.path);
      if (found.type === 'none') return `There is no file ${file.shown}: write_file makes one.`;
      const problem = unchangeable(file, found);
      const content = found.type === 'file' ? textOf(found.bytes) : undefined;
      if (problem !== undefined || found.type !== 'file' || !content)
        return problem ?? `${file.shown} cannot be changed.`;
      // What stands in a file outside, or in one with credentials, must not be told by what an edit misses.
      if ((!file.isInside || file.isSecret) && seen.hashOf(file.path) === undefined)
        return `You have not read ${file.shown}: read it first.`;
      const changed = changedSince(file, found, seen);
      if (changed !== undefined) return changed;
      const edited = applyEdits(content.raw, edits);
      if (edited.type === 'failed') return `${edited.reason}\nNothing was changed in ${file.shown}.`;
      const after = `${content.hasMark ? '\uFEFF' : ''}${edited.raw}`;
      const done = `Changed ${file.shown} in ${counted(edited.places, 'place')}.`;
      return changeFile({ tool: 'patch', file, before: found, after, done }, { place, seen, call });
    },
  };
}

function editsOf(list: readonly unknown[] | undefined): readonly Edit[] | string {
  if (!list || list.length === 0) return 'Expected edits: a list of {"old": …, "new": …}.';
  const edits: Edit[] = [];
  for (const one of list) {
    const read = isJsonObject(one) ? one : {};
    if (typeof read.old !== 'string' || typeof read.new !== 'string')
      return `Expected edit ${edits.length + 1} as {"old": …, "new": …} with two texts. Nothing was changed.`;
    edits.push({ old: read.old, new: read.new, all: read.all === true || read.all === 'true' });
  }
  return edits;
}
