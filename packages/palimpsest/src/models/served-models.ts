/** Which models an address serves, as servers of Chat Completions list them under `/models`. */
import { PalimpsestError, SummarizerError } from '@palimpsest/core';
import { isJsonObject, type JsonValue } from '@palimpsest/core/settings';
import { type AskLimits, askServer } from './ask-server.ts';
import type { ModelAddress } from './resolve-model.ts';

/** Who asks, for what an error says, and how long it waits. */
export interface AskServed extends Partial<AskLimits> {
  /** The flag that names a model, such as `--summarizer`. */
  readonly flag: string;
}

/** A server on the same machine answers at once, one in the next room nearly so. */
const patienceMs = 10_000;

/**
 * The ids that an address lists, in its own order.
 * @throws SummarizerError `network` when it cannot be asked, `no_provider` when it does not say or lists none
 */
export async function servedModels(
  { baseUrl = '', apiKey }: Pick<ModelAddress, 'baseUrl' | 'apiKey'>,
  { flag, fetch, signal, timeoutMs = patienceMs }: AskServed,
): Promise<readonly [string, ...string[]]> {
  const answer = await askServer({ url: `${baseUrl}/models`, apiKey }, { fetch, signal, timeoutMs });
  if (answer.type === 'nothing') {
    const { why, status } = answer;
    const message =
      status === undefined
        ? `${baseUrl} cannot be reached (${why}): check the base URL, which often ends in /v1`
        : `${baseUrl}/models is of no use: ${why}. Name the model with ${flag}`;
    throw new SummarizerError(status === undefined ? 'network' : 'no_provider', message, { model: baseUrl });
  }
  const [first, ...others] = listedIds(answer.value);
  if (first !== undefined) return [first, ...others];
  const none = `${baseUrl}/models lists no model: name one with ${flag}`;
  throw new SummarizerError('no_provider', none, { model: baseUrl });
}

const mostNamed = 12;

/**
 * The only one of them.
 * @throws BAD_OPTION where there are several, naming them
 */
export function onlyServed(
  [only, ...others]: readonly [string, ...string[]],
  { baseUrl = '', flag }: { readonly baseUrl: string | undefined; readonly flag: string },
): string {
  if (others.length === 0) return only;
  const found = [only, ...others];
  const rest = found.length > mostNamed ? `, and ${found.length - mostNamed} more` : '';
  const named = found.slice(0, mostNamed).join(', ');
  const message = `${baseUrl} serves ${found.length} models: choose one with ${flag}: ${named}${rest}`;
  throw new PalimpsestError('BAD_OPTION', message);
}

/** The rows of a list of models. */
export function listedRows(value: JsonValue): readonly Readonly<Record<string, unknown>>[] {
  const rows: unknown = isJsonObject(value) ? value.data : undefined;
  return Array.isArray(rows) ? rows.filter((row) => isJsonObject(row)) : [];
}

/** The ids in it. */
export const listedIds = (value: JsonValue): readonly string[] =>
  listedRows(value).flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []));

/** Words of ids of models that make vectors, sounds or pictures: nobody can talk with them. */
const speechless =
  /(?:^|[^a-z])(?:embed\w*|bge|gte|e5|minilm|rerank\w*|whisper|tts|clip|colbert|moderation|diffusion|flux)(?:[^a-z]|$)/i;

/** The first model that can hold a conversation, as far as its name tells. */
export const firstThatTalks = (ids: readonly string[]): string | undefined => ids.find((id) => !speechless.test(id));
