/** From the name of a model to the address that serves it and the key for it, and which model sums up. Pure. */
import { modelInfo, PalimpsestError, SummarizerError } from '@palimpsest/core';
import { nearest } from '@palimpsest/core/settings';
import type { AuxiliaryModel } from '../config/config.ts';
import {
  anthropicRow,
  compatibleRow,
  familyProviders,
  openaiRow,
  ownKeyVariable,
  type ProviderRow,
  packageNames,
  providerRows,
} from './providers.data.ts';

/** A model as configuration and sessions name it. */
export interface ModelChoice {
  /** Absent where the model's name begins with it, or its family tells. */
  readonly provider?: string;
  readonly model: string;
  /** Address of an own endpoint. */
  readonly baseUrl?: string;
  /** Its window in tokens, where it cannot be looked up. */
  readonly contextLength?: number;
}

/** A model to reach, with what keys may be taken from. */
export interface ModelRequest extends ModelChoice {
  /** Goes before every variable. */
  readonly apiKey?: string;
  readonly env: Environment;
}

/** How a model is reached. `package` is one of the AI SDK's that only its user knows to be installed. */
export interface ModelAddress extends Key {
  readonly api: 'openai-responses' | 'openai-chat' | 'anthropic' | 'package';
  /** The provider's first name in the table, or the name of its package. */
  readonly provider: string;
  readonly model: string;
  /** Set unless `api` is `package`. */
  readonly baseUrl?: string;
  readonly usageUnasked?: true;
  readonly local?: true;
}

/**
 * Finds the address of a model. A model is named `provider/model`; without a provider its family tells. With a base
 * URL and no provider that we know, the whole name is the model's, and the address speaks Chat Completions; so does
 * `openai` at any address but OpenAI's own, since few others speak Responses. A key is sent to the provider it belongs
 * to: to an address that belongs to nobody we know goes `PALIMPSEST_API_KEY`, or no key.
 * @throws SummarizerError `no_provider` when nobody serves the model or its key is missing, naming the variable
 * @throws BAD_OPTION when the base URL is none
 */
export function resolveModel(request: ModelRequest): ModelAddress {
  const { provider, model } = splitName(request);
  const row = rowNamed(provider);
  if (!row) return packagedAddress(provider, { ...request, model });
  const baseUrl = addressOf(row, request);
  const own = row.baseUrl !== undefined && sameHost(baseUrl, row.baseUrl);
  const key = keyFor(row, { apiKey: request.apiKey, env: request.env, own });
  if (key.apiKey === undefined && own && !row.local) throw missingKey(model, row);
  return {
    api: apiOf(row, own),
    provider: row.name,
    model,
    baseUrl: row === anthropicRow ? withVersion(baseUrl) : baseUrl,
    ...key,
    ...(row.usageUnasked ? { usageUnasked: row.usageUnasked } : {}),
    ...(row.local ? { local: row.local } : {}),
  };
}

interface Name {
  readonly provider: string;
  readonly model: string;
}

function splitName({ provider, model, baseUrl }: ModelRequest): Name {
  const id = model.trim();
  if (id === '') throw noProvider('(none)', 'Expected the name of a model, such as openai/gpt-5; got an empty text.');
  if (provider !== undefined) return { provider: provider.trim().toLowerCase(), model: id };
  const slash = id.indexOf('/');
  const prefixed = slash > 0 ? { provider: id.slice(0, slash).toLowerCase(), model: id.slice(slash + 1) } : undefined;
  if (baseUrl !== undefined) return nameAt(checkedUrl(baseUrl), { id, prefixed });
  if (prefixed) return prefixed;
  const family = familyProviders[modelInfo(id)?.family ?? ''];
  if (family !== undefined) return { provider: family, model: id };
  const shown = JSON.stringify(id.slice(0, 80));
  throw noProvider(id, `Expected a model with its provider, such as openai/gpt-5; got ${shown}. ${knownNames()}`);
}

/**
 * At the address of a provider the name is in its words: `openai/gpt-5` is a model of OpenRouter's. At an address that
 * we do not know most names are those of repositories, such as `google/gemma-3-27b-it` or `openai/gpt-oss-120b`.
 */
function nameAt(url: URL, { id, prefixed }: { readonly id: string; readonly prefixed: Name | undefined }): Name {
  const named = prefixed && rowNamed(prefixed.provider);
  const home = providerRows.find((row) => isHome(url, row));
  if (prefixed && named && (home ? named === home : servedAnywhere(prefixed, named))) return prefixed;
  return { provider: (home ?? compatibleRow).name, model: id };
}

