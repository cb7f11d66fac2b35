/** Text that is recalled for a turn: asked for once, cut to its budget, and put before the model inside its fence. */
import { personMessage } from '../compression/handoff-block.ts';
import { redact } from '../redaction/redact.ts';
import { defined } from '../shared/defined.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { genAi } from '../tracing/conventions.ts';
import { inSpan } from '../tracing/tracer.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import type { RecalledText } from './beside.ts';
import { bounded, noteHook } from './call-hooks.ts';
import type { Fitted } from './fit.ts';
import type { HookCall, Recall, RecallRequest } from './hooks.ts';
import { type Step, turnOf } from './live.ts';
import { recallOfProvider } from './memory/provider.ts';
import { recallFromMemory } from './memory/recall.ts';
import { withPause } from './pauses.ts';
import { emptyFence } from './recall-fence.ts';
import { carrierOf, recalledInTurn, setRecalled, textTokens } from './recalled.ts';
import type { RecalledPart } from './request.ts';

/** A context with what was recalled for it. */
export interface WithRecall {
  readonly messages: readonly Message[];
  /** The fences in it, by their places in the request. */
  readonly recalled: readonly RecalledPart[];
  /** What was recalled now takes so much more than the context was reckoned to have. */
  readonly tokens: number;
}

/**
 * The context with recalled text in the messages that it was recalled for; as it is where there is none, or no room. What was
 * sent once is sent again, in the steps of its turn and in later turns, so that what a cache holds stays good.
 */
export async function withRecall(step: Step, fitted: Fitted): Promise<WithRecall> {
  const before = recalledInTurn(step.live);
  await recallForTurn(step, fitted);
  const now = recalledInTurn(step.live);
  const tokens = now === before ? 0 : textTokens(step, now) - textTokens(step, before);
  return { ...withTexts(step, fitted.messages), tokens };
}

/** Recalled text takes at most this share of a window, its fence included: the rest is for what is said now. */
const recallShare = 0.1;
/** And at most this share of what the window has left: the answer and the steps of the turn need the rest. */
const freeShare = 0.5;

/** Finds the text of this turn, unless that was done, or nobody knows of any. */
async function recallForTurn(step: Step, { messages, size, room: whole }: Fitted): Promise<void> {
  const { runtime, basis, live, asked } = step;
  const { recall, memory, recallTokens } = runtime.settings;
  const given = asked.call.recall;
  const recalls = recall !== undefined || (memory !== undefined && memory.recall !== false);
  const isSilent = given === undefined && !recalls && !memory?.provider;
  const known = recalledInTurn(live);
  if (isSilent || (known !== undefined && (given === undefined || given === known.given))) return;
  const message = messages.findLast((one) => personMessage(one) !== undefined);
  if (!message) return;
  const words = messageText(personMessage(message) ?? message);
  const look = (): Promise<readonly (string | undefined)[]> =>
    Promise.all([
      given ?? (recalls ? recalled(step, withTexts(step, messages).messages, message) : undefined),
      recallOfProvider(step, words),
    ]);
  // What its program has found already is not looked for.
  const found = await (given !== undefined && !memory?.provider ? look() : inRecall(step, look));
  const text = redact(found.filter(Boolean).join('\n\n')).trim();
  const most = Math.min(recallTokens, Math.floor(basis.contextLength * recallShare));
  const room = {
    budget: Math.min(most, Math.floor((whole - size.tokens) * freeShare)),
    message,
    tokenizer: basis.tokenizer,
  };
  await setRecalled(step, { text: (text && cut(text, room)) || '', ...defined({ given }) });
}

/** Looks for the text in a span, which tells how much was found and nothing of it. */
function inRecall<T>({ live }: Step, look: () => Promise<readonly T[]>): Promise<readonly T[]> {
  const { session } = live;
  const attributes = {
    [genAi.operation]: 'search_memory',
    [genAi.conversation]: session.rootId,
    'palimpsest.session.id': session.id,
  };
  return inSpan(
    () => ({ name: 'search_memory', attributes }),
    async (span) => {
      const found = await look();
      const { turn, report } = live.explained ?? {};
      const own = report && turn === turnOf(live) ? report : undefined;
      span?.setAttributes({
        [genAi.recordCount]: own?.candidates.filter(({ outcome }) => outcome === 'recalled').length,
        'palimpsest.recall.outcome': own?.reason ?? (found.some(Boolean) ? 'recalled' : 'nothing found'),
      });
      return found;
    },
  );
}

/** Never longer than a hook may take: a request waits for it. @throws the signal's reason */
async function recalled(step: Step, messages: readonly Message[], message: Message): Promise<string | undefined> {
  const { recall } = step.runtime.settings;
  const text = messageText(personMessage(message) ?? message);
  const request = step.asked.call.signal;
  const sessionId = step.live.session.id;
  const asked = ({ signal }: HookCall): RecallRequest => ({ sessionId, text, messages, signal });
  const found = recall
    ? await bounded(step, { name: 'recall', work: (call): ReturnType<Recall> => recall(asked(call)), signal: request })
    : await bounded(step, {
        subject: 'Recalling what is remembered',
        work: (call) => recallFromMemory(step, asked(call)),
        signal: request,
      });
  request?.throwIfAborted();
  if (found === undefined || typeof found === 'string') return found;
  noteHook(step, `The hook recall gave no text but ${typeof found}; it was ignored.`);
  return undefined;
}

/** What stands in a message that was said in a turn. */
type Kept = Pick<RecalledText, 'turn' | 'at' | 'text'>;

/** The messages with the marks and texts that stand in them. */
function withTexts({ live, asked }: Step, messages: readonly Message[]): Pick<WithRecall, 'messages' | 'recalled'> {
  if (live.pauses.length === 0 && live.recalled.every(({ text }) => text === '')) return { messages, recalled: [] };
  const current = turnOf(live);
  const list = [...messages];
  const recalled: RecalledPart[] = [];
  const put = (kept: readonly Kept[], carrierFor: typeof carrierOf, isBefore: boolean): void => {
    let from = 0;
    for (const { turn, at, text } of kept) {
      const said = asked.said[at];
      const isCurrent = turn === current;
      // A client may say the same object twice: they stand in the order in which they were said.
      const place = isCurrent
        ? messages.findLastIndex((one) => personMessage(one) !== undefined)
        : said
          ? messages.indexOf(said, from)
          : -1;
      const message = list[place];
      if (!message) continue;
      from = place + 1;
      if (text === '') continue;
      const carrier = carrierFor(message, text);
      list[place] = carrier;
      const part = isBefore ? carrier.parts.find((one) => !message.parts.includes(one)) : carrier.parts.at(-1);
      if (part) recalled.push({ at: asked.prompts.length + at, part, ...(isBefore ? { isBefore } : {}) });
    }
  };
  put(live.pauses, withPause, true);
  put(live.recalled, carrierOf, false);
  return { messages: list, recalled };
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
