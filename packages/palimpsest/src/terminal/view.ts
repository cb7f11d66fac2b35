/** When frames are drawn: a key press at once, text that streams at most thirty times a second and a bounded amount a frame. */
import type { Timers } from '@palimpsest/core/settings';
import type { ConsoleOptions } from './console.ts';
import { editorColumns, liveFrame } from './live-area.ts';
import { markdownStream } from './markdown/stream.ts';
import { type Outpour, outpour } from './outpour.ts';
import { type Frame, painter, type Size } from './painter.ts';
import { type Screen, screenOf } from './screen.ts';
import type { ConsoleState } from './state.ts';

export interface View {
  /** Text and lines on their way to the screen; call `soon` after adding to it. */
  readonly outpour: Outpour;
  readonly screen: () => Screen;
  /** Cells for text in a row of the editor. */
  readonly editorColumns: () => number;
  /** Shows the state as it is, at once. */
  readonly now: () => void;
  /** Shows it with the next frame, and text that waits with it. */
  readonly soon: () => void;
  /** Everything is written anew below what stands there. */
  readonly redraw: () => void;
  /** Prints all that waits; nothing of the live area is left. */
  readonly finish: () => void;
  /** Gives the screen up for a while, or, at an end that nobody expected, for good. */
  readonly leave: (isEnd: boolean) => void;
  /** The screen is ours again, and what stands on it is not. */
  readonly comeBack: () => void;
}

const frameMs = 33;
/** Text is read for so long a frame: a key that is pressed meanwhile waits no longer. */
const readMs = 4;
/** What is read between two looks at the clock, and at most in a frame. */
const charactersAtOnce = 2_048;
const charactersOfFrame = 65_536;
const narrowest = 8;

export function createView(options: ConsoleOptions & { readonly after: Timers['after'] }, state: ConsoleState): View {
  const { output, after, env, now = () => performance.now() } = options;
  const look = screenLook(options);
  const markdown = markdownStream(look);
  const own = outpour(markdown);
  const size = (): Size => sizeOf(options);
  const paint = painter({ write: (text) => output.write(text), size, reflows: doesReflow(env) });
  let stopFrame: (() => void) | undefined;
  /** True while the screen is somebody else's. */
  let isAway = false;

  function draw(print: readonly string[]): void {
    if (isAway) return;
    const { rows, cursor } = frameOf(state, markdown.tail(), { screen: look(), rows: size().rows });
    paint.draw({ print, rows, cursor });
  }

  function soon(): void {
    stopFrame ??= after(frameMs, () => {
      stopFrame = undefined;
      // A slow terminal gets no more until it has taken what it was given.
      if (!isAway && !output.writableNeedDrain) draw(rowsOfFrame(own, now));
      if (!isAway && own.isWaiting()) soon();
    });
  }

  function goAway(): void {
    stopFrame?.();
    stopFrame = undefined;
    isAway = true;
  }

  return {
    outpour: own,
    screen: look,
    editorColumns: () => editorColumns(look().columns),
    now: () => draw([]),
    soon,
    redraw: () => {
      paint.erase();
      draw([]);
    },
    finish: () => {
      goAway();
      own.endText();
      paint.draw({ print: own.take(Number.POSITIVE_INFINITY), rows: [], cursor: { row: 0, column: 0 } });
    },
    leave: (isEnd) => {
      goAway();
      if (isEnd) paint.leave();
      else paint.erase();
    },
    comeBack: () => {
      isAway = false;
      paint.forget();
      draw([]);
      if (own.isWaiting()) soon();
    },
  };
}

/** As much as there is time for. */
function rowsOfFrame(waiting: Outpour, now: () => number): readonly string[] {
  const rows: string[] = [];
  const end = now() + readMs;
  for (let taken = 0; waiting.isWaiting() && taken < charactersOfFrame; taken += charactersAtOnce) {
    for (const row of waiting.take(charactersAtOnce)) rows.push(row);
    if (now() >= end) break;
  }
  return rows;
}

/** The live area. A question that hears keys has no cursor: what is marked in it shows where one is. */
function frameOf(
  state: ConsoleState,
  tail: readonly string[],
  room: { readonly screen: Screen; readonly rows: number },
): Omit<Frame, 'print'> {
  const { asked, editor, activity, tick } = state;
  const dialog = asked[0]?.dialog;
  // What a person is asked is what is waited for.
  const shown = activity === undefined || dialog ? undefined : { text: activity, frame: tick };
  const { rows, cursor } = liveFrame({ ...state, tail, activity: shown, dialog, draft: editor.draft }, room);
  return { rows, cursor: dialog?.isReady ? undefined : cursor };
}

const sizeOf = ({ output }: Pick<ConsoleOptions, 'output'>): Size => ({
  columns: Math.max(narrowest, output.columns ?? 80),
  rows: Math.max(3, output.rows ?? 24),
});

/** The screen as it is at each call: a terminal changes its width. */
export function screenLook(options: Pick<ConsoleOptions, 'output' | 'env' | 'look'>): () => Screen {
  const { output, env, look } = options;
  const first = { ...screenOf({ stream: output, env, colourWanted: true }), ...look };
  let screen = { ...first, columns: sizeOf(options).columns };
  return () => {
    const { columns } = sizeOf(options);
    if (screen.columns !== columns) screen = { ...first, columns };
    return screen;
  };
}

/** When they become narrower, xterm, GNU screen and the console of Linux cut lines off; all others break them. */
const doesReflow = (env: ConsoleOptions['env']): boolean =>
  env.XTERM_VERSION === undefined && env.TERM !== 'linux' && !(env.STY !== undefined && env.TMUX === undefined);
