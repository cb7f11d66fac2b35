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

/** The model that is asked, and whether it is to answer in a stream. */
export interface Asked {
  readonly model: string;
  readonly stream: boolean;
}

/** For dialects with one path, whose bodies name the model. */
export const askedAt =
  (root: string): Dialect['asked'] =>
  (path, body) =>
    path.split('?')[0] === root
      ? { model: typeof body.model === 'string' ? body.model : '', stream: body.stream === true }
      : undefined;

/** A wire format, spoken by a server. */
export interface Dialect {
  readonly name: DialectName;
  /** Its requests go to this path, or to one under it. */
  readonly path: string;
  /** Where its models are listed. */
  readonly modelsPath: string;
  readonly callId: IdShape;
  /** The header that the provider names a request in, if it does, and the shape of the names. */
  readonly requestId: IdShape & { readonly header?: string };
  /** What a post to the path (with its query) asks for; undefined for a path that answers nothing. */
  asked(path: string, body: JsonObject): Asked | undefined;
  /** The messages of a body, the system prompt first. Never throws. */
  read(body: JsonObject): readonly Message[];
  /** The first reason for which the provider would reject the body. */
  reject(body: JsonObject, model: string): Rejection | undefined;
  /** The reason for which it would reject the headers, when `key` is the only good one. */
  authorize(headers: Readonly<Record<string, string>>, key: string | undefined): Rejection | undefined;
  /** The status and the body of a failure. */
  failure(error: Rejection, requestId: string): { readonly status: number; readonly body: JsonObject };
  /** The failure as an event of a stream that has begun. */
  failureEvents(error: Rejection, place: FailurePlace): readonly WireEvent[];
  /** What the provider says when `tokens` do not fit into `limit`. */
  overflow(tokens: number, limit: number): Rejection;
  /** What it says to a body that is no JSON object. */
  readonly notJson: Rejection;
  unknownModel(model: string): Rejection;
  unknownPath(method: string, path: string): Rejection;
  /** Headers about limits, which come with every answer. `now` is in milliseconds since 1970. */
  limitHeaders(now: number): Readonly<Record<string, string>>;
  complete(answer: Answer): JsonObject;
  stream(answer: Answer): Iterable<WireEvent>;
  models(names: readonly string[], created: number): JsonObject;
}
