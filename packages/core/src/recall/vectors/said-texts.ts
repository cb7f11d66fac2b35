/**
 * What of a message is embedded: what a person or a model said, alone and behind what was said before it. A short answer
 * is understood from its question, and a question is found by its own words: measured, each alone is worth less than both.
 */
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';

/** Characters of a message that are embedded: about what small models read at once (256 tokens). */
const mostCharacters = 800;
/** Characters of what was said before, counted from its end. */
const mostBefore = 400;

/** The text of a message with its speaker; undefined for tools, instructions, and where nothing was said. */
export function saidText({ role, name, parts }: Message): string | undefined {
  if (role !== 'user' && role !== 'assistant') return undefined;
  const text = messageText({ role, parts }).trim();
  if (text === '') return undefined;
  return name === undefined || name === role ? text : `${name}: ${text}`;
}

/** A message by itself where it is short, and behind the one before it. */
export interface EmbeddedTexts {
  readonly alone?: string;
  readonly behind?: string;
}

/** The texts of a message that are embedded. */
export function embeddedTexts(said: string, before: string | undefined): EmbeddedTexts {
  const behind = before === undefined ? undefined : `${before.slice(-mostBefore)}\n${said.slice(0, mostCharacters)}`;
  if (behind === undefined || said.length <= mostCharacters) {
    return { alone: said.slice(0, mostCharacters), ...(behind === undefined ? {} : { behind }) };
  }
  return { behind };
}
