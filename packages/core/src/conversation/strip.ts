/** Leaves out of one request what its provider cannot take; what is stored stays as it is. */
import type { StrippedParts } from '../provider/errors/recovery-state.ts';
import type { Message, Part, ResultContent } from '../transcript/message.ts';

const leftOut = { type: 'text', text: '[image left out: the provider refused it]' } as const;

/** The messages without these parts; the same list when there is nothing to leave out. */
export function without(messages: readonly Message[], stripped: readonly StrippedParts[]): readonly Message[] {
  if (stripped.length === 0) return messages;
  return messages.map((message) => ({ ...message, parts: message.parts.flatMap((part) => kept(part, stripped)) }));
}

function kept(part: Part, stripped: readonly StrippedParts[]): readonly Part[] {
  const noImages = stripped.includes('images');
  if (part.type === 'image' && noImages) return [leftOut];
  if (part.type === 'reasoning' && stripped.includes('reasoning')) return [];
  if (part.type !== 'toolResult' || !noImages) return [part];
  const content = part.content.map((inner): ResultContent => (inner.type === 'image' ? leftOut : inner));
  return [{ ...part, content }];
}
