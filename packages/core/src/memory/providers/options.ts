/** What `createMemoryProviders` takes, checked once. */
import { PalimpsestError } from '../../shared/errors.ts';
import {
  aFunction,
  aNumber,
  checkKnownOptions,
  checkMembers,
  type KnownOptions,
  type OptionRule,
} from '../../shared/options/known-options.ts';
import { isObject } from '../../shared/options/schema.ts';
import { aClock, type Clock, platformTimers, type Timers } from '../../shared/timers.ts';
import { defaultProviderLimits, type MemoryProvider, type ProviderLimits, type ProviderNotice } from './provider.ts';

/** Which providers a conversation has, and how far they are trusted with its time. */
export interface MemoryProvidersOptions {
  /** The memory that comes with Palimpsest: always there, always first. */
  readonly builtIn: MemoryProvider;
  /** One other. @default none */
  readonly external?: MemoryProvider;
  /** Names of tools that no provider may take: those of the program. @default [] */
  readonly reservedTools?: readonly string[];
  /** How long calls may take; goes before what a provider wants for itself. */
  readonly limits?: Partial<ProviderLimits>;
  /** Most characters of what one provider recalls for a turn. @default 4_000 */
  readonly maxRecallChars?: number;
  /** Most characters of the answer of a tool. @default 16_000 */
  readonly maxAnswerChars?: number;
  /**
   * Says why a model may not have this text remembered by an external provider; what throws forbids it. It was scanned.
   * @default it may
   */
  readonly mayWrite?: (text: string) => string | undefined | Promise<string | undefined>;
  readonly clock?: Clock;
  /** A text that nobody else writes, for a note that shows whether a provider works. @default a random one */
  readonly marker?: () => string;
  readonly onNotice?: (notice: ProviderNotice) => void;
}

/** The same, with every default. */
export interface Settings {
  /** The built-in one first. */
  readonly providers: readonly MemoryProvider[];
  readonly reservedTools: readonly string[];
  readonly maxRecallChars: number;
  readonly maxAnswerChars: number;
  readonly mayWrite: (text: string) => string | undefined | Promise<string | undefined>;
  readonly now: () => number;
  readonly timers: Timers;
  readonly marker: () => string;
  limitsOf(provider: MemoryProvider): ProviderLimits;
  note(provider: string, level: ProviderNotice['level'], message: string): void;
  /** Waits for work, but no longer than this. */
  atMost(ms: number, work: Promise<void>): Promise<void>;
}

/** As far as can be told without a compiler. */
export const aProvider: OptionRule = {
  expected: 'a memory provider: an object with a name',
  holds: (value) => value === undefined || (isObject(value) && typeof value.name === 'string' && isName(value.name)),
};

const isName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name);

const known: KnownOptions<MemoryProvidersOptions> = {
  builtIn: { ...aProvider, isNeeded: true },
  external: aProvider,
  reservedTools: { expected: 'a list of names', holds: Array.isArray },
  limits: {
    expected: 'an object of milliseconds',
    holds: isObject,
    inside: (value, owner) => checkMembers<ProviderLimits>(owner, value, limitRules),
  },
  maxRecallChars: aNumber(1),
  maxAnswerChars: aNumber(1),
  mayWrite: aFunction,
  clock: aClock,
  marker: aFunction,
  onNotice: aFunction,
};

const aTime = aNumber(1);
const limitRules: KnownOptions<ProviderLimits> = {
  startMs: aTime,
  recallMs: aTime,
  toolMs: aTime,
  saveMs: aTime,
  eventMs: aTime,
  probeMs: aTime,
  stopMs: aTime,
};

/** No provider may want more for itself than this: people wait for turns. */
const longest: ProviderLimits = {
  startMs: 30_000,
  recallMs: 10_000,
  toolMs: 120_000,
  saveMs: 120_000,
  eventMs: 10_000,
  probeMs: 180_000,
  stopMs: 10_000,
};

/** @throws BAD_OPTION */
export function checkedSettings(options: MemoryProvidersOptions): Settings {
  if (isObject(options) && Array.isArray(options.external)) throw tooMany(options.external);
  checkKnownOptions('createMemoryProviders', options, known);
  const { builtIn, external, limits = {}, clock = {}, onNotice } = options;
  const { now = Date.now, timers = platformTimers } = clock;
  if (external?.name === builtIn.name) throw badExternal(`expected a name other than ${builtIn.name}, got the same`);
  return {
    providers: external ? [builtIn, external] : [builtIn],
    reservedTools: options.reservedTools ?? [],
    maxRecallChars: options.maxRecallChars ?? 4_000,
    maxAnswerChars: options.maxAnswerChars ?? 16_000,
    mayWrite: options.mayWrite ?? (() => undefined),
    now,
    timers,
    marker: options.marker ?? (() => `palimpsest-probe-${crypto.randomUUID()}`),
    limitsOf: (provider) => ({ ...defaultProviderLimits, ...wished(provider), ...limits }),
    note: (provider, level, message) => {
      try {
        onNotice?.({ type: 'memory-provider', level, provider, message });
      } catch {
        // A listener that fails must not cost a turn.
      }
    },
    atMost: (ms, work) =>
      new Promise((resolve) => {
        const stop = timers.after(ms, resolve);
        const done = (): void => {
          stop();
          resolve();
        };
        work.then(done, done);
      }),
  };
}

function wished({ limits }: MemoryProvider): Partial<ProviderLimits> {
  if (!isObject(limits)) return {};
  const times = Object.entries(longest).flatMap(([key, most]) => {
    const wish: unknown = Reflect.get(limits, key);
    return typeof wish === 'number' && wish > 0 ? [[key, Math.min(wish, most)]] : [];
  });
  return Object.fromEntries(times);
}

function tooMany(external: readonly unknown[]): PalimpsestError {
  const names = external.map((one) => (isObject(one) ? String(one.name) : String(one)).slice(0, 40));
  return badExternal(
    `expected one external memory provider, got ${names.length} (${names.join(', ')}): two would answer each other; choose one`,
  );
}

const badExternal = (message: string): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'external' } });
