/** How many records may be under way in a worker while they wait for a model: so many, and so many bytes. First come, first served. */

/** What may be under way at once. */
export interface SlotLimits {
  readonly records: number;
  readonly bytes: number;
}

export interface Slots {
  /** Begins the work once there is room. A record that is larger than all room goes alone. */
  readonly run: <T>(bytes: number, work: () => Promise<T>) => Promise<T>;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

export function openSlots(limits: SlotLimits): Slots {
  const waiting: Waiting[] = [];
  let [records, bytes] = [0, 0];
  const pump = (): void => {
    for (let [first] = waiting; first; [first] = waiting) {
      const isRoom = records < limits.records && bytes + first.bytes <= limits.bytes;
      if (records > 0 && !isRoom) return;
      waiting.shift();
      records++;
      bytes += first.bytes;
      first.begin();
    }
  };
  return {
    run: async (size, work) => {
      await new Promise<void>((resolve) => {
        waiting.push({ bytes: size, begin: resolve });
        pump();
      });
      try {
        return await work();
      } finally {
        records--;
        bytes -= size;
        pump();
      }
    },
  };
}
