/** A server between a client and the next one, which passes everything on and keeps what went through. */
import { createHash } from 'node:crypto';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** One request as it went through. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Undefined while nothing was answered. */
  readonly status: number | undefined;
}

export interface Tap extends AsyncDisposable {
  readonly url: string;
  readonly passed: readonly Passed[];
}

export interface TapOptions {
  /** Where requests go, without a slash at the end. */
  readonly target: string;
  /** True to refuse WebSockets with 426, as a provider that has none; else they are passed on as they are. */
  readonly refusesSockets?: boolean;
}

type Kept = { -readonly [Key in keyof Passed]: Passed[Key] };

/** Listens on a free port of 127.0.0.1. */
export async function openTap({ target, refusesSockets = false }: TapOptions): Promise<Tap> {
  const passed: Kept[] = [];
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const kept: Kept = {
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
      status: undefined,
    };
    passed.push(kept);
    if (refusesSockets && incoming.headers.upgrade !== undefined) {
      kept.status = 426;
      response.writeHead(426, { connection: 'close' }).end();
      return;
    }
    const onward = ask(`${target}${kept.path}`, { method: kept.method, headers: incoming.headers }, (answer) => {
      kept.status = answer.statusCode;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  };
  // A client that goes away in the middle of a body has nobody to be answered.
  const server = createServer((incoming, response) => void pass(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Expected the tap to listen on a port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    passed,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
