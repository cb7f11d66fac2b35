/** The passage of a message that shows why it was found. */

import { redactPiece } from '../../redaction/redact.ts';
import { type Field, searchFields } from '../../store/terms/index-terms.ts';
import type { Message, Part } from '../../transcript/message.ts';
import { longestMaskedWhole, redactedPart } from '../../transcript/redact.ts';
import type { Occurrence, Reading } from './occurrences.ts';
import type { Leaf } from './query.ts';
import type { WantedTerm } from './wanted-terms.ts';

/** A piece of a text with the places that fit. */
export interface Passage {
  readonly text: string;
  /** First character and the one after the last of each match in `text`, in order, without overlaps. */
  readonly marks: readonly Mark[];
  /** True where text was left out. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

/** How a passage is chosen and marked. */
export interface PassageOptions {
  /** By wanted term. */
  readonly worth: readonly number[];
  readonly characters: number;
  readonly marking: Marking;
}

/** The best stretch of so many characters, where the worth of its distinct terms is largest. */
export function passageOf(reading: Reading, { worth, characters, marking }: PassageOptions): Passage {
  const best = bestWindow(reading, worth, characters);
  const field = reading.fields[best?.field ?? 0];
  const text = field?.text ?? '';
  const middle = best ? (best.start + best.end) / 2 : 0;
  const from = wordStart(text, clamp(Math.round(middle - characters / 2), 0, Math.max(0, text.length - characters)));
  const to = wordEnd(text, Math.min(text.length, from + characters), from);
  const here = reading.occurrences.filter((one) => one.field === best?.field && one.start >= from && one.end <= to);
  const shown = text.slice(from, to);
  const places = here.map(({ term, start, end }) => ({ term, start: start - from, end: end - from }));
  return {
    text: shown,
    marks: marksIn(shown, places, marking),
    cutBefore: from > 0,
    cutAfter: to < text.length,
  };
}

interface Window {
  readonly field: number;
  readonly start: number;
  readonly end: number;
}

/** Slides over the occurrences of each field, in linear time. */
function bestWindow({ occurrences }: Reading, worth: readonly number[], characters: number): Window | undefined {
  const sorted = [...occurrences].sort((a, b) => a.field - b.field || a.start - b.start);
  const counts = new Map<number, number>();
  let value = 0;
  let best: { readonly value: number; readonly window: Window } | undefined;
  let first = 0;
  for (const last of sorted) {
    value += enter(counts, last, worth);
    for (let oldest = sorted[first]; oldest && !fits(oldest, last, characters); oldest = sorted[first]) {
      value -= leave(counts, oldest, worth);
      first++;
    }
    const start = sorted[first]?.start ?? last.start;
    // Rounding must not let a later window of the same terms win.
    if (!best || value > best.value + 1e-9) best = { value, window: { field: last.field, start, end: last.end } };
  }
  return best?.window;
}

const fits = (oldest: Occurrence, last: Occurrence, characters: number): boolean =>
  oldest.field === last.field && last.end - oldest.start <= characters;

function enter(counts: Map<number, number>, { term }: Occurrence, worth: readonly number[]): number {
  const count = (counts.get(term) ?? 0) + 1;
  counts.set(term, count);
  return count === 1 ? (worth[term] ?? 0) : 0;
}

function leave(counts: Map<number, number>, { term }: Occurrence, worth: readonly number[]): number {
  const count = (counts.get(term) ?? 1) - 1;
  counts.set(term, count);
  return count === 0 ? (worth[term] ?? 0) : 0;
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** How far a cut may move to stand between words. */
const nearby = 24;

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + nearby).search(/\s/);
  const moved = space < 0 ? at : at + space + 1;
  return isInsidePair(text, moved) ? moved + 1 : moved;
}

function wordEnd(text: string, at: number, from: number): number {
  if (at === text.length) return at;
  const space = text.slice(Math.max(from, at - nearby), at).search(/\s\S*$/);
  const moved = space < 0 ? at : Math.max(from, at - nearby) + space;
  return isInsidePair(text, moved) ? moved - 1 : moved;
}

/** True between the two halves of a character above U+FFFF. */
const isInsidePair = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000;
};

// Passages without credentials: also where the edge of a passage would cut one in two, so that nobody recognised it.

/** The passage as it is where its part holds no credential, else the one in its place in the masked part. */
export function cleanPassage(passage: Passage, message: Message): Passage {
  for (const part of message.parts.flatMap(pieces)) {
    const fields = fieldsOf(part);
    const field = fields.findIndex(({ text }) => text.includes(passage.text));
    const original = fields[field]?.text;
    if (original === undefined) continue;
    const near = original.indexOf(passage.text);
    if (part.type === 'text' && original.length > longestMaskedWhole) return cleanStretch(passage, original, near);
    const text = fieldsOf(redactedPart(part))[field]?.text ?? '';
    if (original === text) return passage;
    // A mask may be longer than what it stands for.
    const length = passage.text.length + Math.max(0, text.length - original.length);
    return passageIn(text, passage, { length, near });
  }
  return passage;
}

const fieldsOf = (part: Part): readonly Field[] => searchFields({ role: 'user', parts: [part] });

/** The contents of a result are masked one by one. */
const pieces = (part: Part): readonly Part[] =>
  part.type === 'toolResult' ? [{ ...part, content: [] }, ...part.content] : [part];

