/** What a person said, with what the agent had said just before and said in reply: where a true request has its words. */

import type { Act } from '../../language/concepts.ts';
import { actsMeant } from './concepts.ts';
import type { Weighed } from './request-words.ts';
import type { Source, Speaker } from './source.ts';
import { isRefusal } from './words/answers.ts';

/** One stretch of what a person said, by numbers of passages. */
export interface Exchange {
  readonly first: number;
  last: number;
  chars: number;
  /** What the agent says before the person does. */
  readonly before: readonly number[];
  /** The person was asked by a tool. */
  readonly isAnswer: boolean;
}

/** How much of a line's words one exchange has, by weight; 1 of no words. */
export interface ExchangeShare {
  readonly exchange: Exchange;
  /** In what the person said. */
  readonly own: number;
  /** There, in what the person replied to and in the reply. */
  readonly whole: number;
  /** Where the person says one of the words; undefined where there are none to say. */
  readonly places: ReadonlySet<number> | undefined;
}

/** All of them, in the order in which they were said, and where they stand. */
export interface Exchanges {
  readonly list: readonly Exchange[];
  /** By passage: the exchange in which a person says it, and those beside which the agent does. */
  readonly own: readonly (number | undefined)[];
  readonly beside: ReadonlyMap<number, readonly number[]>;
  /** By passage of the agent: the exchange that it was said before. */
  readonly asked: ReadonlyMap<number, number>;
}

/** Passages that count as one: what stands pages apart was not said together. */
const stretch = 8;
/** So many passages of the agent before a person's words, and in reply, belong to them. */
const reach = 40;
const replies = 12;

const known = new WeakMap<Source, Exchanges>();

/** The exchanges that have one of the words; all of them where there are no words. Linear in the places of the words. */
export function exchangesWith(words: readonly Weighed[], source: Source): readonly ExchangeShare[] {
  const exchanges = exchangesIn(source);
  const { list } = exchanges;
  if (words.length === 0) return list.map((exchange) => ({ exchange, own: 1, whole: 1, places: undefined }));
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Map<number, { own: number; whole: number; readonly places: Set<number> }>();
  for (const { word, weight } of words) {
    const { said, near } = exchangesSaying(source.placesOf(word), exchanges);
    for (const at of new Set([...said.keys(), ...near])) {
      const share = found.get(at) ?? { own: 0, whole: 0, places: new Set() };
      found.set(at, share);
      share.whole += weight / all;
      if (said.has(at)) share.own += weight / all;
      for (const place of said.get(at) ?? []) share.places.add(place);
    }
  }
  return [...found].flatMap(([at, share]) => {
    const exchange = list[at];
    return exchange ? [{ exchange, ...share }] : [];
  });
}

/** The exchanges of a conversation; found once. */
export function exchangesIn(source: Source): Exchanges {
  const exchanges = known.get(source) ?? exchangesOf(source);
  known.set(source, exchanges);
  return exchanges;
}

interface Saying {
  /** With the passages that do. */
  readonly said: ReadonlyMap<number, readonly number[]>;
  readonly near: ReadonlySet<number>;
}

function exchangesSaying(places: readonly number[], { own, beside }: Exchanges): Saying {
  const said = new Map<number, number[]>();
  const near = new Set<number>();
  for (const place of places) {
    const one = own[place];
    const known = one === undefined ? undefined : said.get(one);
    if (known) known.push(place);
    else if (one !== undefined) said.set(one, [place]);
    for (const other of beside.get(place) ?? []) near.add(other);
  }
  return { said, near };
}

function exchangesOf(source: Source): Exchanges {
  const list: Exchange[] = [];
  const own: (number | undefined)[] = [];
  const beside = new Map<number, number[]>();
  const asked = new Map<number, number>();
  const note = (passage: number): void => {
    beside.set(passage, [...(beside.get(passage) ?? []), list.length - 1]);
  };
  let before: number[] = [];
  let left = 0;
  for (let at = 0; at < source.passages; at++) {
    const speaker = source.speakerOf(at);
    if (isUserSide(speaker, source)) {
      const open = list.at(-1);
      if (open && goesOn(open, at, source)) {
        open.last = at;
        open.chars += source.text(at).length;
      } else {
        const isAnswer = speaker === 'host' && source.speakerOf(at - 1) === 'call';
        list.push({ first: at, last: at, chars: source.text(at).length, before, isAnswer });
        for (const passage of before) {
          note(passage);
          asked.set(passage, list.length - 1);
        }
        before = [];
      }
      own[at] = list.length - 1;
      left = replies;
    } else if (speaker === 'agent' || speaker === 'call') {
      before.push(at);
      if (before.length > reach) before.shift();
      if (speaker === 'agent' && list.length > 0 && left-- > 0) note(at);
    }
  }
  return { list, own, beside, asked };
}

/** Where no person speaks, the task stands in the system's text. */
const isUserSide = (speaker: Speaker, { persons }: Source): boolean =>
  speaker === 'person' || speaker === 'host' || (speaker === 'system' && persons.size === 0);

const goesOn = ({ first, last }: Exchange, at: number, source: Source): boolean =>
  last === at - 1 && source.messageOf(last) === source.messageOf(at) && at - first < stretch;

const refusalChars = 160;

/** The person opens by refusing, in few words. */
export const isRefusing = ({ first, chars }: Exchange, source: Source): boolean =>
  chars <= refusalChars && isRefusal(source.text(first));

const meant = new WeakMap<Source, Map<number, ReadonlySet<Act>>>();

/** What a passage may ask for; remembered. */
export function actsAt(at: number, source: Source): ReadonlySet<Act> {
  const remembered = meant.get(source) ?? new Map<number, ReadonlySet<Act>>();
  meant.set(source, remembered);
  const acts = remembered.get(at) ?? actsMeant(source.text(at));
  remembered.set(at, acts);
  return acts;
}
