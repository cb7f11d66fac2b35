/**
 * Terms are the strings that an agent has to reproduce exactly: paths, identifiers, ids, numbers, addresses. This file
 * says what is a term and of which kind; everything else in a line is words, of which only the number matters.
 */
import { lazily } from '../../shared/lazily.ts';

/** Kinds of terms. `line` and `errorLine` are whole lines, which agents also write again word for word. */
export const termKinds = [
  'path',
  'file',
  'identifier',
  'dotted',
  'hyphenated',
  'number',
  'id',
  'url',
  'line',
  'errorLine',
] as const;
export type TermKind = (typeof termKinds)[number];

export type TermSink = (term: string, kind: TermKind) => void;

const maxTermLength = 200;

/**
 * Hands every term of a line to `sink` (a term that stands twice comes twice) and returns how many natural-language
 * words of four or more letters the line has; two CJK characters count as a word.
 */
export function termsOf(text: string, sink: TermSink): number {
  let words = 0;
  let from = 0;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', Math.max(from, at + 3))) {
    const start = schemeStart(text, at);
    if (start === at) continue;
    const end = addressEnd(text, at + 3);
    words += nameTerms(text, { from, to: start }, sink);
    const url = trimEnd(text.slice(start, end), '.,;:!?*…');
    if (url.length > at - start + 4 && url.length <= 2 * maxTermLength) sink(url, 'url');
    from = end;
  }
  return words + nameTerms(text, { from, to: text.length }, sink);
}

function nameTerms(text: string, stretch: Stretch, sink: TermSink): number {
  let words = 0;
  const plain = seen.lower | seen.upper | seen.letter;
  scanTokens(text, stretch, (start, end, bits) => {
    if ((bits & ~plain) === 0 && !(bits & seen.hump)) {
      if (bits === seen.upper && end - start >= 4) sink(text.slice(start, end), 'identifier');
      else if (end - start >= 4) words++;
    } else if (bits & seen.cjk) words += mixedTerms(text, { from: start, to: end }, sink);
    else words += classify(text.slice(start, end), bits, sink);
  });
  return words;
}

/** A token with CJK characters: its runs are words, what stands between them is looked at on its own. */
function mixedTerms(text: string, { from, to }: Stretch, sink: TermSink): number {
  let words = 0;
  let start = from;
  let wide = 0;
  for (let i = from; i <= to; i++) {
    const isWide = i < to && text.charCodeAt(i) >= 0x3000;
    if (!isWide && i < to) continue;
    if (i - start >= 3) words += nameTerms(text, { from: start, to: i }, sink);
    if (isWide) wide++;
    start = i + 1;
  }
  return words + Math.ceil(wide / 2);
}

/**
 * Names the kind of a token that is more than a plain word. Returns 1 when it was a word after all. `bits` are those of the
 * token, or more: an expression is asked only where they show all signs without which it cannot match, and with every bit
 * set (`everyBit`) nothing is left out.
 */
export function classify(raw: string, bits: number, sink: TermSink): number {
  const token = withoutEndSigns(raw);
  if (token.length < 3 || token.length > maxTermLength) return 0;
  if (bits & seen.slash) return pathTerms(token, bits, sink);
  if (!(bits & seen.colon)) return nameTerm(token, bits, sink);
  // A plain word with a colon behind it.
  if (!token.includes(':')) return nameTerm(token, bits, sink);
  let words = 0;
  for (const piece of token.split(':')) words += nameTerm(piece, bits, sink);
  return words;
}

const linePosition = /:\d+(?::\d+)?(?::.*)?$/;
const diffSide = /^[ab]\/(?=[\w.@-]+\/)/;
const pathShape = /[\p{L}\p{N}]\/[\p{L}\p{N}@._-]|^[./~]*\/?[\w.@~-]+\//u;

function pathTerms(token: string, bits: number, sink: TermSink): number {
  const bare = token.charCodeAt(1) === slash ? token.replace(diffSide, '') : token;
  const path = bits & seen.colon ? bare.replace(linePosition, '') : bare;
  if (path.length < 5 || !pathShape.test(path)) return 0;
  sink(path, 'path');
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.length >= 5 && name.includes('.')) sink(name, 'file');
  return 0;
}

