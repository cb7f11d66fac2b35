/** Reads what a provider answers, byte by byte as it passes: what was said, what it used, how it ended. */

import { defined } from '../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Message } from '../message.ts';
import type { DialectName } from './answer.ts';
import { fromAnthropic } from './anthropic/messages.ts';
import { anthropicText, createAnthropicAssembler } from './anthropic/read-answer.ts';
import type { Assembled, Assembler, Keep } from './assembler.ts';
import type { ReadContext } from './bodies.ts';
import { fromOpenAiChat } from './chat/messages.ts';
import { chatText, createChatAssembler } from './chat/read-answer.ts';
import { wholeElements } from './elements.ts';
import { fromGemini } from './gemini/messages.ts';
import { createGeminiAssembler } from './gemini/read-answer.ts';
import { fromOpenAiResponses } from './responses/messages.ts';
import { createResponsesAssembler, responsesText } from './responses/read-answer.ts';
import { createEventParser, type EventParser } from './sse.ts';
import { type TextIn, TextRun } from './text-run.ts';
import { is } from './values.ts';

/** What an answer is read with. */
export interface AnswerReaderOptions {
  /**
   * What the request asked for, for bodies that are neither JSON nor a stream at first sight. The bytes decide: servers send
   * streams without a content type, and errors in place of streams. @default unknown
   */
  readonly isStream?: boolean;
  /**
   * Where the answer will stand in the list of the next request, from 0: calls without ids get their ids from it.
   * @default 0
   */
  readonly at?: number;
  /** UTF-16 units that are kept at most, of the answer and of a single event. @default 64 Mi */
  readonly maxChars?: number;
}

/** What a provider answered. */
export interface ReadAnswer {
  /** What the model said, as the readers of requests read it when the client sends it back; absent where it said nothing. */
  readonly reply?: Message;
  /** The messages behind `reply`, where the provider answered with several: tools that it ran wrote some of them. */
  readonly further?: readonly Message[];
  /** As the provider reported it; the reports of one answer are merged. */
  readonly usage?: JsonObject;
  readonly model?: string;
  /** Why the answer ended, in the provider's own word. */
  readonly finish?: string;
  /** The error as the provider wrote it, in place of an answer or inside of one. */
  readonly error?: JsonObject;
  /** True when the provider said that the answer ends here. What stands in `reply` otherwise is a beginning. */
  readonly isWhole: boolean;
  /** Set when the answer was larger than `maxChars`: nothing else of it is known then. */
  readonly isTooLarge?: true;
}

/** Reads one answer. */
export interface AnswerReader {
  /** Takes the next bytes, cut anywhere. Never throws, whatever they are. */
  read(bytes: Uint8Array): void;
  /** What was answered; the same each time it is asked. Bytes that come later are not read. */
  end(): ReadAnswer;
}

/** @default of `maxChars` */
const maxAnswerChars = 64 * 1024 * 1024;

interface Reading {
  readonly assembler: (keep: Keep) => Assembler;
  readonly textIn?: TextIn;
  readonly messages: (said: readonly JsonValue[], context?: ReadContext) => readonly Message[];
}

const readings: Readonly<Record<DialectName, Reading>> = {
  'openai-chat': { assembler: createChatAssembler, textIn: chatText, messages: fromOpenAiChat },
  'openai-responses': { assembler: createResponsesAssembler, textIn: responsesText, messages: fromOpenAiResponses },
  anthropic: { assembler: createAnthropicAssembler, textIn: anthropicText, messages: fromAnthropic },
  gemini: { assembler: createGeminiAssembler, messages: fromGemini },
};

/**
 * A reader of an answer with a good status, whole or in a stream; whether it is one shows by its first byte. It puts the
 * provider's own JSON together and reads that as a request is read, so that the message is equal to the one that comes back. Memory
 * is bounded by `maxChars`: beyond it, or with more than ten thousand blocks, everything is dropped. What surrounds the pieces of
 * a stream is not kept and does not count.
 */
