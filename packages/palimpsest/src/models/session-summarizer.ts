/** Who writes the summaries of a conversation that is held now (S7): the model it is held with, the main model, or one of its own. */
import { aiSdkSummarizer, type Summarizer, SummarizerError } from '@palimpsest/core';
import type { SessionWriter, SummaryWriter } from '@palimpsest/core/ai-sdk';
import type { AuxiliaryModel, ModelConfig } from '../config/config.ts';
import { type LoadModelOptions, loadModel } from './load-model.ts';
import type { MainModel } from './main-model.ts';
import { modelWindow } from './model-window.ts';
import {
  chooseSummarizer,
  type Environment,
  type ModelAddress,
  type ModelChoice,
  resolveModel,
} from './resolve-model.ts';

/** What decides who writes. */
export interface SessionSummarizerOptions extends LoadModelOptions {
  /** `auxiliary.compression` of a person's own settings. */
  readonly config: AuxiliaryModel;
  /** `model` of the same: `main` is what it names. */
  readonly main: Omit<ModelConfig, 'cacheTtl'>;
  /** What the conversation is held with now. After a change of the model it is asked for again. */
  readonly live: MainModel;
  readonly env: Environment;
}

/** Who writes the summaries. */
export interface SessionSummarizer {
  /** For `summarizer` of a wrapped model. */
  readonly summarizer: SummaryWriter;
  /** `provider/model`. */
  readonly name: string;
  readonly contextLength?: number;
  /** Asked once where that fails. */
  readonly fallback?: string;
  /** For people. */
  readonly notes: readonly string[];
}

/**
 * The writer of summaries. `auto` and everything that comes to the model of the session itself stay with whatever that is when a
 * summary is needed. A model of its own that cannot be used fails when it is asked, with the reason, so that the main model steps
 * in and a person hears why.
 * @throws BAD_OPTION for a base URL that is none
 */
export async function sessionSummarizer(options: SessionSummarizerOptions): Promise<SessionSummarizer> {
  const { config, live } = options;
  const choice = chooseSummarizer(config, modelsOf(options));
  if (choice.type === 'none') return { summarizer: 'session', name: live.name, notes: [choice.reason] };
  const { first } = choice;
  const fallback = choice.fallback && (await fallbackTo(choice.fallback, first, options));
  const timeouts = {
    idleTimeoutMs: config.timeoutSeconds * 1_000,
    totalTimeoutMs: config.totalTimeoutSeconds * 1_000,
  };
  const step = fallback === undefined ? {} : { fallback: fallback.name };
  if (isLive(first, options)) {
    const window = first.contextLength === undefined ? {} : { contextLength: first.contextLength };
    const writer: SessionWriter = { writer: 'session', ...timeouts, ...window, ...(fallback ? { fallback } : {}) };
    return { summarizer: writer, name: live.name, ...window, ...step, notes: [] };
  }
  const { summarizer, notes } = await loadedOrFailing(first, { ...options, timeouts, fallback });
  const { name, contextLength } = summarizer;
  return { summarizer, name, ...(contextLength ? { contextLength } : {}), ...step, notes };
}

/** The models of the session, as the configuration speaks of them. */
function modelsOf({
  live: { address, contextLength },
  main: { name, provider, baseUrl, contextLength: given },
}: SessionSummarizerOptions): {
  readonly liveModel: ModelChoice;
  readonly mainModel?: ModelChoice;
} {
  const { provider: liveProvider, model, baseUrl: liveUrl } = address;
  const liveModel: ModelChoice = {
    provider: liveProvider,
    model,
    ...(liveUrl === undefined ? {} : { baseUrl: liveUrl }),
    ...(contextLength === undefined ? {} : { contextLength }),
  };
  if (name === null) return { liveModel };
  const mainModel: ModelChoice = {
    model: name,
    ...(provider === null ? {} : { provider }),
    ...(baseUrl === null ? {} : { baseUrl }),
    ...(given === null ? {} : { contextLength: given }),
  };
  return { liveModel, mainModel };
}

interface Loading extends SessionSummarizerOptions {
  readonly timeouts: { readonly idleTimeoutMs: number; readonly totalTimeoutMs: number };
  readonly fallback: Summarizer | undefined;
}

interface Loaded {
  readonly summarizer: Summarizer;
  readonly notes: readonly string[];
}

async function loadedOrFailing(choice: ModelChoice, loading: Loading): Promise<Loaded> {
  const { fallback } = loading;
  const step = fallback === undefined ? {} : { fallback };
  try {
    const { env, timeouts } = loading;
    const address = resolveModel({ ...choice, env });
    const [model, window] = await Promise.all([
      loadModel(address, loading),
      modelWindow({ address, configured: choice.contextLength, fetch: loading.fetch }),
    ]);
    const { keyVariable } = address;
    const summarizer = aiSdkSummarizer(model, {
      ...timeouts,
      ...step,
      name: nameOf(address),
      ...(window.tokens === undefined ? {} : { contextLength: window.tokens }),
      ...(keyVariable === undefined ? {} : { keyVariable }),
    });
    return { summarizer, notes: window.notes };
  } catch (error) {
    if (!(error instanceof SummarizerError)) throw error;
    const { provider, model } = choice;
    const name = provider === undefined ? model : `${provider}/${model}`;
    return { summarizer: { name, ...step, write: () => Promise.reject(error) }, notes: [error.message] };
  }
}

const nameOf = ({ provider, model }: ModelAddress): string => `${provider}/${model}`;

/** The main model, unless it is the one that has failed by then; the model of the session as it is loaded. */
async function fallbackTo(
  choice: ModelChoice,
  first: ModelChoice,
  options: SessionSummarizerOptions,
): Promise<Summarizer | undefined> {
  if (isSame(choice, first, options)) return undefined;
  const { live, config } = options;
  const timeouts = {
    idleTimeoutMs: config.timeoutSeconds * 1_000,
    totalTimeoutMs: config.totalTimeoutSeconds * 1_000,
  };
  if (isLive(choice, options)) {
    const { contextLength } = live;
    return aiSdkSummarizer(live.model, { ...timeouts, name: live.name, ...(contextLength ? { contextLength } : {}) });
  }
  return (await loadedOrFailing(choice, { ...options, timeouts, fallback: undefined })).summarizer;
}

const isLive = (choice: ModelChoice, options: SessionSummarizerOptions): boolean =>
  placeOf(choice, options) === placeAt(options.live.address);

const isSame = (one: ModelChoice, other: ModelChoice, options: SessionSummarizerOptions): boolean =>
  placeOf(one, options) === placeOf(other, options);

/** Names differ where a variable or an alias says the same; where a name leads does not. */
function placeOf(choice: ModelChoice, { env }: SessionSummarizerOptions): string {
  try {
    return placeAt(resolveModel({ ...choice, env }));
  } catch (error) {
    if (error instanceof SummarizerError) return `nowhere: ${choice.provider}/${choice.model}`;
    throw error;
  }
}

const placeAt = ({ provider, model, baseUrl = '' }: ModelAddress): string => `${provider}/${model} ${baseUrl}`;
