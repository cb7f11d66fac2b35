/** From who is to write to models that can be asked. Nothing of the AI SDK is loaded before this is. */
import { modelInfo, type Summarizer, SummarizerError } from '@palimpsest/core';
import type { AuxiliaryModel } from '../../config/config.ts';
import { type LoadSummarizerOptions, loadSummarizer } from '../../models/load-model.ts';
import { rowNamed } from '../../models/provider-names.ts';
import { type ModelRequest, resolveModel } from '../../models/resolve-model.ts';
import { type WantedModel, type WriterChoice, wantedName } from './choose-writer.ts';
import { servedModel } from './served-model.ts';

/** The models that write. */
export interface Writer {
  readonly first: Summarizer;
  readonly fallback?: Summarizer;
  /** Where a model is, by its name, where that is not its provider's own address. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** What is known beside the names of the models. */
export interface WriterSetting {
  readonly env: ModelRequest['env'];
  readonly timeouts: Pick<AuxiliaryModel, 'timeoutSeconds' | 'totalTimeoutSeconds'>;
  /** The window that was given for a model that nobody knows, in tokens. */
  readonly contextLength?: number;
}

/**
 * The models of a choice. One that was named on the command line and cannot be used is an error at once; a configured
 * one is an outcome of the compression, which goes on without it.
 * @throws SummarizerError `no_provider` for an unknown provider, a missing key or package
 * @throws BAD_OPTION when the base URL is none
 */
export async function loadWriter(
  choice: Extract<WriterChoice, { type: 'model' }>,
  setting: WriterSetting,
): Promise<Writer> {
  const addresses = new Map<string, string>();
  const first = choice.isNamed
    ? await loadModel(choice.first, { setting, addresses })
    : await loadOrFail(choice.first, { setting, addresses });
  if (!choice.fallback) return { first, addresses };
  return { first, fallback: await loadOrFail(choice.fallback, { setting, addresses }), addresses };
}

interface Loading {
  readonly setting: WriterSetting;
  readonly addresses: Map<string, string>;
}

async function loadModel(wanted: WantedModel, { setting, addresses }: Loading): Promise<Summarizer> {
  const { env, timeouts } = setting;
  const named: ModelRequest = { ...wanted, model: wanted.model ?? (await served(wanted, env)), env };
  const address = resolveModel(named);
  const isKnown = !address.local && modelInfo(address.model)?.contextWindow !== undefined;
  const contextLength = named.contextLength ?? (isKnown ? undefined : setting.contextLength);
  const options: LoadSummarizerOptions = {
    idleTimeoutMs: timeouts.timeoutSeconds * 1_000,
    totalTimeoutMs: timeouts.totalTimeoutSeconds * 1_000,
  };
  const summarizer = await loadSummarizer(
    { ...named, ...(contextLength === undefined ? {} : { contextLength }) },
    options,
  );
  const home = rowNamed(address.provider)?.baseUrl;
  if (address.baseUrl !== undefined && address.baseUrl !== home) addresses.set(summarizer.name, address.baseUrl);
  return summarizer;
}

const served = (wanted: WantedModel, env: ModelRequest['env']): Promise<string> =>
  servedModel(resolveModel({ ...wanted, model: '(the model it serves)', env }));

/** The model, or one that fails with the reason why it cannot be loaded. */
async function loadOrFail(wanted: WantedModel, loading: Loading): Promise<Summarizer> {
  try {
    return await loadModel(wanted, loading);
  } catch (error) {
    if (!(error instanceof SummarizerError)) throw error;
    return { name: wantedName(wanted), write: () => Promise.reject(error) };
  }
}
