/** Makes the calls it is told of, one after another, and tells what each took. Its parent ends it where a call hangs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostileCalls } from './calls.ts';
import { type Arrangement, conversationOf, textOf } from './shapes.ts';

/** One measurement that is asked for. */
export interface Case {
  readonly call: string;
  readonly shape: string;
  readonly arrangement: Arrangement;
  readonly characters: number;
}

/** What it took. */
export interface Taken {
  /** Of all threads of the process. */
  readonly processorMs: number;
  /** The most memory that the process had meanwhile beyond what it had before its first call. */
  readonly memoryMb: number;
  /** Set where the call refused what it was given. */
  readonly refused?: string;
}

const mb = 2 ** 20;

/** The most memory that the process had since the last call of `forgetPeak`. */
function peak(): number {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    return (Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) * 1_024) / mb;
  } catch {
    return process.resourceUsage().maxRSS / 1_024;
  }
}

function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Elsewhere than on Linux the peak is that of the whole life of the process.
  }
}

let usual = 0;

async function measure({ call, shape, arrangement, characters }: Case): Promise<Taken> {
  const found = hostileCalls.find(({ name }) => name === call);
  if (!found) throw new Error(`there is no call "${call}"`);
  const text = textOf(shape, characters);
  const messages = found.takes === 'messages' ? conversationOf(text, arrangement) : [];
  const run = await found.begin({ text, messages });
  globalThis.gc?.();
  globalThis.gc?.();
  forgetPeak();
  usual ||= peak();
  process.send?.({ type: 'started' });
  const before = process.cpuUsage();
  const refused = await refusalOf(run);
  const { user, system } = process.cpuUsage(before);
  const taken = { processorMs: (user + system) / 1_000, memoryMb: Math.max(0, peak() - usual) };
  return refused === undefined ? taken : { ...taken, refused };
}

async function refusalOf(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 100) : String(error);
  }
}

process.on('message', (asked: Case) => {
  measure(asked).then(
    (taken) => process.send?.({ type: 'done', taken }),
    (error: unknown) => process.send?.({ type: 'failed', error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ type: 'ready' });
