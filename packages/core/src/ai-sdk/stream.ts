/** Streams of a model: a failure before the first word can still be cured, and what was said is kept, whole or broken off. */
import { untilAborted } from '../compression/summarize/bounded.ts';
import { type BrokenOff, failed, left } from './broken-off.ts';
import type { Settling } from './call.ts';
import type { Door } from './door.ts';
import type { CallOptions, StreamPart, StreamResult } from './interface.ts';
import { gatherReply } from './reply.ts';
import { usageOf, withReport } from './report.ts';
import type { Listening } from './silence.ts';

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
 * The stream as it came. A complete answer is settled before whoever reads it sees the end; an error is passed on at once, and
 * what follows from it comes behind it.
 */
export function settledStream({ result, held, reader, listening }: OpenedStream, following: Following): StreamResult {
  const waiting = [...held];
  const watch = watchReply(following);
  const stream = new ReadableStream<StreamPart>(
    {
      async pull(controller) {
        try {
          const part = waiting.shift() ?? (await listening.next(reader.read())).value;
          if (part !== undefined) return controller.enqueue(await watch.passed(part));
          // A stream without an end has no answer.
          watch.left();
          listening.stop();
          controller.close();
        } catch (error) {
          listening.stop();
          controller.error(watch.failed(error));
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
