/** The whole configuration: its sections, and how each of them is checked. A new section is one line in each table. */
import { type CompressionConfig, compressionDefaults, type OutputConfig, outputDefaults } from '@palimpsest/core';
import {
  compressionField,
  count,
  type Field,
  type Fields,
  group,
  nullable,
  numberFrom,
  oneOf,
  outputField,
  text,
} from '@palimpsest/core/settings';
import { type HooksConfig, hooksDefaults, hooksField } from './hooks.ts';
import { type PluginsConfig, pluginsDefaults, pluginsField } from './plugins.ts';

export interface Config {
  /** How the conversation's own model is called. */
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
  /** Engines that others wrote. */
  readonly plugins: PluginsConfig;
  /** Commands of yours that are told what happens. */
  readonly hooks: HooksConfig;
}

export interface ModelConfig {
  /** How long Anthropic keeps cached text after its last use: an hour is for people who pause, and dearer to write. @default '5m' */
  readonly cacheTtl: '5m' | '1h';
}

export interface StoreConfig {
  /** The database file, which only your own configuration may name; null for `palimpsest.db` in your data folder. @default null */
  readonly path: string | null;
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
  model: { cacheTtl: '5m' },
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
  plugins: pluginsDefaults,
  hooks: hooksDefaults,
};

const auxiliaryModel: Fields<AuxiliaryModel> = {
  provider: text,
  model: nullable(text),
  baseUrl: nullable(text),
  contextLength: nullable(count(1)),
  timeoutSeconds: count(1),
  totalTimeoutSeconds: count(1),
};

/** The field of the whole configuration. */
export const configField: Field<Config> = group<Config>(
  {
    model: group<ModelConfig>({ cacheTtl: oneOf(['5m', '1h']) }, configDefaults.model),
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
    plugins: pluginsField,
    hooks: hooksField,
  },
  configDefaults,
);
