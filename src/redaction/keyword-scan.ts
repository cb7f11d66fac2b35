/**
 * Finds many fixed strings in one pass over a text (Aho and Corasick, "Efficient string matching", 1975), so that a
 * rule costs nothing where its keyword does not stand. ASCII letters match in either case.
 */

/** Takes a hit: the number of the keyword, its first character and the one after its last. */
export type HitSink = (keyword: number, start: number, end: number) => void;

/** A scan for all keywords; it reports every hit, in the order in which hits end. Time in proportion to the text. */
export function createKeywordScan(keywords: readonly string[]): (text: string, sink: HitSink) => void {
  const lowered = keywords.map((keyword) => keyword.toLowerCase());
  const { classOf, classes } = classesOf(lowered);
  const { next, found } = automatonOf(lowered, classOf, classes);
  // Most states end no keyword: one look into a flat table tells.
  const ends = Uint8Array.from(found, (list) => (list.length > 0 ? 1 : 0));
  return (text, sink) => {
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = next[state * classes + (classOf[text.charCodeAt(at)] ?? 0)] ?? 0;
      if (ends[state] === 0) continue;
      for (const keyword of found[state] ?? []) sink(keyword, at + 1 - (lowered[keyword]?.length ?? 0), at + 1);
    }
  };
}

/** A small number for every character of a keyword; 0 for all others, which end every keyword. */
function classesOf(keywords: readonly string[]): { classOf: Uint8Array; classes: number } {
  const classOf = new Uint8Array(0x10000);
  let classes = 1;
  for (const unit of new Set(keywords.join(''))) {
    const upper = unit.toUpperCase();
    classOf[unit.charCodeAt(0)] = classes;
    if (upper.length === 1) classOf[upper.charCodeAt(0)] = classes;
    classes++;
  }
  return { classOf, classes };
}

interface Automaton {
  /** The state behind a state and a class, at `state * classes + class`. */
  readonly next: Uint16Array;
  /** The keywords that end in each state. */
  readonly found: readonly (readonly number[])[];
}

function automatonOf(keywords: readonly string[], classOf: Uint8Array, classes: number): Automaton {
  const next = new Uint16Array((keywords.join('').length + 1) * classes);
  const found: number[][] = [[]];
  for (const [number, keyword] of keywords.entries()) {
    let state = 0;
    for (let at = 0; at < keyword.length; at++) {
      const step = state * classes + (classOf[keyword.charCodeAt(at)] ?? 0);
      if (next[step] === 0) next[step] = found.push([]) - 1;
      state = next[step] ?? 0;
    }
    found[state]?.push(number);
  }
  linkFailures(next, found, classes);
  return { next, found };
}

/** Where a keyword breaks off, the scan goes on in the longest keyword start that ends there. */
function linkFailures(next: Uint16Array, found: number[][], classes: number): void {
  const fallback = new Uint16Array(found.length);
  const queue: number[] = [];
  for (let step = 0; step < classes; step++) if (next[step]) queue.push(next[step] ?? 0);
  for (const state of queue) {
    const other = fallback[state] ?? 0;
    found[state]?.push(...(found[other] ?? []));
    for (let kind = 0; kind < classes; kind++) {
      const child = next[state * classes + kind] ?? 0;
      const beside = next[other * classes + kind] ?? 0;
      if (child === 0) next[state * classes + kind] = beside;
      else {
        fallback[child] = beside;
        queue.push(child);
      }
    }
  }
}
