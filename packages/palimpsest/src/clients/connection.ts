/** What connecting a client changes in the text of its file, and how that is taken back. Pure. */
import type { Edit, EntryMarks } from './client-list.ts';
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
  /** For a path through a list. */
  readonly entry?: EntryMarks;
  /** True for one of an earlier connection that was not found again when the file was last connected. */
  readonly isLost?: boolean;
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
  for (const { path, value, entry } of edits) {
    const before = editor.read(now, path) ?? null;
    if (before === value) continue;
    const depth = before === null ? editor.depth(now, path) : path.length;
    now = editor.set(now, path, value);
    const replaced = editor.read(standing, path) ?? null;
    done.push({ path, before, after: value, replaced, depth, ...(entry && { entry }) });
  }
  return { text: now, edits: done };
}

export interface DisconnectedText {
  readonly text: string;
  /** What somebody else has set since, and what is left as it is therefore. */
  readonly left: readonly KeyPath[];
  /** Of entries of a list that are not found again, while an address of ours stands in one: left, and still to be taken back. */
  readonly lost: readonly DoneEdit[];
}

/** Takes back what stands there as we set it, or as it stood before where a crash came in between. */
export function disconnectText(text: string, edits: readonly DoneEdit[], editor: Editor): DisconnectedText {
  const [left, lost]: [KeyPath[], DoneEdit[]] = [[], []];
  let now = text;
  for (const edit of edits.toReversed()) {
    const { before, after, replaced, depth } = edit;
    const path = placeOf(edit, { text: now, edits, editor });
    const value = path && (editor.read(now, path) ?? null);
    if (path === undefined) lost.push(edit);
    else if (value === before) continue;
    else if (value !== after && value !== replaced) left.push(path);
    else if (before === null) now = editor.remove(now, path, depth);
    else now = editor.set(now, path, before);
  }
  const standing = lost.filter((edit) => isStanding(edit, { text: now, editor }));
  return { text: now, left: left.toReversed(), lost: standing.toReversed() };
}

interface Around {
  readonly text: string;
  readonly edits: readonly DoneEdit[];
  readonly editor: Editor;
}

/**
 * Where the value stands now. In a list a place says nothing: another entry may have it by now, of another provider, and its key would
 * go to the wrong one. Undefined where it is not sure which entry it is.
 */
function placeOf(edit: DoneEdit, { text, edits, editor }: Around): KeyPath | undefined {
  const { path, entry, after, before, replaced } = edit;
  const listAt = path.findIndex((key) => typeof key === 'number');
  if (listAt < 0) return path;
  const twins = edits.filter((other) => isSameEntry(other.entry, entry));
  if (entry === undefined || twins.some((twin) => twin.before !== before || twin.after !== after)) return undefined;
  const places = editor
    .entries(text, path.slice(0, listAt))
    .flatMap(({ texts }, place) =>
      isSameEntry(entry, Object.fromEntries(Object.keys(entry).map((key) => [key, texts[key]?.value ?? null])))
        ? [path.with(listAt, place)]
        : [],
    );
  if (places.length <= 1) return places[0];
  // Of entries that look alike, those that have our address; where we set it in as many, it does not matter which is which.
  const values = places.map((place) => editor.read(text, place) ?? null);
  const ours = places.filter((_, at) => {
    const value = values[at] ?? null;
    return value !== null && (value === after || value === replaced);
  });
  if (values.every((value) => value === before)) return places[0];
  return ours.length <= twins.length ? ours.at(-1) : undefined;
}

/** False where no entry of the list has what we set: the person removed that entry, or gave it another address. */
function isStanding(
  { path, before, after, replaced }: DoneEdit,
  { text, editor }: Pick<Around, 'text' | 'editor'>,
): boolean {
  const listAt = path.findIndex((key) => typeof key === 'number');
  return editor.entries(text, path.slice(0, listAt)).some(({ texts }) => {
    const value = texts[String(path.at(-1))]?.value;
    return value === after || (value === replaced && value !== before);
  });
}

const isSameEntry = (one: EntryMarks | undefined, other: EntryMarks | undefined): boolean =>
  one !== undefined && other !== undefined && Object.keys(one).every((key) => one[key] === other[key]);
