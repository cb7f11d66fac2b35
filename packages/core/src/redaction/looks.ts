/** Tells what was drawn at random from what a person made up of words, by the looks of a short text. */

/** More of a text says nothing new. */
const looked = 64;

/** Words that stand where a secret should be put in. */
const stopgaps =
  /x{5}|\*{3}|\.{3}|…|your[-_ ]?|placeholder|redacted|[-_]here$|^<|dummy|change[-_]?me(?!(?!12)[0-9]{2,4}(?![0-9]))|replace[-_]?(?:me|with)|insert[-_]|fixme|t[o]do\b/i;

/** True for a key that somebody issued: not a stopgap such as `xxxx…` or `your-key-here`. */
export function isIssued(secret: string): boolean {
  return distinct(secret.slice(-16)) >= 5 && !stopgaps.test(secret.slice(0, looked));
}

/** True for what stands where a secret should be put in. */
export const isStopgap = (text: string): boolean =>
  stopgaps.test(text) ||
  (!/\d|^\p{Lo}{2}$/u.test(text) && distinct(text) <= 2 && new Set(text.slice(0, looked)).size <= 2);

/** How many different characters there are, one for all beyond ASCII. */
function distinct(text: string): number {
  const seen = [0, 0, 0, 0, 0];
  let count = 0;
  for (let at = 0; at < text.length && at < looked; at++) {
    const code = text.charCodeAt(at);
    const set = code < 128 ? code >> 5 : 4;
    const bit = code < 128 ? 1 << (code & 31) : 1;
    if (((seen[set] ?? 0) & bit) !== 0) continue;
    seen[set] = (seen[set] ?? 0) | bit;
    count++;
  }
  return count;
}

const uuidLike = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

export const isUuid = (text: string): boolean => uuidLike.test(text);

/**
 * True for a text of at least `least` characters that looks drawn at random. Pieces between signs that are plain words
 * or numbers do not count. In what is left, random texts change the kind of their characters at 44 % of the places
 * (base 62), 47 % (hexadecimal) or 40 % (base 36), a capital before small letters aside; names at 10 to 20 %. Between
 * the two it tells that names have their digits in one place, most of their letters in runs of four and more, and few
 * capitals.
 */
export function looksRandom(text: string, least: number): boolean {
  if (text.length < least) return false;
  const sample = text.slice(0, looked);
  if (!/[0-9]/.test(sample) && !(/[a-z]/.test(sample) && /[A-Z]/.test(sample))) return false;
  const pieces = sample.split(/[^A-Za-z0-9]+/).filter((piece) => !isWord(piece));
  const random = pieces.join('');
  if (random.length < least * 0.6 || distinct(random) < 6) return false;
  const changes = pieces.reduce((sum, piece) => sum + changesIn(piece), 0);
  const share = changes / random.length;
  if (changes < 3 || share < 0.1) return false;
  return share >= 0.22 || digitGroups(pieces) >= 2 || wordShare(pieces) < 0.4 || isEvenlyCased(random);
}

const digitGroups = (pieces: readonly string[]): number =>
  Math.max(...pieces.map((piece) => piece.match(/[0-9]+/g)?.length ?? 0));

/** The share of characters in runs of letters that are long enough for a word. */
function wordShare(pieces: readonly string[]): number {
  const runs = pieces.flatMap((piece) => piece.match(/[A-Z]?[a-z]{4,}|[A-Z]{4,}/g) ?? []);
  return runs.join('').length / pieces.join('').length;
}

function isEvenlyCased(text: string): boolean {
  const capitals = text.replace(/[^A-Z]/g, '').length / text.length;
  return capitals > 0.3 && capitals < 0.7;
}

/** A word, a number, or a word with a number behind it. */
export const isWord = (piece: string): boolean => /^(?:[A-Z]?[a-z]*|[A-Z]+)[0-9]{0,4}$|^v?[0-9]+$/.test(piece);

/** How often the kind of character changes; a capital before small letters is how words begin, and is no change. */
function changesIn(piece: string): number {
  let changes = 0;
  let before = kindAt(piece, 0);
  for (let at = 1; at < piece.length; at++) {
    const kind = kindAt(piece, at);
    if (kind !== before && !(before === 'upper' && kind === 'lower')) changes++;
    before = kind;
  }
  return changes;
}

function kindAt(text: string, at: number): 'digit' | 'upper' | 'lower' {
  const code = text.charCodeAt(at);
  if (code >= 48 && code <= 57) return 'digit';
  return code >= 65 && code <= 90 ? 'upper' : 'lower';
}

/** True for base64 of `user:password`, as Basic authentication and Docker have it. */
export function isBasicPair(text: string): boolean {
  const isWhole = text.includes('=') ? text.length % 4 === 0 : text.length % 4 !== 1;
  // Checked first: to be told by an exception costs a hundred times as much.
  if (!isWhole || !/^[A-Za-z0-9+/]{4,400}={0,2}$/.test(text)) return false;
  return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{0,400}$/.test(atob(text));
}
