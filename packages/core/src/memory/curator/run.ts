/** One run of the curator over a store: alone, in idle time, each act by itself and each to be taken back. */
import type { Summarizer } from '../../compression/summarize/summarizer.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import { aFunction, anEnum, aText, checkKnownOptions, type KnownOptions } from '../../shared/options/known-options.ts';
import type { Instant } from '../../store/ids.ts';
import type {
  MemoryAct,
  MemoryActDraft,
  MemoryDraft,
  MemoryEntry,
  MemoryEntryId,
  MemoryStore,
} from '../../store/memory-store.ts';
import type { Lease, LeaseStore } from '../../store/session-store.ts';
import { actsFor } from './acts.ts';
import { askModel } from './ask-model.ts';
import { evidenceEntries, withoutEvidence } from './evidence.ts';
import { type CurationOptions, curate } from './plan.ts';

/** What a run needs, and how it is done. */
export interface CuratorOptions extends Omit<CurationOptions, 'now'> {
  readonly store: MemoryStore;
  /** Keeps two processes from curating at once. */
  readonly leases: LeaseStore;
  /** Who runs: one process, or one of its tasks. */
  readonly owner: string;
  /** What the times are taken from: milliseconds since 1970 in UTC. @default that of the platform */
  readonly clock?: () => Instant;
  /** Asked at the beginning and before each act: false ends the run there. @default always true */
  readonly isIdle?: () => boolean | Promise<boolean>;
  /** What was said since the last run. It corrects entries and never adds one for itself. @default none */
  readonly evidence?: readonly MemoryDraft[];
  /** Decides what the rules leave in doubt. @default nobody: both entries stay */
  readonly model?: Summarizer;
  /** Only plans. @default false */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

/** What a run did. */
export interface CuratorReport {
  /** `busy`: another process curates; `interrupted`: it was no longer idle, or the lease was lost. */
  readonly state: 'done' | 'busy' | 'interrupted';
  /** What was to be done, in the order in which it is done. */
  readonly plan: readonly MemoryActDraft[];
  /** What was done. `store.undo` takes each of them back. */
  readonly acts: readonly MemoryAct[];
  /** Acts that were left out because somebody had changed an entry meanwhile. */
  readonly skipped: readonly MemoryActDraft[];
  /** Why the model was not heard, where it failed; the rules' plan stands without it. */
  readonly modelError?: string;
}

/** What is leased. */
export const curatorLease = 'curate:memory';
const leaseMs = 120_000;

const known: KnownOptions<CuratorOptions> = {
  store: true,
  leases: true,
  owner: aText,
  clock: aFunction,
  isIdle: aFunction,
  evidence: true,
  model: true,
  dryRun: anEnum([true, false]),
  signal: true,
  limits: true,
  person: aText,
};

/**
 * Puts what is remembered in order: plans over all live entries of the store as `planCuration` does, asks the model about
 * what is left in doubt, and does one act after the other. Nothing is deleted: entries are retired, each act says why, and
 * `store.undo` takes any one of them back, whatever came of the others.
 *
 * Only one process curates at a time. An act whose entries somebody has changed since they were read is left out; the next
 * run plans anew. A model that fails is reported, and what the rules decided is done.
 *
 * @throws BAD_OPTION for an option that nobody knows; what the store throws, but for a conflict
 * @example
 * import { createMemory, runCurator } from '@palimpsest/core/memory';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'store.db' });
 * const { entries } = createMemory({ store, folder: 'memories' });
 * const report = await runCurator({ store: entries, leases: store.leases, owner: 'idle', dryRun: true });
 * for (const act of report.plan) console.log(act.what, act.reason);
 */
export async function runCurator(options: CuratorOptions): Promise<CuratorReport> {
  checkKnownOptions('runCurator', options, known);
  if (!(await isIdle(options))) return { state: 'interrupted', plan: [], acts: [], skipped: [] };
  const lease = await options.leases.acquire(curatorLease, options.owner, leaseMs);
  if (!lease) return { state: 'busy', plan: [], acts: [], skipped: [] };
  try {
    const entries = await options.store.list({ status: ['live'] });
    const { plan, modelError } = await planOf(entries, options);
    const error = modelError === undefined ? {} : { modelError };
    if (options.dryRun) return { state: 'done', plan, acts: [], skipped: [], ...error };
    return { plan, ...(await carryOut(plan, { entries, lease, options })), ...error };
  } finally {
    await options.leases.release(lease);
  }
}

const isIdle = async ({ isIdle: ask, signal }: CuratorOptions): Promise<boolean> =>
  signal?.aborted !== true && (ask === undefined || (await ask()));

interface Plan {
  readonly plan: readonly MemoryActDraft[];
  readonly modelError?: string;
}

async function planOf(entries: readonly MemoryEntry[], options: CuratorOptions): Promise<Plan> {
  const evidence = evidenceEntries(options.evidence ?? []);
  const { limits, person, clock = Date.now } = options;
  const settings = { now: clock(), ...(limits ? { limits } : {}), ...(person ? { person } : {}) };
  const { acts, doubts } = curate([...entries, ...evidence], settings);
  const plan = withoutEvidence(acts, { entries, evidence });
  const touched = new Set(
    plan.flatMap(({ changes }) => changes.flatMap((change) => (change.type === 'set' ? [change.id] : []))),
  );
  const open = doubts.filter(({ entries: pair }) =>
    pair.every(({ id }) => !touched.has(id) && entries.some((entry) => entry.id === id)),
  );
  if (!options.model || open.length === 0) return { plan };
  try {
    const found = await askModel(open, { model: options.model, ...(options.signal ? { signal: options.signal } : {}) });
    return { plan: [...plan, ...untouchedTwice(actsFor(found), touched)] };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return { plan, modelError: error instanceof Error ? error.message : String(error) };
  }
}

/** No entry is touched by two acts of one run. */
function untouchedTwice(acts: readonly MemoryActDraft[], touched: Set<MemoryEntryId>): readonly MemoryActDraft[] {
  return acts.filter(({ changes }) => {
    const ids = changes.flatMap((change) => (change.type === 'set' ? [change.id] : []));
    if (ids.some((id) => touched.has(id))) return false;
    for (const id of ids) touched.add(id);
    return true;
  });
}

interface Run {
  readonly entries: readonly MemoryEntry[];
  readonly lease: Lease;
  readonly options: CuratorOptions;
}

async function carryOut(
  plan: readonly MemoryActDraft[],
  { entries, lease, options }: Run,
): Promise<Pick<CuratorReport, 'state' | 'acts' | 'skipped'>> {
  const { store, leases } = options;
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const acts: MemoryAct[] = [];
  const skipped: MemoryActDraft[] = [];
  let held: Lease | undefined = lease;
  for (const draft of plan) {
    held = await leases.renew(held, leaseMs);
    if (!held || !(await isIdle(options))) return { state: 'interrupted', acts, skipped };
    const expected = draft.changes.flatMap((change) => (change.type === 'set' ? (known.get(change.id) ?? []) : []));
    try {
      const act = await store.act(draft, expected);
      for (const { after } of act.changes) known.set(after.id, after);
      acts.push(act);
    } catch (error) {
      if (!(error instanceof PalimpsestError && (error.code === 'STORE_CONFLICT' || error.code === 'ID_UNKNOWN')))
        throw error;
      skipped.push(draft);
    }
  }
  return { state: 'done', acts, skipped };
}
