/** Asks every rule wherever one of its keywords stands, and settles what they find. */
import { lazily } from '../shared/lazily.ts';
import { isIssued } from './looks.ts';
import { placeholdersIn } from './placeholder.ts';
import type { Finding, Rule, Span } from './rule.ts';
import { rules } from './rules.ts';

/** What a rule found, by its index in the table. */
export interface Found extends Span {
  readonly rule: number;
}

/** What finds the keywords of all rules, and the rules of each keyword, by its number. */
const asked = lazily(() => {
  const keywords: Keyword[] = [];
  const rulesOf: number[][] = [];
  // Equal keywords are looked for once.
  const known = { anyCase: new Map<string, number>(), exact: new Map<string, number>() };
  for (const [number, { by, keywords: texts }] of rules.entries()) {
    for (const one of texts) {
      const anyCase = by === 'place';
      const text = anyCase ? one.toLowerCase() : one;
      const places = anyCase ? known.anyCase : known.exact;
      const place = places.get(text) ?? keywords.push({ text, anyCase }) - 1;
      places.set(text, place);
      rulesOf[place] = [...(rulesOf[place] ?? []), number];
    }
  }
  return { scan: createKeywordScan(keywords), rulesOf };
});

/** What the rules find in a text, in order and without overlaps. Time in proportion to the text, whatever it holds. */
export function search(text: string): readonly Found[] {
  const spans: Found[] = [];
  const placeholders = placeholdersIn(text);
  const { scan, rulesOf } = asked();
  const ask = createSearch(text, spans, rulesOf);
  scan(text, placeholders.length === 0 ? ask : outside(placeholders, ask));
  return spans.length === 0 ? spans : joined(outsidePlaceholders(placeholders, spans));
}

