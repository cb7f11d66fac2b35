/** What a script makes the fake provider say, in words that are the same for every dialect. */

import type { JsonObject } from '../shared/json.ts';
import { aText, checkMembers, type KnownOptions, type OptionRule } from '../shared/options/known-options.ts';
import { isObject } from '../shared/options/schema.ts';
import type { Finish, Rejection } from '../transcript/wire/answer.ts';
import type { FakeRequest } from './request.ts';

/** A tool call of the answer. */
export interface ReplyCall {
  readonly name: string;
  /** The arguments as an object, or as the text to send, which need not be JSON. */
  readonly input: JsonObject | string;
  /** @default an id of the dialect's shape, counted up */
  readonly id?: string;
  /** Of a tool that stands in a namespace, where the dialect has them (Responses). @default none */
  readonly namespace?: string;
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

/** A reply that is wrong, and what is wrong about it. */
export interface BadReply extends Reply {
  /** Stretches of the text that no record bears out: none of them may survive. */
  readonly planted?: readonly string[];
  /** What the faithful text said and this one does not. */
  readonly lost?: readonly string[];
}

/** An answer, or what makes one of the request. */
export type Script = Reply | ((request: FakeRequest) => Reply | Promise<Reply>);

/** UTF-16 units in one event of a stream, where a reply does not say. */
export const defaultPieceChars = 24;

// What is wrong with a reply, said before it is sent: tests are often written without a compiler.

/** @throws BAD_OPTION for what is neither a reply nor a function; what a function gives is checked when it is asked */
export function checkScript(script: Script): void {
  if (typeof script !== 'function') checkReply(script);
}

/** @throws BAD_OPTION that names the member, what was expected there and what came */
export function checkReply(reply: Reply): void {
  checkMembers('a reply', reply, replyRules);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value < Number.MAX_SAFE_INTEGER;
/** As far as HTTP knows one. */
const isStatus = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const texts: OptionRule = { expected: 'a list of texts', holds: isTexts };
const flag: OptionRule = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
const tokens: OptionRule = { expected: 'a number of tokens from 0', holds: isAmount };
const milliseconds: OptionRule = { expected: 'milliseconds from 0', holds: isAmount };
const status: OptionRule = { expected: 'an HTTP status from 200 to 599', holds: isStatus };

const callRules: KnownOptions<ReplyCall> = {
  name: { ...aText, expected: 'the name of a tool', isNeeded: true },
  input: {
    expected: 'the arguments as an object, or as the text to send',
    holds: (value) => isText(value) || isObject(value),
    isNeeded: true,
  },
  id: aText,
  namespace: aText,
};

const usageRules: KnownOptions<ReplyUsage> = {
  inputTokens: tokens,
  outputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  reasoningTokens: tokens,
};

const errorRules: KnownOptions<ReplyError> = {
  status: { ...status, isNeeded: true },
  type: aText,
  code: aText,
  param: aText,
  message: aText,
  headers: {
    expected: 'an object of texts',
    holds: (value) => isObject(value) && isTexts(Object.values(value)),
  },
  inStream: flag,
};

const rawRules: KnownOptions<NonNullable<Reply['raw']>> = {
  status,
  contentType: { ...aText, isNeeded: true },
  body: { ...aText, isNeeded: true },
};

const finishes: Readonly<Record<Finish, true>> = {
  stop: true,
  length: true,
  refusal: true,
  toolCalls: true,
  contentFilter: true,
};

/** Those of a misbehaviour too, which tell a test what is wrong about it. */
const replyRules: KnownOptions<BadReply> = {
  text: aText,
  reasoning: aText,
  toolCalls: {
    expected: 'a list of calls, each with name and input',
    holds: Array.isArray,
    inside: (calls, owner) => {
      for (const [at, call] of Object.entries(Object(calls))) checkMembers(`call ${at} in ${owner}`, call, callRules);
    },
  },
  finish: {
    expected: `one of ${Object.keys(finishes).join(', ')}`,
    holds: (value) => typeof value === 'string' && Object.hasOwn(finishes, value),
  },
  usage: {
    expected: "an object of token counts, or 'none'",
    holds: (value) => value === 'none' || isObject(value),
    inside: (usage, owner) => {
      if (usage !== 'none') checkMembers(owner, usage, usageRules);
    },
  },
  delayMs: milliseconds,
  pieceChars: { expected: 'a number of characters from 1', holds: (value) => isAmount(value) && Number(value) >= 1 },
  pieceDelayMs: milliseconds,
  error: {
    expected: 'a failure with its status',
    holds: isObject,
    inside: (error, owner) => checkMembers(owner, error, errorRules),
  },
  closeAfter: { expected: 'a number of characters from 0', holds: isAmount },
  hang: flag,
  hangAfter: { expected: 'a number of characters from 0', holds: isAmount },
  malformed: flag,
  raw: {
    expected: 'an answer with contentType and body',
    holds: isObject,
    inside: (raw, owner) => checkMembers(owner, raw, rawRules),
  },
  planted: texts,
  lost: texts,
};
