/**
 * Where the values of a JSON text stand, so that what stays can be copied as it was written: numbers, escapes and the order of
 * keys included. Made for texts that `JSON.parse` has taken; only brackets and strings are followed, without recursion.
 */

/** A stretch of a text: the first position, and the one after the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its name, and where its value stands. */
export interface Member extends Span {
  readonly name: string;
  /** Where the name stands. */
  readonly nameStart: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The members of the object that begins at a position, or that the text holds, in order; of a name that is there twice, both. */
export function membersOf(text: string, start = 0): readonly Member[] {
  const members: Member[] = [];
  let at = afterSpace(text, afterSpace(text, start) + 1);
  while (text.charCodeAt(at) !== objectEnd) {
    const nameEnd = endOfString(text, at);
    const name = nameAt(text, at, nameEnd);
    const valueStart = afterSpace(text, afterSpace(text, nameEnd) + 1);
    const end = endOfValue(text, valueStart);
    members.push({ name, nameStart: at, start: valueStart, end });
    at = afterComma(text, end);
  }
  return members;
}

function nameAt(text: string, start: number, end: number): string {
  const plain = text.slice(start + 1, end - 1);
  // A text that was parsed has a name here, which is a string.
  return plain.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : plain;
}

/** The elements of the list that begins at a position. */
export function elementsAt(text: string, start: number): readonly Span[] {
  const elements: Span[] = [];
  let at = afterSpace(text, start + 1);
  while (text.charCodeAt(at) !== listEnd) {
    const end = endOfValue(text, at);
    elements.push({ start: at, end });
    at = afterComma(text, end);
  }
  return elements;
}

/** Where the value that begins at a position ends. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  if (first !== listStart && first !== objectStart) return endOfScalar(text, start);
  let depth = 1;
  let at = start + 1;
  while (depth > 0) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at);
    else {
      if (unit === listStart || unit === objectStart) depth++;
      else if (unit === listEnd || unit === objectEnd) depth--;
      else if (Number.isNaN(unit)) return at;
      at++;
    }
  }
  return at;
}

/** Where the string that begins at a position ends; the end of the text where nothing ends it. */
export function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return text.length;
}

function endOfScalar(text: string, start: number): number {
  let at = start;
  for (let unit = text.charCodeAt(at); unit > 0x20 && unit !== comma; unit = text.charCodeAt(++at)) {
    if (unit === listEnd || unit === objectEnd) return at;
  }
  return at;
}

function afterComma(text: string, end: number): number {
  const at = afterSpace(text, end);
  return text.charCodeAt(at) === comma ? afterSpace(text, at + 1) : at;
}

/** The first position from `at` on that holds no white space. */
export function afterSpace(text: string, at: number): number {
  let next = at;
  for (let unit = text.charCodeAt(next); unit <= 0x20; unit = text.charCodeAt(next)) next++;
  return next;
}
