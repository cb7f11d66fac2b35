/** Serves clients over streamable HTTP: one address, every request for itself. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { PalimpsestError } from '@palimpsest/core/settings';
import { answerTo, bad, errorCodes, mostFrameBytes, readFrame, tooLarge } from './frames.ts';
import { type GuardOptions, refusalOf } from './http-guard.ts';
import { createServer, type ServerParts } from './server.ts';

export interface HttpOptions extends GuardOptions {
  /** 0 for one that is free. */
  readonly port: number;
  readonly onError: (error: Error) => void;
}

export interface ListeningServer {
  /** What clients are given. */
  readonly url: string;
  /** Takes no more requests, and waits a little for those under way. */
  close(): Promise<void>;
}

const path = '/mcp';
const mostConnections = 256;
/** A request that is not here by then is given up: nobody writes one by hand. */
const requestTimeoutMs = 60_000;
const mostDrainMs = 5_000;

/** Listens. Throws `BAD_OPTION` where the address or the port cannot be had. */
export async function serveOverHttp(parts: ServerParts, options: HttpOptions): Promise<ListeningServer> {
  const { onError } = options;
  const handler = createMcpHandler(() => createServer(parts), {
    onerror: onError,
    maxRequestBodySize: mostFrameBytes,
  });
  const server = createHttpServer({ requestTimeout: requestTimeoutMs, headersTimeout: 20_000 }, (request, response) => {
    answer(request, response, { handler, options }).catch((error: unknown) => {
      onError(error instanceof Error ? error : new Error(String(error)));
      response.destroy();
    });
  });
  server.maxConnections = mostConnections;
  const { port } = await listening(server, options);
  const name = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${name}:${port}${path}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), mostDrainMs);
      await handler.close();
      await closed;
      clearTimeout(timer);
    },
  };
}

function listening(server: Server, { host, port }: HttpOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `expected a host and a port that can be listened at, got ${host} and ${port}: ${cause.message}`;
      reject(new PalimpsestError('BAD_OPTION', message, { cause, evidence: { host, port } }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (typeof address === 'object' && address) resolve(address);
    });
  });
}

interface Answering {
  readonly handler: McpHttpHandler;
  readonly options: HttpOptions;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { handler, options }: Answering,
): Promise<void> {
  const { host, origin, authorization } = request.headers;
  const refusal = refusalOf({ host, origin, authorization }, options);
  if (refusal) {
    const headers = refusal.status === 401 ? { 'www-authenticate': 'Bearer realm="palimpsest"' } : {};
    return refuse(response, refusal.status, { message: refusal.message, headers });
  }
  if (request.url?.split('?')[0] !== path)
    return refuse(response, 404, { message: `expected the path ${path}, got another one` });
  const body = request.method === 'POST' ? await bodyOf(request) : new Uint8Array();
  if (body === undefined) return refuse(response, 413, { message: tooLarge(mostFrameBytes).message });
  const frame = request.method === 'POST' ? readFrame(body) : undefined;
  // What came is no message: the handler would take it apart, however deep it is.
  if (frame?.type === 'bad') return respond(response, 400, { body: answerTo(frame) });
  const aborted = new AbortController();
  response.on('close', () => aborted.abort());
  const reply = await handler.fetch(webRequest(request, body, aborted.signal));
  await relay(reply, response);
}

/** Undefined for more than a message may have. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    // A request without an encoding gives buffers.
    pieces.push(piece as Buffer);
    bytes += pieces.at(-1)?.length ?? 0;
    if (bytes > mostFrameBytes) return undefined;
  }
  return new Uint8Array(Buffer.concat(pieces));
}

function webRequest(request: IncomingMessage, body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const { method = 'GET' } = request;
  return new Request(`http://palimpsest${path}`, { method, headers, signal, ...(method === 'POST' ? { body } : {}) });
}

async function relay(reply: Response, response: ServerResponse): Promise<void> {
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  if (!reply.body) {
    response.end();
    return;
  }
  for await (const piece of reply.body) {
    if (response.destroyed) return;
    if (!response.write(piece))
      await new Promise<void>((resolve) => {
        response.once('drain', resolve);
        response.once('close', resolve);
      });
  }
  response.end();
}

interface RefusalText {
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const refuse = (response: ServerResponse, status: number, { message, headers }: RefusalText): void =>
  respond(response, status, { body: answerTo(bad(errorCodes.request, message)), ...(headers ? { headers } : {}) });

interface ErrorBody {
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function respond(response: ServerResponse, status: number, { body, headers = {} }: ErrorBody): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(`${JSON.stringify(body)}\n`);
}
