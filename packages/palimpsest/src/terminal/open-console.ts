/** Opens the console of a conversation. */
import { checkKnownOptions, type KnownOptions, platformTimers, type Timers } from '@palimpsest/core/settings';
import type { Console, ConsoleEvent, ConsoleOptions } from './console.ts';
import { type Entries, replacedText, textOf } from './editor/editor.ts';
import { inputReader } from './input/reader.ts';
import { plainConsole } from './plain-console.ts';
import { type Questions, questionsOf } from './questions.ts';
import { paintedLine, plainShape, rowsOf } from './spans.ts';
import { type ConsoleState, newState } from './state.ts';
import { holdTty } from './tty.ts';
import { typist } from './typing.ts';
import { createView, type View } from './view.ts';

/** The compiler tells when one is missing. */
const known: KnownOptions<ConsoleOptions> = {
  input: true,
  output: true,
  env: true,
  host: true,
  onEvent: true,
  look: true,
  after: true,
  now: true,
  entries: true,
  complete: true,
};

/**
 * A console on a terminal: finished text goes into the terminal's own scrollback, below it stand the editor and the status
 * bar. Where input or output is no terminal, or one that understands no escapes (`TERM=dumb`), text goes out plain and every
 * line that comes in is a message.
 *
 * @throws BAD_OPTION
 */
export function openConsole(options: ConsoleOptions): Console {
  checkKnownOptions('openConsole', options, known);
  const { input, output, env } = options;
  const isTerminal =
    input.isTTY === true && output.isTTY === true && env.TERM !== 'dumb' && input.setRawMode !== undefined;
  return isTerminal ? terminalConsole(options) : plainConsole(options);
}

/** The sign beside the activity turns this often. */
const tickMs = 120;

function terminalConsole(given: ConsoleOptions): Console {
  const options = { ...given, after: given.after ?? platformTimers.after };
  const { input, output, host, after, onEvent } = options;
  const state = newState();
  const view = createView(options, state);
  const questions = questionsOf({ state, after, changed: view.now });
  let isOver = false;
  const emit = (event: ConsoleEvent): void => {
    if (!isOver) onEvent(event);
  };
  const tty = holdTty({ input, output, host, after, onLeave: view.leave, onReturn: view.comeBack });
  const { complete, entries = ownEntries() } = options;
  const onRead = typist({ state, view, questions, after, entries, complete, emit, suspend: tty.suspend });
  const reader = inputReader({ after, onRead });
  const onEnd = (): void => emit({ type: 'exit' });
  const spinner = spinnerOf(state, { after, changed: view.soon });

  input.on('data', reader.feed);
  input.on('end', onEnd);
  input.on('error', onEnd);
  // The window was closed. Never taken off: what is written to say farewell fails as well.
  output.on('error', onEnd);
  output.on('resize', view.soon);
  output.on('drain', view.soon);
  input.resume();
  view.now();

  function close(): void {
    if (isOver) return;
    isOver = true;
    spinner.stop();
    reader.stop();
    questions.close();
    input.off('data', reader.feed);
    input.off('end', onEnd);
    input.off('error', onEnd);
    output.off('resize', view.soon);
    output.off('drain', view.soon);
    view.finish();
    tty.restore();
    input.pause();
  }

  return onlyUntil(() => isOver, { ...methods({ state, view, questions }), activity: spinner.show, close });
}

interface Parts {
  readonly state: ConsoleState;
  readonly view: View;
  readonly questions: Questions;
}

function methods({ state, view, questions }: Parts): Omit<Console, 'activity' | 'close'> {
  return {
    write: (markdown) => {
      view.outpour.write(markdown);
      view.soon();
    },
    endText: () => {
      view.outpour.endText();
      view.soon();
    },
    print: (lines, isWhole = false) => {
      const given = typeof lines === 'string' ? lines.split('\n') : [...lines];
      view.outpour.print(() => {
        const screen = view.screen();
        return isWhole
          ? given.map((line) => paintedLine(line, screen))
          : given.flatMap((line) => rowsOf(plainShape(line), { screen, columns: screen.columns }));
      });
      view.soon();
    },
    status: (segments) => {
      state.status = segments;
      view.soon();
    },
    queue: (texts) => {
      state.queue = texts;
      view.soon();
    },
    draft: () => textOf(state.editor),
    setDraft: (text) => {
      state.editor = replacedText(state.editor, text);
      view.soon();
    },
    ask: questions.ask,
    screen: view.screen,
  };
}

/** After its end, a console is silent: what still comes from a call that was stopped does no harm. */
function onlyUntil(isOver: () => boolean, console: Console): Console {
  const guarded =
    <Given extends readonly unknown[]>(act: (...given: Given) => void) =>
    (...given: Given): void => {
      if (!isOver()) act(...given);
    };
  return {
    ...console,
    write: guarded(console.write),
    endText: guarded(console.endText),
    print: guarded(console.print),
    status: guarded(console.status),
    activity: guarded(console.activity),
    queue: guarded(console.queue),
    setDraft: guarded(console.setDraft),
  };
}

interface Spinner {
  readonly show: Console['activity'];
  readonly stop: () => void;
}

function spinnerOf(
  state: ConsoleState,
  { after, changed }: { readonly after: Timers['after']; readonly changed: () => void },
): Spinner {
  let stop = (): void => {};
  function turn(): void {
    stop = after(tickMs, () => {
      state.tick += 1;
      changed();
      turn();
    });
  }
  return {
    show: (text) => {
      const wasWorking = state.activity !== undefined;
      state.activity = text;
      if (text === undefined) stop();
      else if (!wasWorking) turn();
      changed();
    },
    stop: () => stop(),
  };
}

function ownEntries(): Entries {
  const texts: string[] = [];
  return { texts: () => texts, add: (text) => void texts.push(text) };
}
