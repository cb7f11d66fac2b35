/**
 * Where the values of a JSON text stand, so that what stays in a record can be copied as it was written: numbers, escapes
 * and the order of keys included. Made for texts that `JSON.parse` has taken; only brackets and strings are followed.
 */

/** A stretch of a text: the first position, and the one after the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its name, and where its value stands. */
export interface Member extends Span {
  readonly name: string;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The members of the object that a text holds, in order; of a name that is there twice, both. */
export function membersOf(text: string): readonly Member[] {
  const members: Member[] = [];
  let at = afterSpace(text, afterSpace(text, 0) + 1);
  while (text.charCodeAt(at) !== objectEnd) {
    const nameEnd = endOfString(text, at);
    // A text that was parsed has a name here, which is a string.
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const start = afterSpace(text, afterSpace(text, nameEnd) + 1);
    const end = endOfValue(text, start);
    members.push({ name, start, end });
    at = afterComma(text, end);
  }
  return members;
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

function endOfString(text: string, start: number): number {
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
