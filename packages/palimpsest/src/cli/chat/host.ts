/** What a command that is typed into a conversation may do. */
import type { Agent } from '../../agent/agent-types.ts';
import type { Line } from '../../terminal/spans.ts';
import type { Chat } from './open-chat.ts';

/** A conversation at a terminal. */
export interface ChatHost {
  readonly agent: Agent;
  readonly chat: Chat;
  /** The options that name the store of the conversation, for commands that read it. */
  readonly storeOption: readonly string[];
  /** Lines above the editor, kept in the scrollback. */
  print(lines: readonly Line[]): void;
  /** Runs another command of the program and prints what it says. */
  run(args: readonly string[]): Promise<void>;
  /** Puts a text into the editor. */
  edit(text: string): void;
  /** Works on what waits, and shows it. */
  work(begin: () => Promise<unknown>): void;
  /** Does something with the conversation that a turn must not come into: what is typed meanwhile is said after it, and Esc stops it. */
  hold(activity: string, work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Goes on with a stored conversation, and shows its end. */
  resume(sessionId: string): Promise<void>;
  /** Another model from here on. Prints what became of it. */
  useModel(name: string, signal: AbortSignal): Promise<void>;
  exit(): void;
}
