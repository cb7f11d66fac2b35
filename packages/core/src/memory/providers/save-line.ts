/** What is to be saved with a provider, one after the other: waits while the provider is down, and never without a bound. */
import type { GuardedProvider } from './guarded-provider.ts';
import { mostFailures } from './guarded-provider.ts';
import type { ProviderCall } from './provider.ts';

/** Something to save. */
export interface Save {
  /** For people: `a turn`, `a memory`. */
  readonly what: string;
  readonly run: (call: ProviderCall) => unknown;
}

export interface SaveLine {
  add(save: Save): void;
  /** Tries again what has failed. */
  resume(): void;
  /** Resolves once nothing can be saved any more now: all is saved, or the provider has failed. */
  settled(): Promise<void>;
  /** Gives up what waits: it belongs to a part of the memory that is left. */
  drop(why: string): void;
  readonly waiting: () => number;
  /** What was given up. */
  readonly lost: () => number;
}

/** So much may wait; then the oldest is given up. */
const mostWaiting = 200;

export function createSaveLine(guarded: GuardedProvider, note: (level: 'warn', message: string) => void): SaveLine {
  const line: { readonly save: Save; tries: number }[] = [];
  let lost = 0;
  let isFull = false;
  let work: Promise<void> | undefined;
  const go = async (): Promise<void> => {
    for (let next = line[0]; next; next = line[0]) {
      const { save } = next;
      const outcome = await guarded.call('save', save.run);
      if (outcome.type === 'down' || outcome.type === 'aborted') return;
      if (outcome.type === 'failed') {
        next.tries++;
        // Failed also behind a provider that works again: it would hold up everything behind it.
        if (next.tries <= mostFailures) return;
        lost++;
        note('warn', `The memory provider ${guarded.name} did not save ${save.what}: ${outcome.reason}.`);
      }
      if (line[0] === next) line.shift();
    }
    isFull = false;
  };
  const resume = (): void => {
    work ??= go().finally(() => {
      work = undefined;
    });
  };
  return {
    add: (save) => {
      line.push({ save, tries: 0 });
      if (line.length > mostWaiting) {
        line.shift();
        lost++;
        if (!isFull)
          note('warn', `The memory provider ${guarded.name} does not save: the oldest of ${mostWaiting} are given up.`);
        isFull = true;
      }
      resume();
    },
    resume,
    settled: async () => {
      while (work) await work;
    },
    drop: (why) => {
      if (line.length === 0) return;
      note('warn', `The memory provider ${guarded.name} did not save ${line.length} turns and memories: ${why}.`);
      lost += line.length;
      line.length = 0;
    },
    waiting: () => line.length,
    lost: () => lost,
  };
}
