/** What a runtime is told once. */
import { defaultContextLength } from '../compression/run.ts';
import type { SummaryPrefix } from '../compression/summarize/continued.ts';
import type { Summarizer } from '../compression/summarize/summarizer.ts';
import type { ContextEngine } from '../context/engine.ts';
import type { CacheTtl } from '../context/prompt-cache/breakpoints.ts';
import {
  createRewritePlanner,
  plannedCompression,
  rewriteOptionsFor,
} from '../context/prompt-cache/rewrite-planner.ts';
import { type CompressionConfig, type CompressionOptions, resolveCompressionConfig } from '../context/settings.ts';
import { type IdleCuration, idleCurationRules } from '../memory/curator/idle.ts';
import type { Memory } from '../memory/entries/create-memory.ts';
import type { ToolSources } from '../memory/gate/tool-source.ts';
import { aProvider } from '../memory/providers/options.ts';
import type { MemoryProvider } from '../memory/providers/provider.ts';
import { type TurnRecallOptions, turnRecallRules } from '../recall/turn/options.ts';
import { defined } from '../shared/defined.ts';
import {
  aFunction,
  aNumber,
  checkKnownOptions,
  checkMembers,
  checkValues,
  type KnownOptions,
  type OptionRule,
  unknownName,
  wrongOption,
} from '../shared/options/known-options.ts';
import { isObject } from '../shared/options/schema.ts';
import { aClock, type Clock, type Timers } from '../shared/timers.ts';
import type { Instant, SessionId } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import { modelInfo } from '../tokens/models.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import type { ConversationHooks, HookName, Recall } from './hooks.ts';
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
  /**
   * Seconds that a model is left alone after its first, second, … failure in a row to write a summary, whatever it was; the last number
   * holds for all further ones. Kept with the conversation. Meanwhile what fits its window is not compressed, and the ledger writes what
   * must be. @default by the kind of failure, 60, 300 and 900 for what passes by itself, and the model is asked where the window forces it
   */
  readonly failureWaits?: readonly number[];
  /** Another engine, one for each conversation. @default the built-in one */
  readonly engine?: (sessionId: SessionId) => ContextEngine<Message>;
  /**
   * Finds text that helps with a request, once a turn, in the time that a hook has. At most 2,000 tokens of it are put into the
   * message that it was found for, as it is sent, and stay there until the conversation is compressed. @default what `memory`
   * recalls
   */
  readonly recall?: Recall;
  /**
   * What is remembered beyond conversations, as `createMemory` gives it. Each session shows it in a system prompt of its own,
   * as it was when the session began; what else of it, and of earlier conversations, bears on a request is recalled for it, unless
   * `recall` finds something itself; before a compression what is worth keeping goes into it. @default nothing is remembered
   */
  readonly memory?: Memory | MemoryUse;
  /** An object of a class works as well. @default none */
  readonly hooks?: ConversationHooks;
  /** Told what a person should know, as soon as it is known. What it throws is not heard. */
  readonly onNotice?: (notice: ConversationNotice) => void;
  /**
   * From so many milliseconds on, a pause before a message of the person is told to the model, once: `3 days later` before its words,
   * as it is sent. @default none is
   */
  readonly markPauses?: number;
  /** Where the conversations come from, for lists. @default 'library' */
  readonly source?: string;
  /** @default that of the platform */
  readonly clock?: Clock;
}

/** How what is said is remembered. */
export interface MemoryRules {
  /**
   * A model that is asked once before a compression what of the covered part is worth keeping, for half a minute at most; what
   * the record does not bear out word for word is left out. @default by rule alone
   */
  readonly writer?: Summarizer;
  /**
   * Whose words tools bring, by their names or by a function, where their names do not tell: what comes from outside is
   * remembered only after the person confirms it. @default a tool that nobody knows is one from outside
   */
  readonly toolSources?: ToolSources;
  /**
   * Another memory beside the built-in one, which serves all conversations of the runtime and the project of the memory: it
   * recalls for each turn, behind what `recall` finds, saves turns that are over, and brings tools. @default none
   */
  readonly provider?: MemoryProvider;
  /**
   * How what is remembered, and what earlier conversations said, is recalled for a request; `false` turns that off. Of a project
   * only what was said there. @default { tokens: 1000, confidence: 0.52, timeoutMs: 1500 }
   */
  readonly recall?: false | MemoryRecall;
  /**
   * What each session shows in a system prompt of its own, behind those of the program: `false` nothing, a function what it
   * gives back, such as the text of `assemblePrompt`. It is asked once for each session, at its start and behind each compression;
   * what it gave is kept with the session and shown again in branches of it and by other processes. Recall, tools and what is
   * remembered stay as they are. @default the memory, in its fence, and what the memory provider says of itself
   */
  readonly show?: false | ((session: SessionMemory) => string | Promise<string>);
  /**
   * When the curator puts the memory in order by itself; `false` leaves that to others. The model is `writer` where no other is
   * named. @default { afterMs: 300_000, everyMs: 86_400_000 }: after 5 minutes without a request, once a day at most
   */
  readonly curate?: false | IdleCuration;
}

