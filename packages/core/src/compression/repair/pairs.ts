/**
 * Mends missing-id, duplicate-call, duplicate-result, orphan-result, unanswered-call and unpaired-server-tool: after
 * it every id is used once and every call of a finished group has exactly one result. Before that, results that stand
 * apart from their call come back to it (a hook, a note or the user came between).
 */

import type { Message, Part, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { answersApproval, groupsOf, toolCalls } from '../../transcript/text.ts';
import { type Entry, type Note, removedCall } from './parts.ts';

const lostResult = '[no result: the call was interrupted or its result was lost]';

/** The entries with calls and results paired; a last group may still wait for results. */
export function pairTools(entries: readonly Entry[], unanswered: 'remove' | 'stub', note: Note): readonly Entry[] {
  const messages = entries.map((entry) => entry.message);
  const ids = new FreshIds(messages);
  const groups = groupsOf(messages);
  return groups.flatMap((group) => {
    const members = entries.slice(group.start, group.end);
    return pairGroup(members, { unanswered: group === groups.at(-1) ? 'wait' : unanswered, ids, note });
  });
}

interface Pairing {
  readonly unanswered: 'remove' | 'stub' | 'wait';
  readonly ids: FreshIds;
  readonly note: Note;
}

/** A call with the id it gets; `ready` once the call was passed on the way through the parts, for its result to follow. */
interface Slot {
  readonly id: string;
  readonly call: ToolCallPart;
  ready: boolean;
  answered: boolean;
}

function pairGroup(members: readonly Entry[], pairing: Pairing): readonly Entry[] {
  const [first, ...rest] = members;
  if (!first) return members;
  const slots = new Map<Part, Slot>();
  for (const part of first.message.parts) {
    if (part.type === 'toolCall') slots.set(part, openSlot(part, first.at, pairing));
  }
  const opener = withResults(first, slots, pairing);
  const results = rest.map((entry) => withResults(entry, slots, pairing));
  // A server call can only wait in the very last message, or for what a person has allowed; a client call in the last group.
  const isAllowed = rest.some(({ message }) => answersApproval(message));
  const isLast = pairing.unanswered === 'wait';
  const waits = ({ call }: Slot): boolean => (call.server ? isAllowed || (isLast && rest.length === 0) : isLast);
  const open = [...slots.values()].filter((slot) => !slot.answered && !waits(slot));
  const stubbed = pairing.unanswered === 'stub' ? open.filter((slot) => !slot.call.server) : [];
  const gone = new Set(open.filter((slot) => !stubbed.includes(slot)));
  for (const { id } of gone) pairing.note(first.at, 'removed', `call ${id}, which has no result`);
  return [withCalls(opener, slots, gone), ...results, ...stubs(stubbed, first.at, pairing.note)];
}

function openSlot(call: ToolCallPart, at: number, { ids, note }: Pairing): Slot {
  const id = ids.take(call.callId);
  if (id !== call.callId) note(at, 'renamed', `call id ${JSON.stringify(call.callId)} to ${id}`);
  return { id, call, ready: false, answered: false };
}

/** Results get the new id of their call; those without an open call go. */
function withResults(entry: Entry, slots: ReadonlyMap<Part, Slot>, { note }: Pairing): Entry {
  let changed = false;
  const parts = entry.message.parts.flatMap((part): readonly Part[] => {
    const called = slots.get(part);
    if (called) called.ready = true;
    if (part.type !== 'toolResult') return [part];
    const slot = [...slots.values()].find((one) => answers(part, one));
    if (!slot) {
      note(entry.at, 'removed', `the result of ${part.callId}, which has no call before it`);
      changed = true;
      return [];
    }
    slot.answered = true;
    if (slot.id === part.callId) return [part];
    changed = true;
    return [{ ...part, callId: slot.id }];
  });
  return changed ? { ...entry, message: { ...entry.message, parts } } : entry;
}

function answers(result: ToolResultPart, slot: Slot): boolean {
  return (
    slot.ready &&
    !slot.answered &&
    slot.call.callId === result.callId &&
    Boolean(slot.call.server) === Boolean(result.server)
  );
}

function withCalls(entry: Entry, slots: ReadonlyMap<Part, Slot>, gone: ReadonlySet<Slot>): Entry {
  if (gone.size === 0 && [...slots.values()].every((slot) => slot.id === slot.call.callId)) return entry;
  const parts = entry.message.parts.flatMap((part): readonly Part[] => {
    const slot = slots.get(part);
    if (!slot || part.type !== 'toolCall') return [part];
    return gone.has(slot) ? [] : [slot.id === part.callId ? part : { ...part, callId: slot.id }];
  });
  const silent = gone.size > 0 && parts.every((part) => part.type === 'reasoning');
  const words: readonly Part[] = silent ? [{ type: 'text', text: removedCall }] : [];
  return { ...entry, message: { ...entry.message, parts: [...parts, ...words] } };
}

function stubs(slots: readonly Slot[], at: number, note: Note): readonly Entry[] {
  if (slots.length === 0) return [];
  const parts = slots.map(({ id, call }): Part => {
    note(at, 'added', `a result for ${id} that says it is missing`);
    return {
      type: 'toolResult',
      callId: id,
      name: call.name,
      content: [{ type: 'text', text: lostResult }],
      isError: true,
    };
  });
  return [{ at, message: { role: 'tool', parts } }];
}

/** Hands out each id once: the old one the first time, then `id_2`, `id_3`, …, never one that stands elsewhere. */
class FreshIds {
  readonly #all: Set<string>;
  readonly #taken = new Set<string>();

  constructor(messages: readonly Message[]) {
    this.#all = new Set(
      messages.flatMap((message) => message.parts.flatMap((part) => ('callId' in part ? [part.callId] : []))),
    );
  }

  take(wanted: string): string {
    let id = wanted;
    for (let n = wanted === '' ? 1 : 2; id === '' || this.#taken.has(id); n++) {
      const next = `${wanted || 'call'}_${n}`;
      if (!this.#all.has(next)) id = next;
    }
    this.#all.add(id);
    this.#taken.add(id);
    return id;
  }
}

interface Move {
  readonly result: ToolResultPart;
  readonly from: number;
}

/** The entries with every result that found its open call in an earlier group moved to the end of that group. */
export function reuniteResults(entries: readonly Entry[], note: Note): readonly Entry[] {
  const messages = entries.map((entry) => entry.message);
  const moves = findMoves(messages);
  if (moves.size === 0) return entries;
  const moved = new Set<Part>([...moves.values()].flat().map((move) => move.result));
  return entries.flatMap((entry, index) => {
    const parts = entry.message.parts.filter((part) => !moved.has(part));
    const kept =
      parts.length === entry.message.parts.length ? entry : { ...entry, message: { ...entry.message, parts } };
    const arrived = (moves.get(index) ?? []).map(({ result, from }): Entry => {
      const at = entries[from]?.at ?? from;
      note(at, 'moved', `the result of ${result.callId} back to its call`);
      return { at, message: { ...(messages[from] ?? entry.message), parts: [result] } };
    });
    return parts.length > 0 ? [kept, ...arrived] : arrived;
  });
}

/** Results to move, by the index of the message after which they belong. */
function findMoves(messages: readonly Message[]): ReadonlyMap<number, Move[]> {
  const moves = new Map<number, Move[]>();
  const open = new Map<string, number>();
  for (const group of groupsOf(messages)) {
    const own = new Set(calls(messages[group.start]));
    for (let at = group.start; at < group.end; at++) {
      for (const part of messages[at]?.parts ?? []) {
        if (part.type !== 'toolResult' || part.server || own.has(part.callId)) continue;
        const home = open.get(part.callId);
        if (home === undefined) continue;
        open.delete(part.callId);
        moves.set(home, [...(moves.get(home) ?? []), { result: part, from: at }]);
      }
    }
    for (const id of own) open.delete(id);
    for (const id of group.open) open.set(id, group.end - 1);
  }
  return moves;
}

const calls = (message: Message | undefined): readonly string[] =>
  message?.role !== 'assistant' ? [] : toolCalls(message).flatMap(({ server, callId }) => (server ? [] : [callId]));