function isHome(url: URL, { baseUrl }: ProviderRow): boolean {
  if (baseUrl === undefined || !sameHost(url.href, baseUrl)) return false;
  const path = url.pathname.replace(/\/+$/, '');
  return path === '' || path.startsWith(new URL(baseUrl).pathname.replace(/\/+$/, ''));
}

/** The prefixes that say how to speak to an address; of OpenAI's models the open ones are served by others. */
function servedAnywhere({ model }: Name, row: ProviderRow): boolean {
  if (row === openaiRow) return !model.startsWith('gpt-oss');
  return row === anthropicRow || row === compatibleRow || row.local === true;
}

/** OpenAI has hosts for regions, such as `eu.api.openai.com`. */
function sameHost(a: string, b: string): boolean {
  const [hostA, hostB] = [new URL(a).host, new URL(b).host];
  return hostA === hostB || hostA.endsWith(`.${hostB}`);
}

/** The variables in which SDKs keep another address of their provider. */
const addressVariables: ReadonlyMap<ProviderRow, string> = new Map([
  [openaiRow, 'OPENAI_BASE_URL'],
  [anthropicRow, 'ANTHROPIC_BASE_URL'],
]);

function addressOf(row: ProviderRow, { baseUrl, env, model }: ModelRequest): string {
  const name = addressVariables.get(row);
  const given = baseUrl ?? (name === undefined ? undefined : variable(env, name)) ?? row.baseUrl;
  if (given !== undefined) return checkedUrl(given).href.replace(/\/+$/, '');
  throw noProvider(
    `${row.name}/${model}`,
    `${row.name} needs the address of its server: set base_url (--base-url), such as http://localhost:8000/v1.`,
  );
}

function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  const shown = JSON.stringify(text.slice(0, 80));
  throw new PalimpsestError(
    'BAD_OPTION',
    `Expected a base URL with http:// or https://, such as http://localhost:8000/v1; got ${shown}.`,
  );
}

function apiOf(row: ProviderRow, own: boolean): ModelAddress['api'] {
  if (row === anthropicRow) return 'anthropic';
  return row === openaiRow && own ? 'openai-responses' : 'openai-chat';
}

/** Anthropic's own SDK and the AI SDK differ in whether the version is part of the base URL; both ways are written. */
const withVersion = (url: string): string => (/\/v\d+$/.test(url) ? url : `${url}/v1`);

/** By custom the variable has the provider's name. Without it the package looks for credentials in its own way. */
function packagedAddress(provider: string, { model, baseUrl, apiKey, env }: ModelRequest): ModelAddress {
  const name = packageNames[provider] ?? provider;
  const keys = [`${name.toUpperCase().replaceAll('-', '_')}_API_KEY`];
  return {
    api: 'package',
    provider: name,
    model,
    ...(baseUrl === undefined ? {} : { baseUrl: checkedUrl(baseUrl).href.replace(/\/+$/, '') }),
    ...keyFor({ keys }, { apiKey, env, own: baseUrl === undefined }),
  };
}

function missingKey(model: string, { name, keys }: ProviderRow): SummarizerError {
  const [first = '', ...others] = keys;
  const also = others.length > 0 ? ` (or ${others.join(', ')})` : '';
  return noProvider(
    `${name}/${model}`,
    `${name}/${model} needs a key: set the environment variable ${first}${also}, or choose another model.`,
  );
}

// Which key goes where: a key is sent to the provider it belongs to and to nobody else.

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Key {
  readonly apiKey?: string;
  /** The variable that it came from. */
  readonly keyVariable?: string;
}

/**
 * The key for a provider: the one that was given, else the first of its variables that is set. An address that is not
 * the provider's own gets `PALIMPSEST_API_KEY` before the provider's key, which only goes there because somebody named
 * this provider together with that address.
 */
function keyFor(
  { keys }: Pick<ProviderRow, 'keys'>,
  { apiKey, env, own }: { readonly apiKey: string | undefined; readonly env: Environment; readonly own: boolean },
): Key {
  if (apiKey !== undefined && apiKey.trim() !== '') return { apiKey: apiKey.trim() };
  for (const keyVariable of own ? keys : [ownKeyVariable, ...keys]) {
    const value = variable(env, keyVariable);
    if (value !== undefined) return { apiKey: value, keyVariable };
  }
  return {};
}