const digitsOnly = /^[\d.,]+$/;
const decimal = /^\d+\.\d+$/;
const issue = /^#\d{2,}$/;
const hexId = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,64}$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{20,}$/i;
/** Of 8 digits, a dash and 20 more signs. */
const leastUuid = 29;
const ticket = /^[A-Z]{2,10}-\d{1,6}$/;
const dottedName = /^[\w$@-]+(?:\.[\w$-]+)+$/;
const fileName = /\.\w{1,5}$/;
const compound = /[a-z][A-Z]|[A-Za-z\d]_[A-Za-z\d]|^[A-Z][A-Z\d]{3,}$/;
const hyphenated = /[\p{L}\d]-[\p{L}\d]/u;
/** Letters and digits in one, such as a host, an order or a flight; not a number with its unit. */
const code = /^(?=.*\d)(?=.*\p{L})[\p{L}\d]+$/u;
const measure = /^\d+\p{L}{1,3}$/u;
const letters = /\p{L}/u;

function nameTerm(name: string, bits: number, sink: TermSink): number {
  if (bits & (seen.digit | seen.dot) && digitsOnly.test(name)) {
    if (name.length >= 4 || decimal.test(name)) sink(name, 'number');
    return 0;
  }
  if (isId(name, bits)) {
    sink(name, 'id');
    return 0;
  }
  if (!(bits & seen.dot) || !name.includes('.')) return simpleName(name, bits, sink);
  if (name.length <= 60 && dottedName.test(name)) sink(name, fileName.test(name) ? 'file' : 'dotted');
  let words = 0;
  for (const piece of name.split('.')) words += simpleName(piece, bits, sink);
  return words;
}

function isId(name: string, bits: number): boolean {
  if (bits & seen.hash && issue.test(name)) return true;
  if (bits & seen.digit && bits & seen.lower && hexId.test(name)) return true;
  return (bits & seen.dash) !== 0 && ((name.length >= leastUuid && uuid.test(name)) || isTicket(name, bits));
}

const isTicket = (name: string, bits: number): boolean =>
  (bits & seen.upper) !== 0 && (bits & seen.digit) !== 0 && ticket.test(name);

function simpleName(piece: string, bits: number, sink: TermSink): number {
  const name = bits & (seen.hash | seen.at) ? piece.replace(/^[#@~]+/, '') : piece;
  if (name.length < 3) return 0;
  if (bits & compoundBits && compound.test(name)) sink(name, 'identifier');
  else if (bits & seen.digit && bits & letterBits && name.length >= 5 && code.test(name) && !measure.test(name))
    sink(name, 'id');
  else if (bits & seen.dash && hyphenated.test(name)) sink(name, 'hyphenated');
  else return name.length >= 4 && bits & letterBits && letters.test(name) ? 1 : 0;
  return 0;
}

/** Without the signs at its end that belong to the sentence. */
function withoutEndSigns(text: string): string {
  let end = text.length;
  while (end > 0 && isEndSign(text.charCodeAt(end - 1))) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** One of `+ , - . /`, which follow each other, and `: ;`, which do. */
const isEndSign = (code: number): boolean => (code >= 43 && code <= slash) || code === 58 || code === 59;
const slash = 47;

function trimEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text[end - 1] ?? ' ')) end--;
  return end === text.length ? text : text.slice(0, end);
}

function schemeStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && isLetterOrDigit(text.charCodeAt(start - 1))) start--;
  return start;
}

