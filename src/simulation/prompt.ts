/** What a request carries, as a cache sees it: every start of it has a number of its own, equal for equal starts. */

import { messageHash } from '../transcript/identity.ts';
import type { Message } from '../transcript/message.ts';

/** A prompt, and for each of its messages what the prompt is up to its end. */
export interface Prompt {
  readonly messages: readonly Message[];
  /** The number of the start that ends with the message. */
  readonly starts: readonly number[];
  /** Tokens up to the end of the message, tool definitions included. */
  readonly tokens: readonly number[];
  /** Parts up to the end of the message. */
  readonly parts: readonly number[];
}

/** Numbers the starts of prompts. */
export interface PromptIndex {
  /** A prompt that holds these messages. */
  of(messages: readonly Message[]): Prompt;
  /** The prompt with more messages behind it; work grows with what is new. The given prompt is used up. */
  grown(prompt: Prompt, more: readonly Message[]): Prompt;
}

/** An index whose prompts all open with tool definitions of so many tokens. */
export function createPromptIndex(tokensOf: (message: Message) => number, toolTokens: number): PromptIndex {
  const numbers = new Map<string, number>();
  const numberOf = (before: number, message: Message): number => {
    const key = `${before} ${messageHash(message)}`;
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  };
  const grown = (prompt: Lists, more: readonly Message[]): Lists => {
    for (const message of more) {
      prompt.starts.push(numberOf(prompt.starts.at(-1) ?? 0, message));
      prompt.tokens.push((prompt.tokens.at(-1) ?? toolTokens) + tokensOf(message));
      prompt.parts.push((prompt.parts.at(-1) ?? 0) + Math.max(1, message.parts.length));
      prompt.messages.push(message);
    }
    return prompt;
  };
  const empty = (): Lists => ({ messages: [], starts: [], tokens: [], parts: [] });
  return {
    of: (messages) => grown(empty(), messages),
    // Every prompt comes from here, and so is made of lists that may grow.
    grown: (prompt, more) => grown(prompt as Lists, more),
  };
}

interface Lists {
  readonly messages: Message[];
  readonly starts: number[];
  readonly tokens: number[];
  readonly parts: number[];
}

/** Tokens of the whole prompt. */
export const promptTokens = ({ tokens }: Prompt): number => tokens.at(-1) ?? 0;
