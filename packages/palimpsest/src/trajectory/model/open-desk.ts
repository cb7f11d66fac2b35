/** From the settings of a run to the desk at which its workers ask for summaries. */
import { setTimeout as delay } from 'node:timers/promises';
import { PalimpsestError, type Summarizer } from '@palimpsest/core';
import { loadSummarizer } from '../../models/load-model.ts';
import { type ModelRequest, resolveModel } from '../../models/resolve-model.ts';
import { onlyServed, servedModels } from '../../models/served-models.ts';
import type { SummarizationSection, TrajectoryConfig } from '../settings/config.ts';
import type { SlotLimits } from '../work/slots.ts';
import { type CallClock, CallGate } from './call-gate.ts';
import { countDesk } from './count-desk.ts';
import { ModelDesk } from './model-desk.ts';
import { openPaidAnswers } from './paid-answers.ts';
import { costOf, type Pricing } from './spending.ts';
import type { SummaryDesk } from './summary-desk.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A model that can be asked. */
export interface ReadyModel {
  readonly summarizer: Summarizer;
  readonly gate: CallGate;
  readonly clock: CallClock;
  readonly pricing: Pricing;
}

/** Where the desk of a run keeps what it was answered. */
export interface OpenDeskOptions {
  /** The model; undefined for a dry run, which asks nobody. */
  readonly model: ReadyModel | undefined;
  /** What it writes is kept there until the run is over. */
  readonly answersPath: string | undefined;
  /** True to go on with what an earlier run was answered. */
  readonly isResumed: boolean;
}

/** True where a model writes the summaries. */
export const hasModel = ({ summarization: { model, baseUrl } }: TrajectoryConfig): boolean =>
  model !== null || baseUrl !== null;

/** What may wait for the model in each worker: a record has one call at a time under way. */
export const askingLimits = (
  { maxConcurrentRequests, maxRecordMegabytes }: TrajectoryConfig['processing'],
  workers: number,
): SlotLimits => ({
  records: Math.ceil(maxConcurrentRequests / workers),
  bytes: maxRecordMegabytes * 1_048_576,
});

/** Time and chance of the platform. */
const realClock: CallClock = {
  now: Date.now,
  wait: (ms, signal) => delay(Math.min(ms, 2 ** 31 - 1), undefined, { signal }),
  random: Math.random,
};

/**
 * The model that the settings name, before anything is asked of it.
 * @throws SummarizerError `no_provider` for a model that cannot be asked
 * @throws BAD_CONFIG for a variable that is not set, and for a cap on what has no known price
 */
export async function readyModel(
  { summarization, processing }: TrajectoryConfig,
  env: Environment,
  clock: CallClock = realClock,
): Promise<ReadyModel> {
  const request = await modelRequest(summarization, env);
  const gate = new CallGate(processing.maxConcurrentRequests, clock);
  // What an answer says of limits holds for all calls.
  const fetch: typeof globalThis.fetch = async (...call) => {
    const response = await globalThis.fetch(...call);
    gate.heard(response.headers, response.status);
    return response;
  };
  const totalTimeoutMs = Math.ceil(processing.perTrajectoryTimeout * 1_000);
  const summarizer = await loadSummarizer(request, { fetch, totalTimeoutMs });
  const pricing = pricingOf(summarization, summarizer.name);
  requirePrice(summarization, pricing);
  return { summarizer, gate, clock, pricing };
}

/** The desk of a run. */
export async function openDesk(
  { summarization }: TrajectoryConfig,
  { model, answersPath, isResumed }: OpenDeskOptions,
): Promise<SummaryDesk> {
  if (!model) return countDesk(pricingOf(summarization, summarization.model ?? ''));
  return new ModelDesk({
    ...model,
    answers: await openPaidAnswers(answersPath, isResumed),
    temperature: temperatureFor(model.summarizer.name, summarization),
    maxRetries: summarization.maxRetries,
    retryDelayMs: summarization.retryDelay * 1_000,
    maxCost: summarization.maxCost ?? undefined,
    onCap: summarization.onCap,
  });
}

async function modelRequest(
  { model, baseUrl, apiKeyEnv }: SummarizationSection,
  env: Environment,
): Promise<ModelRequest> {
  const apiKey = apiKeyEnv === null ? undefined : env[apiKeyEnv];
  if (apiKeyEnv !== null && !apiKey)
    throw badSetting(`summarization.api_key_env names ${apiKeyEnv}, which is not set: set it to the key`);
  const known = {
    env,
    ...(baseUrl === null ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
  if (model !== null) return { ...known, model };
  const flag = '--summarizer';
  const address = resolveModel({ ...known, model: '(the model it serves)' });
  return { ...known, model: onlyServed(await servedModels(address, { flag }), { baseUrl: address.baseUrl, flag }) };
}

export const pricingOf = ({ inputPrice, outputPrice }: SummarizationSection, model: string): Pricing => ({
  model,
  inputPrice,
  outputPrice,
});

function requirePrice({ maxCost }: SummarizationSection, pricing: Pricing): void {
  if (maxCost === null || costOf(pricing, { inputTokens: 1_000, outputTokens: 100 }) !== undefined) return;
  throw badSetting(
    `the price of ${pricing.model} is not known, so that its cost cannot be capped: set summarization.input_price and output_price (US dollars for a million tokens), or leave out --max-cost`,
  );
}

/** Kimi's models refuse any temperature but their own. */
const temperatureFor = (name: string, { temperature }: SummarizationSection): number | undefined =>
  /kimi|moonshot/i.test(name) ? undefined : temperature;

const badSetting = (message: string): PalimpsestError => new PalimpsestError('BAD_CONFIG', message);
