/** The client's side of an answer: its head, its pieces at the client's pace, and the two ways in which it ends. */
import type { ServerResponse } from 'node:http';
import type { Timers } from '@palimpsest/core/settings';
import { flatOf, valuesOf } from './headers.ts';
import type { HeaderList } from './middle.ts';

/** An answer that the client is being sent. */
export interface ClientAnswer {
  readonly hasBegun: () => boolean;
  /** False where the head cannot be written: an error was told in its place, and nothing of what follows is written. */
  readonly begin: (head: {
    readonly status: number;
    readonly statusText?: string;
    readonly headers: HeaderList;
  }) => boolean;
  /** False when the client is slow: nothing more is to be sent before `onRoom`. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** Calls once: as soon as the client has taken what was written, or is gone. */
  readonly onRoom: (go: () => void) => void;
  readonly end: () => void;
  /** Ends an answer that is not whole, so that the client notices. */
  readonly breakOff: () => void;
}

export interface ClientAnswerOptions {
  readonly timers: Timers;
  /** How long a client may leave an answer unread; then its connection ends. */
  readonly silenceMs: number;
  /** Answers in place of a head that cannot be written; nothing of what follows that head is. */
  readonly unwritable: (error: unknown) => void;
}

export function openClientAnswer(
  response: ServerResponse,
  { timers, silenceMs, unwritable }: ClientAnswerOptions,
): ClientAnswer {
  response.sendDate = false;
  let isFramed = response.req.httpVersion === '1.1';
  let isReplaced = false;
  return {
    hasBegun: () => response.headersSent,
    begin: ({ status, statusText, headers }) => {
      isFramed ||= valuesOf(headers, 'content-length').length > 0;
      try {
        response.writeHead(status, textAsBytes(statusText), flatOf(headers));
      } catch (error) {
        isReplaced = true;
        response.statusMessage = '';
        unwritable(error);
        return false;
      }
      // With the first piece where that is here already, which is written in the microtask before; else at once: a client counts the time
      // until the head.
      queueMicrotask(() =>
        queueMicrotask(() => {
          if (!response.destroyed) response.flushHeaders();
        }),
      );
      return true;
    },
    write: (bytes) => isReplaced || response.write(bytes),
    onRoom: (go) => {
      const stopClock = timers.after(silenceMs, () => response.destroy());
      const settle = (): void => {
        stopClock();
        response.off('drain', settle).off('close', settle);
        go();
      };
      response.once('drain', settle).once('close', settle);
    },
    end: () => {
      if (!isReplaced) response.end();
    },
    breakOff: () => {
      if (!isReplaced) breakOff({ response, isFramed });
    },
  };
}

/**
 * A status text was read as UTF-8 and is written byte by byte (RFC 9112, 4: `reason-phrase`). Undefined for one that cannot be sent as it
 * came: the usual text of the status stands in its place.
 */
function textAsBytes(text: string | undefined): string | undefined {
  if (text === undefined || text.includes('\ufffd')) return undefined;
  const bytes = Buffer.from(text).toString('latin1');
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(bytes) ? bytes : undefined;
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
