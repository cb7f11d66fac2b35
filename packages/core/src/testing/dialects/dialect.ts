/** The port that every wire format of the fake implements: one file each. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Message } from '../../transcript/message.ts';
import type { Finish, ReplyError } from '../reply.ts';
import type { DialectName } from '../request.ts';

/** Tokens of one answer, all of them known. `outputTokens` includes `reasoningTokens`. */
export interface AnswerUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
}

/** A tool call with its id and the text of its arguments. */
export interface AnswerCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** An answer with everything decided: what is left is to write it down. */
export interface Answer {
  /** Of the request, from 1: ids are made of it. */
  readonly number: number;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly AnswerCall[];
  readonly finish: Finish;
  /** Undefined for a provider that reports none. */
  readonly usage: AnswerUsage | undefined;
  readonly pieceChars: number;
  /** The body of the request, for the fields that an answer repeats. */
  readonly request: JsonObject;
}

/** One server-sent event. */
export interface WireEvent {
  /** The `event:` line, where the dialect has one. */
  readonly name?: string;
  /** A string is sent as it is. */
  readonly data: JsonObject | string;
  /** UTF-16 units of the answer that it carries: text, reasoning or arguments. */
  readonly chars?: number;
  /** Set from the first event that says how the answer ended. */
  readonly isEnd?: true;
}

/** Why a real provider would not take a request. */
export type Rejection = ReplyError;

/** How long an id is and what it starts with. */
export interface IdShape {
  readonly prefix: string;
  readonly length: number;
}

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

/** An id of the given shape that stands for a number, and is the same on every run. */
export const idOf = ({ prefix, length }: IdShape, ...numbers: readonly number[]): string =>
  prefix +
  numbers
    .map((number) => String(number).padStart(3, '0'))
    .join('')
    .padStart(length, '0');

/** The list under a key of a body, or an empty one. */
export const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

/** A text in pieces of at most `size` UTF-16 units (but two for a surrogate pair), which joined are the text. */
export function* piecesOf(text: string, size: number): Iterable<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + Math.max(1, Math.trunc(size)), text.length);
    if (isPair(text, end)) end = end - start > 1 ? end - 1 : end + 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** True when a cut before `at` would tear a surrogate pair. */
const isPair = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