const isLetterOrDigit = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** What ends an address: white space, quotes, brackets; and CJK signs, which prose writes on without a space. */
const addressStop = /[\s"'<>()[\]{}`\\|\u3000-\ud7af\uff00-\uffef]/g;

function addressEnd(text: string, from: number): number {
  addressStop.lastIndex = from;
  return addressStop.exec(text)?.index ?? text.length;
}

// The tokens of a text.

/** What a token was made of. */
export const seen = {
  lower: 1,
  upper: 2,
  digit: 4,
  slash: 8,
  dot: 16,
  underscore: 32,
  dash: 64,
  colon: 128,
  /** An upper-case letter after a lower-case one: camelCase. */
  hump: 256,
  /** Han, kana or hangul. */
  cjk: 512,
  /** Any other letter outside ASCII. */
  letter: 1024,
  hash: 2048,
  at: 4096,
} as const;

/** Every bit: what is asked with it is asked of every expression. */
export const everyBit: number = Object.values(seen).reduce((all, bit) => all | bit, 0);
/** A letter of any script stands under one of these. */
const letterBits = seen.lower | seen.upper | seen.letter | seen.cjk;
/** Without one of these no name is a compound: each way of writing one has a capital or an underscore. */
const compoundBits = seen.upper | seen.underscore;

/** Takes a token: its first character, the one after its last, and the `seen` bits of what it is made of. */
export type TokenSink = (start: number, end: number, bits: number) => void;

/** A stretch of a text: from its first character to before its last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Calls `sink` for every token of the stretch, in order: a run of letters, digits and the signs that names are made of
 * (`_ $ @ ~ . / # + : -`). One pass over the characters, no backtracking, no copy of what is not kept. What kind of name
 * a token is shows in the characters seen on the way, so the many plain words cost nothing but a counter.
 */
export function scanTokens(text: string, { from, to }: Stretch, sink: TokenSink): void {
  const bitOf = bitsOfUnits();
  let start = -1;
  let bits = 0;
  let previous = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    const bit = code === comma ? thousands(text, i, previous) : (bitOf[code] ?? 0);
    if (bit === 0) {
      if (start >= 0) sink(start, i, bits);
      start = -1;
      previous = 0;
      continue;
    }
    if (start < 0) {
      start = i;
      bits = bit;
    } else {
      bits |= bit;
      if (bit === seen.upper && previous === seen.lower) bits |= seen.hump;
    }
    previous = bit;
  }
  if (start >= 0) sink(start, to, bits);
}

const comma = 44;

/** A comma belongs to a number when digits stand on both sides: 12,345. */
function thousands(text: string, at: number, previous: number): number {
  const next = text.charCodeAt(at + 1);
  return previous === seen.digit && next >= 48 && next <= 57 ? seen.digit : 0;
}

/** The bit of a UTF-16 unit outside ASCII; 0 for white space, punctuation, symbols and private use. */
function wideBit(code: number): number {
  if (code >= 0x3040 && code <= 0x30ff) return code === 0x30fb ? 0 : seen.cjk;
  if ((code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7af) || code === 0x3005) return seen.cjk;
  if (code < 0xc0) return code === 0xb5 || code === 0xaa || code === 0xba ? seen.letter : 0;
  if (code === 0xd7 || code === 0xf7) return 0;
  if (code >= 0x2000 && code <= 0x2bff) return 0;
  if (code >= 0x2e00 && code <= 0x303f) return 0;
  if (code >= 0xd800 && code <= 0xf8ff) return 0;
  if (code >= 0xfe00 && code <= 0xfe4f) return 0;
  return code >= 0xff00 ? fullWidthBit(code) : seen.letter;
}

function fullWidthBit(code: number): number {
  if ((code >= 0xff21 && code <= 0xff3a) || (code >= 0xff41 && code <= 0xff5a)) return seen.letter;
  if (code >= 0xff10 && code <= 0xff19) return seen.digit;
  return code >= 0xff66 && code <= 0xff9f ? seen.cjk : 0;
}

/** The bit of every UTF-16 unit: a table, because every character of every message goes through it. */
const bitsOfUnits = lazily(() => {
  const bits = Uint16Array.from({ length: 0x10000 }, (_, code) => (code < 128 ? 0 : wideBit(code)));
  for (let c = 97; c <= 122; c++) bits[c] = seen.lower;
  for (let c = 65; c <= 90; c++) bits[c] = seen.upper;
  for (let c = 48; c <= 57; c++) bits[c] = seen.digit;
  for (const [signs, bit] of [
    ['/', seen.slash],
    ['.', seen.dot],
    ['_$', seen.underscore],
    ['-+', seen.dash],
    [':', seen.colon],
    ['#', seen.hash],
    ['@~', seen.at],
  ] as const) {
    for (const sign of signs) bits[sign.charCodeAt(0)] = bit;
  }
  return bits;
});
