/**
 * The model of a conversation: the one that is named, else the configured one, else that of the first provider whose key is
 * there, else one on this machine. Which it is, how large its window is, and who says so.
 */
import { PalimpsestError, SummarizerError } from '@palimpsest/core';
import type { AnyModel } from '@palimpsest/core/ai-sdk';
import type { ModelConfig } from '../config/config.ts';
import { isLoopback } from './ask-server.ts';
import { type ImportPackage, loadModel } from './load-model.ts';
import { findLocalModel, type LocalServer, localServers } from './local-servers.ts';
import { type ModelWindow, modelWindow } from './model-window.ts';
import { compatibleRow, providerRows } from './providers.data.ts';
import {
  type Environment,
  knownProvider,
  type ModelAddress,
  type ModelRequest,
  resolveModel,
  rowNamed,
} from './resolve-model.ts';
import { firstThatTalks, onlyServed, servedModels } from './served-models.ts';
import { usualModels } from './usual-models.data.ts';

/** What decides which model it is. */
export interface MainModelOptions {
  /** What was typed: `provider/model`, a model alone, or a provider alone. Goes before everything else. */
  readonly named?: string | undefined;
  /** An address that was typed beside it. */
  readonly baseUrl?: string | undefined;
  /** A person's own settings: a project must not say where conversations and keys go. */
  readonly config: Omit<ModelConfig, 'cacheTtl'>;
  readonly env: Environment;
  /** For questions to servers, and for the calls of the model. @default the platform's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Loads a package that is not ours by name. @default `import` */
  readonly importPackage?: ImportPackage;
  /** Where a model on this machine is looked for. @default `localServers` */
  readonly servers?: readonly LocalServer[];
  readonly signal?: AbortSignal | undefined;
}

/** A model to hold a conversation with. */
export interface MainModel {
  readonly model: AnyModel;
  /** `provider/model`: by this name tokens are counted and prices found. */
  readonly name: string;
  readonly provider: string;
  readonly address: ModelAddress;
  readonly contextLength?: number;
  readonly windowFrom: ModelWindow['from'];
  /** Set where its server has not loaded it: `modelWindow` with `load` says more, once there is time. */
  readonly isWindowAssumed?: true;
  /** True for a server on this machine. */
  readonly local: boolean;
  /** Why it is this one. */
  readonly from: 'named' | 'config' | 'key' | 'server';
  /** For people. */
  readonly notes: readonly string[];
}

/**
 * The model of a conversation, loaded. Only the package of its provider is.
 * @throws NO_MODEL when there is none, with what to set in three lines; or when the one that was named has no known provider, no
 * key, or no package
 * @throws BAD_OPTION for a base URL that is none, and for an address that serves several models where none was named
 */
export async function mainModel(options: MainModelOptions): Promise<MainModel> {
  const { config, fetch, signal } = options;
  const { request, from, note } = await wanted(options).catch(refused);
  const { importPackage } = options;
  const address = resolved(request);
  const configured = isConfigured(options) ? config.contextLength : null;
  const [model, window] = await Promise.all([
    loadModel(address, { fetch, ...(importPackage ? { importPackage } : {}) }).catch(refused),
    modelWindow({ address, configured, fetch, signal }),
  ]);
  return {
    model,
    name: `${address.provider}/${address.model}`,
    provider: address.provider,
    address,
    ...(window.tokens === undefined ? {} : { contextLength: window.tokens }),
    windowFrom: window.from,
    ...(window.isAssumed ? { isWindowAssumed: true } : {}),
    local: address.local === true || isLoopback(address.baseUrl ?? ''),
    from,
    notes: [...(note === undefined ? [] : [note]), ...window.notes],
  };
}

interface Wanted {
  readonly request: ModelRequest;
  readonly from: MainModel['from'];
  readonly note?: string;
}

async function wanted(options: MainModelOptions): Promise<Wanted> {
  const { named, config, env } = options;
  if (named !== undefined) return { request: await namedRequest(named, options), from: 'named' };
  const { name, provider, baseUrl } = config;
  if (name !== null || provider !== null || baseUrl !== null) {
    return { request: await configuredRequest(options), from: 'config' };
  }
  const usual = usualModels.find((one) => hasKey(one.slice(0, one.indexOf('/')), env));
  if (usual !== undefined) return withKey(usual, options);
  return onThisMachine(options);
}

/** True where the configured window is that of the model: of another one it says nothing. */
function isConfigured({ named, config: { name, provider } }: MainModelOptions): boolean {
  if (named === undefined || (name === null && provider === null)) return true;
  return named === name || named === `${provider}/${name}`;
}

/** A name with its provider stands for itself; one without is a model at the configured address. */
async function namedRequest(named: string, options: MainModelOptions): Promise<ModelRequest> {
  const { env, config } = options;
  if (named.trim() === '') throw noModel('Expected --model to name a model, such as openai/gpt-5; got an empty text.');
  const { name } = rowNamed(named) ?? {};
  if (name !== undefined) return providerAlone({ provider: name, env }, options);
  const provider = knownProvider(named);
  if (provider !== undefined) {
    // What stands for any address has none of its own.
    const configured = provider === compatibleRow.name ? (config.baseUrl ?? undefined) : undefined;
    const baseUrl = options.baseUrl ?? configured;
    return { model: named, env, ...(baseUrl === undefined ? {} : { baseUrl }) };
  }
  return { model: named, env, ...placeIn(config) };
}

