/** Mends results that stand apart from their call because other messages came between (a hook, a note, the user). */
import { groupsOf } from '../../transcript/groups.ts';
import type { Message, Part, ToolResultPart } from '../../transcript/message.ts';
import type { Entry, Note } from './entry.ts';

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
  message?.role === 'assistant'
    ? message.parts.flatMap((part) => (part.type === 'toolCall' && !part.server ? [part.callId] : []))
    : [];
