/** Makes what stays as it is small enough, so that the handoff has room and the target holds. */
import type { Message } from '../transcript/message.ts';
import { type Cut, restatedWords } from './boundaries.ts';
import { shrinkTail } from './prune/shrink-tail.ts';
import { refAt } from './record.ts';
import type { Run } from './run.ts';

/** The tail may take this share of a target that the caller named, however large its last messages are. */
const mostOfTarget = 0.3;

/** The list with the texts of its tail cut where they are too large; the same list when nothing is. */
export function fitTail(run: Run, list: readonly Message[], cut: Cut): readonly Message[] {
  const { targetTokens, isFixed, boundaries } = run.sizes;
  const before = list.slice(0, cut.headEnd).reduce((sum, message) => sum + run.tokensOf(message), 0);
  const room = targetTokens - before;
  const most = isFixed
    ? Math.max(boundaries.tailTokens, room * mostOfTarget)
    : Math.max(boundaries.tailTokens * 1.5, room / 2);
  // The newest reply, where it is said again, is shortened with the tail: it can be brought back, the request is whole.
  const reply = cut.restateReply === undefined ? [] : [cut.restateReply];
  const shown = [...reply, ...Array.from({ length: list.length - cut.tailStart }, (_, i) => cut.tailStart + i)];
  const messages = shown.flatMap((at) => (at === cut.restateReply ? restatedWords(list[at]) : list[at]) ?? []);
  const refs = new Map(messages.map((message, i) => [message, refAt(run.places[shown[i] ?? 0] ?? -1)]));
  const shrunk = shrinkTail(messages, Math.max(1, Math.floor(most)), {
    tokensOf: run.tokensOf,
    refOf: (message) => refs.get(message) ?? 'm0',
  });
  const shortened = new Map(shrunk.cutAt.map((i) => [shown[i], shrunk.messages[i]]));
  return shortened.size === 0 ? list : list.map((message, at) => shortened.get(at) ?? message);
}
