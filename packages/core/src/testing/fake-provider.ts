/** A model provider for tests: a real HTTP server that speaks three dialects, and says what scripts tell it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { PalimpsestError } from '../shared/errors.ts';
import { checkKnownOptions } from '../shared/options/known-options.ts';
import { checkScript } from './check-reply.ts';
import { serveRequest } from './exchange.ts';
import { faithfulSummary } from './faithful-summary.ts';
import { type FakeProviderOptions, fixedNow, knownProviderOptions } from './options.ts';
import { realWait } from './pace.ts';
import { openRecord, type RequestRecord, readBody } from './record.ts';
import type { Script } from './reply.ts';
import type { DialectName, FakeRequest } from './request.ts';

/** A provider that answers as it is told. */
export interface FakeProvider {
  /** `http://127.0.0.1:port`: the base URL for Anthropic's own SDK. */
  readonly url: string;
  /** The base URL for a client of the dialect: `url` with `/v1`. Anthropic's own SDK wants `url` itself. */
  baseUrl(dialect: DialectName): string;
  /** All requests so far, in the order in which they came. */
  readonly requests: readonly FakeRequest[];
  /** Settles when so many requests have come, with the last of them. */
  received(count: number): Promise<FakeRequest>;
  /**
   * Queues scripts, one for each of the next requests that pass the checks of the provider.
   * @throws BAD_OPTION for what is neither a reply nor a function; nothing is queued then
   */
  reply(...scripts: readonly Script[]): void;
  /** Ends the server and every open connection. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a provider on a free port of 127.0.0.1. @throws BAD_OPTION for an option that is none */
export async function startFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  checkKnownOptions('startFakeProvider', options, knownProviderOptions);
  if (options.script !== undefined) checkScript(options.script);
  const records: RequestRecord[] = [];
  const scripts: Script[] = [];
  const arrivals = new Set<() => void>();
  const settings = { ...options, now: options.now ?? fixedNow, wait: options.wait ?? realWait };
  const nextScript = (): Script => scripts.shift() ?? options.script ?? faithfulSummary;

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming);
    if (body === undefined) return;
    const record = openRecord({ number: records.length + 1, incoming, response, body });
    records.push(record);
    for (const arrived of arrivals) arrived();
    await serveRequest(record, { settings, nextScript });
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  const url = await listening(server);
  const close = (): Promise<void> => ended(server, records);
  return {
    url,
    baseUrl: () => `${url}/v1`,
    get requests() {
      return records.map(({ request }) => request);
    },
    received: (count) => arrival(records, count, arrivals),
    reply: (...more) => {
      for (const script of more) checkScript(script);
      scripts.push(...more);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new PalimpsestError(
      'BAD_OPTION',
      'Expected the fake provider to listen on a port of 127.0.0.1; it does not.',
    );
  }
  return `http://127.0.0.1:${address.port}`;
}

function ended(server: Server, records: readonly RequestRecord[]): Promise<void> {
  for (const record of records) record.fate.leave();
  return new Promise((resolve) => {
    // The error says that the server is closed already.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function arrival(records: readonly RequestRecord[], count: number, arrivals: Set<() => void>): Promise<FakeRequest> {
  return new Promise((resolve) => {
    const look = (): void => {
      const record = records[count - 1];
      if (!record) return;
      arrivals.delete(look);
      resolve(record.request);
    };
    arrivals.add(look);
    look();
  });
}
