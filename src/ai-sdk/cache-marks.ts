/** Prompt-cache breakpoints on a prompt, as the providers of the SDK take them: in the options of messages and parts. */
import { type Breakpoint, planBreakpoints } from '../context/prompt-cache/breakpoints.ts';
import type { Message } from '../transcript/message.ts';
import { withMark } from './cache-mark.ts';
import type { Door } from './door.ts';
import type { CallOptions, Prompt } from './interface.ts';

/** A prompt and what is known of it. */
export interface Markable {
  readonly prompt: Prompt;
  /** The same messages in our form. */
  readonly messages: readonly Message[];
  readonly tools: NonNullable<CallOptions['tools']>;
}

/** The most that Anthropic takes in one request. */
const most = 4;

/**
 * The prompt with breakpoints where its model has use for them, at most four together with those that the program has set. Only
 * messages that get one are copied.
 */
export function marked(door: Door, { prompt, messages, tools }: Markable): Prompt {
  const { cacheTarget: target, options } = door;
  if (target === undefined) return prompt;
  const room = most - [...tools, ...prompt].reduce((sum, one) => sum + marksOn(one), 0);
  const { cacheLayout: layout = 'system_and_3' } = options;
  const plan = planBreakpoints(messages, { target, layout }).filter(({ message }) => marksOn(prompt[message]) === 0);
  const list = [...prompt];
  for (const place of chosen(plan, room)) {
    const message = list[place.message];
    if (message) list[place.message] = withMark(message, place.part, { target, ttl: options.cacheTtl ?? '5m' });
  }
  return list;
}

/** The first one saves most, and the newest ones come next. */
function chosen(plan: readonly Breakpoint[], room: number): readonly Breakpoint[] {
  if (plan.length <= room) return plan;
  return room < 1 ? [] : [...plan.slice(0, 1), ...(room > 1 ? plan.slice(1 - room) : [])];
}

interface Optioned {
  readonly providerOptions?: Readonly<Record<string, unknown>>;
  readonly content?: unknown;
}

/** How many marks the program has set on something. */
function marksOn(thing: unknown): number {
  if (typeof thing !== 'object' || thing === null) return 0;
  const { providerOptions = {}, content }: Optioned = thing;
  const own = Object.values(providerOptions).some(
    (one) => typeof one === 'object' && one !== null && ('cacheControl' in one || 'cache_control' in one),
  );
  const inside = Array.isArray(content) ? content.reduce<number>((sum, part) => sum + marksOn(part), 0) : 0;
  return (own ? 1 : 0) + inside;
}
