/** Parts that a provider of the SDK gives out, and takes back without sending them: they take no room, and say nothing. */

/** Kinds of `custom` parts. Anthropic's opens every streamed answer with what its stream began with. */
const kinds: ReadonlySet<unknown> = new Set(['anthropic.message_start']);

/** True for a part that never reaches a model. */
export const isUnsent = (part: unknown): boolean =>
  typeof part === 'object' &&
  part !== null &&
  'kind' in part &&
  'type' in part &&
  part.type === 'custom' &&
  kinds.has(part.kind);

/** The place in a content of the part that is the nth of those that are sent. */
export function placeOfSent(content: readonly unknown[], nth: number): number {
  let count = -1;
  return content.findIndex((part) => !isUnsent(part) && ++count === nth);
}
