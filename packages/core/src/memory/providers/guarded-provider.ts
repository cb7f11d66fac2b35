/** One provider behind its guard: every call bounded in time, failures counted, told once, and waited out. */
import { reasonOf } from '../../compression/guard/guarded.ts';
import { inTime } from '../../compression/guard/in-time.ts';
import type { Timers } from '../../shared/timers.ts';
import { type ProbeResult, probeProvider } from './probe.ts';
import type { MemoryProvider, ProviderCall, ProviderLimits, ProviderSession } from './provider.ts';

/** What a call is for. Failures of each are counted apart: a provider that recalls and saves nothing is broken. */
export type ProviderWork = 'start' | 'turn' | 'recall' | 'save' | 'tool' | 'event';

/** How a call ended. */
export type CallOutcome<T> =
  | { readonly type: 'done'; readonly value: T }
  | { readonly type: 'failed' | 'down'; readonly reason: string }
  /** The caller gave up. */
  | { readonly type: 'aborted' };

/** Where a provider stands. */
export type ProviderState =
  | { readonly type: 'new' | 'ready' | 'stopped' }
  /** It cannot be used until its settings change. */
  | { readonly type: 'missing'; readonly reason: string }
  /** It has failed too often, since `since`; what it offers is gone until it works again. */
  | { readonly type: 'down'; readonly reason: string; readonly since: number; readonly failures: number };

export interface GuardOptions {
  readonly limits: ProviderLimits;
  readonly now: () => number;
  readonly timers: Timers;
  /** A text for a probe that nobody else writes. */
  readonly marker: () => string;
  readonly note: (level: 'info' | 'warn', message: string) => void;
}

/** A provider that can neither stop nor break anything. */
export interface GuardedProvider {
  readonly name: string;
  readonly provider: MemoryProvider;
  state(): ProviderState;
  /** When each kind of call last worked. */
  readonly lastDone: ReadonlyMap<ProviderWork, number>;
  start(session: ProviderSession): Promise<void>;
  /** Never throws. A provider that is down is not called, nor one that still sits in a call that was given up. */
  call<T>(
    work: ProviderWork,
    run: (call: ProviderCall) => T | PromiseLike<T>,
    caller?: AbortSignal,
  ): Promise<CallOutcome<T>>;
  /** Counts what a call gave that makes no sense. */
  fail(work: ProviderWork, reason: string): void;
  /** The session goes on as another one; it is the one that a failed provider is started with again. */
  moveTo(session: ProviderSession): void;
  /** Tries a provider that is down once more, where it is time; true when it works again. */
  revive(): Promise<boolean>;
  /** Writes a note and reads it back now, whatever is thought of the provider; true when it works. */
  verify(): Promise<boolean>;
  stop(): Promise<void>;
}

/** So many failures one after the other, of one kind, and a provider is down. */
export const mostFailures = 3;
/** How long a provider that is down is left alone: doubled after every try that fails. */
const [firstRestMs, longestRestMs] = [30_000, 600_000];

const limitOf: Readonly<Record<ProviderWork, keyof ProviderLimits>> = {
  start: 'startMs',
  // A turn waits for both.
  turn: 'recallMs',
  recall: 'recallMs',
  save: 'saveMs',
  tool: 'toolMs',
  event: 'eventMs',
};

const attempts: Readonly<Record<ProviderWork, string>> = {
  start: 'start',
  turn: 'begin a turn',
  recall: 'recall anything',
  save: 'save',
  tool: 'run its tool',
  event: 'take part',
};

interface Streak {
  count: number;
  readonly since: number;
}

interface Guard {
  readonly provider: MemoryProvider;
  readonly options: GuardOptions;
  state: ProviderState;
  session: ProviderSession | undefined;
  readonly streaks: Map<ProviderWork, Streak>;
  readonly lastDone: Map<ProviderWork, number>;
  /** Calls that were given up and have not ended. */
  readonly stuck: Map<ProviderWork, number>;
  restMs: number;
  nextTry: number;
  trying: Promise<boolean> | undefined;
}

