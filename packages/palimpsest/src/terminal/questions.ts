/** Questions to the person: shown one after the other, each answered once. */
import type { Timers } from '@palimpsest/core/settings';
import { type Answer, type Dialog, dialogOf, type Question } from './dialog.ts';
import type { ConsoleState, OpenQuestion } from './state.ts';

export interface Questions {
  readonly ask: (question: Question) => Promise<Answer>;
  /** Something was typed: a question that has just appeared waits until that has stopped. */
  readonly heard: () => void;
  /** Answers the question that is shown. */
  readonly answer: (answer: Answer) => void;
  readonly show: (dialog: Dialog) => void;
  /** Every question is cancelled, those to come as well. */
  readonly close: () => void;
}

interface QuestionsOptions {
  readonly state: ConsoleState;
  readonly after: Timers['after'];
  readonly changed: () => void;
}

/** Who is typing when a question appears goes on typing for a moment: longer than between two letters, shorter than reading. */
const quietMs = 250;

export function questionsOf({ state, after, changed }: QuestionsOptions): Questions {
  let stopWait = (): void => {};
  let isOver = false;

  /** The question that is shown hears keys once the keyboard has been quiet. */
  function waitForQuiet(): void {
    stopWait();
    const open = state.asked[0];
    if (open === undefined || open.dialog.isReady) return;
    stopWait = after(quietMs, () => {
      open.dialog = { ...open.dialog, isReady: true };
      changed();
    });
  }

  function settle(open: OpenQuestion, answer: Answer): void {
    if (!state.asked.includes(open)) return;
    const wasShown = state.asked[0] === open;
    state.asked = state.asked.filter((other) => other !== open);
    if (wasShown) waitForQuiet();
    open.answer(answer);
    changed();
  }

  return {
    ask: (question) =>
      new Promise((resolve) => {
        if (isOver || question.signal?.aborted) return resolve({ type: 'cancelled' });
        const open: OpenQuestion = { dialog: dialogOf(question), answer: resolve };
        state.asked = [...state.asked, open];
        question.signal?.addEventListener('abort', () => settle(open, { type: 'cancelled' }), { once: true });
        if (state.asked.length === 1) waitForQuiet();
        changed();
      }),
    heard: waitForQuiet,
    answer: (answer) => {
      const [open] = state.asked;
      if (open) settle(open, answer);
    },
    show: (dialog) => {
      const [open] = state.asked;
      if (open) open.dialog = dialog;
    },
    close: () => {
      isOver = true;
      stopWait();
      for (const open of state.asked) open.answer({ type: 'cancelled' });
      state.asked = [];
    },
  };
}
