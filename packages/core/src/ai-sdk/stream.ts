/** Streams of a model: a failure before the first word can still be cured, and what was said is kept, whole or broken off. */
import { untilAborted } from '../compression/summarize/summarizer.ts';
import { classifyFailure, type ProviderFailure } from '../provider/errors/classify.ts';
import { isOverflow } from '../provider/errors/reasons.data.ts';
import { redact } from '../redaction/redact.ts';
import { defined } from '../shared/defined.ts';
import type { BrokenAnswerEnd } from '../store/session-store.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import { adviseOn, type Settling, usageOf, withReport } from './call.ts';
import { type Door, doorName } from './door.ts';
import type { CallOptions, StreamPart, StreamResult } from './interface.ts';
import { gatherReply } from './prompt.ts';
import { createShownParts } from './shown.ts';
import { isTooSilent, type Listening } from './silence.ts';

/** A stream whose first word has come. */
export interface OpenedStream {
  readonly result: StreamResult;
  /** What came up to the first word, that word included. */
  readonly held: readonly StreamPart[];
  readonly reader: ReadableStreamDefaultReader<StreamPart>;
  readonly listening: Listening;
}

/** True for what a program could have shown or acted on. Providers say much before a first word, and may fail after it. */
function isWord(part: StreamPart): boolean {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
      return part.delta !== '';
    case 'tool-call':
    case 'tool-result':
    case 'tool-approval-request':
    case 'file':
    case 'reasoning-file':
    case 'source':
    case 'finish':
      return true;
    default:
      return false;
  }
}

/**
 * Waits for the first word of a stream. Throws the error that came in its place, and the signal's reason at once: whoever
 * calls off a call has nothing yet that could be closed.
 */
export async function openedStream(opening: PromiseLike<StreamResult>, listening: Listening): Promise<OpenedStream> {
  let reader: ReadableStreamDefaultReader<StreamPart> | undefined;
  try {
    const result = await listening.next(opening);
    reader = result.stream.getReader();
    const held = await firstParts(reader, listening);
    return { result, held, reader, listening };
  } catch (error) {
    listening.stop();
    if (reader) void reader.cancel(error).catch(ignore);
    // It may come after all, when nobody waits for it.
    else
      void Promise.resolve(opening)
        .then(({ stream }) => stream.cancel(error), ignore)
        .catch(ignore);
    throw error;
  }
}

async function firstParts(
  reader: ReadableStreamDefaultReader<StreamPart>,
  listening: Listening,
): Promise<readonly StreamPart[]> {
  const held: StreamPart[] = [];
  for (;;) {
    const { done, value } = await untilAborted(listening.next(reader.read()), listening.call.abortSignal);
    if (done) return held;
    // The SDK says that before anything has come.
    if (value.type !== 'stream-start') listening.heard();
    if (value.type === 'error') throw value.error;
    held.push(value);
    if (isWord(value)) return held;
  }
}

interface Following {
  readonly door: Door;
  readonly options: CallOptions;
  /** Undefined for a call that was sent as the program made it. */
  readonly settling: Settling | undefined;
}

/**
 * The stream as it came, without the blocks of ours that the model repeats; what is kept has them. A complete answer is settled
 * before whoever reads it sees the end; an error is passed on at once, and what follows from it comes behind it.
 */
