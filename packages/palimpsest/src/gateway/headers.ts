/** Headers on their way through: which of them belong to a connection and end here, and which are the gateway's own. */
import type { HeaderList } from './middle.ts';

/** The header with the key of the gateway; every name that begins like it ends here. */
export const keyHeader = 'x-palimpsest-key';
const ownPrefix = 'x-palimpsest-';

/** What is between two neighbours (RFC 9110, 7.6.1), and what the gateway writes anew. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const writtenAnew: ReadonlySet<string> = new Set(['host', 'content-length', 'expect']);

/** Pairs of a flat list of names and values, as Node has it. */
export function pairsOf(flat: readonly (string | Uint8Array)[]): HeaderList {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([latin1(flat[at]), latin1(flat[at + 1])]);
  return pairs;
}

/** Headers are bytes; one character for each of them loses none. */
const latin1 = (value: string | Uint8Array | undefined): string =>
  typeof value === 'string' ? value : Buffer.from(value ?? []).toString('latin1');

export const flatOf = (headers: HeaderList): string[] => headers.flat();

/** What of a request goes on: names, values and order as they came. */
export function requestHeaders(all: HeaderList): HeaderList {
  const named = namedByConnection(all);
  return all.filter(([name]) => {
    const lower = name.toLowerCase();
    return !hopByHop.has(lower) && !writtenAnew.has(lower) && !lower.startsWith(ownPrefix) && !named?.has(lower);
  });
}

/** What of an answer goes on. Its length does: the body is not changed. */
export function answerHeaders(all: HeaderList): HeaderList {
  const named = namedByConnection(all);
  return all.filter(([name]) => {
    const lower = name.toLowerCase();
    return !hopByHop.has(lower) && !named?.has(lower);
  });
}

/** What `Connection` names belongs to the connection, too; what a request cannot do without is no such thing. */
function namedByConnection(headers: HeaderList): ReadonlySet<string> | undefined {
  const values = valuesOf(headers, 'connection');
  // As nearly always: for every request this is asked twice.
  if (values.every((value) => /^(?:keep-alive|close)$/i.test(value))) return undefined;
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim().toLowerCase());
  return new Set(names.filter((name) => !neverOfConnection.has(name)));
}

/** A client could otherwise have its key, or the length of a body, taken off on the way. */
const neverOfConnection: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'x-api-key',
  'x-goog-api-key',
  'anthropic-version',
  'anthropic-beta',
]);

/** All values of a header. */
export const valuesOf = (headers: HeaderList, wanted: string): readonly string[] =>
  headers.filter(([name]) => name.length === wanted.length && name.toLowerCase() === wanted).map(([, value]) => value);

// Where the clients of the dialects put their key.

const credentialHeaders: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']);
const keyInQuery = /(?<=[?&])key=([^&]*)/g;

/** Everything in a request that may be a key: of the headers, and of the query as Google takes it. */
export function credentialsIn(headers: HeaderList, target: string): readonly string[] {
  const given = headers.filter(([name]) => isCredential(name)).map(([, value]) => value.replace(/^Bearer[ \t]+/i, ''));
  const inQuery = [...target.matchAll(keyInQuery)].map(([, value = '']) => value);
  return [...given, ...inQuery].map((one) => one.trim());
}

const isCredential = (name: string): boolean => credentialHeaders.has(name.toLowerCase());

/** The same headers without those that hold a key of the client. */
export const withoutCredentials = (headers: HeaderList): HeaderList => headers.filter(([name]) => !isCredential(name));

/** The same headers with the key of an upstream in place of those of the client. */
export const withCredential = (headers: HeaderList, own: readonly [string, string]): HeaderList => [
  ...withoutCredentials(headers),
  own,
];

/** A path without the keys that a client put into its query. */
export const withoutQueryKeys = (path: string): string =>
  path.replace(/([?&])(?:key=[^&]*(?:&|$))+/g, (all, before: string) => (all.endsWith('&') ? before : ''));
