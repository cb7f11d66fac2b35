/** What a session shows beside what was said in it: kept with the session, for every process, and in no record of the conversation. */
import type { SessionId } from '../store/ids.ts';
import type { Message } from '../transcript/message.ts';

/** Text that was recalled for a turn, and stands in the message that opened it. */
export interface RecalledText {
  readonly turn: string;
  /** Place of the message in what was said. */
  readonly at: number;
  /** Without its fence; empty where nothing was recalled. */
  readonly text: string;
  /** As it was handed over with the request. */
  readonly given?: string;
}

/** A long pause, told in the message that ended it. */
export interface PauseMark {
  readonly turn: string;
  /** Place of the message in what was said. */
  readonly at: number;
  readonly text: string;
}

/** What a session shows of the memory. */
export interface ShownMemory {
  readonly sessionId: SessionId;
  /** A system prompt of its own, behind those of the program; undefined where nothing is remembered. */
  readonly message: Message | undefined;
}
