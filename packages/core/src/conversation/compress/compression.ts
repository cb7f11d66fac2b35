/**
 * ★ The one path of every compression: of a running conversation, also in the background, of a stored one, of a list, and of a
 * step of the AI SDK. Who compresses says what is compressed, which engine makes it smaller, and where the result is written.
 */
import type { CompressionResult } from '../../compression/result.ts';
import { askStartHook, type Host } from '../call-hooks.ts';
import type { CompressionStart } from '../hooks.ts';
import type { HeldLease } from '../live.ts';

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
  /** What an engine makes of the list, beside what a hook wants the new context to begin with. */
  readonly make: (kept: string | null) => Promise<Outcome<M>>;
  /** Where that goes. */
  readonly write: (made: M, kept: string | null) => Promise<C>;
}

export const not = (why: NotDone['why'], more: Omit<NotDone, 'type' | 'why'> = {}): NotDone => ({
  type: 'not',
  why,
  ...more,
});

export const done = <C>(made: C): Outcome<C> => ({ type: 'done', made });

/** Compresses, unless a hook is against it or the engine finds nothing to do. @throws what the stages throw; the signal's reason */
export async function runCompression<M, C>(
  host: Host,
  { start, make, write }: CompressionStages<M, C>,
): Promise<Outcome<C>> {
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