/** What is known beyond a session as it begins, for whoever makes its system prompt. */
export interface SessionMemory {
  readonly sessionId: SessionId;
  /** What is remembered; empty for nothing. */
  readonly memory: string;
  /** What the memory provider says of itself; empty where there is none. */
  readonly provider: string;
}

/** What may be set of recall by a runtime. */
export type MemoryRecall = Pick<TurnRecallOptions, 'tokens' | 'confidence' | 'timeoutMs' | 'vectors'>;

/** A memory, and how what is said is remembered in it. */
export interface MemoryUse extends MemoryRules {
  readonly memory: Memory;
}

/** The requests that a door has sent. */
export interface ContinuedRequests {
  /** How long Anthropic is asked to keep text. */
  readonly ttl: CacheTtl;
  /** Sends the newest answered request of a session again with one more message; undefined where that cannot be. */
  writer(sessionId: SessionId): SummaryPrefix['write'] | undefined;
}

/** What our own doors say beside the options, and tests that need another number: no user has a reason to. */
export interface RuntimeParts {
  /** Where the conversations come from, for lists. */
  readonly source: string;
  /** Who compresses, for whoever finds a conversation busy. */
  readonly owner: string;
  /** Conversations followed at once; one that was forgotten is read back from the store. */
  readonly maxLive: number;
  /** Tokens that recalled text may have, its fence included. */
  readonly recallTokens: number;
  /** The requests that models were sent, for summaries that are asked for behind them. @default none */
  readonly continued?: ContinuedRequests;
  /** Decides when a context that fits is compressed. @default the engine's threshold, or the prices where `config.planned` */
  readonly planner?: CompressionPlanner;
}

/** The options and parts with what they leave open filled in. */
export interface ConversationSettings
  extends Omit<ConversationOptions, 'config' | 'clock' | 'memory' | 'source'>,
    RuntimeParts {
  readonly memory?: MemoryUse;
  readonly contextLength: number;
  readonly reservedOutputTokens: number;
  readonly config: CompressionConfig;
  readonly hooks: ConversationHooks;
  /** How long a hook may take, in milliseconds. */
  readonly hookTimeoutMs: number;
  readonly now: () => Instant;
  readonly timers?: Timers;
}

/** What holds where nothing is said. 500 conversations of 2 MB are a gigabyte; recalled text is an aside in any window. */
const defaultParts: RuntimeParts = { source: 'library', owner: 'palimpsest', maxLive: 500, recallTokens: 2_000 };

/** What an option `memory` must be. */
export const aMemory: OptionRule = {
  expected: 'what createMemory gives, or an object with it as memory',
  holds: (memory) => isMemory(memory) || (isObject(memory) && isMemory(memory.memory)),
  inside: (memory, owner) => {
    if (!isMemory(memory)) checkMembers<MemoryUse>(owner, memory, { memory: true, ...memoryRules });
  },
};

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
  failureWaits: {
    expected: 'a list of seconds from 0',
    holds: (waits) =>
      Array.isArray(waits) && waits.length > 0 && waits.every((seconds) => Number.isFinite(seconds) && seconds >= 0),
  },
  engine: aFunction,
  recall: aFunction,
  memory: aMemory,
  hooks: true,
  onNotice: aFunction,
  markPauses: aNumber(1),
  source: { expected: 'a name', holds: (source) => typeof source === 'string' && source !== '' },
  clock: aClock,
};

