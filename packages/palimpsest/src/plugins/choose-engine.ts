/** ★ Start here: which engine runs, from the name in `context.engine` to an engine for each session. */
import { type Message, type Tokenizer, tokenizerFor } from '@palimpsest/core';
import {
  badPlugin,
  type CompressorOptions,
  type ContextEngine,
  createCompressor,
  type GuardOptions,
  guardEngine,
  type JsonObject,
  reasonOf,
  resolveEngine,
} from '@palimpsest/core/engine';
import { checkKnownOptions, type KnownOptions } from '@palimpsest/core/settings';
import { type SessionId, type Store, storedCompressor } from '@palimpsest/core/store';
import { createPluginRegistry, type EngineFactory, engineFrom, type OpenRegistry } from './engine-host.ts';
import { type FoundPlugin, findPlugin, findPlugins, loadPlugin, type PluginPlaces } from './load-plugin.ts';

/** What decides which engine runs; only the name is needed. */
export interface ChooseEngineOptions {
  /** As in `context.engine`. */
  readonly name: string;
  /** Where plugins may come from, as `pluginPlaces` gives them. @default nowhere */
  readonly places?: PluginPlaces;
  /** Engines that the program itself has registered. @default none */
  readonly registry?: OpenRegistry;
  /** The built-in engine's options: it runs where nothing else is named, and takes over where a plugin fails. */
  readonly compressor?: CompressorOptions;
  /** Where the sessions are kept; without it a takeover knows only the list it is given. */
  readonly store?: Store;
  /** Settings for plugins, by name, as in `plugins.options`. @default {} */
  readonly options?: Readonly<Record<string, JsonObject>>;
  /** How long a plugin may take to compress, or to run a tool, in milliseconds; to load at most 15 seconds of it. @default 120_000 */
  readonly timeoutMs?: number;
  /** What follows where it cannot be made, or a compression of it fails. @default 'takeover' */
  readonly onFailure?: GuardOptions<Message>['onFailure'];
  /** Told, in a line for people, whenever a plugin fails. */
  readonly onNotice?: (notice: string) => void;
}

const knownOptions: KnownOptions<ChooseEngineOptions> = {
  name: true,
  places: true,
  registry: true,
  compressor: true,
  store: true,
  options: true,
  timeoutMs: true,
  onFailure: true,
  onNotice: true,
};

/** The engine that runs. */
export interface ChosenEngine {
  readonly name: string;
  /** Where it came from, for people; `built-in` for ours. */
  readonly from: string;
  /** Set when the engine asked for is not the one that runs. */
  readonly warning?: string;
  /** Set with it: `is not known`, or why it could not be loaded. */
  readonly problem?: string;
  /** For `createConversations`; absent for the default engine, which it has itself. */
  readonly engine?: (sessionId: SessionId) => ContextEngine<Message>;
}

const defaultTimeoutMs = 120_000;
/** Nobody waits longer for an engine that does not load. */
export const loadLimit = (timeoutMs: number): number => Math.min(timeoutMs, 15_000);

const defaultEngine = 'compressor';
/** The engines that ship with Palimpsest. */
export const builtInEngines: readonly string[] = [defaultEngine];

/**
 * The engine of that name: from a plugin folder, then from the registry and the packages that were named, then a
 * built-in one. Only a plugin that has the name is run. One that is unknown or broken never stops a session: the
 * built-in one runs, and `warning` says why.
 */
export async function chooseEngine(options: ChooseEngineOptions): Promise<ChosenEngine> {
  checkKnownOptions('chooseEngine', options, knownOptions);
  const { name, places = { folders: [], packages: [] }, registry, timeoutMs = defaultTimeoutMs } = options;
  const limitMs = loadLimit(timeoutMs);
  const inFolders = async (): Promise<EngineFactory | undefined> => {
    const plugin = await findPlugin('context_engine', name, places);
    return plugin && engineOf([plugin], name, limitMs);
  };
  const inPackages = async (): Promise<EngineFactory | undefined> =>
    name === defaultEngine ? undefined : engineOf(await findPlugins({ ...places, folders: [] }), name, limitMs);
  const { engine: factory, ...found } = await resolveEngine<EngineFactory>(name, {
    sources: [
      { label: 'plugins/context_engine', find: inFolders },
      { label: 'the plugin registry', find: async () => registry?.find(name) ?? (await inPackages()) },
    ],
    builtIn: [],
    fallback: { name: defaultEngine, create: ({ createCompressor: create }) => create(options.compressor) },
  });
  const known = { name: factory.name, ...found };
  if (found.from === 'built-in') return known;
  const tokenizer = options.compressor?.tokenizer ?? (await tokenizerFor(options.compressor?.model ?? ''));
  return { ...known, engine: (sessionId) => guardedFor(factory, { ...options, timeoutMs, sessionId, tokenizer }) };
}

/** The engine of one of the plugins; a broken plugin is only heard of where no other one has the engine. */
async function engineOf(
  plugins: readonly FoundPlugin[],
  name: string,
  timeoutMs: number,
): Promise<EngineFactory | undefined> {
  const registry = createPluginRegistry();
  const broken: unknown[] = [];
  for (const plugin of plugins) {
    // One of another name offers nothing that was asked for.
    if (plugin.manifest?.kind === 'context_engine' && plugin.name !== name) continue;
    if (plugin.manifest?.kind === 'memory_provider') continue;
    try {
      await loadPlugin(plugin, registry, timeoutMs);
    } catch (error) {
      broken.push(error);
    }
    const found = registry.find(name);
    if (found) return found;
  }
  if (broken.length === 1) throw broken[0];
  if (broken.length > 0) throw new Error(broken.map(reasonOf).join('; '));
  return undefined;
}

interface Made extends ChooseEngineOptions {
  readonly timeoutMs: number;
  readonly sessionId: SessionId;
  readonly tokenizer: Tokenizer;
}

/** The engine for a session, guarded; where it cannot even be made the built-in one, or `BAD_PLUGIN` is thrown. */
function guardedFor(factory: EngineFactory, made: Made): ContextEngine<Message> {
  const { sessionId, tokenizer, timeoutMs, onNotice, onFailure = 'takeover', compressor = {} } = made;
  const fallback = fallbackFor(made);
  const { [factory.name]: settings = {} } = made.options ?? {};
  try {
    const { contextLength } = fallback;
    const basis = { sessionId, tokenizer, options: settings, model: compressor.model ?? '', contextLength };
    const engine = engineFrom(factory, basis);
    return guardEngine(engine, { fallback, timeoutMs, onFailure, ...(onNotice ? { onNotice } : {}) });
  } catch (error) {
    const what = `The context engine "${factory.name}" could not be created (${reasonOf(error)})`;
    if (onFailure === 'throw') throw badPlugin(what, error);
    onNotice?.(`${what}; "${fallback.name}" is used instead.`);
    return fallback;
  }
}

function fallbackFor({ sessionId, tokenizer, store, compressor }: Made): ContextEngine<Message> {
  const options = { ...compressor, tokenizer };
  return store ? storedCompressor(store, sessionId, options) : createCompressor(options);
}