/** Leaves out what begins in a placeholder. */
function outside(placeholders: readonly Span[], sink: HitSink): HitSink {
  let next = 0;
  let last = 0;
  return (keyword, start, end) => {
    // Hits of short keywords begin anew.
    if (start < last) next = 0;
    last = start;
    while ((placeholders[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    if ((placeholders[next]?.start ?? Number.POSITIVE_INFINITY) > start) sink(keyword, start, end);
  };
}

/**
 * How much a rule is asked in vain, at most, in a stretch of this many characters: once in 16, or once in 48 where it
 * looks at a value. Hardly any text that people or programs write comes near it; what is made to be slow costs little
 * more than what is not.
 */
const stretch = 4_096;
const mostInVain = 256;
const refusedCosts = 3;
/** After this many finds in one stretch that are no secrets, the rest of the stretch is not looked at again. */
const mostRefused = 4;

/** How far one rule is with a text. */
interface Progress {
  /** Up to here it is done: what it found is not searched again. */
  done: number;
  /** The stretch in which it last found what is no secret, and how often. */
  refusedTo: number;
  refusals: number;
  /** The end of the stretch in which questions in vain are counted, and their number. */
  stretchTo: number;
  inVain: number;
}

/** Asks the rules of a keyword where it stands. */
function createSearch(text: string, spans: Found[], rulesOf: readonly (readonly number[])[]): HitSink {
  const progress: Progress[] = [];
  return (keyword, start, end) => {
    for (const number of rulesOf[keyword] ?? []) {
      const rule = rules[number];
      if (!rule || (rule.startsWord !== false && !startsWord(text, start))) continue;
      progress[number] ??= { done: 0, refusedTo: 0, refusals: 0, stretchTo: 0, inVain: 0 };
      const own = progress[number];
      if (start >= own.stretchTo) {
        own.stretchTo = start + stretch;
        own.inVain = 0;
      }
      if (start < own.done || own.inVain >= mostInVain) continue;
      const found = answer(rule, { text, start, end });
      if (found && !found.refused && isSecret(rule, text.slice(found.start, found.end))) {
        for (const span of [found, ...(found.more ?? [])]) {
          // A secret may be longer than what rules look at.
          own.done = span.end - span.start >= bounded ? endOfRun(text, span.end) : span.end;
          spans.push({ start: span.start, end: own.done, rule: number });
        }
      } else {
        own.inVain += found ? refusedCosts : 1;
        if (found) refuse(own, found);
      }
      own.done = Math.max(own.done, found?.read ?? 0);
    }
  };
}

/** Only places check for stopgaps themselves: there a word may be a password. */
const isSecret = ({ by, check }: Rule, secret: string): boolean =>
  (by === 'place' || isIssued(secret)) && (check === undefined || check(secret));

function refuse(own: Progress, { start, end }: Span): void {
  own.refusals = start < own.refusedTo ? own.refusals + 1 : 1;
  own.refusedTo = Math.max(end, own.refusedTo);
  if (own.refusals > mostRefused) own.done = end;
}

function answer({ find }: Rule, hit: { text: string; start: number; end: number }): Finding | undefined {
  if (typeof find === 'function') return find(hit);
  find.lastIndex = hit.start;
  const match = find.exec(hit.text);
  if (!match) return undefined;
  const end = find.lastIndex;
  const lead = match.groups?.lead;
  if (lead !== undefined) return { start: hit.start - lead.length, end };
  return { start: end - (match[1] ?? match[0]).length, end };
}

const bounded = 400;
const runUnits = Uint8Array.from({ length: 128 }, (_, code) => (/[\w+/=.~%-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** True for a character of a secret that has no end of its own. */
export const isRunUnit = (code: number): boolean => runUnits[code] === 1;

/** The end of a run of such characters that goes over a place; the place itself where none does. */
export function endOfRun(text: string, from: number): number {
  let at = Math.min(from, text.length);
  while (at < text.length && isRunUnit(text.charCodeAt(at))) at++;
  return at;
}

/** True where a word begins: also behind an escaped line end, a percent code, or a colour of a terminal. */
function startsWord(text: string, at: number): boolean {
  if (!isWordUnit(text.charCodeAt(at - 1))) return true;
  if (text[at - 2] === '\\') return /[nrtbfv0]/.test(text[at - 1] ?? '');
  if (text[at - 3] === '%') return /%[0-9A-Fa-f]{2}$/.test(text.slice(at - 3, at));
  if (text[at - 4] === '\\' || text[at - 6] === '\\')
    return /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})$/.test(text.slice(Math.max(0, at - 6), at));
  return text[at - 1] === 'm' && /\[[0-9;]{0,9}m$/.test(text.slice(Math.max(0, at - 12), at));
}

const isWordUnit = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** In order, without those that reach into a placeholder. */
function outsidePlaceholders(placeholders: readonly Span[], spans: readonly Found[]): readonly Found[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end || a.rule - b.rule);
  let next = 0;
  return sorted.filter(({ start, end }) => {
    while ((placeholders[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    return (placeholders[next]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
}

/** Spans that touch the same characters become one, under the rule of the longest, or of the first in the table. */
function joined(spans: readonly Found[]): readonly Found[] {
  const list: Found[] = [];
  let longest = 0;
  for (const span of spans) {
    const last = list.at(-1);
    if (!last || span.start >= last.end) {
      list.push(span);
      longest = span.end - span.start;
      continue;
    }
    const isLonger = span.end - span.start > longest;
    if (isLonger) longest = span.end - span.start;
    list[list.length - 1] = {
      start: last.start,
      end: Math.max(last.end, span.end),
      rule: isLonger ? span.rule : last.rule,
    };
  }
  return list;
}

/** What is looked for. */
export interface Keyword {
  /** Shorter than three characters only in scripts beyond Latin. */
  readonly text: string;
  /** True when letters match in either case. */
  readonly anyCase: boolean;
}

/** Takes a hit: the number of the keyword, its first character and the one after its last. */
export type HitSink = (keyword: number, start: number, end: number) => void;

/** Characters of a keyword that the table knows, and the bits that each is shifted by: three come to 18 bits. */
const startUnits = 3;
const shift = 6;
const mask = 0x3ffff;

/**
 * Finds many fixed strings in one pass over a text, so that a rule costs nothing where its keyword does not stand: a
 * table tells of every three characters whether a keyword may begin with them, and only there a tree of the keywords
 * is walked.
 *
 * It reports every hit, those of short keywords last, else in the order in which hits begin. Time in proportion to the text, times
 * the longest keyword at worst.
 */
export function createKeywordScan(keywords: readonly Keyword[]): (text: string, sink: HitSink) => void {
  const { starts, goesOn } = startsOf(keywords);
  const short = shortOf(keywords);
  const { next, ends, states } = treeOf(keywords);
  // Most states end no keyword: one look into a flat table tells.
  const isEnd = Uint8Array.from({ length: states }, (_, state) => (ends.has(state) ? 1 : 0));

  function walk(text: string, start: number, sink: HitSink): void {
    let state = 0;
    for (let at = start; at < text.length; at++) {
      state = next(state, text.charCodeAt(at));
      if (state === 0) return;
      if (isEnd[state] === 1) report(ends.get(state) ?? none, text, { start, end: at + 1, sink });
    }
  }

  function report(found: readonly number[], text: string, { start, end, sink }: Reported): void {
    for (const keyword of found) {
      const { anyCase, text: exact } = keywords[keyword] ?? nothing;
      if (anyCase || text.startsWith(exact, start)) sink(keyword, start, end);
    }
  }

  return (text, sink) => {
    let last = 0;
    let before = -1;
    let same = 0;
    let highest = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      same = unit === before ? same + 1 : 0;
      before = unit;
      if (unit > highest) highest = unit;
      last = ((last << shift) ^ unit) & mask;
      if (((starts[last >> 5] ?? 0) & (1 << (last & 31))) === 0 || at < startUnits - 1) continue;
      // Inside of one letter again and again no word begins: zeros in base64 are megabytes of it.
      if (same > 2 * startUnits && isLetter(unit) && text.charCodeAt(at + 1) === unit) continue;
      if (goesOn(last, text.charCodeAt(at + 1))) walk(text, at - startUnits + 1, sink);
    }
    // Each of them begins with a character that the text does not reach to.
    if (short === undefined || highest < short.lowest) return;
    for (const { 0: one, index } of text.matchAll(short.pattern)) {
      sink(short.numbers.get(one) ?? 0, index, index + one.length);
    }
  };
}

const isLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);

interface Short {
  readonly pattern: RegExp;
  readonly numbers: ReadonlyMap<string, number>;
  /** The lowest of their first characters. */
  readonly lowest: number;
}

/** Keywords that are too short for the table. */
function shortOf(keywords: readonly Keyword[]): Short | undefined {
  const numbers = new Map(keywords.flatMap(({ text }, at) => (text.length < startUnits ? [[text, at] as const] : [])));
  if (numbers.size === 0) return undefined;
  const texts = [...numbers.keys()];
  const lowest = Math.min(...texts.map((text) => text.charCodeAt(0)));
  return { pattern: new RegExp(texts.join('|'), 'g'), numbers, lowest };
}

interface Reported {
  readonly start: number;
  readonly end: number;
  readonly sink: HitSink;
}

const none: readonly number[] = [];
const nothing: Keyword = { text: '', anyCase: false };

interface Starts {
  /** A bit for what the first three characters of each keyword come to: 32 KB, which stay in the nearest cache. */
  readonly starts: Int32Array;
  /** False where no keyword of these three characters is done with them, or has the fourth: most that begin like one do not go on so. */
  readonly goesOn: (three: number, fourth: number) => boolean;
}

function startsOf(keywords: readonly Keyword[]): Starts {
  const [starts, whole, fours] = [bitTable(), bitTable(), bitTable()];
  for (const { text, anyCase } of keywords) {
    if (text.length < startUnits) continue;
    const casesOf = (unit: string): readonly string[] =>
      anyCase ? [...new Set([unit.toLowerCase(), unit.toUpperCase()])] : [unit];
    let codes = [0];
    for (const unit of text.slice(0, startUnits))
      codes = codes.flatMap((code) => casesOf(unit).map((one) => ((code << shift) ^ one.charCodeAt(0)) & mask));
    const fourths = text.length === startUnits ? [] : casesOf(text.charAt(startUnits));
    for (const code of codes) {
      set(starts, code);
      if (fourths.length === 0) set(whole, code);
      for (const one of fourths) set(fours, fourCode(code, one.charCodeAt(0)));
    }
  }
  return { starts, goesOn: (three, fourth) => has(whole, three) || has(fours, fourCode(three, fourth)) };
}

const bitTable = (): Int32Array => new Int32Array((mask + 1) >> 5);
const set = (table: Int32Array, at: number): void => {
  table[at >> 5] = (table[at >> 5] ?? 0) | (1 << (at & 31));
};
const has = (table: Int32Array, at: number): boolean => ((table[at >> 5] ?? 0) & (1 << (at & 31))) !== 0;

/** Three characters and the next one; behind the end of a text, which no keyword reaches over, anything. */
const fourCode = (three: number, fourth: number): number => (three ^ Math.imul(fourth, 0x9e3779b1)) & mask;

interface Tree {
  /** The state behind a state and a character; 0, which is the root, where no keyword goes on. */
  readonly next: (state: number, unit: number) => number;
  /** The keywords that end in each state, where any does. */
  readonly ends: ReadonlyMap<number, readonly number[]>;
  readonly states: number;
}

/**
 * A state has hardly ever more than one that follows it, so the steps stand in a hash table, open and half empty, under
 * `state * classes + class`: as a row a state they would take 9 MB.
 */
function treeOf(keywords: readonly Keyword[]): Tree {
  const lowered = keywords.map(({ text }) => text.toLowerCase());
  const { classOf, classes } = classesOf(lowered);
  const bits = Math.ceil(Math.log2(2 * (lowered.join('').length + 1)));
  const steps = new Uint32Array(2 ** bits);
  const behind = new Uint16Array(2 ** bits);
  /** Where a step stands, or would. No step is 0: its class is above. */
  function placeOf(step: number): number {
    let at = Math.imul(step, 0x9e3779b1) >>> (32 - bits);
    while (steps[at] !== 0 && steps[at] !== step) at = (at + 1) % steps.length;
    return at;
  }
  let states = 1;
  const ends = new Map<number, number[]>();
  for (const [number, keyword] of lowered.entries()) {
    let state = 0;
    for (let at = 0; at < keyword.length; at++) {
      const step = state * classes + (classOf[keyword.charCodeAt(at)] ?? 0);
      const place = placeOf(step);
      if (steps[place] === 0) {
        steps[place] = step;
        behind[place] = states++;
      }
      state = behind[place] ?? 0;
    }
    ends.set(state, [...(ends.get(state) ?? []), number]);
  }
  function next(state: number, unit: number): number {
    const unitClass = classOf[unit] ?? 0;
    return unitClass === 0 ? 0 : (behind[placeOf(state * classes + unitClass)] ?? 0);
  }
  return { next, ends, states };
}

/** A small number for every character of a keyword, the same for both cases; 0 for all others. */
function classesOf(keywords: readonly string[]): { classOf: Uint16Array; classes: number } {
  const classOf = new Uint16Array(0x10000);
  let classes = 1;
  for (const unit of new Set(keywords.join(''))) {
    const upper = unit.toUpperCase();
    classOf[unit.charCodeAt(0)] = classes;
    if (upper.length === 1) classOf[upper.charCodeAt(0)] = classes;
    classes++;
  }
  return { classOf, classes };
}
