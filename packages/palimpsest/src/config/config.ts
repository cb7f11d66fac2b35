/** The whole configuration: its sections, and how each of them is checked. A new section is one line in each table. */
import { type CompressionConfig, compressionDefaults, type OutputConfig, outputDefaults } from '@palimpsest/core';
import type { JsonObject } from '@palimpsest/core/engine';
import {
  compressionField,
  count,
  type Field,
  type Fields,
  field,
  flag,
  group,
  isJsonObject,
  isObject,
  listOf,
  mapOf,
  nullable,
  numberFrom,
  oneOf,
  outputField,
  text,
  wrong,
} from '@palimpsest/core/settings';
import { type GatewayConfig, gatewayDefaults, gatewayField } from './gateway.ts';

// Plugins in the configuration. In files under `plugins`.

/** Which code of others may run, and what it is told. */
export interface PluginsConfig {
  /** Plugins that register engines: names of packages, or absolute paths of folders. Of projects only trusted ones may name them. @default [] */
  readonly packages: readonly string[];
  /** Folders of projects whose own plugins, engine, packages and hooks may be used. Only your own configuration may name them. @default [] */
  readonly trustedProjects: readonly string[];
  /** Settings that a plugin is handed, by the plugin's name. @default {} */
  readonly options: Readonly<Record<string, JsonObject>>;
  /** Seconds that a plugin may take to compress, or to run one of its tools. To load, it has 15 seconds at most. @default 120 */
  readonly timeoutSeconds: number;
}

/** Every default of plugins. */
const pluginsDefaults: PluginsConfig = { packages: [], trustedProjects: [], options: {}, timeoutSeconds: 120 };

/** The field of the whole section. */
const pluginsField: Field<PluginsConfig> = group<PluginsConfig>(
  {
    packages: listOf(text),
    trustedProjects: listOf(text),
    options: mapOf(field('an object', isJsonObject)),
    timeoutSeconds: count(1),
  },
  pluginsDefaults,
);

// Commands that run where a conversation begins, is compressed, or ends. In files under `hooks`.

/** A command that is told an event as JSON, and may answer in JSON. */
export interface HookCommand {
  /** A line for the shell, or a program and its arguments. */
  readonly command: string | readonly string[];
  /** Milliseconds after which it is ended. @default 5000 */
  readonly timeoutMs: number;
}

/** The commands of each event, in the order in which they run. */
export interface HooksConfig {
  /** Before a compression; each may answer with `veto` and `keep`. @default [] */
  readonly compressionStart: readonly HookCommand[];
  /** After a compression, with its sizes. @default [] */
  readonly compressionEnd: readonly HookCommand[];
  /** Where a session begins or is read back. @default [] */
  readonly sessionStart: readonly HookCommand[];
  /** Where a compression has opened the session that goes on. @default [] */
  readonly sessionContinue: readonly HookCommand[];
  /** Where a conversation really ends. @default [] */
  readonly sessionEnd: readonly HookCommand[];
}

/** No command for any event. */
export const hooksDefaults: HooksConfig = {
  compressionStart: [],
  compressionEnd: [],
  sessionStart: [],
  sessionContinue: [],
  sessionEnd: [],
};

/** How long a command may take unless it says otherwise. */
const defaultTimeoutMs = 5_000;

const words = listOf(text, 1);

const commandLine: Field<string | readonly string[]> = {
  expected: 'a line for the shell, or a list of a program and its arguments',
  parse(value, place) {
    if (Array.isArray(value)) return words.parse(value, place);
    return typeof value === 'string' && value.trim() !== ''
      ? value
      : wrong(value, { expected: commandLine.expected, place });
  },
};

const whole = group<HookCommand>({ command: commandLine, timeoutMs: numberFrom(1, 600_000, 'whole') });

/** A missing timeout takes its default; a missing command has none. */
const hookCommand: Field<HookCommand> = {
  expected: 'an object with command and, if it needs more or less than 5000, timeout_ms',
  parse(value, place) {
    if (!isObject(value)) return wrong(value, { expected: hookCommand.expected, place });
    // What was read from a file is parsed once more with everything else, and then it is written as in code.
    const { timeoutMs = defaultTimeoutMs, ...given } = value;
    const key = place.keys === 'snake_case' ? 'timeout_ms' : 'timeoutMs';
    return whole.parse({ [key]: timeoutMs, ...given }, place);
  },
};

