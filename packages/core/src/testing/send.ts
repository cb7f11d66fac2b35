/** Writes an answer to the connection, at the pace and with the faults that a reply asks for. */
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../shared/json.ts';
import type { Answer, Dialect, WireEvent } from '../transcript/wire/answer.ts';
import type { Reply, ReplyError } from './reply.ts';
import type { Fate } from './request.ts';

/** Waits so many milliseconds; settles early, without an error, when the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** A connection that waits for its answer. */
export interface Connection {
  readonly response: ServerResponse;
  readonly fate: Fate;
  readonly wait: Wait;
  /** The usual headers of the provider. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string;
}

/** Sends a JSON body whole. */
export function sendJson({ response, headers }: Connection, status: number, body: JsonObject): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Sends a failure as the dialect words it. */
export function sendFailure(connection: Connection, dialect: Dialect, error: ReplyError): void {
  const { status, body } = dialect.failure(error, connection.requestId);
  const own = Object.entries(error.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  sendJson({ ...connection, headers: { ...connection.headers, ...Object.fromEntries(own) } }, status, body);
}

/** Sends bytes as they are. */
export function sendRaw(
  { response, headers }: Connection,
  { status, contentType, body }: NonNullable<Reply['raw']>,
): void {
  response.writeHead(status ?? 200, { ...headers, 'content-type': contentType });
  response.end(body);
}

/** Sends an answer whole: cut in two where it is to be malformed, unfinished where the connection is to drop. */
export function sendWhole(connection: Connection, dialect: Dialect, { answer, reply }: Spoken): void {
  const { response, headers } = connection;
  const whole = JSON.stringify(dialect.complete(answer));
  const body = reply.malformed ? whole.slice(0, whole.length >> 1) : whole;
  const bytes = new TextEncoder().encode(body);
  response.writeHead(200, { ...headers, 'content-type': 'application/json', 'content-length': String(bytes.length) });
  if (reply.hangAfter !== undefined) {
    response.write(bytes.subarray(0, Math.min(reply.hangAfter, bytes.length - 1)));
    return;
  }
  if (reply.closeAfter === undefined) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.min(reply.closeAfter, bytes.length - 1)));
  drop(connection);
}

/** An answer and the reply that it came from. */
export interface Spoken {
  readonly answer: Answer;
  readonly reply: Reply;
}

/** Sends an answer as events. */
export async function sendStream(connection: Connection, dialect: Dialect, { answer, reply }: Spoken): Promise<void> {
  const { response, headers, wait } = connection;
  const { signal } = connection.fate;
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
  const events = eventsOf(dialect, { answer, reply }, connection.requestId);
  const brokenAt = reply.malformed ? middleOf(events) : -1;
  let sent = 0;
  for (const [index, event] of events.entries()) {
    const chars = event.chars ?? 0;
    if (chars > 0 && sent > 0 && reply.pieceDelayMs) await wait(reply.pieceDelayMs, signal);
    if (signal.aborted) return;
    if (reply.hangAfter !== undefined && (reply.hangAfter === 0 || (chars > 0 && sent >= reply.hangAfter))) return;
    if (reply.closeAfter !== undefined && (event.isEnd || (chars > 0 && sent >= reply.closeAfter))) {
      drop(connection);
      return;
    }
    response.write(eventText(event, index === brokenAt));
    sent += chars;
  }
  response.end();
}

/** The events of the answer; with a failure in mid-stream, those up to the end and then the failure. */
function eventsOf(dialect: Dialect, { answer, reply }: Spoken, requestId: string): readonly WireEvent[] {
  const events = [...dialect.stream(answer)];
  if (!reply.error) return events;
  const before = events.filter(({ isEnd }) => !isEnd);
  const place = { number: answer.number, requestId, sent: before.length };
  return [...before, ...dialect.failureEvents(reply.error, place)];
}

/** The event in the middle of those that carry text; the first one when none does. */
function middleOf(events: readonly WireEvent[]): number {
  const speaking = events.flatMap(({ chars = 0 }, index) => (chars > 0 ? [index] : []));
  return speaking[speaking.length >> 1] ?? 0;
}

function eventText({ name, data }: WireEvent, isBroken: boolean): string {
  const whole = typeof data === 'string' ? data : JSON.stringify(data);
  const line = isBroken ? whole.slice(0, whole.length >> 1) : whole;
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${line}\n\n`;
}

/** Ends the connection after what was written, without the end of the body. */
function drop({ response, fate }: Connection): void {
  fate.leave();
  response.socket?.destroySoon();
}
