/**
 * Where a conversation is cut for a compression:
 *
 *     system  head │ middle: goes into the summary │ tail: stays as it is
 *                  headEnd                         tailStart
 *
 * Both cuts lie between groups. What must come after the summary but lies in the middle is named to be restated there.
 */

import type { Message, Part } from '../transcript/message.ts';
import { carriesCalls, carriesResults, type Group, groupsOf, messageText } from '../transcript/text.ts';
import { isBridge, isHandoff, requestRun, withoutHandoff } from './handoff-block.ts';
import { isPlaceholder } from './repair/parts.ts';

export interface BoundaryOptions {
  /** Asked only for messages that may stay, and for what of one would be said again. */
  readonly tokensOf: (message: Message, at: number) => number;
  /**
   * Messages kept at the start besides the system messages; the caller lowers it to 0 after the first compression.
   * @default 3
   */
  readonly headMessages?: number;
  /**
   * Tokens that the head may have besides the system messages; a group that crosses it goes into the summary.
   * @default half of `tailTokens`
   */
  readonly headTokens?: number;
  /**
   * Tokens that the tail should have; a group that crosses it is kept up to 1.5 times as many.
   * @default 20_000
   */
  readonly tailTokens?: number;
  /**
   * How many times its budget the tail may have rather than cut a group.
   * @default 1.5
   */
  readonly ceilingRatio?: number;
  /**
   * Messages that the tail has in any case.
   * @default 3
   */
  readonly minTailMessages?: number;
  /**
   * Messages that the tail has where 1.5 times `tailTokens` allows it.
   * @default 20
   */
  readonly protectLastN?: number;
  /**
   * Cut even where the whole conversation fits the tail: a person or the window asks for it.
   * @default false
   */
  readonly force?: boolean;
  /**
   * Under `force`, half, a quarter and an eighth of the tail are tried before the last group alone: for a conversation
   * that fits the tail only because its old results are stubs by now, which is small enough already.
   * @default false
   */
  readonly gently?: boolean;
  /**
   * An earlier summary is reason enough for a cut, although nothing else goes: it is written anew, and shorter.
   * @default false
   */
  readonly refold?: boolean;
  /**
   * A cut that takes out nothing but what is said again counts too: the handoff tells what the tail loses.
   * @default false
   */
  readonly retells?: boolean;
}

/** How far a tail may grow over its budget (B2). */
const softCeiling = 1.5;

export const boundaryDefaults: Omit<Required<BoundaryOptions>, 'tokensOf' | 'headTokens'> = {
  headMessages: 3,
  tailTokens: 20_000,
  ceilingRatio: softCeiling,
  minTailMessages: 3,
  protectLastN: 20,
  force: false,
  gently: false,
  refold: false,
  retells: false,
};

/** Shares of the tail that are tried where everything fits the whole one. */
const gentleShares = [0.5, 0.25, 0.125] as const;

/** `messages[headEnd] … messages[tailStart - 1]` go into the summary. */
export interface Cut {
  readonly type: 'cut';
  readonly headEnd: number;
  readonly tailStart: number;
  /** The newest real user message, when it lies in the middle: it is said again after the summary (B6). */
  readonly restate?: number;
  /** What the person said right before it, where there is room for that: it is said again with it. */
  readonly restateBefore?: readonly number[];
  /** The newest visible reply, when it lies in the middle: its text is said again after the summary (B4). */
  readonly restateReply?: number;
}

/** Everything of a cut that is said again after the summary, in its order. */
export const restatedBy = ({ restate, restateBefore = [], restateReply }: Partial<Cut>): readonly number[] =>
  [...restateBefore, restate, restateReply].filter((at) => at !== undefined).toSorted((a, b) => a - b);

/** What of a message is said again: the words only, since its group is in the summary. Undefined where it has none. */
export function restatedWords(message: Message | undefined): Message | undefined {
  if (message?.role === 'assistant')
    return withParts(message, (part) => part.type === 'text' && part.text.trim() !== '');
  const said = message && withoutHandoff(message);
  return said && withParts(said, (part) => part.type !== 'toolResult');
}

const withParts = (message: Message, keeps: (part: Part) => boolean): Message =>
  message.parts.every(keeps) ? message : { ...message, parts: message.parts.filter(keeps) };

export type NothingReason =
  /** There are only system messages. */
  | 'empty'
  /** No more messages than head and tail need. */
  | 'too-few'
  /** Everything fits the tail; `force` cuts it all the same. */
  | 'fits-tail'
  /** What could be cut is nothing but the newest words, or an earlier summary. */
  | 'nothing-between';

export type Boundaries = Cut | { readonly type: 'nothing'; readonly reason: NothingReason };

type Settings = Required<BoundaryOptions>;

/** Chooses the cuts, or says why there are none. Pure; linear in the messages. */
export function planBoundaries(messages: readonly Message[], options: BoundaryOptions): Boundaries {
  const settings: Settings = { ...boundaryDefaults, ...options, headTokens: headTokens(options) };
  const layout = layOut(messages, settings);
  const count = messages.length - layout.systemEnd;
  if (count === 0) return { type: 'nothing', reason: 'empty' };
  const least = settings.retells ? 1 : settings.headMessages + settings.minTailMessages + 1;
  if (count <= least) return { type: 'nothing', reason: 'too-few' };
  const cut = firstCut(layout, settings);
  return cut ?? { type: 'nothing', reason: settings.force ? 'nothing-between' : 'fits-tail' };
}

const headTokens = (options: BoundaryOptions): number =>
  options.headTokens ?? (options.tailTokens ?? boundaryDefaults.tailTokens) / 2;

