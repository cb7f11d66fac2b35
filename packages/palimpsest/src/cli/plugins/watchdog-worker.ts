/** Ends the process when its main thread has not been heard of for too long, and has Ctrl-C end it before that. */
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';

export interface Watch {
  /** Changed and notified by the main thread as long as it is there. */
  readonly beat: Int32Array;
  readonly limitMs: number;
  /** What standard error and standard output get in the end. */
  readonly lastWords: { readonly stderr: string; readonly stdout: string };
  readonly exitCode: number;
}

/** A main thread that is silent for so long hears no Ctrl-C. */
const deafMs = 500;
/** A process that was stopped for a while is heard of again soon. */
const graceMs = 1_000;

function isSilent(ms: number): boolean {
  return Atomics.wait(beat, 0, Atomics.load(beat, 0), ms) === 'timed-out';
}

/** True where it was silent all the time. */
function wasLost(): boolean {
  if (!isSilent(deafMs)) return false;
  // Without a listener Ctrl-C ends the process, which needs no thread; the main thread listens again when it is back.
  runInMain(`process.removeAllListeners('SIGINT')`);
  return isSilent(Math.max(0, limitMs - deafMs)) && isSilent(graceMs);
}

/** Runs code between two steps of a loop that never ends: the way in which a debugger stops one. */
function runInMain(expression: string): void {
  session ??= connected();
  session.post('Runtime.evaluate', { expression });
}

function connected(): Session {
  const made = new Session();
  made.connectToMainThread();
  return made;
}

function write(fd: number, text: string): void {
  try {
    writeSync(fd, text);
  } catch {
    // Nobody reads it; the process ends all the same.
  }
}

// Only `watchPlugin` starts this file, with such data.
const { beat, limitMs, lastWords, exitCode } = workerData as Watch;
let session: Session | undefined;
while (!wasLost());
write(2, lastWords.stderr);
write(1, lastWords.stdout);
// What Node itself would say to a debugger is for nobody here.
runInMain(`process.getBuiltinModule('node:fs').closeSync(2); process.reallyExit(${exitCode})`);
// Where even that is not heard, no other signal is.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs);
