/** What providers demand of a single part and of its place in a message; `validate` reports it, `repair` mends it. */
import { isJsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import type { Message, Part, ResultContent, ToolCallPart } from './message.ts';

/** Reasoning that its provider recognises and holds to its place. */
export const isSealed = (part: Part): boolean =>
  part.type === 'reasoning' && (part.signature !== undefined || part.encrypted !== undefined);

/** Members in which providers keep such proofs beside a part, at any depth: `providerOptions`, `extra_content`. */
const proofMember = /^(?:thought_?)?signature$/i;

/**
 * True for a message of which its provider knows every part again: it thought before, or signed a call. What such a message
 * called must come back as it was while its turn is open.
 */
export const isSigned = (message: Message): boolean =>
  message.parts.some((part) => isSealed(part) || holdsProof(part.extra?.fields, 4)) ||
  holdsProof(message.extra?.fields, 4);

function holdsProof(value: JsonValue | undefined, depth: number): boolean {
  if (!isJsonObject(value) || depth === 0) return false;
  return Object.entries(value).some(([key, member]) =>
    typeof member === 'string' ? member !== '' && proofMember.test(key) : holdsProof(member, depth - 1),
  );
}

/** True for a part without content: blank text, or reasoning of which nothing is left, not even a provider's id. */
export function isBlank(part: Part | ResultContent): boolean {
  if (part.type === 'text') return part.text.trim() === '';
  return part.type === 'reasoning' && part.text.trim() === '' && !isSealed(part) && !part.extra;
}

/** True for a part that alone makes a message worth sending. */
export const speaks = (part: Part): boolean => part.type !== 'reasoning' && !isBlank(part);

/** True for a part that no provider takes in a message of this role. */
export function misplaced(part: Part, role: Message['role']): boolean {
  switch (part.type) {
    case 'reasoning':
    case 'toolCall':
      return role !== 'assistant';
    case 'toolResult':
      return part.server ? role !== 'assistant' : role !== 'tool' && role !== 'user';
    case 'image':
    case 'file':
      return role === 'system' || role === 'tool';
    case 'text':
      return role === 'tool';
    case 'other':
      return false;
  }
}

/** True when results of client tools follow other parts: Anthropic wants them first. */
export function resultsAreLate(parts: readonly Part[]): boolean {
  const start = parts.findIndex((part) => part.type !== 'toolResult');
  return start !== -1 && parts.slice(start).some((part) => part.type === 'toolResult' && !part.server);
}

/** True when the arguments are a JSON object, or free-form as the tool wants them. */
export function hasValidArguments(part: ToolCallPart): boolean {
  return part.inputType === 'text' || isJsonObject(parseJson(part.input));
}
