/** With what a match of a pattern may begin, read off its source: so a pattern is tried only where one of these stands. */

/** Longer beginnings tell little more. */
export const longestOpening = 6;
/** What may begin in more ways is told by shorter ones. */
const mostWays = 48;

/** Beginnings of what a part of a pattern matches: the whole of it, which what follows goes on, or only its start. */
interface Ways {
  readonly whole: readonly string[];
  readonly cut: readonly string[];
}

const nothing: Ways = { whole: [''], cut: [] };
const anything: Ways = { whole: [], cut: [''] };

interface Cursor {
  readonly source: string;
  at: number;
}

/**
 * Strings of which one stands at the beginning of whatever the pattern matches; the empty one where that may be anything.
 * None begins with another. `source` is an alternative of a pattern with the flag `u`; what is not known of it may be anything.
 */
export function openingsOf(source: string): readonly string[] {
  const run = /^[^\\^$.*+?()[\]{}|]*(?![*?{])/.exec(source)?.[0] ?? '';
  if (run.length >= leastRun) return [run.slice(0, longestOpening)];
  const { whole, cut } = readRow({ source, at: 0 });
  const all = [...new Set([...whole, ...cut].map(cutToSize))];
  return all.filter((one) => !all.some((other) => other !== one && one.startsWith(other)));
}

/** So many signs that stand for themselves tell enough, and most sources begin with them. */
const leastRun = 2;

const cutToSize = (opening: string): string => opening.slice(0, longestOpening);

/** The alternatives of a pattern, divided by `|` outside of groups and classes. */
export function alternativesOf(source: string): readonly string[] {
  const alternatives: string[] = [];
  const cursor = { source, at: 0 };
  for (let from = 0; from <= source.length; from = ++cursor.at) {
    skipRow(cursor);
    alternatives.push(source.slice(from, cursor.at));
  }
  return alternatives;
}

/** Up to the end, or to the bracket that closes a group. */
function readChoice(cursor: Cursor): Ways {
  let ways: Ways = { whole: [], cut: [] };
  for (;;) {
    const one = readRow(cursor);
    ways = { whole: [...ways.whole, ...one.whole], cut: [...ways.cut, ...one.cut] };
    if (cursor.source[cursor.at] !== '|') return ways;
    cursor.at++;
  }
}

function readRow(cursor: Cursor): Ways {
  const { source } = cursor;
  let ways = nothing;
  while (cursor.at < source.length && source[cursor.at] !== '|' && source[cursor.at] !== ')') {
    ways = inOrder(ways, repeated(readAtom(cursor), readCount(cursor)));
    if (ways.whole.length === 0) skipRow(cursor);
  }
  return ways;
}

/** To the end of a row whose beginnings are known. */
function skipRow(cursor: Cursor): void {
  const { source } = cursor;
  let [depth, isClass] = [0, false];
  for (; cursor.at < source.length; cursor.at++) {
    const sign = source[cursor.at];
    if (sign === '\\') cursor.at++;
    else if (isClass) isClass = sign !== ']';
    else if (sign === '[') isClass = true;
    else if (sign === '(') depth++;
    else if (depth === 0 && (sign === ')' || sign === '|')) return;
    else if (sign === ')') depth--;
  }
}

function inOrder(first: Ways, second: Ways): Ways {
  const joined = first.whole.length * (second.whole.length + second.cut.length);
  if (first.cut.length + joined > mostWays) return { whole: [], cut: [...first.cut, ...first.whole] };
  const all = (ends: readonly string[]): readonly string[] =>
    first.whole.flatMap((one) => ends.map((end) => one + end));
  const whole = all(second.whole);
  const isLong = (one: string): boolean => one.length >= longestOpening;
  return {
    whole: whole.filter((one) => !isLong(one)),
    cut: [...first.cut, ...all(second.cut), ...whole.filter(isLong)],
  };
}

interface Count {
  readonly isOptional: boolean;
  readonly mayRepeat: boolean;
}

/** What may come again may go on in more ways than are told. */
const repeated = (ways: Ways, { isOptional, mayRepeat }: Count): Ways => ({
  whole: [...(isOptional ? [''] : []), ...(mayRepeat ? [] : ways.whole)],
  cut: mayRepeat ? [...ways.cut, ...ways.whole] : ways.cut,
});

function readCount(cursor: Cursor): Count {
  const found = /[?*+]|\{(\d+)(?:,\d*)?\}/y;
  found.lastIndex = cursor.at;
  const [sign, least] = found.exec(cursor.source) ?? [''];
  cursor.at += sign.length;
  // A lazy one matches the same.
  if (sign !== '' && cursor.source[cursor.at] === '?') cursor.at++;
  return {
    isOptional: sign === '?' || sign === '*' || least === '0',
    mayRepeat: sign !== '' && sign !== '?',
  };
}

function readAtom(cursor: Cursor): Ways {
  const sign = String.fromCodePoint(cursor.source.codePointAt(cursor.at) ?? 0);
  cursor.at += sign.length;
  switch (sign) {
    case '\\':
      return readEscape(cursor);
    case '[':
      return readClass(cursor);
    case '(':
      return readGroup(cursor);
    case '.':
      return anything;
    case '^':
    case '$':
      return nothing;
    default:
      return { whole: [sign], cut: [] };
  }
}

/** A sign that stands for itself; a class; or the edge of a word. */
function readEscape(cursor: Cursor): Ways {
  const property = /[pP]\{[^}]*\}/y;
  property.lastIndex = cursor.at;
  const name = property.exec(cursor.source)?.[0] ?? cursor.source[cursor.at] ?? '';
  cursor.at += name.length;
  if (/^[bB]$/.test(name)) return nothing;
  // A hexadecimal escape leaves its digits behind, which what may be anything takes along.
  return /^[A-Za-z\d]/.test(name) ? anything : { whole: [name], cut: [] };
}

function readClass(cursor: Cursor): Ways {
  const from = cursor.at;
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== ']')
    cursor.at += cursor.source[cursor.at] === '\\' ? 2 : 1;
  const inner = cursor.source.slice(from, cursor.at);
  cursor.at++;
  return /[\\^-]/.test(inner) ? anything : { whole: [...inner], cut: [] };
}

/** What looks ahead or back takes no room. */
function readGroup(cursor: Cursor): Ways {
  const opening = /\?(?::|<?[=!]|<\w+>)|/y;
  opening.lastIndex = cursor.at;
  const kind = opening.exec(cursor.source)?.[0] ?? '';
  cursor.at += kind.length;
  const isKnown = cursor.source[cursor.at] !== '?';
  const ways = readChoice(cursor);
  cursor.at++;
  if (!isKnown) return anything;
  return /^\?<?[=!]/.test(kind) ? nothing : ways;
}