export function guardProvider(provider: MemoryProvider, options: GuardOptions): GuardedProvider {
  const guard: Guard = {
    provider,
    options,
    state: { type: 'new' },
    session: undefined,
    streaks: new Map(),
    lastDone: new Map(),
    stuck: new Map(),
    restMs: firstRestMs,
    nextTry: 0,
    trying: undefined,
  };
  return {
    name: provider.name,
    provider,
    state: () => guard.state,
    lastDone: guard.lastDone,
    start: (session) => start(guard, session),
    call: async (work, run, caller) => {
      const { state } = guard;
      if (state.type === 'ready') return attempt(guard, { work, run, caller });
      const reason = 'reason' in state ? state.reason : `it is ${state.type === 'new' ? 'not started' : 'stopped'}`;
      return { type: 'down', reason };
    },
    fail: (work, reason) => failed(guard, work, reason),
    moveTo: (session) => {
      guard.session = session;
    },
    revive: () => revive(guard),
    verify: () => verify(guard),
    stop: () => stop(guard),
  };
}

async function start(guard: Guard, session: ProviderSession): Promise<void> {
  const { provider, options } = guard;
  guard.session = session;
  const missing = missingOf(provider);
  if (missing !== undefined) {
    guard.state = { type: 'missing', reason: missing };
    options.note('warn', `The memory provider ${provider.name} is not used: ${missing}`);
    return;
  }
  const before = guard.state;
  await stopping.get(provider);
  // Stopped before it was started.
  if (guard.state !== before) return;
  users.set(provider, (users.get(provider) ?? new Set()).add(guard));
  guard.state = { type: 'ready' };
  const outcome = await attempt(guard, { work: 'start', run: (call) => provider.start?.(session, call) });
  // Nothing works in a provider that could not be started: two more failures would say no more.
  if (outcome.type === 'failed' && guard.state.type === 'ready') goDown(guard, outcome.reason, 'start');
}

/** Who uses a provider, and what lets go of it now: conversations may share one. */
const users = new WeakMap<MemoryProvider, Set<Guard>>();
const stopping = new WeakMap<MemoryProvider, Promise<unknown>>();

/** The last one to leave lets go of it. */
async function stop(guard: Guard): Promise<void> {
  const { state, provider } = guard;
  guard.state = { type: 'stopped' };
  if (state.type !== 'ready' && state.type !== 'down') return;
  const others = users.get(provider);
  others?.delete(guard);
  if (others && others.size > 0) return;
  const work = attempt(guard, { work: 'event', run: (call) => provider.stop?.(call), caller: undefined });
  stopping.set(provider, work);
  await work;
}

function missingOf(provider: MemoryProvider): string | undefined {
  try {
    const missing: unknown = provider.missing?.();
    return (missing ?? undefined) === undefined ? undefined : reasonOf(missing);
  } catch (error) {
    return reasonOf(error);
  }
}

interface Attempt<T> {
  readonly work: ProviderWork;
  readonly run: (call: ProviderCall) => T | PromiseLike<T>;
  readonly caller?: AbortSignal | undefined;
}

async function attempt<T>(guard: Guard, { work, run, caller }: Attempt<T>): Promise<CallOutcome<T>> {
  const { limits, timers, now } = guard.options;
  if (caller?.aborted) return { type: 'aborted' };
  if ((guard.stuck.get(work) ?? 0) > 0) return failure(guard, work, 'it has not answered an earlier call yet');
  let [isGivenUp, isOver] = [false, false];
  const count = (by: number): void => void guard.stuck.set(work, (guard.stuck.get(work) ?? 0) + by);
  try {
    const value = await inTime({ timers, timeoutMs: limits[limitOf[work]], signal: caller }, async (signal) => {
      try {
        return await run({ signal });
      } finally {
        isOver = true;
        if (isGivenUp) count(-1);
      }
    });
    guard.streaks.delete(work);
    guard.lastDone.set(work, now());
    return { type: 'done', value };
  } catch (error) {
    isGivenUp = !isOver;
    if (isGivenUp) count(1);
    return caller?.aborted ? { type: 'aborted' } : failure(guard, work, reasonOf(error));
  }
}

function failure(guard: Guard, work: ProviderWork, reason: string): CallOutcome<never> {
  failed(guard, work, reason);
  return { type: 'failed', reason };
}

