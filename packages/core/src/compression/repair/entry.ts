/** What the steps of a repair hand to each other. */
import type { Message } from '../../transcript/message.ts';

/** One thing that was changed. */
export interface RepairChange {
  /** Index in the list that came in. */
  readonly at: number;
  readonly action: 'removed' | 'moved' | 'renamed' | 'rewritten' | 'added' | 'merged';
  readonly detail: string;
}

/** A message on its way through the steps, with its index in the list that came in. */
export interface Entry {
  readonly message: Message;
  readonly at: number;
}

/** Where the steps write down what they do. */
export type Note = (at: number, action: RepairChange['action'], detail: string) => void;
