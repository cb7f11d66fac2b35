/**
 * The last resort for a tail that is too large although nothing more can leave it: its texts are cut in the middle, the
 * longest first, with a mark that says how much is gone. The newest words of a person are never cut; what programs ask
 * goes on longer than what they note.
 */
import type { Message, Part, ReasoningPart, TextPart, ToolCallPart } from '../../transcript/message.ts';
import { redactedPart } from '../../transcript/redact.ts';
import { isSealed } from '../../transcript/validate.ts';
import { askerOf, isHandoff, newestRequest } from '../handoff-block.ts';
import { cutArguments, cutMiddle, sealedCalls, withContent, withParts } from './cuts.ts';
import { withoutImages } from './images.ts';

export interface ShrinkOptions {
  readonly tokensOf: (message: Message) => number;
  /** The id under which a message can be expanded. */
  readonly refOf: (message: Message) => string;
  /**
   * What may be cut: only tool results, or also the arguments of calls and then all other texts; `orders` are what nothing else
   * cuts: what a program asks, and after that system prompts.
   * @default 'everything'
   */
  readonly only?: 'results' | 'everything' | 'orders';
  /** True for messages that are not cut at all. @default none */
  readonly keeps?: (message: Message) => boolean;
}

export interface Shrunk {
  readonly messages: readonly Message[];
  /** Indexes of the messages that were cut. */
  readonly cutAt: readonly number[];
  /** False when even the shortest form is larger than `maxTokens`. */
  readonly fits: boolean;
}

/** What may be cut, the cheapest loss first; sealed is what a provider signed or ran itself. */
type Level = 'results' | 'arguments' | 'texts' | 'requests of programs' | 'sealed arguments' | 'prompts';

const levels: Readonly<Record<NonNullable<ShrinkOptions['only']>, readonly Level[]>> = {
  results: ['results'],
  everything: ['results', 'arguments', 'texts', 'sealed arguments'],
  orders: ['requests of programs', 'prompts'],
};

/** Texts are not cut below this: the mark would be longer than what it hides. */
const minChars = 200;
/** No tokenizer packs more than this many characters into a token for long. */
const maxCharsPerToken = 8;

/** The messages cut down to `maxTokens`; the same list object when they fit. */
export function shrinkTail(messages: readonly Message[], maxTokens: number, options: ShrinkOptions): Shrunk {
  const tokens = messages.reduce((sum, message) => sum + options.tokensOf(message), 0);
  if (tokens <= maxTokens) return { messages, cutAt: [], fits: true };
  const sealed = sealedCalls(messages);
  let best: Attempt = { messages, tokens };
  for (const level of levels[options.only ?? 'everything']) {
    best = search({ original: messages, messages: best.messages, level, maxTokens, options, sealed });
    if (best.tokens <= maxTokens) break;
    if (level === 'texts') best = dropImages(messages, best, { maxTokens, options });
  }
  const cutAt = best.messages.flatMap((message, at) => (message === messages[at] ? [] : [at]));
  return { messages: cutAt.length > 0 ? best.messages : messages, cutAt, fits: best.tokens <= maxTokens };
}

interface Attempt {
  readonly messages: readonly Message[];
  readonly tokens: number;
}

/** Images go before what a provider signed is changed, the oldest first; those of the newest request stay. */
function dropImages(
  original: readonly Message[],
  { messages, tokens }: Attempt,
  { maxTokens, options: { refOf, tokensOf } }: Pick<Search, 'maxTokens' | 'options'>,
): Attempt {
  const spared = newestRequest(messages);
  let left = tokens;
  const list = messages.map((message, at) => {
    if (left <= maxTokens || at === spared) return message;
    const ref = refOf(original[at] ?? message);
    const without = withParts(message, (part) => withoutImages(part, ref));
    if (without !== message) left += tokensOf(without) - tokensOf(message);
    return without;
  });
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
  const newest = newestRequest(messages);
  const spared = messages[newest] && isSpared(messages[newest], level) ? newest : -1;
  const cut = messages.map((message, at) => {
    const came = original[at] ?? message;
    if (at === spared || isHandoff(message) || options.keeps?.(came) || (level === 'arguments' && sealed.has(came)))
      return message;
    const limits = { level, cap, ref: () => options.refOf(came) };
    return withParts(message, (part) => cappedPart(part, message, limits));
  });
  return { messages: cut, tokens: cut.reduce((sum, message) => sum + options.tokensOf(message), 0) };
}

function isSpared(request: Message, level: Level): boolean {
  const asker = askerOf(request);
  return asker === 'person' || (asker === 'program' && level !== 'requests of programs');
}

interface Cap {
  readonly level: Level;
  readonly cap: number;
  readonly ref: () => string;
}

function cappedPart(part: Part, { role }: Message, { level, cap, ref }: Cap): Part {
  if (part.type === 'toolResult' && level === 'results')
    return withContent(part, (one) => (one.type === 'text' ? cappedText(one, cap, ref) : one));
  if (part.type === 'toolCall' && (level === 'sealed arguments' || (level === 'arguments' && !part.server)))
    return cappedCall(part, cap, ref);
  const isText = part.type === 'text' || (part.type === 'reasoning' && !isSealed(part));
  const isCut = role === 'system' ? level === 'prompts' : level === 'texts' || level === 'requests of programs';
  return isText && isCut ? cappedText(part, cap, ref) : part;
}

function cappedCall(call: ToolCallPart, cap: number, ref: () => string): ToolCallPart {
  if (call.input.length <= cap) return call;
  // Nothing else prunes what a provider ran itself.
  return cutArguments(call, { maxArgumentChars: cap, maxLeafChars: cap }, ref());
}

/** What is written anew holds no credential; what stays as it is stays byte for byte. */
function cappedText<P extends TextPart | ReasoningPart>(part: P, cap: number, ref: () => string): P {
  if (part.text.length <= cap) return part;
  const half = Math.max(0, Math.floor((cap - 60) / 2));
  return { ...part, text: cutMiddle(redactedPart(part).text, { head: half, tail: half }, { ref: ref() }) };
}
