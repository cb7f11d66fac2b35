/** Makes what stays as it is small enough, so that the handoff has room and the target holds. */
import type { Message } from '../transcript/message.ts';
import type { Cut } from './boundaries.ts';
import type { Run } from './compress.ts';
import { shrinkTail } from './prune/shrink-tail.ts';
import { refAt } from './record.ts';

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
  const tail = list.slice(cut.tailStart);
  const places = new Map(tail.map((message, i) => [message, refAt(run.places[cut.tailStart + i] ?? 0)]));
  const shrunk = shrinkTail(tail, Math.max(1, Math.floor(most)), {
    tokensOf: run.tokensOf,
    refOf: (message) => places.get(message) ?? 'm0',
  });
  return shrunk.messages === tail ? list : [...list.slice(0, cut.tailStart), ...shrunk.messages];
}