/** Of a long text only what surrounds the passage is masked. */
function cleanStretch(passage: Passage, original: string, near: number): Passage {
  const { text } = redactPiece(original, { start: near, end: near + passage.text.length });
  if (text === passage.text) return passage;
  const stretch = {
    start: Math.max(0, near - beside),
    end: Math.min(original.length, near + passage.text.length + beside),
  };
  const clean = redactPiece(original, stretch);
  const length = passage.text.length + Math.max(0, clean.text.length - (clean.end - clean.start));
  const cut = passageIn(clean.text, passage, { length, near: near - clean.start });
  return {
    ...cut,
    cutBefore: cut.cutBefore || clean.start > 0,
    cutAfter: cut.cutAfter || clean.end < original.length,
  };
}

/** Characters on each side of a passage in which its words are looked for again. */
const beside = 2_000;

/** A passage about the same words in a text that is a little different; `near` is where the old one stood. */
function passageIn(
  text: string,
  { text: old, marks }: Passage,
  { length, near }: { readonly length: number; readonly near: number },
): Passage {
  const words = [...new Set(marks.map(([start, end]) => old.slice(start, end)))];
  const offset = marks[0]?.[0] ?? 0;
  const found = words.flatMap((word) => placesOf(word, text));
  const distance = ([at]: Place): number => Math.abs(at - near - offset);
  const closest = found.toSorted((a, b) => distance(a) - distance(b))[0]?.[0] ?? near + offset;
  const start = Math.max(0, Math.min(closest - offset, text.length - length));
  const end = Math.min(text.length, start + length);
  const inside = found.filter((place) => place[0] >= start && place[1] <= end);
  return {
    text: text.slice(start, end).toWellFormed(),
    marks: apart(inside).map(([from, to]) => [from - start, to - start]),
    cutBefore: start > 0,
    cutAfter: end < text.length,
  };
}

type Place = readonly [start: number, end: number];

function placesOf(word: string, text: string): readonly Place[] {
  const places: Place[] = [];
  if (word === '') return places;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    places.push([at, at + word.length]);
  return places;
}

/** In order, without those that overlap the one before. */
function apart(places: readonly Place[]): readonly Place[] {
  const kept: Place[] = [];
  for (const place of places.toSorted((a, b) => a[0] - b[0])) if (place[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(place);
  return kept;
}

/** The text with its matches as `>>>match<<<`, and `…` where it was cut. */
export function markedText({ text, marks, cutBefore, cutAfter }: Passage): string {
  const pieces: string[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    pieces.push(text.slice(from, start), '>>>', text.slice(start, end), '<<<');
    from = end;
  }
  return `${cutBefore ? '…' : ''}${pieces.join('')}${text.slice(from)}${cutAfter ? '…' : ''}`;
}

// Which places of a passage are marked. Scripts without spaces are found by single characters and by pairs of them,
// and these stand in other words too: what is marked is what a word of the query matched. Pure.

/** First character and the one after the last. */
type Mark = readonly [start: number, end: number];

/** What of a query decides about marks. */
export interface Marking {
  /** Places, in the list of wanted terms, of characters that are parts of a longer word. */
  readonly parts: ReadonlySet<number>;
  /** The katakana words of the query: runs, because katakana stands for whole words. */
  readonly katakana: readonly string[];
}

export function markingOf(leaves: readonly Leaf[], wanted: readonly WantedTerm[]): Marking {
  const parts = wanted.flatMap(({ isPart }, at) => (isPart ? [at] : []));
  return { parts: new Set(parts), katakana: leaves.flatMap(({ text }) => runsIn(text)) };
}

/** The marks in a text, in order, without overlaps; where no word is matched whole, what else was. */
function marksIn(
  text: string,
  occurrences: readonly Pick<Occurrence, 'term' | 'start' | 'end'>[],
  { parts, katakana }: Marking,
): readonly Mark[] {
  const all = merged(occurrences);
  const ofMore = merged(occurrences.filter(({ term }) => !parts.has(term)));
  const ofWords = ofMore.flatMap((mark) => withoutOtherWords(mark, text, katakana));
  return [ofWords, ofMore, all].find((marks) => marks.length > 0) ?? [];
}

function merged(places: readonly Pick<Occurrence, 'start' | 'end'>[]): readonly Mark[] {
  const joined: [number, number][] = [];
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/** Katakana, its length mark, and half-width forms. */
const katakanaRun = /[\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9f]+/g;

const runsIn = (text: string): readonly string[] => text.match(katakanaRun)?.map((run) => run.normalize('NFKC')) ?? [];

/** The mark without its katakana that are no word of the query. */
function withoutOtherWords([from, to]: Mark, text: string, words: readonly string[]): readonly Mark[] {
  const kept: Mark[] = [];
  let start = from;
  for (const { 0: run, index } of text.slice(from, to).matchAll(katakanaRun)) {
    if (isOfWord(run.normalize('NFKC'), words)) continue;
    if (from + index > start) kept.push([start, from + index]);
    start = from + index + run.length;
  }
  return start < to ? [...kept, [start, to]] : kept;
}

/** The word itself, or most of its beginning: サーバ is サーバー too. */
const isOfWord = (run: string, words: readonly string[]): boolean =>
  words.some((word) => run.includes(word) || (word.startsWith(run) && run.length * 4 >= word.length * 3));
