/** What a person says while the agent works: some of it is for its next step, the rest for when it is done. */

/** Something that waits to be said. */
export interface Queued {
  readonly kind: 'send' | 'steer' | 'follow_up';
  readonly text: string;
}

export interface Queue {
  add(one: Queued): void;
  list(): readonly Queued[];
  /** True where something is for the next step. */
  isSteered(): boolean;
  /** What is said next: all that is for the next step, else the oldest of the rest. */
  takeNext(): readonly Queued[];
  /** Back to whoever wrote it. */
  takeNewest(): Queued | undefined;
}

/** An empty queue. */
export function createQueue(): Queue {
  let waiting: readonly Queued[] = [];
  const isNow = ({ kind }: Queued): boolean => kind !== 'follow_up';
  return {
    add(one) {
      waiting = [...waiting, one];
    },
    list: () => waiting,
    isSteered: () => waiting.some(isNow),
    takeNext() {
      const now = waiting.filter(isNow);
      const taken = now.length > 0 ? now : waiting.slice(0, 1);
      waiting = waiting.filter((one) => !taken.includes(one));
      return taken;
    },
    takeNewest() {
      const newest = waiting.at(-1);
      waiting = waiting.slice(0, -1);
      return newest;
    },
  };
}
