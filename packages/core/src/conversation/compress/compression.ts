/**
 * ★ The one path of every compression: of a running conversation, also in the background, of a stored one, of a list, and of a
 * step of the AI SDK. Who compresses says what is compressed, which engine makes it smaller, and where the result is written.
 */
import type { CompressionResult } from '../../compression/result.ts';
import { resultAttributes } from '../../compression/result-attributes.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import { pause, quietTimers, type Timers } from '../../shared/timers.ts';
import type { SessionId } from '../../store/ids.ts';
import type { Store } from '../../store/store.ts';
import { type CompressionAbout, figureAttributes, inCompression } from '../../tracing/compression-span.ts';
import type { SpanAttributes } from '../../tracing/tracer.ts';
import { askStartHook, type Host } from '../call-hooks.ts';
import type { CompressionStart } from '../hooks.ts';
import type { HeldLease, Runtime, Step } from '../live.ts';

/** What became of it. */
export type Outcome<C> = { readonly type: 'done'; readonly made: C } | NotDone;

export interface NotDone {
  readonly type: 'not';
  readonly why: 'nothing' | 'busy' | 'vetoed' | 'refused' | 'overflow';
  /** Where there is more to say. */
  readonly detail?: string;
  /** The report of the built-in engine, where it was asked. */
  readonly result?: CompressionResult;
}

/** What is compressed, in the order in which it happens. */
export interface CompressionStages<M, C> {
  readonly start: CompressionStart;
  /** For its span. @default nothing but what `start` says */
  readonly about?: CompressionAbout;
  /** What an engine makes of the list, beside what a hook wants the new context to begin with. */
  readonly make: (kept: string | null) => Promise<Outcome<M>>;
  /** Where that goes. */
  readonly write: (made: M, kept: string | null) => Promise<C>;
  /** The report of what was written, where its engine makes one. */
  readonly resultIn: (written: C) => CompressionResult | undefined;
}

export const not = (why: NotDone['why'], more: Omit<NotDone, 'type' | 'why'> = {}): NotDone => ({
  type: 'not',
  why,
  ...more,
});

export const done = <C>(made: C): Outcome<C> => ({ type: 'done', made });

/** Compresses, unless a hook is against it or the engine finds nothing to do. @throws what the stages throw; the signal's reason */
export function runCompression<M, C>(host: Host, stages: CompressionStages<M, C>): Promise<Outcome<C>> {
  const { start, about } = stages;
  return inCompression(
    () => ({ ...about, ...(about?.conversationId === undefined ? {} : { sessionId: start.sessionId }) }),
    () => outcomeOf(host, stages),
    (outcome) => toldOf(outcome, stages),
  );
}

function toldOf<M, C>(outcome: Outcome<C>, { start, resultIn }: CompressionStages<M, C>): SpanAttributes {
  if (outcome.type === 'not') return figureAttributes({ outcome: outcome.why });
  const result = resultIn(outcome.made);
  return result ? resultAttributes(result) : figureAttributes({ outcome: 'compressed', tokensBefore: start.tokens });
}

async function outcomeOf<M, C>(host: Host, { start, make, write }: CompressionStages<M, C>): Promise<Outcome<C>> {
  const { veto, kept } = await askStartHook(host, start);
  if (veto !== undefined) return not('vetoed', { detail: veto });
  const outcome = await make(kept);
  return outcome.type === 'done' ? done(await write(outcome.made, kept)) : outcome;
}

/** Does the work under a lease that rests afterwards; somebody else is `busy` with it where there is none. */
export async function underLease<C>(
  lease: HeldLease | undefined,
  work: (lease: HeldLease) => Promise<Outcome<C>>,
): Promise<Outcome<C>> {
  if (!lease) return not('busy');
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}

// The right to compress a conversation alone, kept for as long as the work takes.

/** Whose right it is. */
export interface LeaseTerms {
  /** The session that the conversation began with. */
  readonly rootId: SessionId;
  readonly owner: string;
  /** A process that died holds others up for no longer than this. */
  readonly milliseconds: number;
  /** Gives it a new end at a third of that, again and again. @default only `renew` does */
  readonly timers?: Timers;
}

/** The lease on a conversation; undefined while somebody else compresses it. */
export async function holdLease({ leases }: Store, terms: LeaseTerms): Promise<HeldLease | undefined> {
  const { rootId, owner, milliseconds, timers } = terms;
  const name = nameFor(rootId);
  const first = await leases.acquire(name, owner, milliseconds);
  if (!first) return undefined;
  let lease = first;
  let isKept = true;
  // One that was lost stays as it is: the store refuses what is done under it. A store that is busy for a moment is asked again.
  const renew = async (): Promise<void> => {
    lease = (await leases.renew(lease, milliseconds).catch(() => undefined)) ?? lease;
  };
  const later = (): (() => void) | undefined =>
    timers?.after(milliseconds / 3, async () => {
      await renew();
      if (isKept) stop = later();
    });
  let stop = later();
  return {
    current: () => lease,
    renew,
    async resumed() {
      const next = await leases.acquire(name, owner, milliseconds);
      if (next) lease = next;
      return next;
    },
    release() {
      isKept = false;
      stop?.();
      return leases.release(lease);
    },
  };
}

const runtimeMilliseconds = 30_000;

/** The lease of a process that follows the conversation. */
export function holdLiveLease({ settings }: Runtime, rootId: SessionId): Promise<HeldLease | undefined> {
  const { store, owner, timers = quietTimers } = settings;
  return holdLease(store, { rootId, owner, milliseconds: runtimeMilliseconds, timers });
}

/** How often it is asked for, and for how long: longer than a summary may take. */
const askMilliseconds = 250;
const asksAtMost = 720;

/**
 * The same, as soon as nobody else compresses the conversation; until then it waits.
 *
 * @throws STORE_CONFLICT after three minutes; the reason of the signal when that is called off
 */
export async function leaseInTurn({ runtime, live, asked }: Step): Promise<HeldLease> {
  const { store, timers } = runtime.settings;
  const { rootId } = live.session;
  for (let asks = 0; asks < asksAtMost; asks++) {
    const lease = await holdLiveLease(runtime, rootId);
    if (lease) return lease;
    await pause(askMilliseconds, { timers, signal: asked.call.signal });
  }
  throw await busyError(store, rootId);
}

/** What to throw where somebody else compresses the conversation. */
export async function busyError(store: Store, rootId: SessionId): Promise<PalimpsestError> {
  const holder = await holderOf(store, rootId);
  const who = holder ? `${holder.owner} until ${holder.until}` : 'another process';
  return new PalimpsestError(
    'STORE_CONFLICT',
    `The conversation is already being compressed by ${who}: wait for that to end, then read the conversation again.`,
    { evidence: { lease: nameFor(rootId) } },
  );
}

/** Who compresses a conversation now, and until when at the latest. */
export async function holderOf(
  { leases }: Store,
  rootId: SessionId,
): Promise<{ readonly owner: string; readonly until: string } | undefined> {
  const lease = (await leases.held()).find(({ name }) => name === nameFor(rootId));
  return lease && { owner: lease.owner, until: new Date(lease.expiresAt).toISOString() };
}

const nameFor = (rootId: SessionId): string => `compress:${rootId}`;
