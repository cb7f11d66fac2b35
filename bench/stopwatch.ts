/** Times of runs. The wall clock is what a person waits; the thread's own time is free of what else the machine does. */
import { median } from './figures.ts';

export interface Time {
  readonly wallMs: number;
  /** Processor time of the thread that runs our code, without the collector's and the compiler's own threads. */
  readonly threadMs: number;
}

/** Begins to measure; each call of what it returns gives the time since the call before. */
export function stopwatch(): () => Time {
  let [wall, thread] = [performance.now(), threadNow()];
  return () => {
    const [nextWall, nextThread] = [performance.now(), threadNow()];
    const time = { wallMs: nextWall - wall, threadMs: nextThread - thread };
    [wall, thread] = [nextWall, nextThread];
    return time;
  };
}

function threadNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export const sumOf = (times: readonly Time[]): Time => ({
  wallMs: times.reduce((sum, { wallMs }) => sum + wallMs, 0),
  threadMs: times.reduce((sum, { threadMs }) => sum + threadMs, 0),
});

/** The median of each, which need not come from the same run. */
export const medianOf = (times: readonly Time[]): Time => ({
  wallMs: median(times.map(({ wallMs }) => wallMs)),
  threadMs: median(times.map(({ threadMs }) => threadMs)),
});

/** Milliseconds as a table shows them. */
export const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));

/** `wall (thread)`. */
export const both = ({ wallMs, threadMs }: Time): string => `${ms(wallMs)} (${ms(threadMs)})`;
