/** A queue that gives what is worth most first. */

/** When this many of the best do not fit any more, what is being filled counts as full. */
export const maxPassedOver = 40;

/** Something to choose, and what it is worth. */
export interface Entry<T> {
  readonly value: T;
  readonly score: number;
}

/** A binary heap that gives the entry with the highest score first. */
export interface Queue<T> {
  push(entry: Entry<T>): void;
  pop(): Entry<T> | undefined;
  /** Score of the first entry; -Infinity when there is none. */
  topScore(): number;
}

/** A queue over the entries, made in linear time. The list is taken over. */
export function createQueue<T>(heap: Entry<T>[]): Queue<T> {
  const score = (at: number): number => heap[at]?.score ?? Number.NEGATIVE_INFINITY;
  const sink = (entry: Entry<T>, from: number): void => {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (score(child + 1) > score(child)) child++;
      const below = heap[child];
      if (!below || below.score <= entry.score) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = entry;
  };
  const push = (entry: Entry<T>): void => {
    let at = heap.length;
    heap.push(entry);
    for (let up = (at - 1) >> 1; at > 0; at = up, up = (at - 1) >> 1) {
      const above = heap[up];
      if (!above || above.score >= entry.score) break;
      heap[at] = above;
      heap[up] = entry;
    }
  };
  const pop = (): Entry<T> | undefined => {
    const first = heap[0];
    const last = heap.pop();
    if (last && heap.length > 0) sink(last, 0);
    return first;
  };
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) {
    const entry = heap[at];
    if (entry) sink(entry, at);
  }
  return { push, pop, topScore: () => score(0) };
}
