/** The passage of a message that shows why it was found. */
import { type Mark, type Marking, marksIn } from './marks.ts';
import type { Occurrence, Reading } from './occurrences.ts';

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
