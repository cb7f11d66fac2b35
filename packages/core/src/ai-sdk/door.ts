/** What the calls of one wrapped model share: the store, the runtime over it, and which session asked for which tool call. */

import { frozenCopy } from '../compression/guard/copies.ts';
import { isTool } from '../compression/guard/guard-hooks.ts';
import { reasonOf } from '../compression/guard/guarded.ts';
import type { ContextEngine, EngineTool } from '../context/engine.ts';
import { type CacheTarget, cacheTargetOf } from '../context/prompt-cache/breakpoints.ts';
import { type ConversationRuntime, createRuntime } from '../conversation/conversations.ts';
import type { MemoryUse } from '../conversation/options.ts';
import { createMemory, type Memory } from '../memory/entries/create-memory.ts';
import { defined } from '../shared/defined.ts';
import type { Clock } from '../shared/timers.ts';
import { createSessionIds, type SessionId } from '../store/ids.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { modelInfo } from '../tokens/models.ts';
import type { Message, ToolResultPart } from '../transcript/message.ts';
import { type Callers, createCallers, remember } from './callers.ts';
import { continuedRequests, createSentCalls, type SentCall, type SentCalls } from './continued.ts';
import type { CountedTool } from './counted-tool.ts';
import type { Model } from './interface.ts';
import type { DoorParts, Notice, WithPalimpsestOptions } from './options.ts';
import { summarizerFor } from './session-writer.ts';

/** One for each wrapped model; those of one middleware share their store and who calls. */
export interface Door extends Omit<Opened, 'conversations'>, Omit<CallNotes, 'results'>, Results {
  conversations(): Promise<ConversationRuntime>;
  /** Tools of the memory by the turns in which they were called. */
  readonly memoryTurns: Map<string, CountedTool>;
  /** Tools of the memory provider that a program was given, with what they say of themselves. */
  readonly providerTools: Map<string, string>;
  /** What is remembered beyond conversations, for whoever wants that. */
  memory(): Promise<Memory | undefined>;
  readonly options: WithPalimpsestOptions;
  readonly clock: Clock;
  /** The window that tool results are held to; undefined where nobody knows it. */
  readonly contextLength: number | undefined;
  /** Who reads cache marks; undefined for nobody. */
  readonly cacheTarget: CacheTarget | undefined;
  /** Holds a request that was answered, for a summary that is asked for behind it. */
  keepSent(sessionId: SessionId, sent: SentCall): void;
  /** Tells whoever listens. */
  notify(notice: Notice): void;
}

/** What is known of the newest calls; a store that was opened here takes it along when it is closed. */
interface CallNotes {
  readonly memoryTurns: Map<string, CountedTool>;
  readonly callers: Callers;
  readonly engines: Engines;
  /** By the name of the model: what one has room for is too large for another one. */
  readonly results: Map<string, Results>;
}

/** How the tool results of a model were held to their room. */
interface Results {
  /** What became of the results of an answer, by all that was said up to them: clients send the whole results again with every request. */
  readonly admitted: Map<string, Admitted>;
  /** What messages with tool results became, so that they are looked at once. */
  readonly weighed: WeakMap<Message, Message>;
}

/** What was decided about the results of an answer. */
export interface Admitted {
  /** The session whose model has asked for them. */
  readonly sessionId: SessionId | undefined;
  readonly parts: readonly ToolResultPart[];
}

/** What a model says of itself. */
type Named = Pick<Model, 'provider' | 'modelId'>;

/** The door of a model. Middleware knows its models only when it is called. */
export type Doors = (model: () => Model | undefined) => Door;

/** Doors with one store and the same notes; opens nothing yet. */
export function openDoors(options: WithPalimpsestOptions, parts: DoorParts = {}): Doors {
  const { clock = {} } = parts;
  let notes = newNotes(options);
  const isOwn = typeof options.store !== 'object';
  const memories = memoriesFor(options, clock);
  const providerTools = new Map<string, string>();
  const [models, sent] = [new Map<string, Model>(), createSentCalls(options)];
  const opened = openLazily({
    store: () => storeFor(options, clock),
    runtime: (store, name) => {
      const called = { store, name, model: () => models.get(name), sent };
      return runtimeFor({ ...called, engines: notes.engines, memory: memories(store) }, options, parts);
    },
    isOwn,
  });
  const stop = (): Promise<void> => {
    if (isOwn) notes = newNotes(options);
    return opened.stop();
  };
  return (named) => {
    const name = (): string => options.model ?? nameOf(named());
    return {
      ...opened,
      stop,
      options,
      clock,
      providerTools,
      conversations() {
        const model = named();
        if (model) models.set(name(), model);
        return opened.conversations(name());
      },
      memory: async () => memories(await opened.store())?.memory,
      get callers() {
        return notes.callers;
      },
      get engines() {
        return notes.engines;
      },
      get memoryTurns() {
        return notes.memoryTurns;
      },
      get admitted() {
        return resultsOf(notes, name()).admitted;
      },
      get weighed() {
        return resultsOf(notes, name()).weighed;
      },
      get contextLength() {
        return options.contextLength ?? modelInfo(name())?.contextWindow;
      },
      get cacheTarget() {
        return targetFor(named(), options);
      },
      keepSent: (sessionId, call) => sent.keep(name(), sessionId, call),
      notify: (notice) => notify(options, notice),
    };
  };
}