async function configuredRequest(options: MainModelOptions): Promise<ModelRequest> {
  const { config, env } = options;
  const place = placeIn(config);
  if (config.name !== null) return { model: config.name, env, ...place };
  return providerAlone({ ...place, env }, options);
}

function placeIn({ provider, baseUrl }: MainModelOptions['config']): Pick<ModelRequest, 'provider' | 'baseUrl'> {
  return { ...(provider === null ? {} : { provider }), ...(baseUrl === null ? {} : { baseUrl }) };
}

/** A place without a model: the usual one of its provider, else one that it serves. */
async function providerAlone(place: Omit<ModelRequest, 'model'>, options: MainModelOptions): Promise<ModelRequest> {
  const usual = place.provider === undefined || place.baseUrl !== undefined ? undefined : usualOf(place.provider);
  if (usual !== undefined) return servedAt({ ...place, model: usual }, options);
  const address = resolveModel({ ...place, model: '(the model it serves)' });
  if (address.baseUrl === undefined || (isHome(address) && !address.local)) {
    throw noModel(`Expected a model of ${address.provider}: name it, as in --model ${address.provider}/NAME.`);
  }
  return { ...place, model: await servedBy(address, options) };
}

const usualOf = (provider: string): string | undefined =>
  usualModels.find((one) => one.startsWith(`${rowNamed(provider)?.name ?? provider}/`))?.replace(/^[^/]+\//, '');

const isHome = ({ provider, baseUrl }: ModelAddress): boolean => rowNamed(provider)?.baseUrl === baseUrl;

/** The only model of an address; of several on this machine the first that can talk. */
async function servedBy(address: ModelAddress, { fetch, signal }: MainModelOptions): Promise<string> {
  const ids = await servedModels(address, { fetch, signal, flag: '--model' });
  const first = address.local || isLoopback(address.baseUrl ?? '') ? firstThatTalks(ids) : undefined;
  return first ?? onlyServed(ids, { baseUrl: address.baseUrl, flag: '--model' });
}

/** A variable may send a provider's name to another address, which has models of its own. */
async function servedAt(request: ModelRequest, options: MainModelOptions): Promise<ModelRequest> {
  const address = resolveModel(request);
  const isElsewhere = address.api === 'openai-chat' && address.provider === 'openai';
  return isElsewhere ? { ...request, model: await servedBy(address, options) } : request;
}

const hasKey = (provider: string, env: Environment): boolean =>
  (rowNamed(provider)?.keys ?? []).some((key) => (env[key] ?? '').trim() !== '');

async function withKey(usual: string, options: MainModelOptions): Promise<Wanted> {
  const provider = usual.slice(0, usual.indexOf('/'));
  const { env } = options;
  const request = await servedAt({ provider, model: usual.slice(provider.length + 1), env }, options);
  const key = rowNamed(provider)?.keys.find((one) => (env[one] ?? '').trim() !== '');
  return {
    request,
    from: 'key',
    note: `${provider}/${request.model}, because ${key} is set (--model chooses another)`,
  };
}

async function onThisMachine({ servers = localServers, fetch, signal, env }: MainModelOptions): Promise<Wanted> {
  const found = await findLocalModel(servers, { fetch, signal });
  if (!found) throw noModel(nothingFound(servers, env));
  const { provider, title, baseUrl, model } = found;
  const note = `${provider}/${model}, which ${title} serves at ${baseUrl}: no key is set (--model chooses another)`;
  return { request: { provider, model, baseUrl, env }, from: 'server', note };
}

/** Three lines: what was looked for, the key to set, the model to name. */
function nothingFound(servers: readonly LocalServer[], env: Environment): string {
  const unused = providerRows.find(({ name }) => hasKey(name, env))?.name;
  const hint = unused === undefined ? 'ollama/qwen3' : `${unused}/NAME`;
  const looked = servers.map(({ title }) => title).join(', ');
  return [
    `There is no model to talk to: none is named, no key is set, and no server answers on this machine (${looked}).`,
    'Set the key of a provider: export ANTHROPIC_API_KEY=… (or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY, …).',
    `Or start a server, or name a model: --model ${hint}, or model.name and model.base_url in your config.yaml.`,
  ].join('\n');
}

const noModel = (message: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError('NO_MODEL', message, { evidence: {}, cause });

function resolved(request: ModelRequest): ModelAddress {
  try {
    return resolveModel(request);
  } catch (error) {
    return refused(error);
  }
}

/** What keeps a model from summing up keeps it from talking, too. */
function refused(error: unknown): never {
  if (!(error instanceof SummarizerError)) throw error;
  throw noModel(error.message, error);
}
