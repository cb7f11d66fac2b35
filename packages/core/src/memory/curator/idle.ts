/**
 * The curator in idle time: it begins after a quiet while, is called off by whatever happens next, and has run for all processes
 * of a store once one of them is through.
 *
 * ```
 * touch ─► quiet for a while ─► nobody else at it, and not done lately? ─► a run ─► noted in the store
 *   └───────────── touch calls it off, and the while begins anew ────────────┘
 * ```
 */
import type { Summarizer } from '../../compression/summarize/summarizer.ts';
import { defined } from '../../shared/defined.ts';
import { aFunction, aNumber, aText, checkKnownOptions, type KnownOptions } from '../../shared/options/known-options.ts';
import { aClock, type Clock, quietTimers } from '../../shared/timers.ts';
import type { MemoryStore } from '../../store/memory-store.ts';
import type { Store } from '../../store/store.ts';
import type { Memory } from '../entries/create-memory.ts';
import type { CurationOptions } from './plan.ts';
import { type CuratorReport, runCurator } from './run.ts';

/** When the curator runs by itself, and how. */
export interface IdleCuration extends Pick<CurationOptions, 'limits' | 'person'> {
  /** Milliseconds without a request after which it begins. @default 300_000 (5 minutes) */
  readonly afterMs?: number;
  /** Milliseconds between two runs, of all processes that share a store. @default 86_400_000 (a day) */
  readonly everyMs?: number;
  /** Decides what the rules leave in doubt. @default nobody: both entries stay */
  readonly model?: Summarizer;
}

/** What it works on. */
export interface IdleCuratorOptions extends IdleCuration {
  /** Only entries of its project, and of everywhere, are looked at. */
  readonly memory: Memory;
  /** The store of the memory: keeps processes apart, and notes when it last ran. */
  readonly store: Pick<Store, 'leases' | 'meta'>;
  /** @default that of the platform, whose timers keep no process alive */
  readonly clock?: Clock;
  /** Told what a run did; `undo` of the memory takes each of its acts back. */
  readonly onReport?: (report: CuratorReport) => void;
  /** Told why a run failed; the next quiet while tries again. */
  readonly onError?: (error: unknown) => void;
}

export const idleCurationDefaults = { afterMs: 300_000, everyMs: 86_400_000 } as const;

/** Runs the curator while nothing happens. */
export interface IdleCurator extends AsyncDisposable {
  /** Something happens: a run is called off after the act that it is at, and the quiet while begins anew. */
  touch(): void;
  /** No run begins any more until the next `touch`, and none is under way when the promise is fulfilled. */
  stop(): Promise<void>;
}

/** What may be said of it beside a memory. */
export const idleCurationRules: KnownOptions<IdleCuration> = {
  afterMs: aNumber(0),
  everyMs: aNumber(0),
  model: true,
  limits: true,
  person: aText,
};

/**
 * A curator for idle time; the first `touch` starts it. Throws `BAD_OPTION`. Runtimes with a memory have one of their own.
 *
 * @example
 * import { createIdleCurator, createMemory } from '@palimpsest/core/memory';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'store.db' });
 * const memory = createMemory({ store, folder: 'memories' });
 * await using curator = createIdleCurator({ memory, store, onReport: ({ acts }) => console.log(acts.length) });
 * curator.touch();
 */
export function createIdleCurator(options: IdleCuratorOptions): IdleCurator {
  checkKnownOptions('createIdleCurator', options, {
    ...idleCurationRules,
    memory: true,
    store: true,
    clock: aClock,
    onReport: aFunction,
    onError: aFunction,
  });
  const { afterMs = idleCurationDefaults.afterMs, clock: { timers = quietTimers } = {} } = options;
  let cancel: (() => void) | undefined;
  let abort = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const halt = (): void => {
    cancel?.();
    cancel = undefined;
    abort.abort(new Error('Something happened: the memory is put in order another time.'));
  };
  const begin = ({ signal }: AbortController): void => {
    // One after another, also where a run that was called off is still at its last act.
    running = running
      .then(() => curateIdle(options, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) options.onError?.(error);
      });
  };
  const stop = (): Promise<void> => {
    halt();
    return running;
  };
  return {
    touch() {
      halt();
      const mine = new AbortController();
      abort = mine;
      cancel = timers.after(afterMs, () => begin(mine));
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const leaseName = 'curate:idle';
const leaseMs = 600_000;
const lastRunKey = ({ project = '' }: Memory): string => `curated:${project}`;

async function curateIdle(options: IdleCuratorOptions, signal: AbortSignal): Promise<void> {
  const { memory, store, onReport } = options;
  if (signal.aborted) return;
  const owner = `idle ${crypto.randomUUID()}`;
  const lease = await store.leases.acquire(leaseName, owner, leaseMs);
  if (!lease) return;
  try {
    const report = signal.aborted || !(await isDue(options)) ? undefined : await curated(options, { owner, signal });
    if (report?.state === 'done') await store.meta.set(lastRunKey(memory), String(nowOf(options)));
    if (report && (report.acts.length > 0 || report.state === 'done')) onReport?.(report);
  } finally {
    await store.leases.release(lease);
  }
}

const nowOf = ({ clock }: IdleCuratorOptions): number => (clock?.now ?? Date.now)();

/** A time to come was written under another clock. */
async function isDue(options: IdleCuratorOptions): Promise<boolean> {
  const { memory, store, everyMs = idleCurationDefaults.everyMs } = options;
  const last = Number((await store.meta.get(lastRunKey(memory))) ?? Number.NaN);
  const now = nowOf(options);
  return !(last <= now && now - last < everyMs);
}

interface Run {
  readonly owner: string;
  readonly signal: AbortSignal;
}

async function curated(options: IdleCuratorOptions, { owner, signal }: Run): Promise<CuratorReport> {
  const { memory, store, model, limits, person } = options;
  // What was changed by hand is known first.
  await memory.reconcile();
  const { entries } = memory;
  const seen: MemoryStore = {
    ...entries,
    list: (filter) => entries.list({ project: memory.project ?? null, ...filter }),
  };
  const known = defined({ model, limits, person });
  return runCurator({ store: seen, leases: store.leases, owner, clock: () => nowOf(options), signal, ...known });
}