function newNotes(options: WithPalimpsestOptions): CallNotes {
  const tell = (message: string): void => notify(options, { type: 'hook', level: 'warn', message });
  return {
    callers: createCallers(),
    engines: createEngines(options.engine, tell),
    results: new Map(),
    memoryTurns: new Map(),
  };
}

function resultsOf({ results }: CallNotes, name: string): Results {
  const known = results.get(name) ?? { admitted: new Map(), weighed: new WeakMap() };
  results.set(name, known);
  return known;
}

/** `openai.responses` and `gpt-5` are `openai/gpt-5`. */
const nameOf = (model: Named | undefined): string => (model ? `${vendorOf(model)}/${model.modelId}` : 'unknown');

const vendorOf = ({ provider }: Named): string => provider.replace(/\..*$/, '');

function targetFor(model: Named | undefined, { cache }: WithPalimpsestOptions): CacheTarget | undefined {
  if (cache === 'off') return undefined;
  return cache?.target ?? (model && cacheTargetOf({ model: model.modelId, provider: vendorOf(model) }));
}

async function storeFor({ store = ':memory:' }: WithPalimpsestOptions, clock: Clock): Promise<Store> {
  return typeof store === 'string' ? openStore({ path: store, clock }) : store;
}

interface RuntimeBasis {
  readonly memory: MemoryUse | undefined;
  readonly store: Store;
  /** `provider/model`, and the model of that name that was called last. */
  readonly name: string;
  readonly model: () => Model | undefined;
  readonly sent: SentCalls;
  readonly engines: Engines;
}

function runtimeFor(
  { store, name, model, sent, engines, memory }: RuntimeBasis,
  options: WithPalimpsestOptions,
  { clock, tokenizer, recallTokens }: DoorParts,
): ConversationRuntime {
  const { contextLength, config, recall, hooks, markPauses, onNotice } = options;
  const window = contextLength ?? modelInfo(name)?.contextWindow;
  const summarizer = summarizerFor(options.summarizer, { model, name, contextLength: window });
  const said = { contextLength, config, summarizer, recall, hooks, markPauses, onNotice };
  const given = defined({ ...said, memory, clock, tokenizer });
  const all = { store, model: name, ...given, ...defined({ engine: engines.make }) };
  const continued = continuedRequests(options, { name, model, sent });
  return createRuntime(all, { source: doorName, ...defined({ recallTokens, continued }) });
}

/** The memory over a store: one for all models and tools, so that what they write is written in order. */
function memoriesFor({ memory }: WithPalimpsestOptions, { now }: Clock): (store: Store) => MemoryUse | undefined {
  const opened = new WeakMap<Store, MemoryUse>();
  return (store) => {
    if (memory === undefined || 'memory' in memory) return memory;
    if (!('folder' in memory)) return { memory };
    const { folder, project, ...rules } = memory;
    const make = (): Memory => createMemory({ store, folder, ...defined({ project, clock: now }) });
    const one = opened.get(store) ?? { memory: make(), ...rules };
    opened.set(store, one);
    return one;
  };
}

/** Where conversations of this door come from, in lists. */
export const doorName = 'ai-sdk';

function notify({ onNotice }: WithPalimpsestOptions, notice: Notice): void {
  try {
    const heard: unknown = onNotice?.(notice);
    if (heard instanceof Promise) heard.catch(() => undefined);
  } catch {
    // A listener that fails must not cost a call.
  }
}

// What a wrapped model opens with its first call: the store, and a runtime over it for each model. After a stop they
// are opened anew.

/** How they are opened. */
interface Opening {
  store(): Promise<Store>;
  /** For the model of this name. */
  runtime(store: Store, model: string): ConversationRuntime;
  /** True for a store that was opened here, which is closed here. */
  readonly isOwn: boolean;
}

/** The store and the runtimes of a door. */
interface Opened {
  /** Throws what opening a store throws, and tries again at the next call. */
  store(): Promise<Store>;
  conversations(model: string): Promise<ConversationRuntime>;
  /** Work that a call has left behind: nobody waits for it but `stop`. It never rejects. */
  leave(work: Promise<unknown>): void;
  /** Gives up what runs in the background, waits for what calls have left behind, and closes a store that was opened here. */
  stop(): Promise<void>;
}