/** The roomiest tail that leaves something to summarise; under `force` down to the last group. */
function firstCut(layout: Layout, settings: Settings): Cut | undefined {
  const strict = { ...settings, protectLastN: 0 };
  const wide = cutAt(layout, settings, tailStart(layout, settings, settings.ceilingRatio));
  const cut = wide ?? cutAt(layout, settings, tailStart(layout, strict, 1));
  if (cut || !settings.force) return cut;
  for (const share of settings.gently ? gentleShares : []) {
    const smaller = { ...strict, tailTokens: settings.tailTokens * share };
    const start = tailStart(layout, smaller, 1);
    const gentle = cutAt(layout, settings, start) ?? cutAt(layout, smaller, start);
    if (gentle) return gentle;
  }
  const least = { ...strict, tailTokens: 0 };
  return cutAt(layout, settings, tailStart(layout, least, 1)) ?? cutAt(layout, least, tailStart(layout, least, 1));
}

/** Walks back over whole groups while budget, ceiling and minimum allow it. */
function tailStart(layout: Layout, settings: Settings, ceiling: number): number {
  const { groups, sizeOf, messages } = layout;
  const limit = settings.tailTokens * ceiling;
  let tokens = 0;
  let start = messages.length;
  for (let i = groups.length - 1; i >= 0; i--) {
    const group = groups[i];
    if (!group || group.start < Math.max(layout.systemEnd, layout.floor)) break;
    const kept = messages.length - start;
    const grown = tokens + sizeOf(i);
    const wanted = tokens < settings.tailTokens || kept < settings.protectLastN;
    // The last group is always whole: its results may still be to come.
    if (kept >= settings.minTailMessages && kept > 0 && !(wanted && grown <= limit)) break;
    tokens = grown;
    start = group.start;
  }
  return start;
}

/** The cut for a tail start, moved so that what must follow the summary does; undefined when nothing lies between. */
function cutAt(layout: Layout, settings: Settings, wantedStart: number): Cut | undefined {
  const { person, reply, messages, floor } = layout;
  const limit = settings.tailTokens * settings.ceilingRatio;
  let start = wantedStart;
  for (const newest of settings.retells ? [] : [person, reply]) {
    if (newest === -1 || newest >= start || newest < floor) continue;
    const earlier = groupStart(layout.groups, newest);
    // Its words cost the same when they are restated.
    const words = restatedWords(messages[newest]);
    const own = words ? settings.tokensOf(words, newest) : 0;
    const most = Math.max(limit, tokensFrom(layout, start)) + own;
    if (tokensFrom(layout, earlier, most) <= most) start = earlier;
  }
  // Neither is left in the head: it would stand before the summary.
  const before = [person, reply].filter((at) => at !== -1 && at < start);
  const head = Math.min(layout.headEnd, start, ...before.map((at) => groupStart(layout.groups, at)));
  const cut = { type: 'cut', headEnd: Math.max(head, layout.systemEnd), tailStart: start } as const;
  const restate = person !== -1 && person < start ? { restate: person } : {};
  const says = reply !== -1 && reply < start ? { restateReply: reply } : {};
  const also = earlierWords(layout, settings, cut);
  const whole: Cut = { ...cut, ...restate, ...(also.length > 0 ? { restateBefore: also } : {}), ...says };
  // Something must be said after the summary: the tail, or at least the request.
  const speaksOn = start < messages.length || whole.restate !== undefined;
  return speaksOn && removes(messages, whole, settings) ? whole : undefined;
}

/** The messages right before the newest request that lie in the middle: the newest ones, as many as a tail may hold. */
function earlierWords(
  { messages, personBefore }: Layout,
  { tokensOf, tailTokens, ceilingRatio }: Settings,
  { headEnd, tailStart: start }: Pick<Cut, 'headEnd' | 'tailStart'>,
): readonly number[] {
  const taken: number[] = [];
  let left = tailTokens * ceilingRatio;
  for (const at of personBefore.toReversed()) {
    const message = messages[at];
    if (at >= start) continue;
    left -= message && at >= headEnd ? tokensOf(restatedWords(message) ?? message, at) : left + 1;
    if (left < 0) break;
    taken.unshift(at);
  }
  return taken;
}

/** True when the middle holds something besides what is restated anyway, unless that is told again, and besides an earlier summary unless that counts. */
function removes(messages: readonly Message[], cut: Cut, { refold, retells }: Settings): boolean {
  const again = retells ? [] : restatedBy(cut);
  for (let at = cut.headEnd; at < cut.tailStart; at++) {
    const message = messages[at];
    if (message && (isHandoff(message) ? refold : !again.includes(at))) return true;
  }
  return false;
}

// The places in a conversation that decide where it may be cut.

interface LayoutOptions {
  readonly tokensOf: (message: Message, at: number) => number;
  readonly headMessages: number;
  readonly headTokens: number;
}

/** What a plan of the cuts looks at. */
interface Layout {
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
function layOut(messages: readonly Message[], settings: LayoutOptions): Layout {
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
const groupStart = (groups: readonly Group[], at: number): number =>
  groups.findLast((group) => group.start <= at && at < group.end)?.start ?? at;

/** Tokens from a group boundary to the end; more than `most` where it is more than that. */
function tokensFrom({ groups, sizeOf }: Layout, start: number, most: number = Number.POSITIVE_INFINITY): number {
  let tokens = 0;
  for (let i = groups.length - 1; i >= 0 && (groups[i]?.start ?? 0) >= start && tokens <= most; i--)
    tokens += sizeOf(i);
  return tokens;
}
