/** What a runtime is told once. */
import { defaultContextLength } from '../compression/run.ts';
import type { Summarizer } from '../compression/summarize/summarizer.ts';
import type { ContextEngine } from '../context/engine.ts';
import {
  createRewritePlanner,
  plannedCompression,
  rewriteOptionsFor,
} from '../context/prompt-cache/rewrite-planner.ts';
import { type CompressionConfig, type CompressionOptions, resolveCompressionConfig } from '../context/settings.ts';
import { defined } from '../shared/defined.ts';
import {
  aFunction,
  aNumber,
  checkKnownOptions,
  type KnownOptions,
  unknownName,
  wrongOption,
} from '../shared/options/known-options.ts';
import { isObject } from '../shared/options/schema.ts';
import type { Timers } from '../shared/timers.ts';
import type { Instant, SessionId } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import { modelInfo } from '../tokens/models.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import type { ConversationHooks, Recall } from './hooks.ts';
import type { CompressionPlanner } from './planner.ts';
import type { ConversationNotice } from './request.ts';

/** How conversations are kept inside their model's window; the store and the model are needed. */
export interface ConversationOptions {
  /** Where everything is kept; it stays the caller's, who closes it. */
  readonly store: Store;
  /** `provider/model` or the model's id: decides how tokens are counted, what they cost, and the window. */
  readonly model: string;
  /** The window in tokens. @default the model's, else 200_000 */
  readonly contextLength?: number;
  /** Output tokens that every request reserves inside the window; at most half of it is believed. @default 0 */
  readonly reservedOutputTokens?: number;
  /** Any part of the compression configuration; unknown keys are an error. @default compressionDefaults */
  readonly config?: CompressionOptions;
  /** @default the model's tokenizer */
  readonly tokenizer?: Tokenizer;
  /** A model that writes the summaries. @default the ledger alone */
  readonly summarizer?: Summarizer;
  /** Another engine, one for each conversation. @default the built-in one */
  readonly engine?: (sessionId: SessionId) => ContextEngine<Message>;
  /** Where the conversations come from, for lists. @default 'library' */
  readonly source?: string;
  /** The folder the agent works in. */
  readonly project?: string;
  /** Who compresses, for whoever finds a conversation busy. @default 'palimpsest' */
  readonly owner?: string;
  /** Conversations followed at once; one that was forgotten is read back from the store. @default 500 */
  readonly maxLive?: number;
  /**
   * Whether a model's summary is prepared while the conversation goes on, from 80 % of the
   * threshold on, and taken with the next request. @default false
   */
  readonly background?: boolean;
  /** Decides when a context that fits is compressed. @default the engine's threshold */
  readonly planner?: CompressionPlanner;
  /**
   * Finds text that helps with a request, once a turn; `hookTimeoutMs` bounds it. What it finds is put before the model in
   * the turn's requests and is never stored. @default nothing is recalled
   */
  readonly recall?: Recall;
  /** Tokens that recalled text may have, its fence included. @default 2000 */
  readonly recallTokens?: number;
  /** An object of a class works as well. @default none */
  readonly hooks?: ConversationHooks;
  /** How long a hook may take, in milliseconds. @default 5000 */
  readonly hookTimeoutMs?: number;
  /** @default those of the platform */
  readonly timers?: Timers;
  /** Told what a person should know, as soon as it is known. What it throws is not heard. */
  readonly onNotice?: (notice: ConversationNotice) => void;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => Instant;
}

/** The options with what they leave open filled in. */
export interface ConversationSettings extends Omit<ConversationOptions, 'config'> {
  readonly contextLength: number;
  readonly reservedOutputTokens: number;
  readonly config: CompressionConfig;
  readonly source: string;
  readonly owner: string;
  readonly maxLive: number;
  readonly background: boolean;
  readonly recallTokens: number;
  readonly hooks: ConversationHooks;
  readonly hookTimeoutMs: number;
  readonly now: () => Instant;
}

