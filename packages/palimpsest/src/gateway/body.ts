/** Receives the body of a request whole, within its limits of size and time. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Timers } from '@palimpsest/core/settings';
import { type Refusal, refusalBody, refusalHeaders } from './errors.ts';
import type { Received } from './middle.ts';

/** What bodies may take. */
export interface BodyLimits {
  /** Of one body. */
  readonly maxBytes: number;
  /** Within which a piece has to come; one that is late is noticed after twice as long at most. */
  readonly silenceMs: number;
  readonly timers: Timers;
  /** What all bodies take together now, and at most. */
  readonly held: { bytes: number; readonly most: number };
}

/** What came: the body, a refusal, or nothing because the client left. */
export type Arrival = Uint8Array | Refusal | 'left';

/** Takes the room of the body in `limits.held`; whoever gets the body gives it back. */
export function receiveBody(request: IncomingMessage, limits: BodyLimits): Promise<Arrival> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limits.maxBytes) return Promise.resolve(tooLarge(limits.maxBytes));
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let hasMoved = false;
    const settle = (arrival: Arrival): void => {
      stopClock();
      request.off('data', take).off('end', whole).off('close', left);
      if (!(arrival instanceof Uint8Array)) limits.held.bytes -= bytes;
      resolve(arrival);
    };
    // One clock for most bodies, not one for each piece: it looks whether anything came since it last did.
    const clock = (): (() => void) =>
      limits.timers.after(limits.silenceMs, () => {
        if (!hasMoved) settle(tooSlow(limits.silenceMs));
        else {
          hasMoved = false;
          stopClock = clock();
        }
      });
    const take = (piece: Buffer): void => {
      bytes += piece.length;
      limits.held.bytes += piece.length;
      if (bytes > limits.maxBytes) settle(tooLarge(limits.maxBytes));
      else if (limits.held.bytes > limits.held.most) settle(noRoom);
      else {
        pieces.push(piece);
        hasMoved = true;
      }
    };
    const whole = (): void => settle(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces));
    const left = (): void => settle('left');
    let stopClock = clock();
    request.on('data', take).once('end', whole).once('close', left).on('error', left);
  });
}

const tooLarge = (most: number): Refusal => ({
  status: 413,
  code: 'body-too-large',
  message: `expected a body of at most ${most} bytes, got more (gateway.max_body_mb)`,
});

const tooSlow = (ms: number): Refusal => ({
  status: 408,
  code: 'body-too-slow',
  message: `expected the next piece of the body within ${ms / 1_000} s, got nothing (gateway.receive_timeout_seconds)`,
});

const noRoom: Refusal = {
  status: 503,
  code: 'busy',
  message:
    'expected less at the same time: the bodies of other requests fill the memory of the gateway. Try again in 1 s.',
  headers: { 'retry-after': '1' },
};

/** How much longer a client may send what nobody wants, so that it reads the refusal before its connection ends. */
const lingerMs = 1_000;

/**
 * Refuses a request that is still being sent, and ends its connection. Ended at once, what the client still sends would have its
 * system throw the refusal away before anybody read it.
 */
export function refuseBody({ request, response, dialect, timers }: Refused, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(JSON.stringify(refusalBody(dialect, refusal)));
  response.writeHead(refusal.status, {
    ...refusalHeaders(refusal),
    'content-length': body.length,
    connection: 'close',
  });
  response.write(body);
  const end = (): void => {
    stopClock();
    response.end();
  };
  const stopClock = timers.after(lingerMs, end);
  request.on('error', end).once('end', end).once('close', stopClock).resume();
}

interface Refused {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly dialect: Received['dialect'] | undefined;
  readonly timers: Timers;
}
