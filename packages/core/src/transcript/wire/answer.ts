/** What a provider says, in words that are the same for every dialect: an answer, its events, and a refusal. */
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { ReasoningPart, TextPart, ToolCallPart } from '../message.ts';

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
