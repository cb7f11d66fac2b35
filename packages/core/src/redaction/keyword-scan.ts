/**
 * Finds many fixed strings in one pass over a text, so that a rule costs nothing where its keyword does not stand: a
 * table tells of every three characters whether a keyword may begin with them, and only there a tree of the keywords
 * is walked.
 */

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
 * A scan for all keywords; it reports every hit, those of short keywords last, else in the order in which hits begin. Time in proportion to the text, times
 * the longest keyword at worst.
 */
export function createKeywordScan(keywords: readonly Keyword[]): (text: string, sink: HitSink) => void {
  const starts = startsOf(keywords);
  const short = shortOf(keywords);
  const { next, ends, classOf, classes } = treeOf(keywords);
  // Most states end no keyword: one look into a flat table tells.
  const isEnd = Uint8Array.from(ends, (found) => (found.length > 0 ? 1 : 0));

  function walk(text: string, start: number, sink: HitSink): void {
    let state = 0;
    for (let at = start; at < text.length; at++) {
      state = next[state * classes + (classOf[text.charCodeAt(at)] ?? 0)] ?? 0;
      if (state === 0) return;
      if (isEnd[state] === 1) report(ends[state] ?? none, text, { start, end: at + 1, sink });
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
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      same = unit === before ? same + 1 : 0;
      before = unit;
      last = ((last << shift) ^ unit) & mask;
      if (((starts[last >> 5] ?? 0) & (1 << (last & 31))) === 0 || at < startUnits - 1) continue;
      // Inside of one letter again and again no word begins: zeros in base64 are megabytes of it.
      if (same > 2 * startUnits && isLetter(unit) && text.charCodeAt(at + 1) === unit) continue;
      walk(text, at - startUnits + 1, sink);
    }
    for (const { 0: one, index } of short === undefined ? [] : text.matchAll(short.pattern)) {
      sink(short?.numbers.get(one) ?? 0, index, index + one.length);
    }
  };
}

const isLetter = (unit: number): boolean => (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);

interface Short {
  readonly pattern: RegExp;
  readonly numbers: ReadonlyMap<string, number>;
}

/** Keywords that are too short for the table. The engine knows that text in Latin letters cannot hold them. */
function shortOf(keywords: readonly Keyword[]): Short | undefined {
  const numbers = new Map(keywords.flatMap(({ text }, at) => (text.length < startUnits ? [[text, at] as const] : [])));
  return numbers.size === 0 ? undefined : { pattern: new RegExp([...numbers.keys()].join('|'), 'g'), numbers };
}

interface Reported {
  readonly start: number;
  readonly end: number;
  readonly sink: HitSink;
}

const none: readonly number[] = [];
const nothing: Keyword = { text: '', anyCase: false };

/** A bit for what the first three characters of each keyword come to: 32 KB, which stay in the nearest cache. */
function startsOf(keywords: readonly Keyword[]): Int32Array {
  const starts = new Int32Array((mask + 1) >> 5);
  for (const { text, anyCase } of keywords) {
    if (text.length < startUnits) continue;
    let codes = [0];
    for (const unit of text.slice(0, startUnits)) {
      const cases = anyCase ? [...new Set([unit.toLowerCase(), unit.toUpperCase()])] : [unit];
      codes = codes.flatMap((code) => cases.map((one) => ((code << shift) ^ one.charCodeAt(0)) & mask));
    }
    for (const code of codes) starts[code >> 5] = (starts[code >> 5] ?? 0) | (1 << (code & 31));
  }
  return starts;
}

interface Tree {
  /** A small number for every character of a keyword, the same for both cases; 0 for all others. */
  readonly classOf: Uint16Array;
  readonly classes: number;
  /** The state behind a state and a class, at `state * classes + class`; 0 where no keyword goes on. */
  readonly next: Uint16Array;
  /** The keywords that end in each state. */
  readonly ends: readonly (readonly number[])[];
}

function treeOf(keywords: readonly Keyword[]): Tree {
  const lowered = keywords.map(({ text }) => text.toLowerCase());
  const { classOf, classes } = classesOf(lowered);
  const next = new Uint16Array((lowered.join('').length + 1) * classes);
  const ends: number[][] = [[]];
  for (const [number, keyword] of lowered.entries()) {
    let state = 0;
    for (let at = 0; at < keyword.length; at++) {
      const step = state * classes + (classOf[keyword.charCodeAt(at)] ?? 0);
      if (next[step] === 0) next[step] = ends.push([]) - 1;
      state = next[step] ?? 0;
    }
    ends[state]?.push(number);
  }
  return { classOf, classes, next, ends };
}

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
