/** Notices a model that goes in circles: the same few calls with the same results, again and again. */

/** Calls that were repeated too often. */
export interface Repeat {
  /** The tools of one round, in their order. */
  readonly tools: readonly string[];
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

/** Calls of the longest round that is looked for. */
const longestRound = 4;

/** A watch over one turn. */
export function createRepeatWatch(): RepeatWatch {
  let last: readonly { readonly tool: string; readonly key: string }[] = [];
  const isRepeated = (size: number): boolean => {
    const whole = last.slice(-size * mostRepeats);
    return whole.length === size * mostRepeats && whole.every(({ key }, i) => key === whole[i % size]?.key);
  };
  const loop = (): Repeat | undefined => {
    const size = Array.from({ length: longestRound }, (_, i) => i + 1).find(isRepeated);
    return size === undefined ? undefined : { tools: last.slice(-size).map(({ tool }) => tool), times: mostRepeats };
  };
  return {
    add(tool, input, result) {
      last = [...last, { tool, key: JSON.stringify([tool, input, result]) }].slice(-longestRound * mostRepeats);
    },
    isLoop: () => loop() !== undefined,
    loop,
  };
}
