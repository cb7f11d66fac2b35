/** Text that is recalled for a turn: asked for once, cut to its budget, and put before the model inside its fence. */
import { personMessage } from '../../compression/handoff-block.ts';
import { redact } from '../../redaction/redact.ts';
import { messageCounter } from '../../tokens/measure.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { bounded } from '../bounded.ts';
import type { HookCall } from '../hooks.ts';
import type { LiveConversation } from '../live/live.ts';
import { note } from '../notices.ts';
import { turnOf } from '../passes.ts';
import type { Recall } from '../recall-request.ts';
import type { Asked, Runtime } from '../runtime.ts';
import { emptyFence, withFence } from './recall-fence.ts';

/** A context with what was recalled for it. */
export interface WithRecall {
  readonly messages: readonly Message[];
  /** The one of them with the fence. */
  readonly carrier?: Message;
  /** What the fence takes; 0 without one. */
  readonly tokens: number;
}

interface Room {
  readonly messages: readonly Message[];
  /** Tokens that are left in the window. */
  readonly left: number;
  readonly tokenizer: Tokenizer;
}

/**
 * The context with recalled text in the newest message of the person; as it is where there is none, or no room. The steps
 * of a turn carry the same text, so that what a cache holds of the turn stays good; the next turn does not carry it.
 */
export async function withRecall(
  runtime: Runtime,
  live: LiveConversation,
  { asked, messages, left, tokenizer }: Room & { readonly asked: Asked },
): Promise<WithRecall> {
  if (!runtime.settings.recall && asked.call.recall === undefined && !live.recalled) return { messages, tokens: 0 };
  const at = messages.findLastIndex((message) => personMessage(message) !== undefined);
  const message = messages[at];
  if (!message) return { messages, tokens: 0 };
  const text = await recalledFor(runtime, live, { asked, messages, message });
  const { recallTokens } = runtime.settings;
  const room = { budget: Math.min(recallTokens, left), message, tokenizer };
  const fitting = text === undefined ? undefined : cut(text, room);
  if (fitting === undefined) return { messages, tokens: 0 };
  const carrier = withFence(message, fitting);
  const count = messageCounter(tokenizer);
  return { messages: messages.with(at, carrier), carrier, tokens: count(carrier) - count(message) };
}

interface Recalling {
  readonly asked: Asked;
  readonly messages: readonly Message[];
  readonly message: Message;
}

/** What the door has handed over, else what was recalled earlier in the turn, else what is recalled now. */
async function recalledFor(
  runtime: Runtime,
  live: LiveConversation,
  { asked, messages, message }: Recalling,
): Promise<string | undefined> {
  const turn = turnOf(live);
  const given = asked.call.recall;
  if (given !== undefined) live.recalled = { turn, text: redact(given) };
  else if (live.recalled?.turn !== turn) {
    const text = await recalled(runtime, live, { asked, messages, message });
    live.recalled = { turn, text: text === undefined ? undefined : redact(text) };
  }
  return live.recalled?.text?.trim() || undefined;
}

/** Never longer than a hook may take: a request waits for it. @throws the signal's reason */
async function recalled(
  runtime: Runtime,
  { session }: LiveConversation,
  { asked, messages, message }: Recalling,
): Promise<string | undefined> {
  const { recall } = runtime.settings;
  if (!recall) return undefined;
  const text = messageText(personMessage(message) ?? message);
  const request = asked.call.signal;
  const work = ({ signal }: HookCall): ReturnType<Recall> => recall({ sessionId: session.id, text, messages, signal });
  const found = await bounded(runtime, asked, { name: 'recall', work, signal: request });
  request?.throwIfAborted();
  if (found === undefined || typeof found === 'string') return found;
  const problem = `The hook recall gave no text but ${typeof found}; it was ignored.`;
  note(runtime, asked, { type: 'hook', level: 'warn', message: problem });
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
