/** One thing at a time, in the order in which it was asked for. */
export interface Lane {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** A lane that opens when `busy` is over. */
export function createLane(busy: Promise<unknown> = Promise.resolve()): Lane {
  let last = busy;
  return {
    run(work) {
      const done = last.then(work);
      // Who comes next does not care how this one ended.
      last = done.catch(() => undefined);
      return done;
    },
  };
}

/** Lanes by name, each there only while somebody is in it. */
export interface Lanes {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export function createLanes(): Lanes {
  const lanes = new Map<string, { readonly lane: Lane; users: number }>();
  return {
    async run(name, work) {
      const entry = lanes.get(name) ?? { lane: createLane(), users: 0 };
      lanes.set(name, entry);
      entry.users++;
      try {
        return await entry.lane.run(work);
      } finally {
        if (--entry.users === 0) lanes.delete(name);
      }
    },
  };
}
