/** From the name of a model to a summariser that calls it. The packages of the AI SDK are loaded when they are needed. */
import {
  type AiSdkSummarizerOptions,
  aiSdkSummarizer,
  isAiSdkModel,
  modelInfo,
  type Summarizer,
  SummarizerError,
} from '@palimpsest/core';
import type { AnyModel } from '@palimpsest/core/ai-sdk';
import { checkKnownOptions, isJsonObject } from '@palimpsest/core/settings';
import { type ModelAddress, type ModelRequest, resolveModel, unknownProvider } from './resolve-model.ts';

/** What the caller may bring: timeouts, another way to load packages. */
export interface LoadSummarizerOptions extends Pick<AiSdkSummarizerOptions, 'idleTimeoutMs' | 'totalTimeoutMs'> {
  /** Loads a package that is not ours by name. @default `import` */
  readonly importPackage?: (name: string) => Promise<unknown>;
  /** For the calls of the model. @default the platform's */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * The summariser for a model named `provider/model`. OpenAI, Anthropic and every endpoint that speaks Chat Completions
 * work with what is installed along; other providers work through their package of the AI SDK, once it is installed.
 * Its window is what the request says, else what is known of the model; nobody knows the window of a local server.
 * @throws SummarizerError `no_provider` for an unknown provider, a missing key or package
 * @throws BAD_OPTION when the base URL is none
 */
export async function loadSummarizer(request: ModelRequest, options: LoadSummarizerOptions = {}): Promise<Summarizer> {
  checkKnownOptions('loadSummarizer', options, knownOptions);
  const address = resolveModel(request);
  const { importPackage, fetch, ...timeouts } = options;
  const model = await loadModel(address, { ...(importPackage ? { importPackage } : {}), fetch });
  const contextLength = request.contextLength ?? (address.local ? undefined : modelInfo(address.model)?.contextWindow);
  return aiSdkSummarizer(model, {
    ...timeouts,
    name: `${address.provider}/${address.model}`,
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(address.keyVariable === undefined ? {} : { keyVariable: address.keyVariable }),
  });
}

const knownOptions = { idleTimeoutMs: true, totalTimeoutMs: true, importPackage: true, fetch: true } as const;

/** Loads a package by its name. */
export type ImportPackage = (name: string) => Promise<unknown>;

const importByName: ImportPackage = (name) => import(name);

/** How a model is loaded. */
export interface LoadModelOptions {
  /** @default `import` */
  readonly importPackage?: ImportPackage;
  /** For the calls of the model. @default the platform's */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The package for servers that speak Chat Completions. What it builds on, those of the other providers need too. */
export const loadCompatible = (): Promise<typeof import('@ai-sdk/openai-compatible')> =>
  import('@ai-sdk/openai-compatible');

/**
 * The model at an address. Key and address are always passed on, also empty ones: left out, the packages would look into the
 * environment of the process themselves.
 * @throws SummarizerError `no_provider` for a package that is not there
 */
export async function loadModel(address: ModelAddress, options: LoadModelOptions = {}): Promise<AnyModel> {
  const { api, provider, model, baseUrl: baseURL = '', apiKey = '', keyVariable } = address;
  const via = options.fetch === undefined ? {} : { fetch: options.fetch };
  switch (api) {
    case 'openai-responses': {
      const { createOpenAI } = await installed('@ai-sdk/openai', { address, load: () => import('@ai-sdk/openai') });
      return createOpenAI({ baseURL, apiKey, ...via }).responses(model);
    }
    case 'anthropic': {
      const load = (): Promise<typeof import('@ai-sdk/anthropic')> => import('@ai-sdk/anthropic');
      const { createAnthropic } = await installed('@ai-sdk/anthropic', { address, load });
      const key = keyVariable === 'ANTHROPIC_AUTH_TOKEN' ? { authToken: apiKey } : { apiKey };
      return createAnthropic({ baseURL, ...key, ...via }).languageModel(model);
    }
    case 'openai-chat': {
      const { createOpenAICompatible } = await installed('@ai-sdk/openai-compatible', {
        address,
        load: loadCompatible,
      });
      const includeUsage = !address.usageUnasked;
      return createOpenAICompatible({ name: provider, baseURL, apiKey, includeUsage, ...via }).chatModel(model);
    }
    case 'package':
      return await packagedModel(address, options);
  }
}

/** A model of `@ai-sdk/<provider>`: of a factory `createXyz`, or of the ready-made provider that the package exports. */
async function packagedModel(
  address: ModelAddress,
  { importPackage = importByName, fetch }: LoadModelOptions,
): Promise<AnyModel> {
  const { provider, model, baseUrl, apiKey } = address;
  const packageName = `@ai-sdk/${provider}`;
  if (!/^[a-z0-9][a-z0-9-]*$/.test(provider)) throw unknownProvider(provider, { model, packageName: '@ai-sdk/…' });
  const exported = await installed(packageName, { address, load: () => importPackage(packageName) });
  const settings = {
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(fetch === undefined ? {} : { fetch }),
  };
  for (const made of providersIn(exported, provider)) {
    const found = made(settings, model);
    // Packages of the AI SDK make models of its interface; who uses one asks for its version.
    if (isAiSdkModel(found)) return found as object as AnyModel;
  }
  throw new SummarizerError('no_provider', `${packageName} has no language models: use another provider.`, {
    model: `${provider}/${model}`,
  });
}

type MakeModel = (settings: object, model: string) => unknown;

/** The ways to a model in a package, the factory that bears the provider's name first. */
function providersIn(exported: unknown, provider: string): readonly MakeModel[] {
  if (!isJsonObject(exported)) return [];
  const functions = Object.entries<unknown>(exported).filter(([, value]) => typeof value === 'function');
  const plain = provider.replaceAll('-', '').toLowerCase();
  const likeness = (name: string): number => (name.toLowerCase().startsWith(`create${plain}`) ? 0 : 1);
  const factories = functions
    .filter(([name]) => /^create[A-Z]/.test(name))
    .toSorted(([a], [b]) => likeness(a) - likeness(b) || a.length - b.length)
    .map(
      ([, make]): MakeModel =>
        (settings, model) =>
          languageModel(called(make, settings), model),
    );
  const ready = functions
    .filter(([name]) => !/^create[A-Z]/.test(name))
    .map(
      ([, made]): MakeModel =>
        (_, model) =>
          languageModel(made, model),
    );
  return [...factories, ...ready];
}

function languageModel(provider: unknown, model: string): unknown {
  if (typeof provider !== 'function' && !isJsonObject(provider)) return undefined;
  const make = 'languageModel' in provider ? provider.languageModel : undefined;
  return called(make, model);
}

/** What a function of a foreign package gives back; one that does not take our argument is not what we look for. */
function called(make: unknown, argument: unknown): unknown {
  if (typeof make !== 'function') return undefined;
  try {
    return make(argument);
  } catch {
    return undefined;
  }
}

/** A package, or the error that says how to get it. */
async function installed<T>(
  packageName: string,
  { address, load }: { address: ModelAddress; load: () => Promise<T> },
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { provider, model } = address;
    const code = isJsonObject(cause) ? cause.code : undefined;
    const missing = code === 'ERR_MODULE_NOT_FOUND' && String(cause).includes(packageName);
    if (missing && address.api === 'package') throw unknownProvider(provider, { model, packageName });
    const trouble = missing ? 'is not installed' : `cannot be loaded (${String(cause).slice(0, 200)})`;
    throw new SummarizerError(
      'no_provider',
      `${provider}/${model} needs the package ${packageName}, which ${trouble}: npm install ${packageName}.`,
      { model: `${provider}/${model}`, cause },
    );
  }
}
