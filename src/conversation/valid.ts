/** Makes a context valid for every provider (invariant 2), in time that grows with what is new in it. */

import { isSoundList } from '../compression/repair/sound.ts';
import { repair } from '../compression/repair.ts';
import type { Message } from '../transcript/message.ts';
import { carriesResults, toolCalls } from '../transcript/text.ts';

/** A list that needed no repair. */
export interface Checked {
  readonly messages: readonly Message[];
  /** Every call in it. */
  readonly callIds: Set<string>;
}

/** The list, or what a repair makes of it. */
export function valid(
  known: { checked: Checked | undefined },
  messages: readonly Message[],
  unanswered: 'remove' | 'stub',
): readonly Message[] {
  const { checked } = known;
  const goesOn = checked && isContinued(checked, messages);
  if (goesOn || isSoundList(messages)) {
    const callIds = goesOn ? checked.callIds : new Set<string>();
    for (const id of callsFrom(messages, goesOn ? checked.messages.length : 0)) callIds.add(id);
    known.checked = { messages, callIds };
    return messages;
  }
  known.checked = undefined;
  return repair(messages, { unanswered }).messages;
}

/** True when a sound list goes on soundly. */
function isContinued({ messages: before, callIds }: Checked, messages: readonly Message[]): boolean {
  if (before.length === 0 || messages.length < before.length) return false;
  for (let at = 0; at < before.length; at++) if (before[at] !== messages[at]) return false;
  // The last group may have been waiting for results; everything before it is closed.
  const start = before.findLastIndex((message) => !carriesResults(message));
  const last = before[start];
  if (!last || last.role === 'system') return false;
  return callsFrom(messages, before.length).every((id) => !callIds.has(id)) && isSoundList(messages.slice(start));
}

const callsFrom = (messages: readonly Message[], start: number): readonly string[] =>
  messages.slice(start).flatMap((message) => toolCalls(message).map(({ callId }) => callId));
