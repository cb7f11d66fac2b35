/** What a script makes the fake provider say, in words that are the same for every dialect. */
import type { JsonObject } from '../shared/json.ts';
import type { Finish, Rejection } from '../transcript/wire/answer.ts';
import type { FakeRequest } from './request.ts';

/** A tool call of the answer. */
export interface ReplyCall {
  readonly name: string;
  /** The arguments as an object, or as the text to send, which need not be JSON. */
  readonly input: JsonObject | string;
  /** @default an id of the dialect's shape, counted up */
  readonly id?: string;
}

/** Tokens to report. What is left out is estimated from the request and the answer. */
export interface ReplyUsage {
  /** Without what came from the cache or went into it. */
  readonly inputTokens?: number;
  /** With the reasoning. */
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens?: number;
}

/** A failure, sent with the dialect's own body and headers. */
export interface ReplyError extends Rejection {
  /** Sent beside the usual ones, such as `{ 'retry-after': '7' }`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In a stream: first the text with status 200, then the error as an event, as an overload in mid-answer comes. */
  readonly inStream?: boolean;
}

/** Bytes sent as they are, for answers that no provider should give. */
export interface RawReply {
  /** @default 200 */
  readonly status?: number;
  readonly contentType: string;
  readonly body: string;
}

/** One answer. An empty object is an empty answer. */
export interface Reply {
  readonly text?: string;
  /** What the model thought: `reasoning_content` in Chat Completions, as compatible providers send it. */
  readonly reasoning?: string;
  readonly toolCalls?: readonly ReplyCall[];
  /** With `refusal` the text is sent where the dialect puts a refusal. @default 'toolCalls' with calls, else 'stop' */
  readonly finish?: Finish;
  /** `'none'` reports nothing. */
  readonly usage?: ReplyUsage | 'none';
  /** Wait before the first byte. @default 0 */
  readonly delayMs?: number;
  /** UTF-16 units of text in one event of a stream; a surrogate pair is never cut. @default 24 */
  readonly pieceChars?: number;
  /** Wait between two pieces. @default 0 */
  readonly pieceDelayMs?: number;
  readonly error?: ReplyError;
  /** Drops the connection after so many characters of text, at the latest before the end of the stream. */
  readonly closeAfter?: number;
  /** Never answers, until the client gives up. */
  readonly hang?: boolean;
  /** Falls silent after so many characters of text, with 0 right behind the headers, until the client gives up. */
  readonly hangAfter?: number;
  /** One event in the middle of the stream, or the whole body, is cut JSON. */
  readonly malformed?: boolean;
  readonly raw?: RawReply;
}

/** An answer, or what makes one of the request. */
export type Script = Reply | ((request: FakeRequest) => Reply | Promise<Reply>);

/** UTF-16 units in one event of a stream, where a reply does not say. */
export const defaultPieceChars = 24;
