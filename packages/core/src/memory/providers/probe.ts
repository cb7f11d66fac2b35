/** Whether a provider really keeps what it is given: a note with a marker is written, read back and removed. */
import { reasonOf } from '../../compression/guard/guarded.ts';
import { inTime } from '../../compression/guard/in-time.ts';
import { platformTimers, type Timers } from '../../shared/timers.ts';
import { lineOf } from './cleaning.ts';
import { defaultProviderLimits, type MemoryProvider, type ProviderCall, type ProviderSession } from './provider.ts';

/** How a provider is probed. */
export interface ProbeOptions {
  /** What the note holds; a text that nobody else writes. */
  readonly marker: string;
  /** Starts the provider first, with this session. @default it has been started */
  readonly session?: ProviderSession;
  /** @default that of the provider, else 20_000 */
  readonly timeoutMs?: number;
  readonly timers?: Timers;
}

/** What a probe came to. */
export type ProbeResult =
  | { readonly type: 'works' }
  /** The provider has no notes: whether it keeps anything cannot be told. */
  | { readonly type: 'unknown'; readonly reason: string }
  | {
      readonly type: 'failed';
      /** What did not work: its settings, its start, or what is done with a note. */
      readonly step: 'settings' | 'start' | 'write' | 'read' | 'remove';
      /** One line, without credentials. */
      readonly reason: string;
    };

/**
 * Writes a note, reads it back and removes it. A note that was written is removed also where it could not be read. All steps
 * together take no longer than the time limit. Never throws.
 *
 * @example
 * import { probeProvider } from '@palimpsest/core/memory';
 * const provider = { name: 'forgetful', notes: { write: async () => '1', read: async () => undefined, remove: async () => {} } };
 * await probeProvider(provider, { marker: 'palimpsest-probe-1' }); // { type: 'failed', step: 'read', … }
 */
export async function probeProvider(provider: MemoryProvider, options: ProbeOptions): Promise<ProbeResult> {
  const { timers = platformTimers, session, marker } = options;
  const timeoutMs = options.timeoutMs ?? provider.limits?.probeMs ?? defaultProviderLimits.probeMs;
  let step: Extract<ProbeResult, { type: 'failed' }>['step'] = 'settings';
  try {
    return await inTime({ timers, timeoutMs }, async (signal): Promise<ProbeResult> => {
      const call = { signal };
      const missing = provider.missing?.();
      if (missing !== undefined) return { type: 'failed', step, reason: lineOf(missing) };
      step = 'start';
      if (session) await provider.start?.(session, call);
      if (!provider.notes) return { type: 'unknown', reason: `${provider.name} has no way to read back what it keeps` };
      return await roundTrip(provider.notes, { marker, call, at: (next) => (step = next) });
    });
  } catch (error) {
    return { type: 'failed', step, reason: lineOf(reasonOf(error)) };
  }
}

interface Trip {
  readonly marker: string;
  readonly call: ProviderCall;
  readonly at: (step: 'write' | 'read' | 'remove') => void;
}

async function roundTrip(
  notes: NonNullable<MemoryProvider['notes']>,
  { marker, call, at }: Trip,
): Promise<ProbeResult> {
  at('write');
  const id: unknown = await notes.write(marker, call);
  if (typeof id !== 'string' || id === '') throw new Error('it gave no id for what was written');
  at('read');
  const [read] = await Promise.allSettled([Promise.resolve().then(() => notes.read(id, call))]);
  const [removal] = await Promise.allSettled([Promise.resolve().then(() => notes.remove(id, call))]);
  if (read.status === 'rejected') throw read.reason;
  if (typeof read.value !== 'string' || !read.value.includes(marker)) {
    return { type: 'failed', step: 'read', reason: 'what was written could not be read back' };
  }
  at('remove');
  if (removal.status === 'rejected') throw removal.reason;
  return { type: 'works' };
}
