/** Serves a client over two pipes. What goes to the client is frames alone; everything else goes to standard error. */
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { answerTo, type BadFrame, bad, errorCodes, type Frame, FrameReader, type ReadFrame } from './frames.ts';
import { createServer, type ServerParts } from './server.ts';

/** The pipes. */
export interface StdioPipes {
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Resolves when the reader has taken it. */
  readonly write: (text: string) => Promise<void>;
  /** Told what a person may want to know. */
  readonly onError: (error: Error) => void;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/** What is under way when the input ends is answered, for so long. */
const mostDrainMs = 10_000;

/** Serves until the input ends or the signal says so. */
export async function serveOverStdio(parts: ServerParts, pipes: StdioPipes): Promise<void> {
  const wire = createWire(pipes);
  const handle = serveStdio(() => createServer(parts), { transport: wire.transport, onerror: pipes.onError });
  pipes.signal.addEventListener('abort', wire.end, { once: true });
  if (pipes.signal.aborted) wire.end();
  await wire.ended;
  await handle.close();
}

interface Wire {
  readonly transport: Transport;
  readonly end: () => void;
  readonly ended: Promise<void>;
}

/** A transport that answers what is no message, and at the end of its input waits for what is under way. */
function createWire({ input, write, onError }: StdioPipes): Wire {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const open = new OpenRequests();
  let isClosed = false;
  const send = (message: object): Promise<void> =>
    isClosed ? Promise.resolve() : write(`${JSON.stringify(message)}\n`);
  const transport: Transport = {
    start: async () => {
      const received = (frame: Frame): void => {
        const message = frame.type === 'read' ? messageIn(frame) : frame;
        if ('type' in message) {
          send(answerTo(message)).catch(onError);
          return;
        }
        open.received(message);
        transport.onmessage?.(message);
      };
      // Not awaited: it lasts as long as the connection.
      readAll(input, received)
        .catch(onError)
        .then(() => open.settled(mostDrainMs))
        .then(end, end);
    },
    send: async (message) => {
      await send(message);
      open.answered(message);
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      transport.onclose?.();
      end();
    },
  };
  return { transport, end, ended };
}

async function readAll(input: StdioPipes['input'], received: (frame: Frame) => void): Promise<void> {
  const reader = new FrameReader();
  for await (const piece of input) {
    const bytes = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece;
    for (const frame of reader.push(bytes)) received(frame);
  }
  for (const frame of reader.end()) received(frame);
}

function messageIn({ value }: ReadFrame): JSONRPCMessage | BadFrame {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return bad(errorCodes.request, 'expected a request, a notification or a response of JSON-RPC', value.id);
  }
}

/** Requests that wait for an answer. */
class OpenRequests {
  #ids = new Set<unknown>();
  #onSettled: (() => void) | undefined;

  received(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.#ids.add(message.id);
    // Whoever calls a request off gets no answer.
    else if (message.method === 'notifications/cancelled') this.#over(message.params?.requestId);
  }

  answered(message: JSONRPCMessage): void {
    if ('id' in message && !('method' in message)) this.#over(message.id);
  }

  #over(id: unknown): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.#onSettled?.();
  }

  /** When all are answered, or the time is over. */
  settled(mostMs: number): Promise<void> {
    if (this.#ids.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.#onSettled = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
