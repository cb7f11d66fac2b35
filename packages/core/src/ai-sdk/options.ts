/** What a wrapped model is told once. */

import type { CacheTarget, CacheTtl } from '../context/prompt-cache/breakpoints.ts';
import type { CacheLayout } from '../context/prompt-cache/layout.ts';
import { resolveCompressionConfig } from '../context/resolve-settings.ts';
import type { CompressionOptions } from '../context/settings.ts';
import type { ConversationOptions } from '../conversation/options.ts';
import type { ConversationNotice } from '../conversation/request.ts';
import { type OutputOptions, resolveOutputConfig } from '../output/settings.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { nearest } from '../shared/options/nearest.ts';
import type { SessionId } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
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

const known: Readonly<Record<keyof WithPalimpsestOptions, true>> = {
  store: true,
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
  recall: true,
  recallTokens: true,
  hooks: true,
  hookTimeoutMs: true,
  timers: true,
  now: true,
  sessionId: true,
  cacheTarget: true,
  cacheLayout: true,
  cacheTtl: true,
  firstByteTimeoutMs: true,
  silenceTimeoutMs: true,
  onNotice: true,
};

/** @throws BAD_OPTION, BAD_CONFIG for what makes no sense and can be known before the first call */
export function checkOptions(options: WithPalimpsestOptions): void {
  const stranger = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (stranger !== undefined) throw unknownOption(stranger);
  const { store, sessionId, recall, cacheTtl, cacheTarget, cacheLayout } = options;
  const isStore = typeof store === 'object' && typeof store.messages?.append === 'function';
  if (store !== undefined && !isStore && (typeof store !== 'string' || store === '')) {
    throw wrong('store', 'a store, the path of one, or :memory:', typeof store);
  }
  if (sessionId !== undefined && (typeof sessionId !== 'string' || sessionId === '')) {
    throw wrong('sessionId', 'the id of a session', typeof sessionId === 'string' ? 'an empty text' : typeof sessionId);
  }
  if (recall !== undefined && typeof recall !== 'function') throw wrong('recall', 'a function', typeof recall);
  requireOneOf('cacheTtl', cacheTtl, ['5m', '1h']);
  requireOneOf('cacheTarget', cacheTarget, ['anthropic', 'openrouter', 'litellm', 'off']);
  requireOneOf('cacheLayout', cacheLayout, ['system_and_3', 'turns']);
  requireTimeout('firstByteTimeoutMs', options.firstByteTimeoutMs);
  requireTimeout('silenceTimeoutMs', options.silenceTimeoutMs);
  resolveCompressionConfig(options.config);
  resolveOutputConfig(options.output);
}

function requireTimeout(name: string, ms: number | undefined): void {
  if (ms === undefined || (typeof ms === 'number' && ms >= 0 && ms <= longestTimeoutMs)) return;
  throw wrong(name, `milliseconds from 0 (no limit) to ${longestTimeoutMs}`, String(ms));
}

function requireOneOf(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value)) throw wrong(name, `one of ${allowed.join(', ')}`, String(value));
}

function unknownOption(name: string): PalimpsestError {
  const names = Object.keys(known);
  const near = nearest(name, names);
  const meant = near === undefined ? `the options are ${names.join(', ')}` : `did you mean ${near}?`;
  return wrong(name.slice(0, 40), 'an unknown option', `one: ${meant}`);
}

const wrong = (option: string, expected: string, came: string): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', `expected as ${option} ${expected}, got ${came.slice(0, 400)}`, {
    evidence: { option },
  });
