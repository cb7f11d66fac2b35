/** What a provider says and takes, in words that are the same for every dialect: answers, events, refusals, the server itself. */
import type { JsonObject } from '../../shared/json.ts';
import type { Message, ReasoningPart, TextPart, ToolCallPart } from '../message.ts';

/** Why the answer ends. */
export type Finish = 'stop' | 'length' | 'refusal' | 'toolCalls' | 'contentFilter';

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
  readonly namespace?: string;
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

/** What an answer says, in our own parts, for the writer of its format. */
export function partsOf({ text, reasoning, calls }: Answer): readonly (ReasoningPart | TextPart | ToolCallPart)[] {
  return [
    ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'toolCall', callId: id, name, input, inputType: 'json' }) as const),
  ];
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

/** Why a provider does not take a request. */
export interface Rejection {
  readonly status: number;
  /** @default what the provider sends with this status */
  readonly type?: string;
  /** OpenAI's `code`. @default what OpenAI sends with this status */
  readonly code?: string;
  /** OpenAI's `param`: the field that is at fault. */
  readonly param?: string;
  /** @default what the provider writes with this status */
  readonly message?: string;
}

/** How long an id is and what it starts with. */
export interface IdShape {
  readonly prefix: string;
  readonly length: number;
}

/** An id of the given shape that stands for a number, and is the same on every run. */
export const idOf = ({ prefix, length }: IdShape, ...numbers: readonly number[]): string =>
  prefix +
  numbers
    .map((number) => String(number).padStart(3, '0'))
    .join('')
    .padStart(length, '0');

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

/** The first rejection among the members of a list. */
export function firstRejection<T>(
  values: Iterable<T>,
  reject: (value: T, index: number) => Rejection | undefined,
): Rejection | undefined {
  let index = 0;
  for (const value of values) {
    const rejection = reject(value, index++);
    if (rejection) return rejection;
  }
  return undefined;
}

/** The formats that providers speak over HTTP, by the names that our transcript formats have. */
export type DialectName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

export type Headers = Readonly<Record<string, string>>;

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

/** A format as a server speaks it: requests read and checked, answers and failures written, whole and in streams. */
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
  /** The first reason for which the provider would reject the body, in the order in which it looks. */
  reject(body: JsonObject, model: string): Rejection | undefined;
  /** The reason for which it would reject the headers, when `key` is the only good one. */
  authorize(headers: Headers, key: string | undefined): Rejection | undefined;
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
  limitHeaders(now: number): Headers;
  complete(answer: Answer): JsonObject;
  stream(answer: Answer): Iterable<WireEvent>;
  models(names: readonly string[], created: number): JsonObject;
}

/** For dialects with one path, whose bodies name the model. */
export const askedAt =
  (root: string): Dialect['asked'] =>
  (path, body) =>
    path.split('?')[0] === root
      ? { model: typeof body.model === 'string' ? body.model : '', stream: body.stream === true }
      : undefined;

/** The token of `Authorization: Bearer …`. */
export const bearerIn = (headers: Headers): string | undefined =>
  /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];

/** A prompt's tokens, wherever they came from. */
export const promptTokensOf = (usage: AnswerUsage): number =>
  usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
