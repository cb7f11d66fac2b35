/** Makes the answer to a request out of a reply, and writes it to the connection: whole, as a stream, or with a fault. */

import type { ServerResponse } from 'node:http';
import { defined } from '../shared/defined.ts';
import { isJsonObject, type JsonObject } from '../shared/json.ts';
import { conversationTokens, toolSchemaTokens } from '../tokens/measure.ts';
import { estimatingTokenizer, type Tokenizer } from '../tokens/tokenizer.ts';
import {
  type Answer,
  type AnswerCall,
  type AnswerUsage,
  type Dialect,
  type DialectName,
  type Finish,
  idOf,
  type WireEvent,
} from '../transcript/wire/answer.ts';
import { asList } from '../transcript/wire/values.ts';
import { defaultPieceChars, type Reply, type ReplyError } from './reply.ts';
import type { FakeRequest, Fate } from './request.ts';

/** The answer that a reply stands for. */
export function answerOf(
  dialect: Dialect,
  request: FakeRequest,
  { reply, created }: { readonly reply: Reply; readonly created: number },
): Answer {
  const whole: Said = {
    text: reply.text ?? '',
    reasoning: reply.reasoning ?? '',
    calls: (reply.toolCalls ?? []).map(
      ({ id, name, input, namespace }, index): AnswerCall => ({
        id: id ?? idOf(dialect.callId, request.number, index),
        name,
        input: typeof input === 'string' ? input : JSON.stringify(input),
        ...defined({ namespace }),
      }),
    ),
    finish: reply.finish ?? (reply.toolCalls?.length ? 'toolCalls' : 'stop'),
  };
  const tokenizer = tokenizerOf(dialect);
  const said = cutAt(largestAnswer(request.body), whole, tokenizer);
  return {
    ...said,
    number: request.number,
    model: request.model,
    created,
    usage:
      reply.usage === 'none' ? undefined : usageOf({ said, reply, prompt: promptTokens(dialect, request), tokenizer }),
    pieceChars: reply.pieceChars ?? defaultPieceChars,
    request: request.body,
  };
}

/** The tokens of a request's prompt, estimated: messages and tool definitions. */
export function promptTokens(dialect: Dialect, { messages, body }: Pick<FakeRequest, 'messages' | 'body'>): number {
  const tokenizer = tokenizerOf(dialect);
  return conversationTokens(messages, tokenizer) + toolSchemaTokens(asList(body.tools), tokenizer);
}

const openAi = estimatingTokenizer('openai');
const tokenizers: Readonly<Record<DialectName, Tokenizer>> = {
  'openai-chat': openAi,
  'openai-responses': openAi,
  anthropic: estimatingTokenizer('claude'),
  gemini: estimatingTokenizer('gemini'),
};
const tokenizerOf = ({ name }: Dialect): Tokenizer => tokenizers[name];

interface Said {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly AnswerCall[];
  readonly finish: Finish;
}

/** The most tokens that a request wants back, reasoning included. */
function largestAnswer(body: JsonObject): number {
  const { maxOutputTokens } = isJsonObject(body.generationConfig) ? body.generationConfig : {};
  const limits = [body.max_tokens, body.max_completion_tokens, body.max_output_tokens, maxOutputTokens];
  return limits.find((limit): limit is number => typeof limit === 'number' && limit > 0) ?? Number.POSITIVE_INFINITY;
}

/** Ends what is said where the room ends: thinking first, then the text, then the arguments of calls. */
function cutAt(room: number, said: Said, tokenizer: Tokenizer): Said {
  let left = room;
  let isCut = false;
  const take = (text: string): string => {
    const tokens = isCut ? 0 : tokenizer.count(text);
    if (!isCut && tokens <= left) {
      left -= tokens;
      return text;
    }
    const fitting = isCut ? '' : longestStart(text, left, tokenizer);
    isCut = true;
    return fitting;
  };
  const reasoning = take(said.reasoning);
  const text = take(said.text);
  const calls: AnswerCall[] = [];
  for (const call of said.calls) {
    if (!isCut) calls.push({ ...call, input: take(call.input) });
  }
  return isCut ? { reasoning, text, calls, finish: 'length' } : said;
}

function longestStart(text: string, tokens: number, tokenizer: Tokenizer): string {
  let fits = 0;
  for (let tooLong = text.length; tooLong - fits > 1; ) {
    const middle = (fits + tooLong) >> 1;
    if (tokenizer.count(text.slice(0, middle)) <= tokens) fits = middle;
    else tooLong = middle;
  }
  return text.slice(0, fits).replace(/[\ud800-\udbff]$/, '');
}

interface Counted {
  readonly said: Said;
  readonly reply: Reply;
  /** Of the prompt. */
  readonly prompt: number;
  readonly tokenizer: Tokenizer;
}

/** What the reply reports, and for the rest what the texts come to. */
function usageOf({ said, reply, prompt, tokenizer }: Counted): AnswerUsage {
  const given = typeof reply.usage === 'object' ? reply.usage : {};
  const thought = tokenizer.count(said.reasoning);
  const calls = said.calls.reduce((sum, { name, input }) => sum + tokenizer.count(name) + tokenizer.count(input), 0);
  const cacheReadTokens = given.cacheReadTokens ?? 0;
  const cacheWriteTokens = given.cacheWriteTokens ?? 0;
  const outputTokens = given.outputTokens ?? Math.max(thought + tokenizer.count(said.text) + calls, 1);
  return {
    inputTokens: given.inputTokens ?? Math.max(0, prompt - cacheReadTokens - cacheWriteTokens),
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: given.reasoningTokens ?? Math.min(thought, outputTokens),
  };
}

// Writes an answer to the connection, at the pace and with the faults that a reply asks for.

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
interface Spoken {
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
