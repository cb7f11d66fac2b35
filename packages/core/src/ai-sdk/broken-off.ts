/** Answers that broke off: what was said of them is kept beside their conversation, whose next request may go on without. */
import { classifyFailure, type ProviderFailure } from '../provider/errors/classify.ts';
import { isOverflow } from '../provider/errors/reasons.data.ts';
import { redact } from '../redaction/redact.ts';
import type { BrokenAnswerEnd } from '../store/broken-answer.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import { adviseOn } from './advice.ts';
import type { Settling } from './call.ts';
import type { Door } from './door.ts';
import type { CallOptions } from './interface.ts';
import { isTooSilent } from './silence.ts';

/** An answer that has begun and will not be completed. */
export interface BrokenOff {
  readonly door: Door;
  readonly options: CallOptions;
  readonly settling: Settling;
  /** As far as it came. */
  readonly reply: Message;
}

/** Nobody wants the rest: a person has called it off, or has gone away. */
export function left({ door, settling, reply }: BrokenOff): void {
  door.leave(settling.settle({ type: 'aborted', hasBegun: true }));
  door.leave(keep(door, settling, { reply, why: 'called_off' }));
}

/**
 * The error for whoever reads the stream, the very one that came, with our advice on it. Nobody waits for what follows from it:
 * where the context was too long, it is compressed before the conversation's next request.
 */
export function failed({ door, options, settling, reply }: BrokenOff, error: unknown): unknown {
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
  const { source = 'ai-sdk', project } = door.options;
  try {
    const { sessions } = await door.store();
    const { session } = await sessions.begin(
      {
        ...{ source, relation: 'side', parentId: prepared.sessionId },
        ...{ title: titleOf({ reply, why }), titleFrom: 'source' },
        ...(project === undefined ? {} : { project }),
      },
      [reply],
    );
    await sessions.end(session.id, why);
  } catch (error) {
    const message = 'The broken-off answer could not be kept: see the error.';
    door.notify({ type: 'bypassed', level: 'warn', message, error });
  }
}
