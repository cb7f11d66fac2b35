/** The console: what the chat writes to a terminal, and what it hears from the person at it. */
import type { Timers } from '@palimpsest/core/settings';
import type { Complete } from './completion.ts';
import type { Answer, Question } from './dialog.ts';
import type { Entries } from './editor/editor.ts';
import type { Screen } from './screen.ts';
import type { Line } from './spans.ts';
import type { Segment } from './status-bar.ts';
import type { ConsoleInput, ConsoleOutput, Host } from './tty.ts';

export interface ConsoleOptions {
  readonly input: ConsoleInput;
  readonly output: ConsoleOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The process, whose end and signals the terminal must survive: pass `process`. */
  readonly host: Host;
  readonly onEvent: (event: ConsoleEvent) => void;
  /** What the environment says otherwise: `NO_COLOR`, `FORCE_COLOR`, `TERM`, the locale. */
  readonly look?: Partial<Pick<Screen, 'colour' | 'unicode'>>;
  /** @default the timers of the platform */
  readonly after?: Timers['after'];
  /** Milliseconds of a clock that only goes forward. @default that of the platform */
  readonly now?: () => number;
  /** What was sent before, for Up. @default kept for this console only */
  readonly entries?: Entries;
  /** @default nothing is completed */
  readonly complete?: Complete;
}

/** What a person did. What was sent has left the draft; nothing else changes the draft, and nothing the queue. */
export type ConsoleEvent =
  /** Enter while nothing goes on, and commands (`/usage`) at any time. */
  | { readonly type: 'send'; readonly text: string }
  /** Enter while something goes on: for its next step. */
  | { readonly type: 'steer'; readonly text: string }
  /** Alt+Enter while something goes on: for after it. */
  | { readonly type: 'followUp'; readonly text: string }
  /** Esc or Ctrl-C while something goes on: stop it. */
  | { readonly type: 'interrupt' }
  /** Alt+Up: the last message of the queue goes back into the draft (`setDraft`). */
  | { readonly type: 'editQueue' }
  /** Ctrl-O: show the last result of a tool, or what a question is about, in full. */
  | { readonly type: 'expandTool' }
  /** Ctrl-D, Ctrl-C twice, or the end of the input. Nothing more is heard after the end of the input. */
  | { readonly type: 'exit' };

/** A terminal that a conversation is held at. After `close` every call does nothing. */
export interface Console {
  /** The next piece of a text in Markdown. What is finished of it is printed once and never written again. */
  readonly write: (markdown: string) => void;
  /** The text is complete. */
  readonly endText: () => void;
  /**
   * Prints lines into the scrollback, after what was written before them. A text has a line a row.
   *
   * @param isWhole true to leave the breaking of long lines to the terminal, so that they can be copied. @default false
   */
  readonly print: (lines: string | readonly Line[], isWhole?: boolean) => void;
  /** The line at the bottom, its most important segment first. */
  readonly status: (segments: readonly Segment[]) => void;
  /** What goes on; undefined when nothing does. It decides whether Enter sends or steers. */
  readonly activity: (text: string | undefined) => void;
  /** The messages that wait, the next one first. */
  readonly queue: (texts: readonly string[]) => void;
  /** What stands in the editor, long pastes in full. */
  readonly draft: () => string;
  readonly setDraft: (text: string) => void;
  /**
   * Asks the person; several questions are asked one after the other. No key that was typed before the question was seen
   * answers it, nor does a paste. Where nobody can be asked, the answer is `cancelled`.
   */
  readonly ask: (question: Question) => Promise<Answer>;
  /** The screen as it is now, for callers that lay lines out. */
  readonly screen: () => Screen;
  /** Prints what is left, takes the live area away and gives the terminal back as it was. */
  readonly close: () => void;
}
