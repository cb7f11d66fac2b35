/**
 * The last resort for a tail that is too large although nothing more can leave it: its texts are cut in the middle, the
 * longest first, with a mark that says how much is gone. The newest words of a person are never cut.
 */
import type { Message, Part, ReasoningPart, TextPart, ToolCallPart } from '../../transcript/message.ts';
import { redactedPart } from '../../transcript/redact.ts';
import { isSealed } from '../../transcript/validate.ts';
import { isHandoff, newestRequest } from '../handoff-block.ts';
import { sealedCalls, shortenArguments } from './arguments.ts';
import { cutMiddle } from './cut-text.ts';
import { messageWithoutImages } from './images.ts';

export interface ShrinkOptions {
  readonly tokensOf: (message: Message) => number;
  /** The id under which a message can be expanded. */
  readonly refOf: (message: Message) => string;
  /**
   * What may be cut: only tool results, or also the arguments of calls and then all other texts.
   * @default 'everything'
   */
  readonly only?: 'results' | 'everything';
}

export interface Shrunk {
  readonly messages: readonly Message[];
  /** Indexes of the messages that were cut. */
  readonly cutAt: readonly number[];
  /** False when even the shortest form is larger than `maxTokens`. */
  readonly fits: boolean;
}

/** What may be cut, the cheapest loss first; sealed is what a provider signed or ran itself. */
type Level = 'results' | 'arguments' | 'texts' | 'sealed arguments';

const allLevels: readonly Level[] = ['results', 'arguments', 'texts', 'sealed arguments'];

/** Texts are not cut below this: the mark would be longer than what it hides. */
const minChars = 200;
/** No tokenizer packs more than this many characters into a token for long. */
const maxCharsPerToken = 8;

/** The messages cut down to `maxTokens`; the same list object when they fit. */
export function shrinkTail(messages: readonly Message[], maxTokens: number, options: ShrinkOptions): Shrunk {
  const sizes = messages.map(options.tokensOf);
  const total = sizes.reduce((sum, one) => sum + one, 0);
  if (total <= maxTokens) return { messages, cutAt: [], fits: true };
  let best: Attempt = { messages, tokens: total };
  const sealed = sealedCalls(messages);
  const levels: readonly Level[] = options.only === 'results' ? ['results'] : allLevels;
  for (const level of levels) {
    best = search({ original: messages, messages: best.messages, level, maxTokens, options, sealed });
    if (best.tokens <= maxTokens) break;
    if (level === 'texts') best = withoutImages(messages, best, { maxTokens, options });
  }
  const cutAt = best.messages.flatMap((message, at) => (message === messages[at] ? [] : [at]));
  return { messages: cutAt.length > 0 ? best.messages : messages, cutAt, fits: best.tokens <= maxTokens };
}

interface Attempt {
  readonly messages: readonly Message[];
  readonly tokens: number;
}

/** Images go before what a provider signed is changed, the oldest first; those of the newest request stay. */
function withoutImages(
  original: readonly Message[],
  { messages, tokens }: Attempt,
  { maxTokens, options }: Pick<Search, 'maxTokens' | 'options'>,
): Attempt {
  const spared = newestRequest(messages);
  const list = [...messages];
  let left = tokens;
  for (const [at, message] of messages.entries()) {
    if (left <= maxTokens) break;
    if (at === spared) continue;
    const without = messageWithoutImages(message, options.refOf(original[at] ?? message));
    list[at] = without;
    if (without !== message) left += options.tokensOf(without) - options.tokensOf(message);
  }
  return left < tokens ? { messages: list, tokens: left } : { messages, tokens };
}

interface Search {
  /** The messages as they came, which are the ones that have ids. */
  readonly original: readonly Message[];
  readonly messages: readonly Message[];
  readonly level: Level;
  readonly maxTokens: number;
  readonly options: ShrinkOptions;
  /** Messages that are not to be cut yet. */
  readonly sealed: ReadonlySet<Message>;
}

/** The largest cap on the length of a text with which the messages fit, or the smallest cap there is. */
function search(given: Search): Attempt {
  let cap = Math.max(minChars, given.maxTokens * maxCharsPerToken);
  let found = attempt(given, cap);
  let tooLarge = cap;
  while (found.tokens > given.maxTokens && cap > minChars) {
    tooLarge = cap;
    cap = Math.max(minChars, Math.floor(cap * 0.6));
    found = attempt(given, cap);
  }
  if (found.tokens > given.maxTokens) return found;
  for (let step = 0; step < 4; step++) {
    const middle = Math.floor((cap + tooLarge) / 2);
    const tried = attempt(given, middle);
    if (tried.tokens > given.maxTokens) tooLarge = middle;
    else [cap, found] = [middle, tried];
  }
  return found;
}

function attempt({ original, messages, level, options, sealed }: Search, cap: number): Attempt {
  const spared = newestRequest(messages);
  const cut = messages.map((message, at) =>
    at === spared || isHandoff(message) || (level === 'arguments' && sealed.has(original[at] ?? message))
      ? message
      : capped(message, { level, cap, ref: () => options.refOf(original[at] ?? message) }),
  );
  return { messages: cut, tokens: cut.reduce((sum, message) => sum + options.tokensOf(message), 0) };
}

interface Cap {
  readonly level: Level;
  readonly cap: number;
  readonly ref: () => string;
}

function capped(message: Message, limits: Cap): Message {
  let changed = false;
  const parts = message.parts.map((part) => {
    const cut = cappedPart(part, message, limits);
    if (cut !== part) changed = true;
    return cut;
  });
  return changed ? { ...message, parts } : message;
}

function cappedPart(part: Part, message: Message, { level, cap, ref }: Cap): Part {
  if (part.type === 'toolResult' && !part.server && level === 'results') {
    if (!part.content.some((one) => one.type === 'text' && one.text.length > cap)) return part;
    const content = part.content.map((one) => (one.type === 'text' ? cutPart(one, cap, ref) : one));
    return { ...part, content };
  }
  if (part.type === 'toolCall' && (level === 'arguments' || level === 'sealed arguments')) {
    return part.server && level === 'arguments' ? part : cappedCall(part, cap, ref);
  }
  if (level !== 'texts' || message.role === 'system') return part;
  if (part.type === 'reasoning') return isSealed(part) ? part : cutPart(part, cap, ref);
  return part.type === 'text' ? cutPart(part, cap, ref) : part;
}

function cappedCall(call: ToolCallPart, cap: number, ref: () => string): ToolCallPart {
  if (call.input.length <= cap) return call;
  // Nothing else prunes what a provider ran itself.
  const { server: _, ...own } = call;
  const { input } = shortenArguments(own, { maxArgumentChars: cap, maxLeafChars: cap }, ref());
  return input === call.input ? call : { ...call, input };
}

/** What is written anew holds no credential; what stays as it is stays byte for byte. */
const cutPart = <P extends TextPart | ReasoningPart>(part: P, cap: number, ref: () => string): P =>
  part.text.length <= cap
    ? part
    : { ...part, text: cutMiddle(redactedPart(part).text, Math.max(0, cap - 60), { ref: ref() }) };
