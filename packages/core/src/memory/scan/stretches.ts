/** A text in stretches that are judged one by one: an order may be buried in a long note. */
import { mostRead, type Reading } from './features.ts';
import { ideasIn } from './ideas.ts';
import type { Place } from './phrases.ts';
import type { ThreatRule } from './rules.ts';
import { breachesIn } from './sentences.ts';
import { shapes } from './structure.ts';

/** A rule that a stretch breaks, or a mark in it that is in doubt. */
export interface Suspicion extends Place {
  readonly rule: Pick<ThreatRule, 'class' | 'grade' | 'what'>;
}

/** A stretch, what is weighed of it, and what in it is suspicious. */
export interface Stretch extends Place {
  readonly reading: Reading;
  readonly suspicions: readonly Suspicion[];
}

/** How a text is taken apart. */
type Grain = 'whole' | 'sentences';

/** A folded text read as a whole, and its sentences one by one where it has several. Linear. */
export function readStretches(text: string, grains: readonly Grain[] = ['whole', 'sentences']): readonly Stretch[] {
  const said = ideasIn(text);
  const suspicions = [...breachesIn(text, { said }), ...doubtfulShapes(text)];
  return grains.flatMap((grain) => {
    const places = stretchesOf(text, grain);
    if (grain === 'sentences' && places.length === 1) return [];
    const ideas = [...said].map(([sign, all]) => [sign, shared(all, places)] as const);
    const found = shared(suspicions, places);
    return places.map((place, at) => {
      const here = found[at] ?? [];
      const reading: Reading = {
        folded: text.slice(place.start, place.end),
        said: new Map(ideas.map(([sign, all]) => [sign, all[at] ?? []])),
        broken: here.map(({ rule }) => `${rule.class}: ${rule.what}`),
      };
      return { ...place, reading, suspicions: here };
    });
  });
}

const doubtfulShapes = (text: string): readonly Suspicion[] =>
  shapes
    .filter(({ grade }) => grade === 'quarantine')
    .flatMap((rule) =>
      [...text.matchAll(rule.found)].map(({ 0: run, index }) => ({ rule, start: index, end: index + run.length })),
    );

/** A sentence with less in it goes with the next one. */
const leastSentence = 24;

const sentenceEnd = /[.!?;](?=\s)|[。！？\n]/gu;

/** Whole sentences, as many as may be read at once or as few as say something; they follow one another without a gap. */
function stretchesOf(text: string, grain: Grain): readonly Place[] {
  const ends = [...text.matchAll(sentenceEnd)].map(({ index }) => index + 1).concat(text.length);
  const stretches: Place[] = [];
  let start = 0;
  let last = 0;
  for (const end of ends) {
    // A sentence without an end is cut.
    while (end - start > mostRead) {
      const cut = last > start ? last : start + mostRead;
      stretches.push({ start, end: cut });
      start = cut;
    }
    last = end;
    if (end === text.length ? end > start : grain === 'sentences' && end - start >= leastSentence) {
      stretches.push({ start, end });
      start = end;
    }
  }
  return stretches;
}

/** What begins in each of the stretches, which follow one another. */
function shared<T extends Place>(all: readonly T[], stretches: readonly Place[]): readonly (readonly T[])[] {
  const lists = stretches.map((): T[] => []);
  for (const one of all) {
    let [low, high] = [0, stretches.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((stretches[middle]?.end ?? 0) <= one.start) low = middle + 1;
      else high = middle;
    }
    lists[low]?.push(one);
  }
  return lists;
}