export function createAnswerReader(dialect: DialectName, options: AnswerReaderOptions = {}): AnswerReader {
  const { maxChars = maxAnswerChars } = options;
  const decoder = new TextDecoder();
  const kept = { chars: 0 };
  const assembler = readings[dialect].assembler((chars) => {
    kept.chars += chars;
  });
  const parts: BodyParts = { assembler, textIn: readings[dialect].textIn, kept };
  let body: Body | undefined;
  let isTooLarge = false;
  let ended: ReadAnswer | undefined;

  /** Blanks before anything else: they belong to the first line. */
  let blanks = '';
  const take = (text: string): void => {
    if (body) body.read(text);
    else if (/\S/.test(text)) {
      body = bodyFor(text, parts, options);
      body.read(blanks + text);
    } else blanks += text;
    if (kept.chars + (body?.waiting ?? blanks.length) <= maxChars) return;
    isTooLarge = true;
    body = undefined;
  };
  const answered = (): ReadAnswer => {
    if (!isTooLarge) take(decoder.decode());
    if (!isTooLarge) body?.end();
    if (isTooLarge || kept.chars > maxChars) return { isWhole: false, isTooLarge: true };
    return answerOf(readings[dialect], assembler, options);
  };
  return {
    read: (bytes) => {
      if (!ended && !isTooLarge) take(decoder.decode(bytes, { stream: true }));
    },
    end: () => {
      ended ??= answered();
      return ended;
    },
  };
}

/** One of the two forms in which an answer comes. */
type Body = Pick<EventParser, 'read' | 'end' | 'waiting'>;

interface BodyParts {
  readonly assembler: Assembler;
  readonly textIn: TextIn | undefined;
  /** Of the answer, in UTF-16 units. */
  readonly kept: { chars: number };
}

/** No line of a stream begins as JSON does. */
const bodyFor = (text: string, parts: BodyParts, options: AnswerReaderOptions): Body =>
  /^\s*[[{]/.test(text) ? jsonBody(parts, options) : streamBody(parts);

function streamBody({ assembler, textIn, kept }: BodyParts): Body {
  const run =
    textIn &&
    new TextRun({
      textIn,
      add: ({ event, name, events, chars }) => {
        const before = kept.chars;
        readEvent(assembler, event, name);
        // What surrounds a text counts with each of them.
        const around = kept.chars - before - chars;
        if (events > 1 && around > 0) kept.chars += (events - 1) * around;
      },
    });
  return createEventParser(({ name, data }) => {
    if (data.trimEnd() === '[DONE]') assembler.done();
    else {
      const value = parseJson(data);
      readEvent(assembler, value, name);
      run?.tell(value, name);
    }
  }, run);
}

function jsonBody(parts: BodyParts, { isStream }: AnswerReaderOptions): Body {
  const { assembler } = parts;
  const pieces: string[] = [];
  const body = {
    waiting: 0,
    read: (text: string) => {
      pieces.push(text);
      body.waiting += text.length;
    },
    end: () => {
      const text = pieces.join('');
      const value = parseJson(text);
      if (isJsonObject(value)) attempt(() => assembler.whole(value));
      else if (is.list(value)) for (const one of value) readEvent(assembler, one);
      else if (/^\s*\[/.test(text)) for (const one of wholeElements(text)) readEvent(assembler, parseJson(one));
      else if (isStream) {
        const stream = streamBody(parts);
        stream.read(text);
        stream.end();
      }
    },
  };
  return body;
}

function readEvent(assembler: Assembler, value: JsonValue | undefined, name = ''): void {
  if (isJsonObject(value)) attempt(() => assembler.event(value, name));
}

/** Values nested so deep that no stack holds their reading say nothing to us; whatever else fails has to be heard of. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function answerOf({ messages }: Reading, assembler: Assembler, { at = 0 }: AnswerReaderOptions): ReadAnswer {
  const { said, isWhole, ...about }: Assembled = assembler.assembled();
  // Readers leave out what is null, and count it.
  const before: readonly JsonValue[] = Array.from({ length: Math.max(0, Math.min(at, maxPlace)) }, () => null);
  const read = said.length > 0 ? attempt(() => messages([...before, ...said])) : [];
  const start = read?.findIndex(({ role }) => role === 'assistant') ?? -1;
  const [reply, ...further] = start < 0 ? [] : (read?.slice(start) ?? []);
  return {
    ...defined({ reply, ...about, ...(further.length > 0 ? { further } : {}) }),
    isWhole: isWhole && read !== undefined,
  };
}

/** No request has so many messages. */
const maxPlace = 1_000_000;
