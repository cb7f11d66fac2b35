/** The one way by which a tool changes a file: asked for with a preview, and only while it is as it was seen. */
import type { PathPlace } from '../../approval/project.ts';
import { refusal, type ToolCall, type ToolPlace } from '../tool.ts';
import { lineDiff } from './diff.ts';
import { type FoundFile, type ReadFile, replaceFound } from './disk.ts';
import type { SeenFiles } from './seen-files.ts';
import { textOf } from './text-content.ts';

export interface Change {
  readonly tool: string;
  readonly file: PathPlace;
  /** Undefined for a new file. */
  readonly before: ReadFile | undefined;
  /** The whole new content. */
  readonly after: string;
  /** The answer when it is done. */
  readonly done: string;
}

export interface Changing {
  readonly place: ToolPlace;
  readonly seen: SeenFiles;
  readonly call: ToolCall;
}

/** Why a found file cannot be changed as a text; undefined where it can. */
export function unchangeable({ shown }: PathPlace, found: FoundFile): string | undefined {
  switch (found.type) {
    case 'folder':
      return `${shown} is a folder, no file.`;
    case 'special':
      return `${shown} is a pipe, a socket or a device: it is not written to.`;
    case 'large':
      return `${shown} is too large for this tool: change it in the terminal.`;
    case 'unreadable':
      return `${shown} cannot be read: ${found.reason}. Nothing was changed.`;
    case 'file':
      return textOf(found.bytes) ? undefined : `${shown} is no UTF-8 text. Nothing was changed.`;
    case 'none':
      return undefined;
  }
}

/** What to say where the file is not as this conversation saw it; undefined where it is. */
export function changedSince({ path, shown }: PathPlace, { hash }: ReadFile, seen: SeenFiles): string | undefined {
  const known = seen.hashOf(path);
  if (known === undefined || known === hash) return undefined;
  return `${shown} has changed since you read it, by the user or by a command. Nothing was written: read it again.`;
}

/** Asks, and writes. Answers with what came of it. */
export async function changeFile(change: Change, { place, seen, call }: Changing): Promise<string> {
  const { tool, file, before, after, done } = change;
  const old = before ? (textOf(before.bytes)?.text ?? '') : '';
  const preview = lineDiff(old, after.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const kind = file.isInside ? 'write' : 'write-outside';
  const refused = await refusal({ tool, kind, target: file.path, preview }, { call, approve: place.approve });
  if (refused !== undefined) return refused;
  // While the person looked, a link may have come to lead elsewhere.
  if (place.project.look(file.path).path !== file.path)
    return `${file.shown} leads elsewhere now. Nothing was written.`;
  const replaced = replaceFound(file.path, after, before);
  switch (replaced.type) {
    case 'done':
      seen.note(file.path, replaced.hash);
      return done;
    case 'changed':
      return `${file.shown} was changed by somebody else just now. Nothing was written: read it again.`;
    case 'failed':
      return `${file.shown} could not be written: ${replaced.reason}. Nothing was changed.`;
  }
}
