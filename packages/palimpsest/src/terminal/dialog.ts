/** A question in the live area: an approval, a choice. It is answered by one deliberate key press and by nothing else. */
import type { Key } from './input/keys.ts';
import type { InputEvent } from './input/reader.ts';
import { clip, glyph, type Screen } from './screen.ts';
import { clippedLine, type Line, paintedLine, plainShape, rowsOf } from './spans.ts';
import { harmless } from './visible.ts';

export interface Question {
  readonly title: string;
  /** What is asked about. */
  readonly lines?: readonly Line[];
  /** What would be done, such as the changes to a file; shown as far as there is room. */
  readonly preview?: readonly Line[];
  /** At least one; the first is marked when the question appears. */
  readonly choices: readonly Choice[];
  /** True to let the person write a few words to the answer, after Tab. @default false */
  readonly withComment?: boolean;
  /** Takes the question back: it is answered with `cancelled`. */
  readonly signal?: AbortSignal;
}

export interface Choice {
  /** One letter or digit that chooses it, without regard to case. */
  readonly key: string;
  readonly label: string;
}

export type Answer =
  | { readonly type: 'chosen'; readonly key: string; readonly comment: string }
  /** Esc, Ctrl-C, a signal, or nobody to ask: never a yes. */
  | { readonly type: 'cancelled' };

/** A question as it is shown. */
export interface Dialog {
  readonly question: Question;
  readonly selected: number;
  /** False until the person has stopped typing what the question interrupted: until then nothing answers it. */
  readonly isReady: boolean;
  /** Undefined while the keys choose. */
  readonly comment: string | undefined;
  /** The comment that was written before the keys chose again. */
  readonly isCommenting: boolean;
}

export const dialogOf = (question: Question): Dialog => ({
  question,
  selected: 0,
  isReady: false,
  comment: undefined,
  isCommenting: false,
});

/** Everything that a question is about, without a limit. */
export const wholeQuestion = ({ title, lines = [], preview = [] }: Question): readonly Line[] => [
  [{ text: title, style: ['bold', 'yellow'] }],
  ...lines,
  ...preview,
];

/** What came of an input: an answer, another state of the dialog, or nothing, where the input is not for it. */
export type DialogStep =
  | { readonly type: 'answer'; readonly answer: Answer }
  | { readonly type: 'dialog'; readonly dialog: Dialog }
  | { readonly type: 'pass' };

const pass: DialogStep = { type: 'pass' };
const next = (dialog: Dialog): DialogStep => ({ type: 'dialog', dialog });
const cancelled: DialogStep = { type: 'answer', answer: { type: 'cancelled' } };

/** @param isSinglePress true for a key press that came by itself; a burst never answers */
export function dialogStep(dialog: Dialog, event: InputEvent, isSinglePress: boolean): DialogStep {
  if (event.type === 'key') return keyStep(dialog, event.key, isSinglePress);
  if (dialog.isCommenting)
    return next({ ...dialog, comment: (dialog.comment ?? '') + event.text.replaceAll(/\s+/g, ' ') });
  // What is pasted was not meant for the question; it goes into the draft.
  if (event.type === 'paste' || !isSinglePress) return pass;
  const chosen = dialog.question.choices.find(({ key }) => key.toLowerCase() === event.text.toLowerCase());
  return chosen ? answered(dialog, chosen) : next(dialog);
}

const answered = ({ comment = '' }: Dialog, { key }: Choice): DialogStep => ({
  type: 'answer',
  answer: { type: 'chosen', key, comment: comment.trim() },
});

