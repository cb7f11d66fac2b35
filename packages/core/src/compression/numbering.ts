/**
 * The numbers by which messages are named (`m42`), in every process alike. A list that was compressed elsewhere opens with
 * a handoff that says which messages it stands for and which follow it: what follows counts on from there, and the
 * numbers of what is gone stay unknown. So a number names one message, or nothing.
 *
 * ```
 * <handoff covers="m2-m40" followed-by="m38, m41-m43">   system, handoff, request, three messages, and a new one
 *                                                        m1      -        m38      m41 m42 m43        m44
 * ```
 */
import type { Message } from '../transcript/message.ts';
import type { HandoffTag } from '../transcript/summary-text.ts';
import { isBridge, unwrapHandoff } from './handoff-block.ts';
import type { Ref } from './ref.ts';

/** Messages that were said where a handoff was made, and are not here. */
export interface Inherited {
  /** Numbers from the first to before the last that nobody here may take. */
  readonly from: number;
  readonly to: number;
  /** True for a number that the handoff stands for, and whose message does not come behind it. */
  readonly isGone: (number: number) => boolean;
  /**
   * One of those numbers: what the handoff says of no message is kept under it, and nobody sees it. Undefined where all of its
   * messages come behind it, as where a single turn was shortened.
   */
  readonly spare: number | undefined;
  /** The handoff, alone or with a request behind it. */
  readonly message: Message;
  readonly tag: HandoffTag;
}

/** Gives messages their numbers, from 1, in the order in which they came; 0 for what only stands for others. */
export interface Numbering {
  /** `following`: the message behind it, where that is known already. */
  take(message: Message, following?: Message): { readonly number: number; readonly inherited?: Inherited };
}

/** A handoff further behind did not open its list. */
export const mostOpening = 200;
/** Nobody has had a conversation of more messages; a larger number was typed, or forged. */
const mostNumber = 1_000_000;

export function createNumbering(): Numbering {
  let next = 1;
  let taken = 0;
  let waiting: number[] = [];

  function take(message: Message, following?: Message): ReturnType<Numbering['take']> {
    if (following && isBridge(message) && placeAt(following)) return { number: 0 };
    const handoff = unwrapHandoff(message);
    const place = placeAt(message);
    if (!handoff?.tag || !place) return { number: numberOf() };
    const from = next;
    waiting = [...place.behind];
    next = place.end;
    // A request that stands in one message with the block is what follows it.
    const number = handoff.before.length + handoff.after.length > 0 ? numberOf() : 0;
    taken = Number.POSITIVE_INFINITY;
    const { end, isGone, spare } = place;
    return { number, inherited: { from, to: end, isGone, spare, message, tag: handoff.tag } };
  }

  /** Where a handoff stands in the numbers, if it opens the list and fits what stands before it. */
  function placeAt(message: Message): Place | undefined {
    const tag = unwrapHandoff(message)?.tag;
    return tag && waiting.length === 0 && taken === next - 1 && taken < mostOpening ? placeOf(tag, next) : undefined;
  }

  function numberOf(): number {
    taken++;
    return waiting.shift() ?? next++;
  }

  return { take };
}

interface Place {
  readonly isGone: (number: number) => boolean;
  readonly spare: number | undefined;
  /** Numbers of the messages behind the handoff. */
  readonly behind: readonly number[];
  /** The first number that nobody has had. */
  readonly end: number;
}

/** What a handoff says of the numbers around it; undefined where it says nothing, or does not fit what stands before. */
function placeOf({ covers, followedBy }: HandoffTag, next: number): Place | undefined {
  const covered = rangesIn(covers);
  const behind = rangesIn(followedBy ?? '');
  if (!covered?.length || !behind || covered[0]?.[0] !== next) return undefined;
  const numbers = behind.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
  if (numbers.some((number) => number < next) || new Set(numbers).size < numbers.length) return undefined;
  const end = 1 + [...covered, ...behind].reduce((most, [, last]) => Math.max(most, last), 0);
  const isCovered = (number: number): boolean => covered.some(([first, last]) => number >= first && number <= last);
  const behindIt = new Set(numbers);
  const isGone = (number: number): boolean => isCovered(number) && !behindIt.has(number);
  let spare = end - 1;
  while (spare >= next && !isGone(spare)) spare--;
  return { isGone, spare: spare < next ? undefined : spare, behind: numbers, end };
}

/** The numbers of a ledger that reads nothing: for whoever asks where messages stand, and not what they say. */
export function createNumbers(): {
  readonly inheritedAt: number;
  add(message: Message, following: Message | undefined): Ref;
} {
  const numbering = createNumbering();
  const numbers = {
    inheritedAt: -1,
    add(message: Message, following: Message | undefined): Ref {
      const { number, inherited } = numbering.take(message, following);
      if (inherited?.spare !== undefined) numbers.inheritedAt = inherited.spare - 1;
      return `m${number}`;
    },
  };
  return numbers;
}

/** `m2-m40, m43` as numbers; undefined for anything else. */
function rangesIn(text: string): readonly (readonly [number, number])[] | undefined {
  const ranges: (readonly [number, number])[] = [];
  for (const word of text.split(', ')) {
    const match = /^m(\d{1,7})(?:-m(\d{1,7}))?$/.exec(word);
    const first = Number(match?.[1]);
    const last = Number(match?.[2] ?? first);
    if (!match || first < 1 || last < first || last > mostNumber) return undefined;
    ranges.push([first, last]);
  }
  return ranges;
}

/** The number of each message of a list, and what it stands for that is not in it. */
export function numbersOf(messages: readonly Message[]): {
  readonly numbers: readonly number[];
  readonly inherited: Inherited | undefined;
} {
  const numbering = createNumbering();
  let found: Inherited | undefined;
  const numbers = messages.map((message, at) => {
    const { number, inherited } = numbering.take(message, messages[at + 1]);
    found ??= inherited;
    return number;
  });
  return { numbers, inherited: found };
}
