/** Puts head, handoff block and tail together so that every provider takes the list. */
import type { Message, Part, Role } from '../transcript/message.ts';
import { carriesCalls, carriesResults } from '../transcript/text.ts';
import { type Cut, restatedBy, restatedWords } from './boundaries.ts';
import { bridge, isHandoff, withSystemNote } from './handoff-block.ts';

export interface AssembleOptions {
  /** The block that stands for the middle, as `handoffBlock` makes it. */
  readonly block: string;
  /**
   * Add the one-time note about handoffs to the system message (A2).
   * @default false
   */
  readonly systemNote?: boolean;
  /**
   * Also merge user messages that follow each other anyway, for the strictest templates.
   * @default false
   */
  readonly mergeUsers?: boolean;
}

export interface Assembled {
  readonly messages: readonly Message[];
  /** Index of the message that carries the block. */
  readonly handoffAt: number;
  /** `merged` when the block shares a message with the first user message after it. */
  readonly placement: 'own-message' | 'merged';
}

/**
 * `messages` with the middle of `cut` replaced by the block, and the newest request and reply said again after it where
 * they lay in the middle. The covered messages are exactly `messages.slice(cut.headEnd, cut.tailStart)` (A6).
 */
export function assemble(messages: readonly Message[], cut: Cut, options: AssembleOptions): Assembled {
  const head = messages
    .slice(0, cut.headEnd)
    .map((message, at) => (options.systemNote && at === 0 ? noted(message) : message));
  const rest = joinSeam(restated(messages, cut), messages.slice(cut.tailStart));
  const [next, ...behind] = rest;
  const role = blockRole(head, rest);
  const start = role === 'user' && needsBridge(head) ? [...head, bridge] : head;
  const merges = role === 'merge' && next !== undefined;
  const carrier: Message = merges
    ? merged(options.block, next)
    : blockMessage(options.block, role === 'merge' ? 'user' : role);
  const list = [...start, carrier, ...(merges ? behind : rest)];
  return {
    messages: options.mergeUsers ? mergeUsers(list) : list,
    handoffAt: start.length,
    placement: merges ? 'merged' : 'own-message',
  };
}

const noted = (message: Message): Message => (message.role === 'system' ? withSystemNote(message) : message);

/** The newest reply and request of the middle, with what was said right before the request, in their order: the words only, since their groups are in the summary. */
function restated(messages: readonly Message[], cut: Cut): readonly Message[] {
  return restatedBy(cut).flatMap((at) => restatedWords(messages[at]) ?? []);
}

/** A restated request and a host message that opens the tail would be two user messages in a row: they become one. */
function joinSeam(before: readonly Message[], tail: readonly Message[]): readonly Message[] {
  const last = before.at(-1);
  const first = tail[0];
  if (!last || !first) return [...before, ...tail];
  return [...before.slice(0, -1), ...mergeUsers([last, first]), ...tail.slice(1)];
}

/**
 * The role of the block: one that neither neighbour has. Chat templates like Mistral's do not see tool rows and
 * assistant rows with calls when they check that roles alternate, so the visible neighbours count, and the message
 * right behind. Where no role fits, the block is merged into the request behind it, or a bridge ends the turn before it. A conversation without a user message before it needs a user message here (Anthropic, Qwen).
 */
function blockRole(head: readonly Message[], rest: readonly Message[]): Role | 'merge' {
  const before = head.filter((message) => message.role !== 'system');
  const next = rest[0]?.role;
  const mustBeUser = before.length === 0 || ![...before, ...rest].some((message) => message.role === 'user');
  if (mustBeUser) return next === 'user' ? 'merge' : 'user';
  const visibleBefore = before.findLast(isVisible)?.role;
  const visibleNext = rest.find(isVisible)?.role;
  for (const role of ['user', 'assistant'] as const) {
    if (role !== visibleBefore && role !== visibleNext && role !== next) return role;
  }
  return next === 'user' ? 'merge' : 'user';
}

/** True when the head ends with a request that, for a template that skips rows of tools, nobody answers. */
function needsBridge(head: readonly Message[]): boolean {
  return head.findLast((message) => message.role !== 'system' && isVisible(message))?.role === 'user';
}

const isVisible = (message: Message): boolean =>
  message.role === 'user' || (message.role === 'assistant' && !carriesCalls(message));

const blockMessage = (block: string, role: Role): Message => ({
  role,
  origin: 'summary',
  parts: [{ type: 'text', text: block }],
});

/** The block as a part of its own before the user's parts, which stay byte for byte. */
function merged(block: string, message: Message): Message {
  const parts: readonly Part[] = [{ type: 'text', text: block }, ...message.parts];
  return { ...message, origin: 'summary', parts };
}

/** What the size of the result says (A5). */
export type Verdict =
  /** Smaller: go on. */
  | { readonly type: 'smaller'; readonly savedTokens: number }
  /** Not smaller, but a handoff of at most `maxHandoffTokens` would make it so. */
  | { readonly type: 'salvage'; readonly maxHandoffTokens: number }
  /** Not smaller whatever the handoff says: keep the conversation as it is. */
  | { readonly type: 'refuse'; readonly growthTokens: number };

export interface Sizes {
  readonly beforeTokens: number;
  readonly afterTokens: number;
  /** The handoff's share of `afterTokens`. */
  readonly handoffTokens: number;
  /**
   * A handoff under this is not worth having.
   * @default 500
   */
  readonly minHandoffTokens?: number;
  /**
   * A salvaged handoff is at most this long.
   * @default 2_000
   */
  readonly maxHandoffTokens?: number;
}

/** Whether a compression is worth keeping (A5): one that saves nothing is refused or tried with a short handoff. */
export function worthIt(sizes: Sizes): Verdict {
  const savedTokens = sizes.beforeTokens - sizes.afterTokens;
  if (savedTokens > 0) return { type: 'smaller', savedTokens };
  // One token less than before, with everything but the handoff as it is.
  const room = sizes.beforeTokens - 1 - (sizes.afterTokens - sizes.handoffTokens);
  const maxHandoffTokens = Math.min(room, sizes.maxHandoffTokens ?? 2_000);
  if (maxHandoffTokens >= (sizes.minHandoffTokens ?? 500) && maxHandoffTokens < sizes.handoffTokens) {
    return { type: 'salvage', maxHandoffTokens };
  }
  return { type: 'refuse', growthTokens: sizes.afterTokens - sizes.beforeTokens };
}

// Merges user messages in a row, for providers that want roles to alternate.

/**
 * Every run of user messages as one message with all parts in order; the same list object when there is none. The
 * result is for sending only: with the merge the single authors are lost.
 */
export function mergeUsers(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === 'user' && message.role === 'user' && !carriesResults(last) && !carriesResults(message)) {
      merged[merged.length - 1] = joined(last, message);
    } else merged.push(message);
  }
  return merged.length === messages.length ? messages : merged;
}

function joined(a: Message, b: Message): Message {
  const { origin, ...rest } = a;
  const source = [...(a.source ?? []), ...(b.source ?? [])];
  // A person's words must stay findable; a host text beside them is the lesser evil. What its reader took for a summary and
  // is none must not make one of the words beside it.
  const author = origin === b.origin ? origin : isHandoff(a) || isHandoff(b) ? 'summary' : 'person';
  return {
    ...rest,
    ...(author ? { origin: author } : {}),
    parts: [...a.parts, ...b.parts],
    ...(source.length > 0 ? { source } : {}),
  };
}