function keyStep(dialog: Dialog, key: Key, isSinglePress: boolean): DialogStep {
  const { question, selected, isCommenting, comment = '' } = dialog;
  const many = question.choices.length;
  if ((key.ctrl || key.alt) && key.name !== 'enter') return pass;
  switch (key.name) {
    case 'escape':
      return isCommenting ? next({ ...dialog, isCommenting: false }) : cancelled;
    case 'enter': {
      const choice = question.choices[selected];
      return choice && isSinglePress && !key.ctrl && !key.alt && !key.shift ? answered(dialog, choice) : next(dialog);
    }
    case 'up':
      return next({ ...dialog, selected: (selected + many - 1) % many });
    case 'down':
      return next({ ...dialog, selected: (selected + 1) % many });
    case 'tab':
      return next(question.withComment ? { ...dialog, comment, isCommenting: !isCommenting } : dialog);
    case 'backspace':
      return next(isCommenting ? { ...dialog, comment: [...comment].slice(0, -1).join('') } : dialog);
    default:
      return next(dialog);
  }
}

interface DialogRowsOptions {
  readonly screen: Screen;
  /** Rows that the dialog may take. */
  readonly room: number;
}

/**
 * Title, what it is about, preview and choices. What has no room is counted; the title and the choices always have. A choice is
 * shown to its last word, since a person agrees to all of it; where that is too much, only the marked one is.
 */
export function dialogRows(dialog: Dialog, { screen, room }: DialogRowsOptions): readonly string[] {
  const { question, isCommenting, comment } = dialog;
  const { columns } = screen;
  const title = rowsOf(plainShape([{ text: question.title, style: ['bold', 'yellow'] }]), { screen, columns });
  const lines = (question.lines ?? []).flatMap((line) => rowsOf(plainShape(line), { screen, columns }));
  const bar = paintedLine([{ text: glyph(screen, '│ ', '| '), style: 'dim' }], screen);
  const preview = (question.preview ?? []).map((line) => bar + clippedLine(line, { screen, columns: columns - 2 }));
  const note = question.withComment || comment ? [commentRow(comment, isCommenting, screen)] : [];
  const whole = question.choices.flatMap((_, at) => choiceRows(dialog, at, { screen, isWhole: true }));
  const hasRoom = title.length + lines.length + whole.length + note.length <= room;
  const choices = hasRoom
    ? whole
    : question.choices.flatMap((_, at) => choiceRows(dialog, at, { screen, isWhole: at === dialog.selected }));
  const tail = [...choices, ...note];
  const kept = withCount([...title, ...lines, ...preview], Math.max(title.length, room - tail.length), screen);
  return [...kept, ...tail].slice(-Math.max(1, room));
}

function choiceRows(
  { question, selected, isReady }: Dialog,
  at: number,
  { screen, isWhole }: { readonly screen: Screen; readonly isWhole: boolean },
): readonly string[] {
  const { columns } = screen;
  const choice = question.choices[at];
  if (!choice) return [];
  const key = `${harmless(choice.key)}  `;
  const isSelected = isReady && at === selected;
  const mark = isSelected ? glyph(screen, '❯ ', '> ') : '  ';
  const style = isSelected ? (['bold', 'cyan'] as const) : isReady ? undefined : ('dim' as const);
  if (!isWhole) {
    const text = clip(key + harmless(choice.label), columns - 2, glyph(screen, '…', '~'));
    return [paintedLine([mark, { text, style }], screen)];
  }
  const shown = plainShape([{ text: choice.label, style }]);
  return rowsOf({ ...shown, first: [mark, { text: key, style }], rest: '     ' }, { screen, columns });
}

function commentRow(comment: string | undefined, isCommenting: boolean, screen: Screen): string {
  const shown = harmless(comment ?? '');
  const text = isCommenting
    ? `  with the words: ${shown}${glyph(screen, '▏', '_')}`
    : comment
      ? `  with the words: ${shown}`
      : '  Tab to add a few words';
  return paintedLine(
    [{ text: clip(text, screen.columns, glyph(screen, '…', '~')), style: isCommenting ? undefined : 'dim' }],
    screen,
  );
}

function withCount(rows: readonly string[], most: number, screen: Screen): readonly string[] {
  if (rows.length <= most) return rows;
  const kept = rows.slice(0, Math.max(0, most - 1));
  const more = `${glyph(screen, '…', '...')} ${rows.length - kept.length} more lines; Ctrl-O shows them`;
  return [...kept, paintedLine([{ text: clip(more, screen.columns, ''), style: 'dim' }], screen)];
}
