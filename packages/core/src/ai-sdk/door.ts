/** What the calls of one wrapped model share: the store, the runtime over it, and which session asked for which tool call. */

import type { CacheTarget } from '../context/prompt-cache/breakpoints.ts';
import { cacheTargetOf } from '../context/prompt-cache/cache-target.ts';
import { type ConversationRuntime, createConversations } from '../conversation/conversations.ts';
import type { SessionId } from '../store/ids.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { modelInfo } from '../tokens/models.ts';
import type { Message, ToolResultPart } from '../transcript/message.ts';
import { type Callers, createCallers } from './callers.ts';
import { createEngines, type Engines } from './engines.ts';
import type { Model } from './interface.ts';
import { type Opened, openLazily } from './opened.ts';
import type { Notice, WithPalimpsestOptions } from './options.ts';

/** One for each wrapped model; those of one middleware share their store and who calls. */
export interface Door extends Omit<Opened, 'conversations'>, Omit<Memory, 'results'>, Results {
  conversations(): Promise<ConversationRuntime>;
  readonly options: WithPalimpsestOptions;
  /** The window that tool results are held to; undefined where nobody knows it. */
  readonly contextLength: number | undefined;
  /** Who reads cache marks; undefined for nobody. */
  readonly cacheTarget: CacheTarget | undefined;
  /** Tells whoever listens. */
  notify(notice: Notice): void;
}

/** What is remembered of the newest calls; a store that was opened here takes it along when it is closed. */
interface Memory {
  readonly callers: Callers;
  readonly engines: Engines;
  /** By the name of the model: what one has room for is too large for another one. */
  readonly results: Map<string, Results>;
}

/** How the tool results of a model were held to their room. */
interface Results {
  /** What tool results were replaced by, by the id of the call: clients send the whole result again with every request. */
  readonly admitted: Map<string, Admitted>;
  /** What messages with tool results became, so that they are looked at once. */
  readonly weighed: WeakMap<Message, Message>;
}

/** What was decided about a tool result. */
export interface Admitted {
  /** Of the result as it came. */
  readonly chars: number;
  /** What stands for the result with this hash in this session; undefined, it stays. */
  readonly replaced:
    | { readonly hash: string; readonly sessionId: SessionId | undefined; readonly by: ToolResultPart }
    | undefined;
}

/** What a model says of itself. */
type Named = Pick<Model, 'provider' | 'modelId'>;

/** The door of a model. Middleware knows its models only when it is called. */
export type Doors = (named: () => Named | undefined) => Door;

/** Doors with one store and one memory; opens nothing yet. */
export function openDoors(options: WithPalimpsestOptions): Doors {
  let memory = newMemory(options);
  const isOwn = typeof options.store !== 'object';
  const opened = openLazily({
    store: () => storeFor(options),
    runtime: (store, model) => runtimeFor({ store, model, engines: memory.engines }, options),
    isOwn,
  });
  const stop = (): Promise<void> => {
    if (isOwn) memory = newMemory(options);
    return opened.stop();
  };
  return (named) => {
    const name = (): string => options.model ?? nameOf(named());
    return {
      ...{ ...opened, stop, options },
      conversations: () => opened.conversations(name()),
      get callers() {
        return memory.callers;
      },
      get engines() {
        return memory.engines;
      },
      get admitted() {
        return resultsOf(memory, name()).admitted;
      },
      get weighed() {
        return resultsOf(memory, name()).weighed;
      },
      get contextLength() {
        return options.contextLength ?? modelInfo(name())?.contextWindow;
      },
      get cacheTarget() {
        return targetFor(named(), options);
      },
      notify: (notice) => notify(options, notice),
    };
  };
}

function newMemory(options: WithPalimpsestOptions): Memory {
  const tell = (message: string): void => notify(options, { type: 'hook', level: 'warn', message });
  return { callers: createCallers(), engines: createEngines(options.engine, tell), results: new Map() };
}

function resultsOf({ results }: Memory, name: string): Results {
  const known = results.get(name) ?? { admitted: new Map(), weighed: new WeakMap() };
  results.set(name, known);
  return known;
}

/** `openai.responses` and `gpt-5` are `openai/gpt-5`. */
const nameOf = (model: Named | undefined): string => (model ? `${vendorOf(model)}/${model.modelId}` : 'unknown');

const vendorOf = ({ provider }: Named): string => provider.replace(/\..*$/, '');

function targetFor(model: Named | undefined, { cacheTarget }: WithPalimpsestOptions): CacheTarget | undefined {
  if (cacheTarget === 'off') return undefined;
  return cacheTarget ?? (model && cacheTargetOf({ model: model.modelId, provider: vendorOf(model) }));
}

async function storeFor({ store = ':memory:', now }: WithPalimpsestOptions): Promise<Store> {
  return typeof store === 'string' ? openStore({ path: store, ...(now ? { clock: now } : {}) }) : store;
}

interface RuntimeBasis {
  readonly store: Store;
  readonly model: string;
  readonly engines: Engines;
}

function runtimeFor({ store, model, engines }: RuntimeBasis, options: WithPalimpsestOptions): ConversationRuntime {
  const { output: _, sessionId: __, cacheTarget: ___, cacheLayout: ____, cacheTtl: _____, ...others } = options;
  const { firstByteTimeoutMs: ______, silenceTimeoutMs: _______, ...rest } = others;
  const engine = engines.make && { engine: engines.make };
  return createConversations({ source: 'ai-sdk', ...rest, ...engine, store, model });
}

function notify({ onNotice }: WithPalimpsestOptions, notice: Notice): void {
  try {
    const heard: unknown = onNotice?.(notice);
    if (heard instanceof Promise) heard.catch(() => undefined);
  } catch {
    // A listener that fails must not cost a call.
  }
}
