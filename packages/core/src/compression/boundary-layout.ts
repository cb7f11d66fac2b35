/** The places in a conversation that decide where it may be cut. */
import { type Group, groupsOf } from '../transcript/groups.ts';
import type { Message } from '../transcript/message.ts';
import { carriesCalls, carriesResults, messageText } from '../transcript/text.ts';
import { isBridge, isHandoff, requestRun } from './handoff-block.ts';
import { isPlaceholder } from './repair/parts.ts';

export interface LayoutOptions {
  readonly tokensOf: (message: Message, at: number) => number;
  readonly headMessages: number;
  readonly headTokens: number;
}

/** What a plan of the cuts looks at. */
export interface Layout {
  readonly messages: readonly Message[];
  readonly groups: readonly Group[];
  /** Tokens of the group with this index; measured when first asked for, since most groups lie far from every cut. */
  readonly sizeOf: (group: number) => number;
  readonly systemEnd: number;
  readonly headEnd: number;
  /** The first index at which a tail may start: after the newest earlier summary. */
  readonly floor: number;
  readonly person: number;
  /** What the person said right before it, nobody between. */
  readonly personBefore: readonly number[];
  readonly reply: number;
}

/** The layout of a list: its groups with their sizes, and the places that matter. */
export function layOut(messages: readonly Message[], settings: LayoutOptions): Layout {
  const groups = groupsOf(messages);
  const first = messages.findIndex((message) => message.role !== 'system');
  const systemEnd = first === -1 ? messages.length : first;
  const run = requestRun(messages);
  const handoffs = messages.flatMap((message, at) => (isHandoff(message) ? [at] : []));
  const firstHandoff = handoffs[0] ?? Number.POSITIVE_INFINITY;
  const sizeOf = sizesOf(groups, messages, settings);
  return {
    messages,
    groups,
    sizeOf,
    systemEnd,
    // An earlier summary and what follows it never stay in the head: they are folded into the next summary.
    headEnd: headEnd(messages, groups, {
      sizeOf,
      systemEnd,
      wanted: Math.min(settings.headMessages, firstHandoff - systemEnd),
      most: firstHandoff - systemEnd,
      maxTokens: settings.headTokens,
    }),
    floor: (handoffs.at(-1) ?? -1) + 1,
    person: run.at(-1) ?? -1,
    personBefore: run.slice(0, -1),
    reply: messages.findLastIndex(isVisibleReply),
  };
}

function sizesOf(
  groups: readonly Group[],
  messages: readonly Message[],
  { tokensOf }: LayoutOptions,
): (group: number) => number {
  const known: (number | undefined)[] = [];
  const measure = ({ start, end }: Group): number =>
    messages.slice(start, end).reduce((sum, message, i) => sum + tokensOf(message, start + i), 0);
  return (index) => {
    const group = groups[index];
    if (!group) return 0;
    known[index] ??= measure(group);
    return known[index] ?? 0;
  };
}

/** True for an assistant message that ends a turn with words for a person; what it says beside calls is commentary. */
function isVisibleReply(message: Message): boolean {
  const speaks = message.role === 'assistant' && messageText(message).trim() !== '';
  return speaks && !carriesCalls(message) && !isHandoff(message) && !isBridge(message) && !isPlaceholder(message);
}

interface HeadLimits {
  readonly sizeOf: (group: number) => number;
  readonly systemEnd: number;
  readonly wanted: number;
  /** Where an earlier summary begins. */
  readonly most: number;
  readonly maxTokens: number;
}

/**
 * The head ends after the group in which its last message lies (B3: the start aligns forward), and not on a request
 * whose answer went into the summary: that would look open for ever.
 */
function headEnd(messages: readonly Message[], groups: readonly Group[], { sizeOf, ...limits }: HeadLimits): number {
  let end = limits.systemEnd;
  let tokens = 0;
  for (const [i, group] of groups.entries()) {
    if (group.start < limits.systemEnd) continue;
    tokens += sizeOf(i);
    const enough = end - limits.systemEnd >= limits.wanted && (limits.wanted === 0 || !isRequest(messages[end - 1]));
    if (enough || end - limits.systemEnd >= limits.most || tokens > limits.maxTokens) return end;
    end = group.end;
  }
  return end;
}

const isRequest = (message: Message | undefined): boolean => message?.role === 'user' && !carriesResults(message);

/** Where the group of a message begins. */
export const groupStart = (groups: readonly Group[], at: number): number =>
  groups.findLast((group) => group.start <= at && at < group.end)?.start ?? at;

/** Tokens from a group boundary to the end; more than `most` where it is more than that. */
export function tokensFrom({ groups, sizeOf }: Layout, start: number, most: number = Number.POSITIVE_INFINITY): number {
  let tokens = 0;
  for (let i = groups.length - 1; i >= 0 && (groups[i]?.start ?? 0) >= start && tokens <= most; i--)
    tokens += sizeOf(i);
  return tokens;
}
