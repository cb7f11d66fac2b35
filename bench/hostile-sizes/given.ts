/** A public call, and what it is made with. */
import type { Message } from '@palimpsest/core';

/** What a call is made with. */
export interface Given {
  readonly text: string;
  /** The same text as a conversation. */
  readonly messages: readonly Message[];
}

/** The call itself; what it needs was made before, and is not measured. */
export type Run = () => unknown;

export interface HostileCall {
  /** The function, and what of it is asked where it has several ways. */
  readonly name: string;
  /** `text`: once for each shape; `messages`: once for each shape and arrangement. */
  readonly takes: 'text' | 'messages';
  readonly begin: (given: Given) => Run | Promise<Run>;
}

export const onText = (name: string, begin: (text: string) => Run | Promise<Run>): HostileCall => ({
  name,
  takes: 'text',
  begin: ({ text }) => begin(text),
});

export const onMessages = (
  name: string,
  begin: (messages: readonly Message[], text: string) => Run | Promise<Run>,
): HostileCall => ({
  name,
  takes: 'messages',
  begin: ({ messages, text }) => begin(messages, text),
});

/** For calls that are right to refuse what they are given. */
export async function whateverComes(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch {
    // Refused: the time that it took is what counts.
  }
}
