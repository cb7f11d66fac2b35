/** Bytes of answers for tests, and reading them in one piece or in several. */
import type { DialectName } from '@palimpsest/core/testing';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import {
  type AnswerReaderOptions,
  createAnswerReader,
  type ReadAnswer,
} from '../../../packages/core/src/transcript/wire/answer-reader.ts';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** An answer read at once. */
export const readBytes = (dialect: DialectName, bytes: Uint8Array, options?: AnswerReaderOptions): ReadAnswer =>
  readPieces(dialect, [bytes], options);

/** An answer read piece by piece. */
export function readPieces(
  dialect: DialectName,
  pieces: Iterable<Uint8Array>,
  options?: AnswerReaderOptions,
): ReadAnswer {
  const reader = createAnswerReader(dialect, options);
  for (const piece of pieces) reader.read(piece);
  return reader.end();
}

/** A stream of events; one with a `type` is named by it, as Anthropic and Responses do. */
export const streamOf = (...events: readonly (JsonObject | string)[]): string =>
  events
    .map((event) => {
      const data = typeof event === 'string' ? event : JSON.stringify(event);
      const name = typeof event !== 'string' && typeof event.type === 'string' ? `event: ${event.type}\n` : '';
      return `${name}data: ${data}\n\n`;
    })
    .join('');

export const readStream = (dialect: DialectName, ...events: readonly (JsonObject | string)[]): ReadAnswer =>
  readBytes(dialect, bytesOf(streamOf(...events)));

export const readJson = (dialect: DialectName, body: JsonValue, options?: AnswerReaderOptions): ReadAnswer =>
  readBytes(dialect, bytesOf(JSON.stringify(body)), options);

/** The only message that a reader of requests makes of a list. */
export function only(messages: readonly Message[]): Message {
  const [message, ...more] = messages;
  if (!message || more.length > 0) throw new Error(`Expected one message, found ${messages.length}.`);
  return message;
}