/** What may stand beside a memory. */
export const memoryRules: KnownOptions<MemoryRules> = {
  writer: { expected: 'a summarizer', holds: isObject },
  toolSources: {
    expected: 'an object of classes by names, or a function',
    holds: (sources) => typeof sources === 'function' || isObject(sources),
  },
  provider: {
    expected: 'a memory provider with a name other than built-in',
    holds: (provider) => aProvider.holds(provider) && Object(provider).name !== 'built-in',
  },
  recall: {
    expected: 'an object with tokens, confidence, timeoutMs and vectors, or false',
    holds: (recall) => recall === false || isObject(recall),
    inside: (recall, owner) => {
      if (recall !== false) checkMembers<MemoryRecall>(owner, recall, turnRecallRules);
    },
  },
  show: { expected: 'a function, or false', holds: (show) => show === false || typeof show === 'function' },
  curate: {
    expected: 'an object with afterMs, everyMs, model, limits and person, or false',
    holds: (curate) => curate === false || isObject(curate),
    inside: (curate, owner) => {
      if (curate !== false) checkMembers<IdleCuration>(owner, curate, idleCurationRules);
    },
  },
};

/** A memory, with what stands beside it. */
export const memoryUse = (memory: Memory | MemoryUse): MemoryUse => ('memory' in memory ? memory : { memory });

/** As far as can be told without a compiler. */
export function isMemory(memory: unknown): boolean {
  return isObject(memory) && typeof memory.snapshot === 'function' && typeof memory.apply === 'function';
}

/** As far as can be told without a compiler. */
export function isStore(store: unknown): boolean {
  return isObject(store) && isObject(store.messages) && typeof store.messages.append === 'function';
}

/** @throws BAD_OPTION, BAD_CONFIG for what makes no sense */
export function resolveSettings(options: ConversationOptions, parts: Partial<RuntimeParts>): ConversationSettings {
  checkKnownOptions('createConversations', options, known);
  const { clock, memory, ...given } = defined(options);
  const { now = Date.now, timers } = clock ?? {};
  const contextLength = options.contextLength ?? modelInfo(options.model)?.contextWindow ?? defaultContextLength;
  const settings = {
    reservedOutputTokens: 0,
    ...defaultParts,
    ...defined(parts),
    ...given,
    ...knownHooks(given.hooks === undefined ? {} : given.hooks),
    contextLength,
    now,
    ...defined({ timers, memory: memory && memoryUse(memory) }),
  };
  return { ...settings, ...planned({ ...settings, config: resolveCompressionConfig(options.config) }) };
}

/** Compressing by prices, where the configuration wishes it, the prices are known, and no planner decides. */
function planned(settings: ConversationSettings): Pick<ConversationSettings, 'config' | 'planner'> {
  const { config, planner } = settings;
  if (planner !== undefined || !config.planned) return { config, ...defined({ planner }) };
  const rules = rewriteOptionsFor(settings);
  if (rules === undefined) return { config: { ...config, planned: false } };
  return { config: plannedCompression(config), planner: createRewritePlanner(rules) };
}

// Hooks as they are called: under their names, each as a method of what they came in.

const names: readonly HookName[] = Object.keys({
  onCompressionStart: true,
  onCompressionEnd: true,
  onSessionStart: true,
  onSessionContinue: true,
  onSessionEnd: true,
} satisfies Record<HookName, true>) as HookName[]; // the object has these keys and no others

/** As long as a person does not yet wonder what the program waits for. */
const hookTimeoutMs = 5_000;

/** Hooks, and the time that each has. A name that is none would never be called. @throws BAD_OPTION */
export function knownHooks(hooks: ConversationHooks): Pick<ConversationSettings, 'hooks' | 'hookTimeoutMs'> {
  const given: unknown = hooks;
  if (!isObject(given)) throw wrongOption('hooks', 'an object with functions', { value: given });
  const all = [...names, 'timeoutMs'];
  const stranger = Object.keys(hooks).find((name) => isHookName(name, hooks) && !all.includes(name));
  if (stranger !== undefined)
    throw unknownName(stranger, all, { one: 'the name of a hook', all: 'the hooks are', option: 'hooks' });
  checkValues(hooks, { timeoutMs: aNumber(1) }, 'hooks');
  const wished = names.filter((name) => (hooks[name] ?? undefined) !== undefined);
  const broken = wished.find((name) => typeof hooks[name] !== 'function');
  if (broken) throw wrongOption(`hook ${broken}`, 'a function', { value: hooks[broken] });
  return {
    hooks: Object.fromEntries(wished.map((name) => [name, hooks[name]?.bind(hooks)])),
    hookTimeoutMs: hooks.timeoutMs ?? hookTimeoutMs,
  };
}

/** An object of a class may have fields of its own. */
function isHookName(name: string, hooks: object): boolean {
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(hooks));
  return isPlain || /^on[A-Z]/.test(name);
}
