/** What many agents do instead of a summary: old tool results are replaced by a short text that says they were there. */
import type { Message, Part } from '@palimpsest/core';

const stub = '[Old tool result cleared]';

/** Tool calls whose results stay, as Anthropic's context editing keeps them (`keep: 3 tool_uses`). */
const keptResults = 3;

const isCleared = (part: Part): boolean =>
  part.type === 'toolResult' &&
  part.content.length === 1 &&
  part.content[0]?.type === 'text' &&
  part.content[0].text === stub;

/** The list with all tool results cleared but the newest three; the same list where there is nothing to clear. */
export function clearedResults(messages: readonly Message[]): readonly Message[] {
  let kept = 0;
  let isChanged = false;
  const cleared = messages.toReversed().map((message) => {
    const parts = message.parts.toReversed().map((part): Part => {
      if (part.type !== 'toolResult' || isCleared(part) || ++kept <= keptResults) return part;
      isChanged = true;
      return { ...part, content: [{ type: 'text', text: stub }] };
    });
    const isSame = parts.every((part, at) => part === message.parts[message.parts.length - 1 - at]);
    return isSame ? message : { ...message, parts: parts.reverse() };
  });
  return isChanged ? cleared.reverse() : messages;
}
