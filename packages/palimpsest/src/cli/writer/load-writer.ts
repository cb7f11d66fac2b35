/** From who is to write to models that can be asked. Nothing of the AI SDK is loaded before this is. */
import { modelInfo, redact, type Summarizer, SummarizerError } from '@palimpsest/core';
import { isJsonObject, parseJson } from '@palimpsest/core/settings';
import type { AuxiliaryModel } from '../../config/config.ts';
import { loadSummarizer } from '../../models/load-model.ts';
import { type ModelAddress, type ModelRequest, resolveModel, rowNamed } from '../../models/resolve-model.ts';
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
  const contextLength = named.contextLength ?? (isKnown ? undefined : setting.contextLength);
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

/** A server on the same machine answers at once, one in the next room nearly so. */
const patienceMs = 10_000;
const mostNamed = 12;

/**
 * The only model that an address lists under `/models`, as servers of Chat Completions do.
 * @throws SummarizerError `network` when it cannot be asked, `no_provider` when it lists none
 * @throws BAD_OPTION when it serves several, naming them
 */
async function servedModel({ provider, baseUrl = '', apiKey, local }: ModelAddress): Promise<string> {
  if (!local && rowNamed(provider)?.baseUrl !== undefined)
    throw badOption(`expected a model of ${provider}: name it with --summarizer`);
  const found = namesIn(await listAt(baseUrl, apiKey));
  const [only] = found;
  const none = `${baseUrl}/models lists no model: name one with --summarizer`;
  if (only === undefined) throw new SummarizerError('no_provider', none, { model: baseUrl });
  if (found.length === 1) return only;
  const rest = found.length > mostNamed ? `, and ${found.length - mostNamed} more` : '';
  const named = found.slice(0, mostNamed).join(', ');
  throw badOption(`${baseUrl} serves ${found.length} models: choose one with --summarizer: ${named}${rest}`);
}

async function listAt(baseUrl: string, apiKey: string | undefined): Promise<string> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  try {
    const answer = await fetch(`${baseUrl}/models`, { headers, signal: AbortSignal.timeout(patienceMs) });
    if (answer.ok) return await answer.text();
    const message = `${baseUrl}/models answered ${answer.status}: name the model with --summarizer`;
    throw new SummarizerError('no_provider', message, { model: baseUrl });
  } catch (cause) {
    if (cause instanceof SummarizerError) throw cause;
    const said = redact(cause instanceof Error ? cause.message : String(cause));
    const message = `${baseUrl} cannot be reached (${said}): check the base URL, which often ends in /v1`;
    throw new SummarizerError('network', message, { model: baseUrl });
  }
}

function namesIn(text: string): readonly string[] {
  const list = parseJson(text);
  const rows = isJsonObject(list) && Array.isArray(list.data) ? list.data : [];
  return rows.flatMap((row) => (isJsonObject(row) && typeof row.id === 'string' && row.id !== '' ? [row.id] : []));
}