/** The field of the whole section. */
const hooksField: Field<HooksConfig> = group<HooksConfig>(
  {
    compressionStart: listOf(hookCommand),
    compressionEnd: listOf(hookCommand),
    sessionStart: listOf(hookCommand),
    sessionContinue: listOf(hookCommand),
    sessionEnd: listOf(hookCommand),
  },
  hooksDefaults,
);

export interface Config {
  /** The conversation's own model: which it is, where, and how it is called. */
  readonly model: ModelConfig;
  /** Which engine fits the context into the window. */
  readonly context: ContextConfig;
  /** The built-in engine. */
  readonly compression: CompressionConfig;
  /** Room for tool results; what does not fit is saved whole. */
  readonly output: OutputConfig;
  /** Models for work beside the conversation. */
  readonly auxiliary: AuxiliaryConfig;
  /** Where conversations are kept. */
  readonly store: StoreConfig;
  /** What is remembered beyond conversations. */
  readonly memory: MemoryConfig;
  /** The system prompt of the agent. */
  readonly prompt: PromptConfig;
  /** Engines that others wrote. */
  readonly plugins: PluginsConfig;
  /** Commands of yours that are told what happens. */
  readonly hooks: HooksConfig;
  /** The HTTP gateway, which only your own configuration may set up. */
  readonly gateway: GatewayConfig;
}

export interface ModelConfig {
  /** The model of conversations, as `provider/model` or its id; null for the first provider with a key, else a server on this machine. @default null */
  readonly name: string | null;
  /** Its provider, where the name does not begin with it; null where the name tells. @default null */
  readonly provider: string | null;
  /** Address of an own endpoint; without a provider that has its own way it speaks Chat Completions. @default null */
  readonly baseUrl: string | null;
  /** Its window in tokens, before what its server or the model table says; null to ask them. @default null */
  readonly contextLength: number | null;
  /** How long Anthropic keeps cached text after its last use: an hour is for people who pause, and dearer to write. @default '5m' */
  readonly cacheTtl: '5m' | '1h';
}

export interface StoreConfig {
  /** The database file, which only your own configuration may name; null for `palimpsest.db` in your data folder. @default null */
  readonly path: string | null;
}

export interface MemoryConfig {
  /** The folder of MEMORY.md and USER.md, which only your own configuration may name; null for `memories` beside the store. @default null */
  readonly folder: string | null;
  /** Name of the one memory provider beside the built-in memory; null for none. Of projects only trusted ones may name it. @default null */
  readonly provider: string | null;
  /** What each memory provider is told, by its name; palimpsest memory setup asks for it. Of projects only trusted ones may say it. @default {} */
  readonly providers: Readonly<Record<string, JsonObject>>;
}

export interface PromptConfig {
  /** Share of the window that the whole system prompt may have, 0.05 to 0.5. @default 0.25 */
  readonly maxShare: number;
  /** Share of the window that definitions of tools may have before those that are seldom used wait behind a search, 0 to 1. @default 0.1 */
  readonly toolShare: number;
  /** Whether the prompt shows AGENTS.md, CLAUDE.md and skills of the project. @default true */
  readonly projectFiles: boolean;
}

export interface ContextConfig {
  /** Name of the context engine; a plugin is only used when it is named here. @default 'compressor' */
  readonly engine: string;
}

export interface AuxiliaryConfig {
  /** Who writes summaries. */
  readonly compression: AuxiliaryModel;
  /** Who sums up what a search found. */
  readonly sessionSearch: SessionSearchConfig;
}

export interface AuxiliaryModel {
  /** `auto` for the session's live model, `main` for the configured main model, or a provider's name. @default 'auto' */
  readonly provider: string;
  /** The model's id, or `provider/model`; null for the session's or the main model. @default null */
  readonly model: string | null;
  /** Address of an own endpoint; without a provider that has its own way it speaks Chat Completions. @default null */
  readonly baseUrl: string | null;
  /** The model's window in tokens, where it cannot be looked up. @default null */
  readonly contextLength: number | null;
  /** Seconds without any sign of life from the model after which a call is given up. @default 120 */
  readonly timeoutSeconds: number;
  /** Seconds after which a call is given up, whatever it does. @default 600 */
  readonly totalTimeoutSeconds: number;
}

