/** Prompt-cache breakpoints on a prompt, as the providers of the SDK take them: in the options of messages and parts. */
import { type Breakpoint, type CacheTtl, planBreakpoints } from '../context/prompt-cache/breakpoints.ts';
import type { Message } from '../transcript/message.ts';
import { withMark } from './cache-mark.ts';
import type { Door } from './door.ts';
import type { Prompt } from './interface.ts';
import { type MarkedCall, type ProgramMark, programMarks } from './program-marks.ts';

/** A prompt and what is known of it. */
export interface Markable extends MarkedCall {
  /** The same messages in our form. */
  readonly messages: readonly Message[];
}

/** The most that Anthropic takes in one request. */
const most = 4;

/**
 * The prompt with breakpoints where its model has use for them, at most four together with those that the program has set. Only
 * messages that get one are copied.
 */
export function marked(door: Door, { prompt, messages, tools, providerOptions }: Markable): Prompt {
  const { cacheTarget: target, options } = door;
  if (target === undefined) return prompt;
  const set = programMarks({ prompt, tools, providerOptions });
  const { cacheLayout: layout = 'system_and_3', cacheTtl = '5m' } = options;
  const isTaken = (at: number): boolean => set.some((mark) => mark.at === at);
  const plan = planBreakpoints(messages, { target, layout }).filter(({ message }) => !isTaken(message));
  const list = [...prompt];
  for (const place of chosen(plan, most - set.length)) {
    const message = list[place.message];
    const mark = { target, ttl: ttlAt(place.message, set, cacheTtl) };
    if (message) list[place.message] = withMark(message, place.part, mark);
  }
  return list;
}

/** The first one saves most, and the newest ones come next. */
function chosen(plan: readonly Breakpoint[], room: number): readonly Breakpoint[] {
  if (plan.length <= room) return plan;
  return room < 1 ? [] : [...plan.slice(0, 1), ...(room > 1 ? plan.slice(1 - room) : [])];
}

/** Anthropic refuses a mark of an hour behind one of five minutes: ours hold as long as those of the program let them. */
function ttlAt(at: number, set: readonly ProgramMark[], wanted: CacheTtl): CacheTtl {
  if (set.some((mark) => mark.at > at && mark.ttl === '1h')) return '1h';
  return set.some((mark) => mark.at < at && mark.ttl === '5m') ? '5m' : wanted;
}
