/** Warns of conversations that fill their window though everything was done that can be. */
import type { PreparedContext } from '@palimpsest/core';
import type { SessionId } from '@palimpsest/core/store';

/** Share of the window from which on a person should know. */
const fullShare = 0.95;
/** Sessions that were told of and are remembered. */
const mostTold = 10_000;

/** Percents of the window where they are a warning; a line tells of each session once, until it has room again. */
export type Fullness = (prepared: PreparedContext) => number | undefined;

export function openFullness(note: (line: string) => void): Fullness {
  const told = new Set<SessionId>();
  return ({ sessionId, size, contextLength }) => {
    if (size.tokens < contextLength * fullShare) {
      told.delete(sessionId);
      return undefined;
    }
    const percent = Math.floor((100 * size.tokens) / contextLength);
    if (!told.has(sessionId)) {
      if (told.size >= mostTold) told.clear();
      told.add(sessionId);
      note(
        `Session ${sessionId} fills ${percent} % of its window, and nothing makes it shorter now: begin anew soon, or use a larger window.`,
      );
    }
    return percent;
  };
}
