/** JSON over HTTP with a service: bounded in size, never redirected to somebody else, its failures in a line. */
import { isJsonObject, type JsonValue, parseJson } from '@palimpsest/core/settings';
import { causeCode, ServiceError, statusText } from './service-error.ts';

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with a slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal: AbortSignal;
}

/** The value of the answer; null for an empty one. @throws ServiceError */
export type JsonApi = (request: JsonRequest) => Promise<JsonValue>;

const mostBytes = 4 * 1024 * 1024;

export function jsonApi(baseUrl: string, headers: Readonly<Record<string, string>>): JsonApi {
  const base = baseUrl.replace(/\/+$/, '');
  return async ({ method, path, query, body, signal }) => {
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const init = {
      method,
      headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      // A key in a header of its own would go along to wherever a redirect leads.
      redirect: 'manual',
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    } as const;
    const response = await fetch(`${base}${path}${search}`, init).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new ServiceError(`no connection (${causeCode(cause) ?? 'it cannot be reached'})`, { cause });
    });
    const text = await textOf(response, signal);
    if (response.status >= 300 && response.status < 400) {
      throw new ServiceError(`HTTP ${response.status}: it redirects; set its address to where it is now`, response);
    }
    if (!response.ok) throw new ServiceError(withoutKeys(failureText(response.status, text), headers), response);
    if (text.trim() === '') return null;
    const value = parseJson(text.trim());
    if (value === undefined) throw new ServiceError('its answer is no JSON', { status: response.status });
    return value;
  };
}

async function textOf(response: Response, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      if (bytes > mostBytes) throw new ServiceError(`its answer is longer than ${mostBytes} bytes`);
      pieces.push(piece);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ServiceError ? error : new ServiceError('its answer broke off', { cause: error });
  }
  return Buffer.concat(pieces).toString();
}

/** Some services repeat the key that they refuse. */
function withoutKeys(text: string, headers: Readonly<Record<string, string>>): string {
  const keys = Object.values(headers).map((value) => value.replace(/^\S+ /, ''));
  return keys.reduce((masked, key) => (key.length < 6 ? masked : masked.replaceAll(key, '[its key]')), text);
}

/** With what the service says of it, where it says something short. */
function failureText(status: number, text: string): string {
  const value = parseJson(text.trim());
  const said = isJsonObject(value)
    ? [value.detail, value.message, value.error].find((one) => one !== undefined)
    : undefined;
  const message = isJsonObject(said) ? said.message : said;
  const known = statusText(status);
  return typeof message === 'string' && message.length < 200 ? `${known} (${message})` : known;
}
