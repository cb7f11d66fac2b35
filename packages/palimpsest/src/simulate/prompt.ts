/** What a request carries, as a cache sees it: every start of it has a number of its own, equal for equal starts. */
import type { Message } from '@palimpsest/core';
import { messageHash } from '@palimpsest/core/formats';

/** A prompt, and for each of its units what the prompt is up to its end: a unit is a message, or a part of a system prompt. */
export interface Prompt {
  readonly messages: readonly Message[];
  /** For each message the index of its last unit. */
  readonly ends: readonly number[];
  /** The number of the start that ends with the unit. */
  readonly starts: readonly number[];
  /** Tokens up to the end of the unit, tool definitions included. */
  readonly tokens: readonly number[];
  /** Parts up to the end of the unit. */
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
  const numberOf = (before: number, unit: Message): number => {
    const key = `${before} ${messageHash(unit)}`;
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  };
  const add = (prompt: Lists, unit: Message): void => {
    prompt.starts.push(numberOf(prompt.starts.at(-1) ?? 0, unit));
    prompt.tokens.push((prompt.tokens.at(-1) ?? toolTokens) + tokensOf(unit));
    prompt.parts.push((prompt.parts.at(-1) ?? 0) + Math.max(1, unit.parts.length));
  };
  const grown = (prompt: Lists, more: readonly Message[]): Lists => {
    for (const message of more) {
      for (const unit of unitsOf(message)) add(prompt, unit);
      prompt.messages.push(message);
      prompt.ends.push(prompt.starts.length - 1);
    }
    return prompt;
  };
  return {
    of: (messages) => grown({ messages: [], ends: [], starts: [], tokens: [], parts: [] }, messages),
    // Every prompt comes from here, and so is made of lists that may grow.
    grown: (prompt, more) => grown(prompt as Lists, more),
  };
}

interface Lists {
  readonly messages: Message[];
  readonly ends: number[];
  readonly starts: number[];
  readonly tokens: number[];
  readonly parts: number[];
}

/** A system prompt grows by a part at the first compression: what stood before it is still in the cache. */
function unitsOf(message: Message): readonly Message[] {
  if (message.role !== 'system' || message.parts.length < 2) return [message];
  return message.parts.map((part) => ({ ...message, parts: [part] }));
}

/** Tokens of the whole prompt. */
export const promptTokens = ({ tokens }: Prompt): number => tokens.at(-1) ?? 0;
