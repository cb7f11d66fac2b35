/** A text as numbers that can be weighed: what it says, and how. The same for training and for the scan. Pure. */
import type { Said } from './ideas.ts';

/** How many weights there are. */
export const weightCount: number = 1 << 16;

/** A feature by its place among the weights, and how much of it there is. */
export type Feature = readonly [place: number, amount: number];

/** A text that was folded, what it speaks of, and the names of the rules that it breaks. */
export interface Reading {
  readonly folded: string;
  readonly said: Said;
  readonly broken: readonly string[];
}

/** Longer texts are read in windows. */
export const mostRead = 1_200;

/**
 * Four views, each of a size of its own: its words one by one and next to each other, its runs of letters (languages inflect,
 * and some write no spaces), the ideas that it names two by two, which are the same in every language, and the rules it breaks.
 */
export function featuresOf({ folded, said, broken }: Reading): readonly Feature[] {
  const text = plainText(folded);
  return [
    ...view(wordsOf(text), { size: 1, least: 8 }),
    ...view(runsOf(text), { size: 1, least: 12 }),
    ...view(ideasOf(said), { size: 0.9, least: 3 }),
    ...view(
      broken.map((name) => [`r${name}`, 1]),
      { size: 0.5, least: 1 },
    ),
  ];
}

/** What tells nothing is one sign: which address, number, id or path it is; tags and the names of fields say nothing. */
const plainText = (folded: string): string =>
  folded
    .slice(0, mostRead)
    .replaceAll(/<\/?[a-z][^<>]{0,200}>/g, ' ')
    .replaceAll(/"[\w-]{1,40}" ?: ?|[{}[\]]/g, ' ')
    .replaceAll(
      /https?:\/\/\S+|(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.(?:example|com|net|org|io|dev)(?!\w)\S*/g,
      ' ⟨url⟩ ',
    )
    .replaceAll(/(?<!\S)[\w.+-]+@\S+/g, ' ⟨mail⟩ ')
    .replaceAll(/(?<!\S)[~.]{0,2}\/[\w.~/-]+/g, ' ⟨path⟩ ')
    .replaceAll(/(?<![\w-])(?=[a-z_-]{0,40}\d)(?=[\d_-]{0,40}[a-z])[\w-]{5,}/g, '0')
    .replaceAll(/\d[.\d]*/g, '0')
    .replaceAll(/\s+/g, ' ');

type Weighed = readonly (readonly [name: string, amount: number])[];

const sign = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}']+|⟨\w+⟩|[^\s\p{L}]/gu;

/** Words, pairs of neighbours, and pairs around one. */
function wordsOf(text: string): Weighed {
  const words = text.match(sign) ?? [];
  return words.flatMap((word, at) => {
    const [next, after] = [words[at + 1], words[at + 2]];
    return [
      [`w${word}`, 1] as const,
      ...(next === undefined ? [] : [[`b${word} ${next}`, 1] as const]),
      ...(after === undefined
        ? []
        : [[`t${word} ${next} ${after}`, 0.7] as const, [`s${word} ${after}`, 0.7] as const]),
    ];
  });
}

const runLengths = [3, 4, 5];

function runsOf(text: string): Weighed {
  const framed = ` ${text} `;
  return runLengths.flatMap((length) =>
    Array.from(
      { length: Math.max(0, framed.length - length + 1) },
      (_, at) => [`c${framed.slice(at, at + length)}`, 1] as const,
    ),
  );
}

const mostIdeas = 6;

function ideasOf(said: Said): Weighed {
  const ideas = [...said].filter(([, places]) => places.length > 0).map(([name]) => name);
  ideas.sort();
  return [
    ...ideas.map((idea) => [`i${idea}`, 1] as const),
    ...ideas.flatMap((one, at) => ideas.slice(at + 1).map((other) => [`p${one} ${other}`, 0.7] as const)),
    [`n${Math.min(mostIdeas, ideas.length)}`, 1],
  ];
}

interface ViewOptions {
  /** Of all names together. */
  readonly size: number;
  /** A text with less in it says too little to be weighed in full. */
  readonly least: number;
}

/** Each name once, all of them together of one size. */
function view(named: Weighed, { size, least }: ViewOptions): readonly Feature[] {
  const amounts = new Map<number, number>();
  for (const [name, amount] of new Map(named)) {
    const place = placeOf(name);
    amounts.set(place, (amounts.get(place) ?? 0) + amount);
  }
  const length = Math.max(least, Math.hypot(...amounts.values()));
  return [...amounts].map(([place, amount]) => [place, (size * amount) / length]);
}

/** FNV-1a over the units, mixed once more: the same on every machine. */
function placeOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) % weightCount;
}
