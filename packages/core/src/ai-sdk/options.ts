/** What a wrapped model is told once. */
import type { CacheOptions } from '../context/prompt-cache/breakpoints.ts';
import { type CompressionOptions, resolveCompressionConfig } from '../context/settings.ts';
import {
  type ConversationOptions,
  isMemory,
  isStore,
  type MemoryRules,
  type MemoryUse,
  memoryRules,
} from '../conversation/options.ts';
import type { ConversationNotice } from '../conversation/request.ts';
import type { Memory, MemoryOptions } from '../memory/entries/create-memory.ts';
import { type OutputOptions, resolveOutputConfig } from '../output/settings.ts';
import { defined } from '../shared/defined.ts';
import {
  aFunction,
  anEnum,
  aText,
  checkKnownOptions,
  checkMembers,
  type KnownOptions,
  type OptionRule,
} from '../shared/options/known-options.ts';
import { isObject } from '../shared/options/schema.ts';
import type { Clock } from '../shared/timers.ts';
import type { Store } from '../store/store.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { CallOptions } from './interface.ts';
import { aSummaryWriter, type SummaryWriter } from './session-writer.ts';
import { type CallTimeouts, longestTimeoutMs } from './silence.ts';

/** What a program hears of the model it wrapped; nothing of it reaches the model. */
export type Notice =
  | ConversationNotice
  | {
      /**
       * `bypassed`: a call was sent as the program made it, because our own part failed. `gave_up`: a call failed, and nothing
       * is left to try.
       */
      readonly type: 'bypassed' | 'gave_up';
      readonly level: 'warn';
      /** One line for a person. */
      readonly message: string;
      readonly error: unknown;
    };

/** A memory that is opened over the store of a wrapped model, and how what is said is remembered in it. */
export interface MemoryPlace extends Pick<MemoryOptions, 'folder' | 'project'>, MemoryRules {}

/** How a wrapped model keeps its conversations inside its window; every member may be left out. */
export interface WithPalimpsestOptions
  extends Pick<ConversationOptions, 'contextLength' | 'engine' | 'recall' | 'hooks' | 'markPauses'> {
  /**
   * Who writes the summaries: a model, or `session` for the model that the conversation is held with, whichever that is when a
   * summary is needed; as an object that says how long it may take, and who is asked when it fails. @default the ledger alone
   */
  readonly summarizer?: SummaryWriter;
  /**
   * Where everything that is said is kept: a store, the file of one, or `:memory:`. A store stays its owner's; one that
   * was opened here is closed by `stop(model)`. @default ':memory:'
   */
  readonly store?: Store | string;
  /** `provider/model`: decides how tokens are counted, what they cost, and the window. @default what the model says of itself */
  readonly model?: string;
  /** Any part of the compression configuration. @default compressionDefaults */
  readonly config?: CompressionOptions;
  /**
   * What is remembered beyond conversations: what `createMemory` gives, or the folder of its files, and the project that is
   * worked on. Each session shows it in a system prompt of its own, as it was when the session began; `tools` has its tools; and
   * before a compression what is worth keeping goes into it. @default nothing is remembered
   */
  readonly memory?: Memory | MemoryUse | MemoryPlace;
  /** How tool results are held to their room. @default outputDefaults */
  readonly output?: OutputOptions;
  /** Prompt-cache breakpoints; `off` sets none. @default for Claude over Anthropic or OpenRouter */
  readonly cache?: CacheOptions | 'off';
  /** How long a call may say nothing. @default 2 minutes to the first byte of a stream, 5 within it; 10 for a whole answer */
  readonly timeouts?: Partial<CallTimeouts>;
  /** Told what a person should know, as soon as it is known. What it throws is not heard. */
  readonly onNotice?: (notice: Notice) => void;
}

/** What our own tests say beside the options. */
export interface DoorParts {
  readonly clock?: Clock;
  readonly tokenizer?: Tokenizer;
  /** Tokens that recalled text may have. */
  readonly recallTokens?: number;
}

