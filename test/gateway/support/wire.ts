/** Both ends of the wire as bytes: an upstream that shows what it got and sends what it is told, and a client that reads to the end. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A request as its bytes came. */
export interface WireRequest {
  /** Request line and headers, without the empty line. */
  readonly head: string;
  readonly body: Buffer;
  readonly socket: Socket;
}

export interface WireUpstream extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly WireRequest[];
  /** Settles when so many requests have come, with the last of them. */
  readonly received: (count: number) => Promise<WireRequest>;
}

/** Listens, and hands every whole request to `answer`. Bodies need a length, as the gateway writes one. */
export async function wireUpstream(
  answer: (request: WireRequest, number: number) => void,
  port = 0,
): Promise<WireUpstream> {
  const requests: WireRequest[] = [];
  const hearers = new Set<() => void>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest = Buffer.alloc(0);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      rest = Buffer.concat([rest, bytes]);
      for (let request = firstRequest(rest); request; request = firstRequest(rest)) {
        rest = rest.subarray(request.length);
        const whole = { head: request.head, body: request.body, socket };
        requests.push(whole);
        answer(whole, requests.length);
        for (const hear of hearers) hear();
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    requests,
    received: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          const request = requests[count - 1];
          if (!request) return;
          hearers.delete(look);
          resolve(request);
        };
        hearers.add(look);
        look();
      }),
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function firstRequest(bytes: Buffer): { head: string; body: Buffer; length: number } | undefined {
  const at = bytes.indexOf('\r\n\r\n');
  if (at < 0) return undefined;
  const head = bytes.subarray(0, at).toString('latin1');
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const end = at + 4 + length;
  return bytes.length < end ? undefined : { head, body: bytes.subarray(at + 4, end), length: end };
}

/** The lines of headers, without those that each connection has for itself. */
export const headerLines = (head: string): readonly string[] =>
  head
    .split('\r\n')
    .slice(1)
    .filter((line) => !/^(?:host|connection|keep-alive|transfer-encoding|content-length):/i.test(line));

/** A whole answer with a length. */
export const answerOf = (body: string | Uint8Array, head = 'HTTP/1.1 200 OK'): Buffer =>
  Buffer.concat([
    Buffer.from(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ]);

/** What came back, split where its body begins; chunks of a body are put together. */
export interface WireAnswer {
  readonly head: string;
  readonly status: number;
  readonly body: Buffer;
  /** False where the body ended before its length or its last chunk. */
  readonly isWhole: boolean;
}

/** Sends bytes over a connection of its own, and reads until the other side ends it. A request in it should say `connection: close`. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<WireAnswer> {
  const socket = openSocket(url);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return answerIn(await readAll(socket));
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
}

export async function readAll(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  // Not `once` of events, which an error would end: a reset is an end like another.
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(pieces);
}

export function answerIn(bytes: Buffer): WireAnswer {
  const at = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, Math.max(at, 0)).toString('latin1');
  const rest = bytes.subarray(at + 4);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
  if (/^transfer-encoding: chunked/im.test(head)) return { head, status, ...unchunked(rest) };
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  return { head, status, body: rest, isWhole: length === undefined || rest.length === Number(length) };
}

function unchunked(bytes: Buffer): { body: Buffer; isWhole: boolean } {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return { body: Buffer.concat(pieces), isWhole: false };
    const size = Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (size === 0) return { body: Buffer.concat(pieces), isWhole: true };
    pieces.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

/** A request by POST with a body, on a connection that ends after it. */
export const postOf = (path: string, body: string | Uint8Array = '{}', headers: readonly string[] = []): Buffer =>
  Buffer.concat([
    Buffer.from(
      [
        `POST ${path} HTTP/1.1`,
        'Host: 127.0.0.1',
        ...headers,
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '\r\n',
      ].join('\r\n'),
      'latin1',
    ),
    Buffer.from(body),
  ]);
