/** A service over loopback HTTP that a test can break: every protocol of a fake stands on it. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
  readonly method: string;
  /** Without the query, decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body; an empty object where there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FakeAnswer {
  readonly status?: number;
  /** Sent as JSON; a text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is wrong with a service: `hold` never answers. */
export type Fault = FakeAnswer | 'hold';

export interface FakeService extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly FakeRequest[];
  /** From now on every request, or those to such paths, meets this fault; undefined for none. */
  breakWith(fault: Fault | undefined, paths?: RegExp): void;
  /** Resolves with the next request that is held. */
  held(): Promise<void>;
}

/** `answer` gives undefined for what the service does not know. */
export async function startService(answer: (request: FakeRequest) => FakeAnswer | undefined): Promise<FakeService> {
  const requests: FakeRequest[] = [];
  let fault: { readonly fault: Fault; readonly paths: RegExp } | undefined;
  let waiting: (() => void)[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const piece of incoming) text += piece;
    const url = new URL(incoming.url ?? '/', 'http://fake');
    const request: FakeRequest = {
      method: incoming.method ?? '',
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: incoming.headers,
      body: text === '' ? {} : JSON.parse(text),
    };
    requests.push(request);
    const broken = fault?.paths.test(request.path) ? fault.fault : undefined;
    if (broken === 'hold') {
      for (const resolve of waiting) resolve();
      waiting = [];
      return;
    }
    const {
      status = 200,
      body = '',
      headers = {},
    } = broken ?? answer(request) ?? { status: 404, body: { detail: 'Not Found' } };
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
    outgoing.end(status === 204 ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    breakWith: (next, paths = /./) => {
      fault = next === undefined ? undefined : { fault: next, paths };
    },
    held: () => new Promise((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** What such services find by: texts that share a word with the query, most words first. */
export function sharing<T extends { readonly text: string }>(kept: Iterable<T>, query: string): readonly T[] {
  const words = wordsOf(query);
  const score = ({ text }: T): number => wordsOf(text).intersection(words).size;
  return [...kept].filter((one) => score(one) > 0).sort((a, b) => score(b) - score(a));
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}-]{3,}/gu));