const aTimeout: OptionRule = {
  expected: `milliseconds from 0 (no limit) to ${longestTimeoutMs}`,
  holds: (ms) => ms === undefined || (typeof ms === 'number' && ms >= 0 && ms <= longestTimeoutMs),
};

/** What is true the runtime checks. */
const known: KnownOptions<WithPalimpsestOptions> = {
  store: {
    expected: 'a store, the path of one, or :memory:',
    holds: (store) => (typeof store === 'string' ? store !== '' : isStore(store)),
  },
  model: true,
  contextLength: true,
  config: true,
  output: true,
  summarizer: aSummaryWriter,
  engine: true,
  recall: aFunction,
  memory: {
    expected: 'what createMemory gives, or an object with folder or memory',
    holds: (memory) => isMemory(memory) || (isObject(memory) && (isMemory(memory.memory) || isPath(memory.folder))),
    inside: (memory, owner) => {
      if (isMemory(memory)) return;
      const isPlace = isObject(memory) && !isMemory(memory.memory);
      checkMembers<MemoryPlace | MemoryUse>(owner, memory, isPlace ? placeRules : useRules);
    },
  },
  hooks: true,
  markPauses: true,
  cache: {
    expected: 'an object with target, layout and ttl, or off',
    holds: (cache) => cache === 'off' || isObject(cache),
    inside: (cache, owner) => {
      if (cache !== 'off') checkMembers<CacheOptions>(owner, cache, cacheRules);
    },
  },
  timeouts: {
    expected: 'an object with firstByteMs and silenceMs',
    holds: isObject,
    inside: (timeouts, owner) =>
      checkMembers<CallTimeouts>(owner, timeouts, { firstByteMs: aTimeout, silenceMs: aTimeout }),
  },
  onNotice: true,
};

const isPath = (value: unknown): boolean => typeof value === 'string' && value !== '';

const placeRules: KnownOptions<MemoryPlace> = { folder: aText, project: aText, ...memoryRules };
const useRules: KnownOptions<MemoryUse> = { memory: true, ...memoryRules };

const cacheRules: KnownOptions<CacheOptions> = {
  target: anEnum(['anthropic', 'openrouter', 'litellm']),
  layout: anEnum(['system_and_3', 'turns']),
  ttl: anEnum(['5m', '1h']),
};

/** What is said of prompt-cache breakpoints. */
export const cacheOf = ({ cache }: WithPalimpsestOptions): CacheOptions => (cache === 'off' ? {} : (cache ?? {}));

/** @throws BAD_OPTION, BAD_CONFIG for what makes no sense and can be known before the first call */
export function checkOptions(owner: string, options: WithPalimpsestOptions): void {
  checkKnownOptions(owner, options, known);
  resolveCompressionConfig(options.config);
  resolveOutputConfig(options.output);
}

// What a call says to us in `providerOptions.palimpsest`; no provider gets to see it.

/** What one call may say, under `providerOptions.palimpsest`. */
export interface CallSettings {
  /** The session that the call belongs to. */
  readonly sessionId?: string;
  /** The folder that the agent works in, for lists; kept with a session that begins. */
  readonly project?: string;
  /** A topic that gets most of the handoff if the context is compressed now. */
  readonly focusTopic?: string;
  /**
   * Text that was recalled for this call: it stands fenced in the newest message of the person, and is not kept. A loop of tools
   * says it with every step, and so keeps what a cache holds. @default what the option `recall` finds, once a turn
   */
  readonly recall?: string;
}

/** The settings, and the call without them. Throws `BAD_OPTION` for a setting that is none. */
export function ownOptions(options: CallOptions): { readonly own: CallSettings; readonly plain: CallOptions } {
  const { palimpsest, ...others } = options.providerOptions ?? {};
  if (palimpsest === undefined) return { own: {}, plain: options };
  const { providerOptions: _, ...call } = options;
  const plain = Object.keys(others).length === 0 ? call : { ...call, providerOptions: others };
  const own: unknown = palimpsest ?? {};
  checkMembers('providerOptions.palimpsest', own, callSettings);
  return { own: defined(own), plain };
}

const callSettings: KnownOptions<CallSettings> = { sessionId: aText, project: aText, focusTopic: aText, recall: aText };
