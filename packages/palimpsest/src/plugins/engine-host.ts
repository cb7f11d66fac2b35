/** What a plugin is handed, so that it need not import anything: to register engines, and to make one. */
import { conversationTokens, type Group, type Message, PalimpsestError, type Tokenizer } from '@palimpsest/core';
import {
  badPlugin,
  type Compressor,
  type CompressorOptions,
  type ContextEngine,
  createCompressor,
  defineEngine,
  type EngineParts,
  type EngineState,
  engineState,
  type JsonObject,
  stateKeys,
} from '@palimpsest/core/engine';
import { groupsOf, isFromPerson, messageText } from '@palimpsest/core/formats';
import { isPluginName } from './manifest.ts';

/** What `createEngine` of a plugin is handed: about its session, and the parts of Palimpsest that engines need. */
export interface EngineHost {
  /** The name under which the engine was asked for. */
  readonly name: string;
  readonly sessionId: string;
  /** `plugins.options.<name>` of the configuration. */
  readonly options: JsonObject;
  readonly model: string;
  /** The window in tokens. */
  readonly contextLength: number;
  readonly defineEngine: (parts: EngineParts<Message>) => ContextEngine<Message>;
  readonly engineState: (known?: Partial<EngineState>) => EngineState;
  /** The built-in engine, to build upon. */
  readonly createCompressor: (options?: CompressorOptions) => Compressor<Message>;
  /** What must stay together: calls and their results. */
  readonly groupsOf: (messages: readonly Message[]) => readonly Group[];
  /** The text parts of a message. */
  readonly messageText: (message: Message) => string;
  /** True for what a person wrote, false for what programs write in the user's place. */
  readonly isFromPerson: (message: Message) => boolean;
  readonly countTokens: (messages: readonly Message[]) => number;
}

/** What makes an engine for each session. */
export interface EngineFactory {
  readonly name: string;
  /** The engine, or only its own parts: the rest has working defaults. */
  readonly create: (host: EngineHost) => ContextEngine<Message> | EngineParts<Message>;
}

/** What `register` of a general plugin is handed. */
export interface PluginRegistry {
  /**
   * Offers an engine; it is used where `context.engine` names it. Throws `BAD_OPTION` for a name that is taken or cannot
   * be one, and for what is no function.
   */
  registerContextEngine(engine: EngineFactory): void;
}

/** A registry, and what was registered. */
export interface OpenRegistry extends PluginRegistry {
  /** The engine of this name; undefined when there is none. */
  find(name: string): EngineFactory | undefined;
  names(): readonly string[];
}

/** An empty registry, for packages that the configuration names and for a program itself. */
export function createPluginRegistry(): OpenRegistry {
  const engines = new Map<string, EngineFactory>();
  return {
    registerContextEngine({ name, create }) {
      const problem = !isPluginName(String(name))
        ? 'expected a name of lower-case letters, digits, ".", "_" and "-"'
        : typeof create !== 'function'
          ? `expected create of "${name}" to be a function that creates an engine`
          : engines.has(name)
            ? `expected an unused name: an engine "${name}" is already registered`
            : undefined;
      if (problem) throw new PalimpsestError('BAD_OPTION', `${problem}.`);
      engines.set(name, { name, create });
    },
    find: (name) => engines.get(name),
    names: () => [...engines.keys()],
  };
}

/** What is known of a session when its engine is made. */
export interface HostBasis {
  readonly sessionId: string;
  readonly options: JsonObject;
  readonly model: string;
  readonly contextLength: number;
  readonly tokenizer: Tokenizer;
}

/** The engine that a factory makes for a session. Throws `BAD_PLUGIN` for what is no engine, and whatever the factory throws. */
export function engineFrom({ name, create }: EngineFactory, basis: HostBasis): ContextEngine<Message> {
  const { tokenizer, ...known } = basis;
  const made: unknown = create({
    ...known,
    name,
    defineEngine,
    engineState,
    createCompressor,
    groupsOf,
    messageText,
    isFromPerson,
    countTokens: (messages) => conversationTokens(messages, tokenizer),
  });
  return wholeEngine(name, made);
}

const methods = [
  'updateFromResponse',
  'shouldCompress',
  'heldBack',
  'shouldCompressPreflight',
  'hasContentToCompress',
  'onSessionStart',
  'onSessionEnd',
  'onSessionReset',
  'toolSchemas',
  'handleToolCall',
  'status',
  'updateModel',
] as const satisfies readonly (keyof ContextEngine<Message>)[];

function wholeEngine(name: string, made: unknown): ContextEngine<Message> {
  if (made instanceof Promise) {
    // Its failure would end the process.
    made.catch(() => undefined);
    throw badPlugin(`createEngine of "${name}" returned a promise: return the engine itself`);
  }
  if (typeof made !== 'object' || made === null) {
    throw badPlugin(`createEngine of "${name}" returned ${made === null ? 'null' : typeof made} instead of an engine`);
  }
  // Every member is looked at before it is used.
  const engine = made as Partial<ContextEngine<Message>>;
  if (typeof engine.compress !== 'function') throw badPlugin(`the engine "${name}" has no function compress`);
  if (engine.name !== undefined && engine.name !== name) {
    throw badPlugin(
      `the engine "${name}" calls itself ${JSON.stringify(engine.name).slice(0, 70)}: use the same name in both`,
    );
  }
  // Whole is what has every member of the contract.
  const isWhole = engine.name === name && methods.every((key) => typeof engine[key] === 'function') && hasState(engine);
  if (isWhole) return engine as ContextEngine<Message>;
  // The rest has defaults; methods keep the object that they belong to.
  const own = methods.flatMap((key) => {
    const method = engine[key];
    return typeof method === 'function' ? [[key, method.bind(engine)] as const] : [];
  });
  return defineEngine<Message>({
    ...(Object.fromEntries(own) as Partial<EngineParts<Message>>), // each under its own name
    ...(hasState(engine) ? { state: engine } : {}),
    name,
    compress: engine.compress.bind(engine),
  });
}

const hasState = (engine: Partial<EngineState>): engine is EngineState =>
  stateKeys.every((key) => typeof engine[key] === 'number');
