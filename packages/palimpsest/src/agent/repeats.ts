/** Notices a model that goes in circles: the same call with the same result, again and again. */

/** A call that was repeated too often. */
export interface Repeat {
  readonly tool: string;
  readonly times: number;
}

export interface RepeatWatch {
  /** One call of a tool with what it gave back. */
  add(tool: string, input: unknown, result: string): void;
  isLoop(): boolean;
  loop(): Repeat | undefined;
}

/** How often in a row is too often: three times may be a wait for something. */
const mostRepeats = 6;

/** A watch over one turn. */
export function createRepeatWatch(): RepeatWatch {
  let [last, times, tool] = ['', 0, ''];
  const loop = (): Repeat | undefined => (times >= mostRepeats ? { tool, times } : undefined);
  return {
    add(name, input, result) {
      const key = JSON.stringify([name, input, result]);
      times = key === last ? times + 1 : 1;
      last = key;
      tool = name;
    },
    isLoop: () => loop() !== undefined,
    loop,
  };
}
