/** The text that a person is writing, and every change of it: values in, values out. */
import { graphemes, lazily } from '@palimpsest/core/settings';
import { type PastedTexts, withPaste } from './pasted.ts';

/** The text, where the next letter goes, and what can be undone. */
export interface Draft {
  /** Long pastes are one character each: a key of `pasted`. */
  readonly text: string;
  /** An index of the text, never inside a character as a person sees it. */
  readonly cursor: number;
  readonly pasted: PastedTexts;
  /** What stood there before, newest last. */
  readonly undo: readonly Snapshot[];
  /** What was cut last, for Ctrl-Y. */
  readonly cut: string;
  /** What the last change was: letters typed in a row are one step of undo, and cuts in a row are one text. */
  readonly last: 'type' | 'cut' | 'other';
}

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

const mostUndo = 200;

export const emptyDraft: Draft = { text: '', cursor: 0, pasted: new Map(), undo: [], cut: '', last: 'other' };

type Change = (draft: Draft) => Draft;

/** The draft with another text, which undo takes back. */
function changed(draft: Draft, { text, cursor }: Snapshot, last: Draft['last'] = 'other'): Draft {
  const goesOn = last === 'type' && draft.last === 'type';
  const undo = goesOn ? draft.undo : [...draft.undo, { text: draft.text, cursor: draft.cursor }].slice(-mostUndo);
  return { ...draft, text, cursor, undo, last };
}

export const moved = (draft: Draft, cursor: number): Draft => ({
  ...draft,
  cursor: Math.max(0, Math.min(cursor, draft.text.length)),
  last: 'other',
});

/** A word is a step of undo. */
export function insert(draft: Draft, typed: string): Draft {
  const before = draft.text.slice(0, draft.cursor);
  const isNewWord = /^\s/.test(typed) || typed.length > 4;
  return changed(
    isNewWord ? { ...draft, last: 'other' } : draft,
    { text: before + typed + draft.text.slice(draft.cursor), cursor: before.length + typed.length },
    'type',
  );
}

/** A paste that is too long to be read in the editor stands there as its number of lines. */
export function paste(draft: Draft, pastedText: string): Draft {
  const { shown, pasted } = withPaste(draft.pasted, pastedText);
  return { ...insert({ ...draft, pasted, last: 'other' }, shown), last: 'other' };
}

/** The text between two places replaced: for completion. */
export const replaced = (
  draft: Draft,
  { start, end }: { readonly start: number; readonly end: number },
  by: string,
): Draft =>
  changed(draft, { text: draft.text.slice(0, start) + by + draft.text.slice(end), cursor: start + by.length });

/** Another text instead; undo brings the old one back. */
export const withText = (draft: Draft, text: string): Draft => changed(draft, { text, cursor: text.length });

export const undo: Change = (draft) => {
  const before = draft.undo.at(-1);
  return before === undefined ? draft : { ...draft, ...before, undo: draft.undo.slice(0, -1), last: 'other' };
};

// Where things begin and end

export const lineStart = ({ text, cursor }: Snapshot): number => text.lastIndexOf('\n', cursor - 1) + 1;

export function lineEnd({ text, cursor }: Snapshot): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

export function characterBefore(draft: Snapshot): number {
  const start = lineStart(draft);
  if (start === draft.cursor) return Math.max(0, start - 1);
  let last = '';
  for (const character of graphemes(draft.text.slice(start, draft.cursor))) last = character;
  return draft.cursor - last.length;
}

export function characterAfter({ text, cursor }: Snapshot): number {
  const [next = ''] = graphemes(text.slice(cursor, cursor + 100))
    .take(1)
    .toArray();
  return cursor + next.length;
}

/** Made when a key asks for words: it takes 15 ms, and the prompt waits for nothing. */
const words = lazily(() => new Intl.Segmenter('en', { granularity: 'word' }));

/** The start of the word before the cursor; of Chinese and Japanese, a word of the dictionary. */
export function wordBefore(draft: Snapshot): number {
  const start = lineStart(draft);
  if (start === draft.cursor) return characterBefore(draft);
  const before = [...words().segment(draft.text.slice(start, draft.cursor))];
  return start + (before.findLast(({ isWordLike }) => isWordLike)?.index ?? 0);
}

/** The end of the word after the cursor. */
export function wordAfter(draft: Snapshot): number {
  const end = lineEnd(draft);
  if (end === draft.cursor) return characterAfter(draft);
  const next = [...words().segment(draft.text.slice(draft.cursor, end))].find(({ isWordLike }) => isWordLike);
  return next ? draft.cursor + next.index + next.segment.length : end;
}

// Deleting

const without = (draft: Draft, from: number, to: number): Draft =>
  from === to ? draft : changed(draft, { text: draft.text.slice(0, from) + draft.text.slice(to), cursor: from });

export const deleteBefore: Change = (draft) => without(draft, characterBefore(draft), draft.cursor);
export const deleteAfter: Change = (draft) => without(draft, draft.cursor, characterAfter(draft));

/** Deletes between the cursor and a place, and keeps what was there for Ctrl-Y. */
function cutTo(draft: Draft, place: number): Draft {
  const [from, to] = place < draft.cursor ? [place, draft.cursor] : [draft.cursor, place];
  if (from === to) return draft;
  const piece = draft.text.slice(from, to);
  const joined = draft.last !== 'cut' ? piece : place < draft.cursor ? piece + draft.cut : draft.cut + piece;
  return { ...without(draft, from, to), cut: joined, last: 'cut' };
}

export const cutWordBefore: Change = (draft) => cutTo(draft, spaceBefore(draft));
export const cutWordLeft: Change = (draft) => cutTo(draft, wordBefore(draft));
export const cutWordAfter: Change = (draft) => cutTo(draft, wordAfter(draft));
export const cutToLineStart: Change = (draft) =>
  cutTo(draft, lineStart(draft) === draft.cursor ? characterBefore(draft) : lineStart(draft));
export const cutToLineEnd: Change = (draft) =>
  cutTo(draft, lineEnd(draft) === draft.cursor ? characterAfter(draft) : lineEnd(draft));
export const pasteCut: Change = (draft) =>
  draft.cut === '' ? draft : { ...insert({ ...draft, last: 'other' }, draft.cut), last: 'other' };

/** Where the word before the cursor begins if only spaces part words, as Ctrl-W has it in shells. */
function spaceBefore(draft: Snapshot): number {
  const start = lineStart(draft);
  if (start === draft.cursor) return characterBefore(draft);
  const before = draft.text.slice(start, draft.cursor).trimEnd();
  return start + before.length - (/\S*$/.exec(before)?.[0].length ?? 0);
}
