/** Which model an address serves, for a person who gave an address and no name. */
import { PalimpsestError, redact, SummarizerError } from '@palimpsest/core';
import { isJsonObject, parseJson } from '@palimpsest/core/settings';
import { rowNamed } from '../../models/provider-names.ts';
import type { ModelAddress } from '../../models/resolve-model.ts';

/** A server on the same machine answers at once, one in the next room nearly so. */
const patienceMs = 10_000;
const mostNamed = 12;

/**
 * The only model that the server lists under `/models`, as servers of Chat Completions do.
 * @throws SummarizerError `network` when it cannot be asked, `no_provider` when it lists none
 * @throws BAD_OPTION when it serves several, naming them
 */
export async function servedModel({ provider, baseUrl = '', apiKey, local }: ModelAddress): Promise<string> {
  if (!local && rowNamed(provider)?.baseUrl !== undefined) {
    throw new PalimpsestError('BAD_OPTION', `expected a model of ${provider}: name it with --summarizer`);
  }
  const found = namesIn(await listAt(baseUrl, apiKey));
  const [only] = found;
  if (only === undefined)
    throw failed('no_provider', `${baseUrl}/models lists no model: name one with --summarizer`, baseUrl);
  if (found.length === 1) return only;
  const rest = found.length > mostNamed ? `, and ${found.length - mostNamed} more` : '';
  const named = found.slice(0, mostNamed).join(', ');
  throw new PalimpsestError(
    'BAD_OPTION',
    `${baseUrl} serves ${found.length} models: choose one with --summarizer: ${named}${rest}`,
  );
}

async function listAt(baseUrl: string, apiKey: string | undefined): Promise<string> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  try {
    const answer = await fetch(`${baseUrl}/models`, { headers, signal: AbortSignal.timeout(patienceMs) });
    if (answer.ok) return await answer.text();
    throw failed(
      'no_provider',
      `${baseUrl}/models answered ${answer.status}: name the model with --summarizer`,
      baseUrl,
    );
  } catch (cause) {
    if (cause instanceof SummarizerError) throw cause;
    const said = redact(cause instanceof Error ? cause.message : String(cause));
    throw failed(
      'network',
      `${baseUrl} cannot be reached (${said}): check the base URL, which often ends in /v1`,
      baseUrl,
    );
  }
}

function namesIn(text: string): readonly string[] {
  const list = parseJson(text);
  const rows = isJsonObject(list) && Array.isArray(list.data) ? list.data : [];
  return rows.flatMap((row) => (isJsonObject(row) && typeof row.id === 'string' && row.id !== '' ? [row.id] : []));
}

const failed = (kind: 'network' | 'no_provider', message: string, model: string): SummarizerError =>
  new SummarizerError(kind, message, { model });