export interface SessionSearchConfig {
  /** `auto` for the session's live model, `main` for the configured main model, or a provider's name. @default 'auto' */
  readonly provider: string;
  /** The model's id, or `provider/model`; null for the session's model, on the command line none. @default null */
  readonly model: string | null;
  /** Address of an own endpoint; without a provider that has its own way it speaks Chat Completions. @default null */
  readonly baseUrl: string | null;
  /** The model's window in tokens, where it cannot be looked up. @default null */
  readonly contextLength: number | null;
  /** Seconds without any sign of life from the model after which a call is given up. @default 60 */
  readonly timeoutSeconds: number;
  /** Seconds after which a search goes on without the summaries that are not there yet. @default 90 */
  readonly totalTimeoutSeconds: number;
  /** Summaries that are written at the same time, 1 to 5. @default 3 */
  readonly maxConcurrency: number;
}

/** Every default of the project. */
export const configDefaults: Config = {
  model: { name: null, provider: null, baseUrl: null, contextLength: null, cacheTtl: '5m' },
  context: { engine: 'compressor' },
  compression: compressionDefaults,
  output: outputDefaults,
  auxiliary: {
    compression: {
      provider: 'auto',
      model: null,
      baseUrl: null,
      contextLength: null,
      timeoutSeconds: 120,
      totalTimeoutSeconds: 600,
    },
    sessionSearch: {
      provider: 'auto',
      model: null,
      baseUrl: null,
      contextLength: null,
      timeoutSeconds: 60,
      totalTimeoutSeconds: 90,
      maxConcurrency: 3,
    },
  },
  store: { path: null },
  memory: { folder: null, provider: null, providers: {} },
  // As `promptMaxShare` and `defaultToolShare`, whose door loads the scan: most commands need none of it.
  prompt: { maxShare: 0.25, toolShare: 0.1, projectFiles: true },
  plugins: pluginsDefaults,
  hooks: hooksDefaults,
  gateway: gatewayDefaults,
};

const auxiliaryModel: Fields<AuxiliaryModel> = {
  provider: text,
  model: nullable(text),
  baseUrl: nullable(text),
  contextLength: nullable(count(1)),
  timeoutSeconds: count(1),
  totalTimeoutSeconds: count(1),
};

/** Never says what it got: that may be a key in the wrong place. */
const providerSettings: Field<JsonObject> = {
  expected: 'an object of settings',
  parse(value, place) {
    if (isJsonObject(value)) return value;
    place.report({ at: place.at, message: `expected ${providerSettings.expected}` });
    return undefined;
  },
};

/** The field of the whole configuration. */
export const configField: Field<Config> = group<Config>(
  {
    model: group<ModelConfig>(
      {
        name: nullable(text),
        provider: nullable(text),
        baseUrl: nullable(text),
        contextLength: nullable(count(1)),
        cacheTtl: oneOf(['5m', '1h']),
      },
      configDefaults.model,
    ),
    context: group({ engine: text }, configDefaults.context),
    compression: compressionField,
    output: outputField,
    auxiliary: group<AuxiliaryConfig>(
      {
        compression: group<AuxiliaryModel>(auxiliaryModel, configDefaults.auxiliary.compression),
        sessionSearch: group<SessionSearchConfig>(
          { ...auxiliaryModel, maxConcurrency: numberFrom(1, 5, 'whole') },
          configDefaults.auxiliary.sessionSearch,
        ),
      },
      configDefaults.auxiliary,
    ),
    store: group<StoreConfig>({ path: nullable(text) }, configDefaults.store),
    memory: group<MemoryConfig>(
      { folder: nullable(text), provider: nullable(text), providers: mapOf(providerSettings) },
      configDefaults.memory,
    ),
    prompt: group<PromptConfig>(
      { maxShare: numberFrom(0.05, 0.5), toolShare: numberFrom(0, 1), projectFiles: flag },
      configDefaults.prompt,
    ),
    plugins: pluginsField,
    hooks: hooksField,
    gateway: gatewayField,
  },
  configDefaults,
);
