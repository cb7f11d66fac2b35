/** What each key does: to the question that is open, to the draft, or as an event for the caller. */
import type { Timers } from '@palimpsest/core/settings';
import { type Completer, completer, isOfferedAt, type Offer, stepped } from './completion.ts';
import type { ConsoleEvent, ConsoleOptions } from './console.ts';
import { dialogStep, wholeQuestion } from './dialog.ts';
import * as editing from './editor/editor.ts';
import { type Entries, nameOf } from './editor/editor.ts';
import type { Key } from './input/keys.ts';
import type { InputEvent, InputRead } from './input/reader.ts';
import type { Questions } from './questions.ts';
import { plainShape, rowsOf } from './spans.ts';
import type { ConsoleState } from './state.ts';
import type { View } from './view.ts';

interface TypistOptions {
  readonly state: ConsoleState;
  readonly view: View;
  readonly questions: Questions;
  readonly after: Timers['after'];
  readonly entries: Entries;
  readonly complete: ConsoleOptions['complete'];
  readonly emit: (event: ConsoleEvent) => void;
  readonly suspend: () => void;
}

/** The second press of Esc or Ctrl-C counts for so long. */
const againMs = 2_000;

/** Everything that a key may touch. */
interface Typist extends TypistOptions {
  readonly completions: Completer;
  /** True when a Tab waits for the answer of the completion. */
  wantsOffer: boolean;
  /** The key whose second press does more. */
  armed: 'escape' | 'C-c' | undefined;
  disarm: () => void;
}

/** Hears what is typed. */
export function typist(options: TypistOptions): (read: InputRead) => void {
  const { state, view } = options;
  const own: Typist = {
    ...options,
    completions: completer(options.complete, (offer) => takeOffer(own, offer)),
    wantsOffer: false,
    armed: undefined,
    disarm: () => {},
  };
  return ({ events, isSinglePress }) => {
    options.questions.heard();
    for (const event of events) handle(own, event, isSinglePress);
    if (state.asked.length > 0) state.offer = undefined;
    view.now();
  };
}

function handle(own: Typist, event: InputEvent, isSinglePress: boolean): void {
  const { state, questions } = own;
  const { armed } = own;
  if (event.type !== 'key' || nameOf(event.key) !== armed) disarm(own);
  const dialog = state.asked[0]?.dialog;
  if (dialog?.isReady) {
    const step = dialogStep(dialog, event, isSinglePress);
    if (step.type === 'answer') questions.answer(step.answer);
    if (step.type === 'dialog') questions.show(step.dialog);
    if (step.type !== 'pass') return;
  }
  if (event.type === 'text') edited(own, editing.typed(state.editor, event.text));
  else if (event.type === 'paste') edited(own, editing.pastedInto(state.editor, event.text));
  else pressed(own, event.key);
}

function pressed(own: Typist, key: Key): void {
  const { state } = own;
  const name = nameOf(key);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) command(own);
  else if (name === 'C-d' && editing.isEmpty(state.editor)) own.emit({ type: 'exit' });
  else if (state.offer && !state.offer.isStale && (name === 'up' || name === 'down'))
    state.offer = stepped(state.offer, name === 'up' ? -1 : 1);
  else edit(own, key);
}

function edit(own: Typist, key: Key): void {
  const { editor } = own.state;
  const next = editing.pressed(editor, key, { columns: own.view.editorColumns(), entries: own.entries.texts() });
  if (!next) return;
  if (next.draft.text === editor.draft.text) {
    own.state.editor = next;
    closeOffer(own);
  } else edited(own, next);
}

const commands: Readonly<Record<string, (own: Typist) => void>> = {
  enter: (own) => enter(own, 'steer'),
  'A-enter': (own) => enter(own, 'followUp'),
  tab: (own) => tab(own, 1),
  'S-tab': (own) => tab(own, -1),
  escape: stopOrClear,
  'C-c': interruptOrLeave,
  'C-z': ({ suspend }) => suspend(),
  'C-l': ({ view }) => view.redraw(),
  'C-o': showWhole,
  'A-up': ({ emit }) => emit({ type: 'editQueue' }),
};

/** What a question is about goes into the scrollback, where there is room for all of it; without one it is for the caller. */
function showWhole({ state, view, emit }: Typist): void {
  const [open] = state.asked;
  if (!open) {
    emit({ type: 'expandTool' });
    return;
  }
  const lines = wholeQuestion(open.dialog.question);
  view.outpour.print(() => {
    const screen = view.screen();
    return lines.flatMap((line) => rowsOf(plainShape(line), { screen, columns: screen.columns }));
  });
  view.soon();
}