export function settledStream({ result, held, reader, listening }: OpenedStream, following: Following): StreamResult {
  const waiting = [...held];
  const watch = watchReply(following);
  const shown = createShownParts();
  const stream = new ReadableStream<StreamPart>(
    {
      async pull(controller) {
        try {
          for (;;) {
            const part = waiting.shift() ?? (await listening.next(reader.read())).value;
            if (part === undefined) break;
            const parts = shown.next(await watch.passed(part));
            for (const one of parts) controller.enqueue(one);
            // Nobody asks again before something has come.
            if (parts.length > 0) return;
          }
          // A stream without an end has no answer.
          watch.left();
          listening.stop();
          for (const one of shown.rest()) controller.enqueue(one);
          controller.close();
        } catch (error) {
          listening.stop();
          const failure = watch.failed(error);
          for (const one of shown.rest()) controller.enqueue(one);
          controller.error(failure);
          void reader.cancel(error).catch(ignore);
        }
      },
      async cancel(reason) {
        watch.left();
        listening.stop();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return { ...result, stream };
}

/** What becomes of an answer that comes in parts; it ends once, whatever comes behind its end. */
interface ReplyWatch {
  /** A part on its way to whoever reads. */
  passed(part: StreamPart): Promise<StreamPart>;
  /** The error that whoever reads gets. */
  failed(error: unknown): unknown;
  left(): void;
}

function watchReply({ door, options, settling }: Following): ReplyWatch {
  // Nothing is known of a call that was sent as the program made it.
  if (!settling) return { passed: async (part) => part, failed: (error) => error, left: () => undefined };
  const gatherer = gatherReply();
  let isOver = false;
  const broken = (): BrokenOff => {
    isOver = true;
    return { door, options, settling, reply: gatherer.brokenOff() };
  };
  const failedWith = (error: unknown): unknown => (isOver ? error : failed(broken(), error));
  return {
    async passed(part) {
      if (part.type === 'error') return { ...part, error: failedWith(part.error) };
      if (part.type === 'tool-call') noteCaller(door, part, { options, settling });
      if (!isOver) gatherer.add(part);
      if (part.type !== 'finish') return part;
      const isFirst = !isOver;
      // Whoever goes away while it is kept leaves no half answer behind.
      isOver = true;
      if (isFirst) await settling.settle({ type: 'answered', reply: gatherer.reply(), usage: usageOf(part) });
      return withReport(part, settling.prepared);
    },
    failed: failedWith,
    left: () => (isOver ? undefined : left(broken())),
  };
}

/** The tools that a model calls work in its session. */
export function noteCaller(
  { callers }: Door,
  { toolCallId: callId, toolName: name }: Extract<StreamPart, { type: 'tool-call' }>,
  { options, settling }: { readonly options: CallOptions; readonly settling: Settling },
): void {
  const prompt = { messages: options.prompt, same: settling.asked };
  callers.note({ callId, name, prompt, sessionId: settling.prepared.sessionId });
}

function ignore(): void {
  // The stream has failed already; how it ends does not matter.
}

// Answers that broke off: what was said of them is kept beside their conversation, whose next request may go on
// without.

/** An answer that has begun and will not be completed. */
interface BrokenOff {
  readonly door: Door;
  readonly options: CallOptions;
  readonly settling: Settling;
  /** As far as it came. */
  readonly reply: Message;
}

/** Nobody wants the rest: a person has called it off, or has gone away. */
function left({ door, settling, reply }: BrokenOff): void {
  door.leave(settling.settle({ type: 'aborted', hasBegun: true }));
  door.leave(keep(door, settling, { reply, why: 'called_off' }));
}

/**
 * The error for whoever reads the stream, the very one that came, with our advice on it. Nobody waits for what follows from it:
 * where the context was too long, it is compressed before the conversation's next request.
 */
function failed({ door, options, settling, reply }: BrokenOff, error: unknown): unknown {
  if (options.abortSignal?.aborted) {
    left({ door, options, settling, reply });
    return error;
  }
  const { reason, advice } = failureIn(door, settling, error);
  const text = isTooSilent(error) ? error.message : advice;
  // What has been read cannot be sent again, so that there is nothing else to cure.
  door.leave(settling.settle(isOverflow(reason) ? { type: 'failed', error } : { type: 'aborted', hasBegun: true }));
  door.leave(keep(door, settling, { reply, why: 'broken_off' }));
  return adviseOn(door, error, text);
}

function failureIn({ contextLength }: Door, { prepared }: Settling, error: unknown): ProviderFailure {
  const { messages, size } = prepared;
  const told = { promptTokens: size.tokens, messages: messages.length, answering: true };
  // In a window that nobody knows there is room.
  return classifyFailure(error, { contextLength: contextLength ?? Number.POSITIVE_INFINITY, ...told });
}

interface Half {
  readonly reply: Message;
  readonly why: BrokenAnswerEnd;
}

/** Characters that a title is made of. */
const mostRead = 2_000;

/** Lists show it without the conversation that it belongs to. */
function titleOf({ reply, why }: Half): string {
  const what = why === 'broken_off' ? 'Broken off' : 'Called off';
  // The store cuts one that is too long, and half a credential is not recognised.
  const words = redact(messageText(reply).slice(0, mostRead)).trim();
  return words === '' ? `${what} before the first word` : `${what}: ${words}`;
}

/** As a side conversation: it is found and shown, but is no part of what the conversation goes on with. Never throws. */
async function keep(door: Door, { prepared }: Settling, { reply, why }: Half): Promise<void> {
  if (reply.parts.length === 0) return;
  try {
    const { sessions } = await door.store();
    const project = (await sessions.get(prepared.sessionId))?.project;
    const { session } = await sessions.begin(
      {
        source: doorName,
        relation: 'side',
        parentId: prepared.sessionId,
        title: titleOf({ reply, why }),
        titleFrom: 'source',
        ...defined({ project }),
      },
      [reply],
    );
    await sessions.end(session.id, why);
  } catch (error) {
    const message = 'The broken-off answer could not be kept: see the error.';
    door.notify({ type: 'bypassed', level: 'warn', message, error });
  }
}