/** The first failures are told one by one, the last one sums up; then there is silence until it works again. */
function failed(guard: Guard, work: ProviderWork, reason: string): void {
  const { now, note } = guard.options;
  if (guard.state.type !== 'ready') return;
  const streak = guard.streaks.get(work) ?? { count: 0, since: now() };
  streak.count++;
  guard.streaks.set(work, streak);
  if (streak.count >= mostFailures) goDown(guard, reason, work);
  else if (work !== 'start')
    note('warn', `The memory provider ${guard.provider.name} could not ${attempts[work]}: ${reason}.`);
}

function goDown(guard: Guard, reason: string, work: ProviderWork): void {
  const { now, note } = guard.options;
  const { count, since } = guard.streaks.get(work) ?? { count: 1, since: now() };
  guard.state = { type: 'down', reason, since, failures: count };
  guard.restMs = firstRestMs;
  guard.nextTry = now() + guard.restMs;
  const what =
    work === 'start'
      ? `could not be started: ${reason}`
      : `has failed ${count} times since ${clockTime(since)}: it could not ${attempts[work]} (${reason})`;
  note('warn', `The memory provider ${guard.provider.name} ${what}. It is left out until it works again.`);
}

/** As a clock on the wall shows it. */
function clockTime(at: number): string {
  const time = new Date(at);
  return `${String(time.getHours()).padStart(2, '0')}:${String(time.getMinutes()).padStart(2, '0')}`;
}

function revive(guard: Guard): Promise<boolean> {
  if (guard.state.type !== 'down' || guard.options.now() < guard.nextTry) return Promise.resolve(false);
  return tried(guard);
}

function verify(guard: Guard): Promise<boolean> {
  const { state, provider } = guard;
  if (state.type === 'down' || (state.type === 'ready' && provider.notes)) return tried(guard);
  return Promise.resolve(state.type === 'ready');
}

/** Whoever asks meanwhile waits for the same try. */
function tried(guard: Guard): Promise<boolean> {
  guard.trying ??= tryOnce(guard).finally(() => {
    guard.trying = undefined;
  });
  return guard.trying;
}

async function tryOnce(guard: Guard): Promise<boolean> {
  const { provider, session, options } = guard;
  const { limits, timers, note, marker } = options;
  const wasDown = guard.state.type === 'down';
  const result = await probeProvider(provider, {
    marker: marker(),
    timeoutMs: limits.startMs + limits.probeMs,
    timers,
    ...(session && wasDown ? { session } : {}),
  });
  if (result.type === 'failed') {
    stayDown(guard, `${steps[result.step]} (${result.reason})`);
    return false;
  }
  if (guard.state.type !== 'down') return guard.state.type === 'ready';
  // One that cannot be probed gets one more failure, not three.
  guard.streaks.clear();
  if (result.type === 'unknown') {
    const { since } = guard.state;
    for (const work of ['recall', 'save', 'tool'] as const) guard.streaks.set(work, { count: mostFailures - 1, since });
  }
  guard.state = { type: 'ready' };
  note('info', `The memory provider ${provider.name} works again.`);
  return true;
}

const steps: Readonly<Record<Extract<ProbeResult, { type: 'failed' }>['step'], string>> = {
  settings: 'its settings are not complete',
  start: 'it could not be started',
  write: 'it could not write a note',
  read: 'it could not read back a note that it had written',
  remove: 'it could not remove a note',
};

/** After a try that failed: one that was thought to work is down by that alone. */
function stayDown(guard: Guard, reason: string): void {
  const { now, note } = guard.options;
  if (guard.state.type === 'down') {
    guard.restMs = Math.min(2 * guard.restMs, longestRestMs);
    guard.nextTry = now() + guard.restMs;
    guard.state = { ...guard.state, reason };
  } else if (guard.state.type === 'ready') {
    guard.state = { type: 'down', reason, since: now(), failures: 1 };
    guard.restMs = firstRestMs;
    guard.nextTry = now() + guard.restMs;
    note('warn', `The memory provider ${guard.provider.name} does not work: ${reason}. It is left out until it does.`);
  }
}
