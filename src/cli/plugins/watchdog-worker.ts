/** Ends the process when its main thread has not been heard of for too long. */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** What the watchdog is told. */
export interface Watch {
  /** Changed and notified by the main thread as long as it is there. */
  readonly beat: Int32Array;
  readonly limitMs: number;
  /** What standard error gets in the end. */
  readonly lastWords: string;
}

/** A process that was stopped for a while is heard of again soon. */
const graceMs = 1_000;

function isSilent(beat: Int32Array, ms: number): boolean {
  return Atomics.wait(beat, 0, Atomics.load(beat, 0), ms) === 'timed-out';
}

// Only `watchPlugin` starts this file, with such data.
const { beat, limitMs, lastWords } = workerData as Watch;
while (!(isSilent(beat, limitMs) && isSilent(beat, graceMs)));
writeSync(2, lastWords);
// The main thread hears no other signal.
process.kill(process.pid, 'SIGKILL');
