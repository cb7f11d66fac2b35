/** The editor: keys to changes of the draft, lines up and down, and the texts that were sent before. */
import type { Key } from '../input/keys.ts';
import * as edits from './draft.ts';
import { type Draft, emptyDraft, insert, moved, paste, withText } from './draft.ts';
import { indexIn, layoutOf } from './layout.ts';
import { expanded, withoutStandIns } from './pasted.ts';

/** Texts that were sent before, which Up brings back. The caller keeps them. */
export interface Entries {
  /** Oldest first. */
  readonly texts: () => readonly string[];
  /** Called with each text that is sent. */
  readonly add: (text: string) => void;
}

export interface Editor {
  readonly draft: Draft;
  /** Which of the earlier texts is shown, counted from the newest; undefined for the draft itself. */
  readonly walk: { readonly at: number; readonly own: Draft } | undefined;
  /** The column that Up and Down try to keep. */
  readonly column: number | undefined;
}

export const emptyEditor: Editor = { draft: emptyDraft, walk: undefined, column: undefined };

/** What moving up and down needs to know. */
export interface EditorPlace {
  /** Cells for text in a row. */
  readonly columns: number;
  readonly entries: readonly string[];
}

/** The draft as it would be sent. */
export const textOf = ({ draft }: Editor): string => expanded(draft.text, draft.pasted);

export const isEmpty = ({ draft }: Editor): boolean => draft.text === '';

const withDraft = (draft: Draft): Editor => ({ draft, walk: undefined, column: undefined });

export const typed = (editor: Editor, text: string): Editor => withDraft(insert(editor.draft, withoutStandIns(text)));
export const pastedInto = (editor: Editor, text: string): Editor => withDraft(paste(editor.draft, text));
export const replacedText = (editor: Editor, text: string): Editor =>
  withDraft(withText(editor.draft, withoutStandIns(text)));

/** Where a completion goes. */
export const completed = (
  editor: Editor,
  range: { readonly start: number; readonly end: number },
  by: string,
): Editor => withDraft(edits.replaced(editor.draft, range, withoutStandIns(by)));

type Edit = (draft: Draft) => Draft;

const to =
  (place: (draft: Draft) => number): Edit =>
  (draft) =>
    moved(draft, place(draft));

/** By the name of the key, with `C-` and `A-` before it as it was held. */
const editsOfKeys: Readonly<Record<string, Edit>> = {
  backspace: edits.deleteBefore,
  delete: edits.deleteAfter,
  'C-d': edits.deleteAfter,
  'C-h': edits.deleteBefore,
  left: to(edits.characterBefore),
  right: to(edits.characterAfter),
  'C-b': to(edits.characterBefore),
  'C-f': to(edits.characterAfter),
  home: to(edits.lineStart),
  end: to(edits.lineEnd),
  'C-a': to(edits.lineStart),
  'C-e': to(edits.lineEnd),
  'C-home': to(() => 0),
  'C-end': to(({ text }) => text.length),
  'A-b': to(edits.wordBefore),
  'A-f': to(edits.wordAfter),
  'C-left': to(edits.wordBefore),
  'C-right': to(edits.wordAfter),
  'A-left': to(edits.wordBefore),
  'A-right': to(edits.wordAfter),
  'C-w': edits.cutWordBefore,
  'A-backspace': edits.cutWordLeft,
  'C-backspace': edits.cutWordLeft,
  'A-d': edits.cutWordAfter,
  'C-delete': edits.cutWordAfter,
  'C-u': edits.cutToLineStart,
  'C-k': edits.cutToLineEnd,
  'C-y': edits.pasteCut,
  'C-_': edits.undo,
  'C-j': (draft) => insert({ ...draft, last: 'other' }, '\n'),
  'C-enter': (draft) => insert({ ...draft, last: 'other' }, '\n'),
  'S-enter': (draft) => insert({ ...draft, last: 'other' }, '\n'),
};

/** `C-a`, `A-enter`, `S-tab`. */
export const nameOf = ({ name, ctrl, alt, shift }: Key): string =>
  `${ctrl ? 'C-' : ''}${alt ? 'A-' : ''}${shift && name.length > 1 ? 'S-' : ''}${name}`;

/** The editor after a key; undefined for keys that it does not know. */
export function pressed(editor: Editor, key: Key, place: EditorPlace): Editor | undefined {
  const name = nameOf(key);
  if (name === 'up' || name === 'C-p') return up(editor, place);
  if (name === 'down' || name === 'C-n') return down(editor, place);
  // Shift marks text in other editors; here it moves as without.
  const edit = Object.hasOwn(editsOfKeys, name) ? editsOfKeys[name] : editsOfKeys[name.replace('S-', '')];
  if (edit === undefined) return undefined;
  const draft = edit(editor.draft);
  // Moving about in an earlier text leaves it one.
  return draft.text === editor.draft.text ? { ...editor, draft, column: undefined } : withDraft(draft);
}

function up(editor: Editor, place: EditorPlace): Editor {
  return intoRow(editor, place, -1) ?? older(editor, place);
}

function down(editor: Editor, place: EditorPlace): Editor {
  return intoRow(editor, place, 1) ?? newer(editor, place);
}

/** One row up or down; undefined at the edge. */
function intoRow(editor: Editor, { columns }: EditorPlace, by: 1 | -1): Editor | undefined {
  const layout = layoutOf(editor.draft, columns);
  const row = layout.rows[layout.row + by];
  if (row === undefined) return undefined;
  const column = editor.column ?? layout.column;
  return { ...editor, draft: moved(editor.draft, indexIn(editor.draft, row, column)), column };
}

function older(editor: Editor, { entries }: EditorPlace): Editor {
  const at = (editor.walk?.at ?? 0) + 1;
  const text = entries.at(-at);
  if (text === undefined || at > entries.length) return { ...editor, draft: moved(editor.draft, 0), column: undefined };
  const shown = shownEntry(editor, text, { at, own: editor.walk?.own ?? editor.draft });
  // In the first line, so that Up again goes on to the text before.
  return { ...shown, draft: moved(shown.draft, edits.lineEnd({ text: shown.draft.text, cursor: 0 })) };
}

function newer(editor: Editor, { entries }: EditorPlace): Editor {
  const { walk } = editor;
  if (walk === undefined) return { ...editor, draft: moved(editor.draft, editor.draft.text.length), column: undefined };
  const text = entries.at(-(walk.at - 1));
  if (walk.at === 1 || text === undefined) return withDraft(walk.own);
  return shownEntry(editor, text, { at: walk.at - 1, own: walk.own });
}

const shownEntry = (editor: Editor, text: string, walk: NonNullable<Editor['walk']>): Editor => ({
  draft: withText({ ...editor.draft, undo: walk.own.undo }, withoutStandIns(text)),
  walk,
  column: undefined,
});
