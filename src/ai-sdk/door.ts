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

/** One for each wrapped model. */
export interface Door extends Opened, Memory {
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

/** The door of a model; opens nothing yet. Middleware knows its model only when it is called. */
export function openDoor(named: () => Named | undefined, options: WithPalimpsestOptions): Door {
  const name = (): string => options.model ?? nameOf(named());
  let memory = newMemory(options);
  const isOwn = typeof options.store !== 'object';
  const opened = openLazily({
    store: () => storeFor(options),
    runtime: (store) => runtimeFor({ store, model: name(), engines: memory.engines }, options),
    isOwn,
  });
  return {
    ...opened,
    options,
    get callers() {
      return memory.callers;
    },
    get engines() {
      return memory.engines;
    },
    get admitted() {
      return memory.admitted;
    },
    get weighed() {
      return memory.weighed;
    },
    get contextLength() {
      return options.contextLength ?? modelInfo(name())?.contextWindow;
    },
    get cacheTarget() {
      return targetFor(named(), options);
    },
    notify: (notice) => notify(options, notice),
    stop() {
      if (isOwn) memory = newMemory(options);
      return opened.stop();
    },
  };
}

function newMemory(options: WithPalimpsestOptions): Memory {
  const tell = (message: string): void => notify(options, { type: 'hook', level: 'warn', message });
  const engines = createEngines(options.engine, tell);
  return { callers: createCallers(), engines, admitted: new Map(), weighed: new WeakMap() };
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
  const { output: _, sessionId: __, cacheTarget: ___, cacheLayout: ____, cacheTtl: _____, ...rest } = options;
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
