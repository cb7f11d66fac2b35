/** What the console knows at a moment. One object, changed by the console's own functions alone. */
import type { Offer } from './completion.ts';
import type { Answer, Dialog } from './dialog.ts';
import { type Editor, emptyEditor } from './editor/editor.ts';
import type { Segment } from './status-bar.ts';

export interface ConsoleState {
  editor: Editor;
  offer: Offer | undefined;
  /** The question that is shown, and those that come after it. */
  asked: OpenQuestion[];
  /** Undefined when nothing goes on. */
  activity: string | undefined;
  /** Turns the sign beside the activity. */
  tick: number;
  queue: readonly string[];
  status: readonly Segment[];
  /** A word about the last key, in place of the status. */
  hint: string | undefined;
}

export interface OpenQuestion {
  dialog: Dialog;
  readonly answer: (answer: Answer) => void;
}

export const newState = (): ConsoleState => ({
  editor: emptyEditor,
  offer: undefined,
  asked: [],
  activity: undefined,
  tick: 0,
  queue: [],
  status: [],
  hint: undefined,
});