/** What holds where nothing is said. */
export const conversationDefaults = {
  reservedOutputTokens: 0,
  source: 'library',
  owner: 'palimpsest',
  maxLive: 500,
  recallTokens: 2_000,
  hooks: {},
  hookTimeoutMs: 5_000,
} as const;

const known: KnownOptions<ConversationOptions> = {
  store: {
    expected: 'a store, as openStore gives it',
    holds: isStore,
    isNeeded: true,
  },
  model: {
    expected: 'the id of a model',
    holds: (model) => typeof model === 'string' && model !== '',
    isNeeded: true,
  },
  contextLength: aNumber(1),
  reservedOutputTokens: aNumber(0),
  config: true,
  tokenizer: true,
  summarizer: true,
  engine: aFunction,
  source: true,
  project: true,
  owner: true,
  maxLive: aNumber(1),
  background: true,
  planner: aFunction,
  recall: aFunction,
  recallTokens: aNumber(0),
  hooks: true,
  hookTimeoutMs: aNumber(1),
  timers: true,
  onNotice: aFunction,
  now: aFunction,
};

/** As far as can be told without a compiler. */
export function isStore(store: unknown): boolean {
  return isObject(store) && isObject(store.messages) && typeof store.messages.append === 'function';
}

/** @throws BAD_OPTION, BAD_CONFIG for what makes no sense */
export function resolveSettings(options: ConversationOptions): ConversationSettings {
  checkKnownOptions('createConversations', options, known);
  const contextLength = options.contextLength ?? modelInfo(options.model)?.contextWindow ?? defaultContextLength;
  const settings = { now: Date.now, ...conversationDefaults, ...options, ...defined(options), contextLength };
  const config = resolveCompressionConfig(options.config);
  const background = options.background ?? false;
  return { ...settings, hooks: knownHooks(settings.hooks), background, ...planned({ ...settings, config }) };
}

/** Compressing by prices, where the configuration wishes it, the prices are known, and no planner decides. */
function planned(settings: Omit<ConversationSettings, 'background'>): Pick<ConversationSettings, 'config' | 'planner'> {
  const { config, planner } = settings;
  if (planner !== undefined || !config.planned) return { config, ...(planner ? { planner } : {}) };
  const rules = rewriteOptionsFor(settings);
  if (rules === undefined) return { config: { ...config, planned: false } };
  return { config: plannedCompression(config), planner: createRewritePlanner(rules) };
}

// Hooks as they are called: under their names, each as a method of what they came in.

const names: readonly (keyof ConversationHooks)[] = Object.keys({
  onCompressionStart: true,
  onCompressionEnd: true,
  onSessionStart: true,
  onSessionContinue: true,
  onSessionEnd: true,
} satisfies Record<keyof ConversationHooks, true>) as (keyof ConversationHooks)[]; // the object has these keys and no others

/** A name that is none would never be called. @throws BAD_OPTION */
export function knownHooks(hooks: ConversationHooks): ConversationHooks {
  const given: unknown = hooks;
  if (!isObject(given)) throw wrongOption('hooks', 'an object with functions', { value: given });
  const stranger = Object.keys(hooks).find((name) => isHookName(name, hooks) && !names.some((known) => known === name));
  if (stranger !== undefined)
    throw unknownName(stranger, names, { one: 'the name of a hook', all: 'the hooks are', option: 'hooks' });
  const wished = names.filter((name) => (hooks[name] ?? undefined) !== undefined);
  const broken = wished.find((name) => typeof hooks[name] !== 'function');
  if (broken) throw wrongOption(`hook ${broken}`, 'a function', { value: hooks[broken] });
  return Object.fromEntries(wished.map((name) => [name, hooks[name]?.bind(hooks)]));
}

/** An object of a class may have fields of its own. */
function isHookName(name: string, hooks: object): boolean {
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(hooks));
  return isPlain || /^on[A-Z]/.test(name);
}
