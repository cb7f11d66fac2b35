/** What is done with a record where it is not compressed: written in another format, or counted. */
import type { Tokenizer } from '@palimpsest/core';
import {
  type ConvertTrajectoryOptions,
  convertTrajectory,
  sumStats,
  type TrajectoryFormat,
  type TrajectoryLineStats,
  type TrajectoryStats,
  trajectoryStats,
} from '@palimpsest/core/trajectories';

/** Plain data, as every job is. */
export type RecordTask =
  | { readonly type: 'convert'; readonly options: Omit<ConvertTrajectoryOptions, 'format'> }
  | { readonly type: 'stats'; readonly limits: readonly number[] };

/** How often something was met, by its name. */
export type Tally = Readonly<Record<string, number>>;

/** What came of a task beside the records it wrote. */
export interface TaskFigures {
  /** Of a conversion: `converted` and `repaired` records, and `left out NAME` for each field that was. */
  readonly tally?: Tally;
  readonly stats?: TrajectoryStats;
}

/** A task under way. */
export interface RunningTask {
  /** The new text of a record; undefined for a task that writes none. Throws what core throws. */
  readonly run: (line: string) => string | undefined;
  readonly figures: () => TaskFigures;
}

interface TaskTools {
  readonly tokenizer: Tokenizer;
  readonly format: TrajectoryFormat | undefined;
}

/** Begins a task for the records of one job. */
export function startTask(task: RecordTask, { tokenizer, format }: TaskTools): RunningTask {
  const given = format === undefined ? {} : { format };
  switch (task.type) {
    case 'convert':
      return converting({ ...task.options, ...given });
    case 'stats': {
      const lines: TrajectoryLineStats[] = [];
      return {
        run: (line) => {
          lines.push(trajectoryStats(line, { tokenizer, ...given }));
          return undefined;
        },
        figures: () => ({ stats: sumStats(lines, task.limits) }),
      };
    }
  }
}

function converting(options: ConvertTrajectoryOptions): RunningTask {
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    run: (line) => {
      const { text, leftOut, repairs } = convertTrajectory(line, options);
      if (text !== line) count('converted');
      if (repairs > 0) count('repaired');
      for (const name of leftOut) count(`${leftOutPrefix}${name}`);
      return text;
    },
    figures: () => ({ tally: Object.fromEntries(counts) }),
  };
}

/** Before the name of a field in a tally. */
export const leftOutPrefix = 'left out ';

/** Two tallies as one. */
export function addTallies(a: Tally = {}, b: Tally = {}): Tally {
  const sum = new Map(Object.entries(a));
  for (const [name, count] of Object.entries(b)) sum.set(name, (sum.get(name) ?? 0) + count);
  return Object.fromEntries(sum);
}