/** The draft has changed. */
function edited(own: Typist, editor: editing.Editor): void {
  const { state, completions } = own;
  state.editor = editor;
  const { text, cursor } = editor.draft;
  own.wantsOffer = false;
  if (!isOfferedAt(text, cursor)) {
    closeOffer(own);
    return;
  }
  if (state.offer) state.offer = { ...state.offer, selected: undefined, isStale: true };
  completions.ask({ text, cursor });
}

// Sending

/** A command is told from a path by what follows its name. */
const command = /^\/[a-z][a-z-]*(?:\s|$)/;

function enter(own: Typist, whileWorking: 'steer' | 'followUp'): void {
  const { offer, editor } = own.state;
  const { text, cursor } = editor.draft;
  if (offer && !offer.isStale && offer.selected !== undefined) accept(own, offer, offer.selected);
  // The way to a new line on every keyboard.
  else if (text[cursor - 1] === '\\') edited(own, editing.completed(editor, { start: cursor - 1, end: cursor }, '\n'));
  else send(own, whileWorking);
}

function send(own: Typist, whileWorking: 'steer' | 'followUp'): void {
  const { state, entries, emit } = own;
  const { editor } = state;
  const sent = editing.textOf(editor).trimEnd();
  if (sent.trim() === '') return;
  closeOffer(own);
  state.editor = { ...editing.emptyEditor, draft: { ...editing.emptyEditor.draft, cut: editor.draft.cut } };
  if (entries.texts().at(-1) !== sent) entries.add(sent);
  emit({ type: state.activity === undefined || command.test(sent) ? 'send' : whileWorking, text: sent });
}

// Completion

function tab(own: Typist, by: 1 | -1): void {
  const { state, completions } = own;
  const { text, cursor } = state.editor.draft;
  if (state.offer && !state.offer.isStale) choose(own, state.offer, by);
  else {
    own.wantsOffer = true;
    completions.ask({ text, cursor });
  }
}

/** The only candidate is taken, of several the next is marked. */
function choose(own: Typist, offer: Offer, by: 1 | -1): void {
  if (offer.candidates.length === 1) accept(own, offer, 0);
  else own.state.offer = stepped(offer, by);
}

function takeOffer(own: Typist, offer: Offer | undefined): void {
  const { state, view } = own;
  const { wantsOffer } = own;
  own.wantsOffer = false;
  state.offer = offer;
  if (offer && wantsOffer) choose(own, offer, 1);
  view.now();
}

function accept(own: Typist, offer: Offer, at: number): void {
  const { state, completions } = own;
  const candidate = offer.candidates[at];
  if (!candidate) return;
  state.editor = editing.completed(state.editor, offer, candidate.text);
  closeOffer(own);
  const { text, cursor } = state.editor.draft;
  // A folder, or a command that takes something: what comes next is offered at once.
  if (/[/ ]$/.test(candidate.text) && isOfferedAt(text, cursor)) completions.ask({ text, cursor });
}

function closeOffer(own: Typist): void {
  own.completions.cancel();
  own.wantsOffer = false;
  own.state.offer = undefined;
}

// Stopping and leaving

function disarm(own: Typist): void {
  own.disarm();
  own.armed = undefined;
  own.state.hint = undefined;
}

/** The next press of the key does what the hint says. */
function arm(own: Typist, key: NonNullable<Typist['armed']>, hint: string): void {
  disarm(own);
  own.armed = key;
  own.state.hint = hint;
  own.disarm = own.after(againMs, () => {
    disarm(own);
    own.view.now();
  });
}

/** Stops the work and nothing else: the draft and the queue stay. */
function stopOrClear(own: Typist): void {
  const { state, emit } = own;
  const wasArmed = own.armed === 'escape';
  disarm(own);
  // A list that was chosen from is closed; one that is only shown is not in the way of stopping.
  const wasChoosing = state.offer?.selected !== undefined;
  closeOffer(own);
  if (wasChoosing) return;
  if (state.activity !== undefined) emit({ type: 'interrupt' });
  else if (wasArmed) clearDraft(own);
  else if (!editing.isEmpty(state.editor)) arm(own, 'escape', 'Esc again to clear the draft');
}

function interruptOrLeave(own: Typist): void {
  const { state, emit } = own;
  if (own.armed === 'C-c') {
    emit({ type: 'exit' });
    return;
  }
  closeOffer(own);
  if (state.asked.length > 0) own.questions.answer({ type: 'cancelled' });
  if (state.activity !== undefined) emit({ type: 'interrupt' });
  else if (!editing.isEmpty(state.editor)) clearDraft(own);
  arm(own, 'C-c', 'Ctrl-C again to leave');
}

/** Ctrl-_ brings it back. */
function clearDraft(own: Typist): void {
  own.state.editor = editing.replacedText(own.state.editor, '');
}
