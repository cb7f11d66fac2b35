/** The client's side of an answer: its head, its pieces at the client's pace, and the two ways in which it ends. */
import type { ServerResponse } from 'node:http';
import type { Timers } from '@palimpsest/core/settings';
import { flatOf, valuesOf } from './headers.ts';
import type { HeaderList } from './middle.ts';

/** An answer that the client is being sent. */
export interface ClientAnswer {
  readonly hasBegun: () => boolean;
  readonly begin: (head: {
    readonly status: number;
    readonly statusText?: string;
    readonly headers: HeaderList;
  }) => void;
  /** False when the client is slow: nothing more is to be sent before `onRoom`. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** Calls once: as soon as the client has taken what was written, or is gone. */
  readonly onRoom: (go: () => void) => void;
  readonly end: () => void;
  /** Ends an answer that is not whole, so that the client notices. */
  readonly breakOff: () => void;
}

/** `silenceMs` is how long a client may leave an answer unread; then its connection ends. */
export function openClientAnswer(
  response: ServerResponse,
  { timers, silenceMs }: { readonly timers: Timers; readonly silenceMs: number },
): ClientAnswer {
  response.sendDate = false;
  let isFramed = response.req.httpVersion === '1.1';
  return {
    hasBegun: () => response.headersSent,
    begin: ({ status, statusText, headers }) => {
      isFramed ||= valuesOf(headers, 'content-length').length > 0;
      response.writeHead(status, statusText, flatOf(headers));
      // With the first piece where that is here already, else at once: a client counts the time until the head.
      queueMicrotask(() => {
        if (!response.destroyed) response.flushHeaders();
      });
    },
    write: (bytes) => response.write(bytes),
    onRoom: (go) => {
      const stopClock = timers.after(silenceMs, () => response.destroy());
      const settle = (): void => {
        stopClock();
        response.off('drain', settle).off('close', settle);
        go();
      };
      response.once('drain', settle).once('close', settle);
    },
    end: () => void response.end(),
    breakOff: () => breakOff({ response, isFramed }),
  };
}

/**
 * What was sent reaches the client, and then the connection ends in the middle of the body: as it would have seen it directly. Where the
 * end of the connection is also the end of a whole body (HTTP/1.0 without a length), only a reset tells the two apart.
 */
function breakOff({ response, isFramed }: { readonly response: ServerResponse; readonly isFramed: boolean }): void {
  const { socket } = response;
  if (!socket) response.destroy();
  else if (isFramed) socket.destroySoon();
  else socket.resetAndDestroy();
}