/** The value of a variable; one that is set to nothing is not set. */
function variable(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

// Finds providers by their names, and says what to do when there is none.

/** The provider of that name or alias. */
export function rowNamed(name: string): ProviderRow | undefined {
  const plain = name.trim().toLowerCase();
  return providerRows.find((row) => row.name === plain || row.aliases?.includes(plain));
}

/** The provider that the name of a model begins with, if we know it. */
export function knownProvider(model: string): string | undefined {
  const slash = model.indexOf('/');
  return slash > 0 ? rowNamed(model.slice(0, slash))?.name : undefined;
}

/** A sentence with the names of all providers. */
const knownNames = (): string =>
  `Known providers: ${providerRows.map(({ name }) => name).join(', ')}; for any other server, use --base-url.`;

/** The error for a model that nobody serves. */
const noProvider = (model: string, message: string): SummarizerError =>
  new SummarizerError('no_provider', message, { model });

/** The error for a provider that is neither in the table nor installed. */
export function unknownProvider(
  provider: string,
  { model, packageName }: { readonly model: string; readonly packageName: string },
): SummarizerError {
  const names = providerRows.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const near = nearest(provider, [...names, ...Object.keys(packageNames)]);
  const hint = near === undefined ? '' : `Did you mean "${near}"? `;
  return noProvider(
    `${provider}/${model}`,
    `"${provider}" is not a known provider, and the package ${packageName} is not installed (npm install ${packageName}). ` +
      `${hint}${knownNames()}`,
  );
}

// Which model writes a session's summaries, and which one steps in when it fails.

interface ChosenModel extends ModelChoice {
  /** Who chose it: the task's own configuration, the session as it runs, or the main configuration. */
  readonly from: 'config' | 'live' | 'main';
}

export type SummarizerChoice =
  | { readonly type: 'chosen'; readonly first: ChosenModel; readonly fallback?: ChosenModel }
  /** Nobody named a model. */
  | { readonly type: 'none'; readonly reason: string };

/** The models of the session. */
export interface SessionModels {
  /** What the session talks to now. */
  readonly liveModel?: ModelChoice;
  /** What the configuration names as main model. */
  readonly mainModel?: ModelChoice;
}

/**
 * The model for a task. `auto` is the session's live model, `main` the main model, anything else a provider of the
 * task's own; `model`, `baseUrl` and `contextLength` of the configuration go before those of the session. The fallback
 * is the main model, where that is another one, and there is only one: a second hop would hide what is wrong.
 */
export function chooseSummarizer(
  { provider, model, baseUrl, contextLength }: AuxiliaryModel,
  { liveModel, mainModel }: SessionModels = {},
): SummarizerChoice {
  const main: ChosenModel | undefined = mainModel && { ...mainModel, from: 'main' };
  const live: ChosenModel | undefined = liveModel && { ...liveModel, from: 'live' };
  const session = provider === 'main' ? (main ?? live) : (live ?? main);
  const named = provider === 'auto' || provider === 'main' ? undefined : provider;
  const base = chosen({ named, model, baseUrl }, session);
  if (!base) return { type: 'none', reason: reasonFor(named) };
  const first = contextLength === null ? base : { ...base, contextLength };
  const fallback = main ?? live;
  return { type: 'chosen', first, ...(fallback && nameOf(fallback) !== nameOf(first) ? { fallback } : {}) };
}

type Own = Pick<AuxiliaryModel, 'model' | 'baseUrl'> & { readonly named: string | undefined };

/** What the task's own settings say, filled up with the session's model; undefined when no model is named at all. */
function chosen({ named, model, baseUrl }: Own, session: ChosenModel | undefined): ChosenModel | undefined {
  if (named === undefined && model === null && baseUrl === null) return session;
  const address = baseUrl === null ? {} : { baseUrl };
  // Another provider, or a name that brings its own, has nothing to do with where the session's model is.
  const elsewhere = named !== undefined || baseUrl !== null || knownProvider(model ?? '') !== undefined;
  const id = model ?? (named === undefined || named === session?.provider ? session?.model : undefined);
  if (id === undefined) return undefined;
  if (elsewhere) return { ...(named === undefined ? {} : { provider: named }), model: id, ...address, from: 'config' };
  return {
    ...(session?.provider === undefined ? {} : { provider: session.provider }),
    ...(session?.baseUrl === undefined ? {} : { baseUrl: session.baseUrl }),
    model: id,
    from: 'config',
  };
}

const reasonFor = (named: string | undefined): string =>
  named === undefined
    ? 'No model for summaries is configured: set auxiliary.compression.model, such as openai/gpt-5-mini.'
    : `auxiliary.compression.provider is ${named}, but no model is named: set auxiliary.compression.model.`;

const nameOf = ({ provider, model, baseUrl = '' }: ModelChoice): string =>
  `${provider === undefined ? model : `${provider}/${model}`} ${baseUrl.replace(/\/+$/, '')}`.toLowerCase();
