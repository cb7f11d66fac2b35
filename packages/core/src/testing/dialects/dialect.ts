/** The port that every dialect of the fake implements: the server around what `transcript/wire` says of a provider. */
import type { JsonObject } from '../../shared/json.ts';
import type { Message } from '../../transcript/message.ts';
import type { Answer, IdShape, Rejection, WireEvent } from '../../transcript/wire/answer.ts';
import type { DialectName } from '../request.ts';

/** Where in a stream a failure comes. */
export interface FailurePlace {
  /** Of the request, from 1. */
  readonly number: number;
  readonly requestId: string;
  /** Events before it. */
  readonly sent: number;
}

/** A wire format, spoken by a server. */
export interface Dialect {
  readonly name: DialectName;
  /** The path that its requests are posted to. */
  readonly path: string;
  readonly callId: IdShape;
  /** The header that the provider names a request in, and the shape of the names. */
  readonly requestId: IdShape & { readonly header: string };
  /** The messages of a body, the system prompt first. Never throws. */
  read(body: JsonObject): readonly Message[];
  /** The first reason for which the provider would reject the body. */
  reject(body: JsonObject): Rejection | undefined;
  /** The reason for which it would reject the headers, when `key` is the only good one. */
  authorize(headers: Readonly<Record<string, string>>, key: string | undefined): Rejection | undefined;
  /** The status and the body of a failure. */
  failure(error: Rejection, requestId: string): { readonly status: number; readonly body: JsonObject };
  /** The failure as an event of a stream that has begun. */
  failureEvents(error: Rejection, place: FailurePlace): readonly WireEvent[];
  /** What the provider says when `tokens` do not fit into `limit`. */
  overflow(tokens: number, limit: number): Rejection;
  /** Headers about limits, which come with every answer. `now` is in milliseconds since 1970. */
  limitHeaders(now: number): Readonly<Record<string, string>>;
  complete(answer: Answer): JsonObject;
  stream(answer: Answer): Iterable<WireEvent>;
  models(names: readonly string[], created: number): JsonObject;
}