function openLazily({ store: open, runtime, isOwn }: Opening): Opened {
  const left = new Set<Promise<unknown>>();
  const store = once(open);
  const runtimes = new Map<string, Once<ConversationRuntime>>();
  return {
    store: store.get,
    conversations(model) {
      const one = runtimes.get(model) ?? once(async () => runtime(await store.get(), model));
      runtimes.set(model, one);
      return one.get();
    },
    leave(work) {
      const done = work.finally(() => left.delete(done));
      left.add(done);
    },
    async stop() {
      const [before, kept] = [[...runtimes.values()].map((one) => one.begun()), store.begun()];
      if (isOwn) {
        runtimes.clear();
        store.forget();
      }
      // What could not be opened need not be stopped.
      await Promise.all(before.map(async (one) => (await one?.catch(nothing))?.stop()));
      await Promise.all(left);
      if (isOwn) await (await kept?.catch(nothing))?.close();
    },
  };
}

const nothing = (): undefined => undefined;

/** Something that is made when it is first asked for. */
interface Once<T> {
  /** The same promise for everybody; a failed one is tried again. */
  readonly get: () => Promise<T>;
  readonly begun: () => Promise<T> | undefined;
  readonly forget: () => void;
}

function once<T>(work: () => Promise<T>): Once<T> {
  let known: Promise<T> | undefined;
  const forget = (): void => {
    known = undefined;
  };
  return {
    get() {
      const mine = known ?? work();
      known = mine;
      mine.catch(() => {
        if (known === mine) forget();
      });
      return mine;
    },
    begun: () => known,
    forget,
  };
}

// The engines of a wrapped model, one for each conversation: the runtime makes and keeps them, and their tools are
// called on them.

/** What makes an engine for a session. */
type MakeEngine = (sessionId: SessionId) => ContextEngine<Message>;

/** The engines that a program has chosen; the built-in one has no tools. */
interface Engines {
  /** For the runtime; undefined for the built-in engine. */
  readonly make: MakeEngine | undefined;
  /** That of a conversation, by the ids of its sessions, oldest first; undefined while nobody follows the conversation. */
  find(chain: readonly SessionId[]): ContextEngine<Message> | undefined;
  /**
   * The tools that an engine offers, without those that no provider would take and those whose name is taken. An engine that is
   * never used is made to ask it, once. What is wrong is told in a line; an engine that fails offers nothing.
   */
  offered(taken: readonly string[]): readonly EngineTool[];
}

/** Engines by the session that they were made for. `tell` is told, in a line for people, what is wrong with their tools. */
function createEngines(make: MakeEngine | undefined, tell: (problem: string) => void): Engines {
  // Who follows a conversation holds its engine, and whatever that holds.
  const made = new Map<SessionId, WeakRef<ContextEngine<Message>>>();
  let known: readonly EngineTool[] | undefined;
  return {
    make:
      make &&
      ((sessionId) => {
        const engine = make(sessionId);
        remember(made, sessionId, new WeakRef(engine));
        return engine;
      }),
    find(chain) {
      const newest = chain.findLast((id) => made.get(id)?.deref() !== undefined);
      return newest === undefined ? undefined : made.get(newest)?.deref();
    },
    offered(taken) {
      known ??= make && offeredBy(make, { taken, tell });
      return known ?? [];
    },
  };
}

interface Asking {
  readonly taken: readonly string[];
  readonly tell: (problem: string) => void;
}

/** Undefined for an engine that fails: the next time it may not. */
function offeredBy(make: MakeEngine, { taken, tell }: Asking): readonly EngineTool[] | undefined {
  let name = '';
  try {
    const engine = make(createSessionIds(Date.now)());
    name = ` "${engine.name}"`;
    const offered: unknown = frozenCopy(engine.toolSchemas());
    if (!Array.isArray(offered)) throw new Error('it did not return a list');
    return sound(offered, { taken, tell: (problem) => tell(`The context engine${name} ${problem}`) });
  } catch (error) {
    tell(`The context engine${name} failed in toolSchemas (${reasonOf(error)}); its tools are not offered.`);
    return undefined;
  }
}

/** Of two tools with one name the one that was there before stays: which of them a model calls must not be left to chance. */
function sound(offered: readonly EngineTool[], { taken, tell }: Asking): readonly EngineTool[] {
  const tools = new Map<string, EngineTool>();
  for (const tool of offered) {
    const called = `offers a tool "${String(tool?.name).slice(0, 64)}"`;
    if (!isTool(tool)) {
      tell(
        `${called} that is not valid: it needs a name of letters, digits, "_" and "-", a description and parameters.`,
      );
    } else if (taken.includes(tool.name)) {
      tell(`${called}, which is the name of a Palimpsest tool; the engine's tool is not offered.`);
    } else if (tools.has(tool.name)) {
      tell(`${called} twice; the first one is offered.`);
    } else {
      tools.set(tool.name, tool);
    }
  }
  return [...tools.values()];
}
