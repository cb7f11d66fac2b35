/** Text that is recalled for a turn: asked for once, cut to its budget, and put before the model inside its fence. */
import { personMessage } from '../compression/handoff-block.ts';
import { redact } from '../redaction/redact.ts';
import { messageCounter } from '../tokens/measure.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import { bounded, noteHook } from './call-hooks.ts';
import type { Fitted } from './fit.ts';
import type { HookCall } from './hooks.ts';
import { type Step, turnOf } from './live.ts';
import { emptyFence, withFence } from './recall-fence.ts';
import type { Recall } from './recall-request.ts';

/** A context with what was recalled for it. */
export interface WithRecall {
  readonly messages: readonly Message[];
  /** The one of them with the fence. */
  readonly carrier?: Message;
  /** What the fence takes; 0 without one. */
  readonly tokens: number;
}

/**
 * The context with recalled text in the newest message of the person; as it is where there is none, or no room. The steps
 * of a turn carry the same text, so that what a cache holds of the turn stays good; the next turn does not carry it.
 */
export async function withRecall(step: Step, { messages, size, room: whole }: Fitted): Promise<WithRecall> {
  const { runtime, basis, live, asked } = step;
  const { tokenizer } = basis;
  if (!runtime.settings.recall && asked.call.recall === undefined && !live.recalled) return { messages, tokens: 0 };
  const at = messages.findLastIndex((message) => personMessage(message) !== undefined);
  const message = messages[at];
  if (!message) return { messages, tokens: 0 };
  const text = await recalledFor(step, messages, message);
  const { recallTokens } = runtime.settings;
  const room = { budget: Math.min(recallTokens, whole - size.tokens), message, tokenizer };
  const fitting = text === undefined ? undefined : cut(text, room);
  if (fitting === undefined) return { messages, tokens: 0 };
  const carrier = withFence(message, fitting);
  const count = messageCounter(tokenizer);
  return { messages: messages.with(at, carrier), carrier, tokens: count(carrier) - count(message) };
}

/** What the door has handed over, else what was recalled earlier in the turn, else what is recalled now. */
async function recalledFor(step: Step, messages: readonly Message[], message: Message): Promise<string | undefined> {
  const { live, asked } = step;
  const turn = turnOf(live);
  const given = asked.call.recall;
  if (given !== undefined) live.recalled = { turn, text: redact(given) };
  else if (live.recalled?.turn !== turn) {
    const text = await recalled(step, messages, message);
    live.recalled = { turn, text: text === undefined ? undefined : redact(text) };
  }
  return live.recalled?.text?.trim() || undefined;
}

/** Never longer than a hook may take: a request waits for it. @throws the signal's reason */
async function recalled(step: Step, messages: readonly Message[], message: Message): Promise<string | undefined> {
  const { recall } = step.runtime.settings;
  if (!recall) return undefined;
  const text = messageText(personMessage(message) ?? message);
  const request = step.asked.call.signal;
  const sessionId = step.live.session.id;
  const work = ({ signal }: HookCall): ReturnType<Recall> => recall({ sessionId, text, messages, signal });
  const found = await bounded(step, { name: 'recall', work, signal: request });
  request?.throwIfAborted();
  if (found === undefined || typeof found === 'string') return found;
  noteHook(step, `The hook recall gave no text but ${typeof found}; it was ignored.`);
  return undefined;
}

interface FenceRoom {
  readonly budget: number;
  /** What carries the fence. */
  readonly message: Message;
  readonly tokenizer: Tokenizer;
}

/** The lines of a text that fit a budget, from its beginning; undefined where none does. */
function cut(text: string, { budget, message, tokenizer }: FenceRoom): string | undefined {
  const count = (part: string): number => tokenizer.count(part);
  const most = budget - count(emptyFence(message));
  if (count(text) <= most) return text;
  const lines = text.split('\n');
  // The first line that does not fit any more.
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (count(lines.slice(0, middle).join('\n')) + cutMarkTokens <= most) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? undefined : `${lines.slice(0, low).join('\n')}\n[more was recalled; it did not fit]`;
}

const cutMarkTokens = 16;
