/** Which model writes a session's summaries, and which one steps in when it fails. */
import type { AuxiliaryModel } from '../config/config.ts';
import { knownProvider } from './provider-names.ts';
import type { ModelChoice } from './resolve-model.ts';

export interface ChosenModel extends ModelChoice {
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
