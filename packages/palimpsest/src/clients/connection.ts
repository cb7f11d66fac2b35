/** What connecting a client changes in the text of its file, and how that is taken back. Pure. */
import type { Edit } from './client-list.ts';
import type { Editor, KeyPath } from './editor.ts';

/** One value that was set, and what has to be known to take it back. */
export interface DoneEdit {
  readonly path: KeyPath;
  /** Null where it was not set. */
  readonly before: string | null;
  readonly after: string;
  /** What stood there when it was set, which is another address of ours where a client changes gateways. Null for nothing. */
  readonly replaced: string | null;
  /** How many keys of the path were there. */
  readonly depth: number;
}

export interface ConnectedText {
  readonly text: string;
  readonly edits: readonly DoneEdit[];
}

/**
 * Sets every value, in order. A value that is right already is left alone, and is none of ours. `standing` is the file on the disk
 * where that is not `text`.
 */
export function connectText(
  { text, standing = text }: { readonly text: string; readonly standing?: string },
  edits: readonly Edit[],
  editor: Editor,
): ConnectedText {
  const done: DoneEdit[] = [];
  let now = text;
  for (const { path, value } of edits) {
    const before = editor.read(now, path) ?? null;
    if (before === value) continue;
    const depth = before === null ? editor.depth(now, path) : path.length;
    now = editor.set(now, path, value);
    done.push({ path, before, after: value, replaced: editor.read(standing, path) ?? null, depth });
  }
  return { text: now, edits: done };
}

export interface DisconnectedText {
  readonly text: string;
  /** What somebody else has set since, and what is left as it is therefore. */
  readonly left: readonly KeyPath[];
}

/** Takes back what stands there as we set it, or as it stood before where a crash came in between. */
export function disconnectText(text: string, edits: readonly DoneEdit[], editor: Editor): DisconnectedText {
  const left: KeyPath[] = [];
  let now = text;
  for (const { path, before, after, replaced, depth } of edits.toReversed()) {
    const value = editor.read(now, path) ?? null;
    if (value === before) continue;
    if (value !== after && value !== replaced) left.push(path);
    else if (before === null) now = editor.remove(now, path, depth);
    else now = editor.set(now, path, before);
  }
  return { text: now, left: left.toReversed() };
}
