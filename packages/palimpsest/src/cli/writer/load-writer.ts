/** From who is to write to models that can be asked. Nothing of the AI SDK is loaded before this is. */
import { modelInfo, type Summarizer, SummarizerError } from '@palimpsest/core';
import type { AuxiliaryModel } from '../../config/config.ts';
import { loadSummarizer } from '../../models/load-model.ts';
import { modelWindow } from '../../models/model-window.ts';
import { type ModelAddress, type ModelRequest, resolveModel, rowNamed } from '../../models/resolve-model.ts';
import { onlyServed, servedModels } from '../../models/served-models.ts';
import { badOption, given } from '../option-values.ts';
import { type WantedModel, type WriterChoice, wantedName } from './choose-writer.ts';

export interface Writer {
  readonly first: Summarizer;
  readonly fallback: Summarizer | undefined;
  /** Where a model is, by its name, where that is not its provider's own address. */
  readonly addresses: ReadonlyMap<string, string>;
}

interface WriterSetting {
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
  { first, fallback, isNamed }: Pick<WriterChoice, 'fallback' | 'isNamed'> & { readonly first: WantedModel },
  setting: WriterSetting,
): Promise<Writer> {
  const addresses = new Map<string, string>();
  const loading = { setting, addresses };
  return {
    first: await (isNamed ? loadModel(first, loading) : loadOrFail(first, loading)),
    fallback: fallback && (await loadOrFail(fallback, loading)),
    addresses,
  };
}

interface Loading {
  readonly setting: WriterSetting;
  readonly addresses: Map<string, string>;
}

async function loadModel(wanted: WantedModel, { setting, addresses }: Loading): Promise<Summarizer> {
  const { env, timeouts } = setting;
  const served = { ...wanted, model: '(the model it serves)', env };
  const named: ModelRequest = { ...wanted, model: wanted.model ?? (await servedModel(resolveModel(served))), env };
  const address = resolveModel(named);
  const isKnown = !address.local && modelInfo(address.model)?.contextWindow !== undefined;
  const told = named.contextLength ?? (isKnown ? undefined : setting.contextLength);
  // How large a window a server was started with only the server knows.
  const contextLength = told ?? (address.local ? (await modelWindow({ address })).tokens : undefined);
  const summarizer = await loadSummarizer(
    { ...named, ...given({ contextLength }) },
    { idleTimeoutMs: timeouts.timeoutSeconds * 1_000, totalTimeoutMs: timeouts.totalTimeoutSeconds * 1_000 },
  );
  const home = rowNamed(address.provider)?.baseUrl;
  if (address.baseUrl !== undefined && address.baseUrl !== home) addresses.set(summarizer.name, address.baseUrl);
  return summarizer;
}

/** The model, or one that fails with the reason why it cannot be loaded. */
async function loadOrFail(wanted: WantedModel, loading: Loading): Promise<Summarizer> {
  try {
    return await loadModel(wanted, loading);
  } catch (error) {
    if (!(error instanceof SummarizerError)) throw error;
    return { name: wantedName(wanted), write: () => Promise.reject(error) };
  }
}

/**
 * The only model that an address lists.
 * @throws SummarizerError `network` when it cannot be asked, `no_provider` when it lists none
 * @throws BAD_OPTION when it serves several, naming them
 */
async function servedModel(address: ModelAddress): Promise<string> {
  const { provider, baseUrl, local } = address;
  if (!local && rowNamed(provider)?.baseUrl !== undefined)
    throw badOption(`expected a model of ${provider}: name it with --summarizer`);
  const flag = '--summarizer';
  return onlyServed(await servedModels(address, { flag }), { baseUrl, flag });
}
