/** Merges user messages in a row, for providers that want roles to alternate. */
import type { Message } from '../transcript/message.ts';
import { carriesResults } from '../transcript/text.ts';
import { isHandoff } from './handoff-block.ts';

/**
 * Every run of user messages as one message with all parts in order; the same list object when there is none. The
 * result is for sending only: with the merge the single authors are lost.
 */
export function mergeUsers(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === 'user' && message.role === 'user' && !carriesResults(last) && !carriesResults(message)) {
      merged[merged.length - 1] = joined(last, message);
    } else merged.push(message);
  }
  return merged.length === messages.length ? messages : merged;
}

function joined(a: Message, b: Message): Message {
  const { origin, ...rest } = a;
  const source = [...(a.source ?? []), ...(b.source ?? [])];
  // A person's words must stay findable; a host text beside them is the lesser evil. What its reader took for a summary and
  // is none must not make one of the words beside it.
  const author = origin === b.origin ? origin : isHandoff(a) || isHandoff(b) ? 'summary' : 'person';
  return {
    ...rest,
    ...(author ? { origin: author } : {}),
    parts: [...a.parts, ...b.parts],
    ...(source.length > 0 ? { source } : {}),
  };
}
