/** What a wrapped model is told once. */
import type { CacheLayout, CacheTarget, CacheTtl } from '../context/prompt-cache/breakpoints.ts';
import { type CompressionOptions, resolveCompressionConfig } from '../context/settings.ts';
import { type ConversationOptions, isStore } from '../conversation/options.ts';
import type { ConversationNotice } from '../conversation/request.ts';
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
import type { SessionId } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import type { CallOptions } from './interface.ts';
import { longestTimeoutMs } from './silence.ts';

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

/** What is handed on to the runtime as it is. */
type RuntimeOptions = Pick<
  ConversationOptions,
  | 'contextLength'
  | 'reservedOutputTokens'
  | 'tokenizer'
  | 'summarizer'
  | 'engine'
  | 'source'
  | 'project'
  | 'owner'
  | 'maxLive'
  | 'background'
  | 'planner'
  | 'recall'
  | 'recallTokens'
  | 'hooks'
  | 'hookTimeoutMs'
  | 'timers'
  | 'now'
>;

/** How a wrapped model keeps its conversations inside its window; every member may be left out. */
export interface WithPalimpsestOptions extends RuntimeOptions {
  /**
   * Where everything that is said is kept: a store, the file of one, or `:memory:`. A store stays its owner's; one that
   * was opened here is closed by `stop(model)`. @default ':memory:'
   */
  readonly store?: Store | string;
  /** `provider/model`: decides how tokens are counted, what they cost, and the window. @default what the model says of itself */
  readonly model?: string;
  /** Any part of the compression configuration. @default compressionDefaults */
  readonly config?: CompressionOptions;
  /** How tool results are held to their room. @default outputDefaults */
  readonly output?: OutputOptions;
  /** The session that the calls belong to. @default the one that their messages continue */
  readonly sessionId?: SessionId;
  /** Who reads prompt-cache breakpoints. @default Claude over Anthropic or OpenRouter: who it is; all others 'off' */
  readonly cacheTarget?: CacheTarget | 'off';
  /** Where breakpoints stand. @default 'system_and_3' */
  readonly cacheLayout?: CacheLayout;
  /** How long cached text is kept. @default '5m' */
  readonly cacheTtl?: CacheTtl;
  /**
   * Milliseconds to the first byte of an answer after which a call is ended with `CALL_TIMEOUT`; 0 for no limit.
   * @default 120000 for a stream, 600000 for an answer that comes whole
   */
  readonly firstByteTimeoutMs?: number;
  /** Milliseconds that a stream may fall silent for; 0 for no limit. One that speaks may go on for ever. @default 300000 */
  readonly silenceTimeoutMs?: number;
  /** Told what a person should know, as soon as it is known. What it throws is not heard. */
  readonly onNotice?: (notice: Notice) => void;
}

const aTimeout: OptionRule = {
  expected: `milliseconds from 0 (no limit) to ${longestTimeoutMs}`,
  holds: (ms) => typeof ms === 'number' && ms >= 0 && ms <= longestTimeoutMs,
};

/** What is true the runtime checks. */
const known: KnownOptions<WithPalimpsestOptions> = {
  store: {
    expected: 'a store, the path of one, or :memory:',
    holds: (store) => (typeof store === 'string' ? store !== '' : isStore(store)),
  },
  model: true,
  contextLength: true,
  reservedOutputTokens: true,
  config: true,
  output: true,
  tokenizer: true,
  summarizer: true,
  engine: true,
  source: true,
  project: true,
  owner: true,
  maxLive: true,
  background: true,
  planner: true,
  recall: aFunction,
  recallTokens: true,
  hooks: true,
  hookTimeoutMs: true,
  timers: true,
  now: true,
  sessionId: { expected: 'the id of a session', holds: (id) => typeof id === 'string' && id !== '' },
  cacheTarget: anEnum(['anthropic', 'openrouter', 'litellm', 'off']),
  cacheLayout: anEnum(['system_and_3', 'turns']),
  cacheTtl: anEnum(['5m', '1h']),
  firstByteTimeoutMs: aTimeout,
  silenceTimeoutMs: aTimeout,
  onNotice: true,
};

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

const callSettings: KnownOptions<CallSettings> = { sessionId: aText, focusTopic: aText, recall: aText };
