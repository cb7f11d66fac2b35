/** Makes a context valid for every provider (invariant 2), in time that grows with what is new in it. */

import { repair } from '../compression/repair.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { lastGroup } from '../transcript/groups.ts';
import type { Message } from '../transcript/message.ts';
import { toolCalls } from '../transcript/text.ts';

/** A list that needed no repair. */
export interface Checked {
  readonly messages: readonly Message[];
  /** Every call in it. */
  readonly callIds: Set<string>;
}

/** The list, or what a repair makes of it. @throws BAD_MESSAGES where that is nothing to answer */
export function valid(
  known: { checked: Checked | undefined },
  messages: readonly Message[],
  unanswered: 'remove' | 'stub',
): readonly Message[] {
  const { checked } = known;
  const repaired = (list: readonly Message[]): readonly Message[] => repair(list, { unanswered }).messages;
  const goesOn = checked && isContinued(checked, messages, (tail) => repaired(tail) === tail);
  const list = goesOn ? messages : repaired(messages);
  known.checked = undefined;
  if (list !== messages) return requireWords(list);
  const callIds = goesOn ? checked.callIds : new Set<string>();
  for (const id of callsFrom(messages, goesOn ? checked.messages.length : 0)) callIds.add(id);
  known.checked = { messages, callIds };
  return messages;
}

/** A repair may leave nothing, and no provider takes that. */
function requireWords(list: readonly Message[]): readonly Message[] {
  if (list.some(({ role }) => role !== 'system')) return list;
  throw new PalimpsestError(
    'BAD_MESSAGES',
    'expected something that a model can answer, got only blank messages, or results without calls',
  );
}

/** True when a list that needed no repair goes on in a way that needs none. */
function isContinued(
  { messages: before, callIds }: Checked,
  messages: readonly Message[],
  isValid: (tail: readonly Message[]) => boolean,
): boolean {
  if (before.length === 0 || messages.length < before.length) return false;
  for (let at = 0; at < before.length; at++) if (before[at] !== messages[at]) return false;
  // The last group may have been waiting, for results or for a person; everything before it is closed.
  const start = lastGroup(before)?.start ?? 0;
  if (messages[start]?.role === 'system') return false;
  return callsFrom(messages, before.length).every((id) => !callIds.has(id)) && isValid(messages.slice(start));
}

const callsFrom = (messages: readonly Message[], start: number): readonly string[] =>
  messages.slice(start).flatMap((message) => toolCalls(message).map(({ callId }) => callId));
