/**
 * Questions to the server of a model beside its calls: which models it has, how large their windows are. What comes back is
 * nobody's word: it has a time limit, a size limit, and is read field by field. Nothing here throws.
 */
import { redact } from '@palimpsest/core';
import { type JsonValue, parseJson } from '@palimpsest/core/settings';

/** Where a question goes. */
export interface ServerQuestion {
  readonly url: string;
  /** Sent as JSON with POST; without it the question is a GET. */
  readonly body?: JsonValue;
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined;
}

export interface AskLimits {
  /** @default the platform's */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds for the whole answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What came back: JSON, or why there is none. `status` is set where the server answered at all. */
export type ServerAnswer =
  | { readonly type: 'answered'; readonly value: JsonValue }
  | { readonly type: 'nothing'; readonly why: string; readonly status?: number };

/** The list of all models of a router has about a megabyte. */
const mostBytes = 8_000_000;

/** Asks once. A redirect is not followed: a key would go along to where nobody wanted it. */
export async function askServer({ url, body, apiKey }: ServerQuestion, limits: AskLimits): Promise<ServerAnswer> {
  const { fetch = globalThis.fetch, timeoutMs, signal } = limits;
  const late = AbortSignal.timeout(timeoutMs);
  const headers = {
    accept: 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  try {
    const answer = await fetch(url, {
      headers,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, late]) : late,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const { status } = answer;
    if (!answer.ok) {
      await answer.body?.cancel();
      return { type: 'nothing', why: `it answered ${status}`, status };
    }
    const value = parseJson(await textOf(answer));
    return value === undefined
      ? { type: 'nothing', why: 'its answer is no JSON', status }
      : { type: 'answered', value };
  } catch (error) {
    const why = late.aborted ? `no answer within ${timeoutMs} ms` : saidBy(error);
    return { type: 'nothing', why };
  }
}

/** The text of an answer as far as it may be read; what is longer is no JSON then. */
async function textOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.byteLength;
    text += decoder.decode(part, { stream: true });
    if (bytes > mostBytes) break;
  }
  return text + decoder.decode();
}

/** Fetch hides the reason in its cause. */
function saidBy(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return redact(cause instanceof Error ? cause.message || cause.name : String(cause)).slice(0, 200);
}

/** True for an address on this machine. */
export function isLoopback(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
