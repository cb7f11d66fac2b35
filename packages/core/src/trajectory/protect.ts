/** Which turns stay whatever a plan says: how the task was set and first answered, and how it ended. */
import type { Speaker, Turn } from './turn.ts';

/** What stays of a trajectory in any case. */
export interface TrajectoryProtection {
  /** @default true */
  readonly firstSystem?: boolean;
  /** @default true */
  readonly firstHuman?: boolean;
  /** @default true */
  readonly firstGpt?: boolean;
  /** @default true */
  readonly firstTool?: boolean;
  /** Turns at the end. @default 4 */
  readonly lastTurns?: number;
}

export const protectionDefaults: Required<TrajectoryProtection> = {
  firstSystem: true,
  firstHuman: true,
  firstGpt: true,
  firstTool: true,
  lastTurns: 4,
};

/** The indexes of the turns that stay. */
export function protectedTurns(turns: readonly Turn[], protection: TrajectoryProtection): ReadonlySet<number> {
  const { firstSystem, firstHuman, firstGpt, firstTool, lastTurns } = { ...protectionDefaults, ...protection };
  const wanted: readonly (readonly [Speaker, boolean])[] = [
    ['system', firstSystem],
    ['human', firstHuman],
    ['gpt', firstGpt],
    ['tool', firstTool],
  ];
  const first = wanted.filter(([, is]) => is).map(([wants]) => turns.findIndex(({ speaker }) => speaker === wants));
  const last = turns.map((_, at) => at).slice(turns.length - Math.min(lastTurns, turns.length));
  return new Set([...first.filter((at) => at >= 0), ...last]);
}
