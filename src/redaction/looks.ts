/** Tells what was drawn at random from what a person made up of words, by the looks of a short text. */

/** More of a text says nothing new. */
const looked = 64;

/** Words that stand where a secret should be put in. */
const stopgaps =
  /x{5}|\*{3}|\.{3}|…|your[-_ ]?|placeholder|redacted|[-_]here$|^<|dummy|change[-_]?me|replace[-_]?(?:me|with)|insert[-_]|fixme|t[o]do\b/i;

/** True for a key that somebody issued: not a stopgap such as `xxxx…` or `your-key-here`. */
export function isIssued(secret: string): boolean {
  return distinct(secret.slice(-16)) >= 5 && !stopgaps.test(secret.slice(0, looked));
}

/** True for what stands where a secret should be put in. */
export const isStopgap = (text: string): boolean => stopgaps.test(text) || distinct(text) <= 2;

function distinct(text: string): number {
  return new Set(text).size;
}

const uuidLike = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

export const isUuid = (text: string): boolean => uuidLike.test(text);

/**
 * True for a text of at least `least` characters that looks drawn at random. Letters and digits change their kind at
 * 62 % of the places of a random base-62 text, 47 % of a hexadecimal and 40 % of a base-36 one, but at 10–25 % of
 * those of names, however they are joined; pieces between signs that are plain words or numbers do not count.
 */
export function looksRandom(text: string, least: number): boolean {
  if (text.length < least) return false;
  const sample = text.slice(0, looked);
  if (!/[0-9]/.test(sample) && !(/[a-z]/.test(sample) && /[A-Z]/.test(sample))) return false;
  const pieces = sample.split(/[^A-Za-z0-9]+/).filter((piece) => !isWord(piece));
  const random = pieces.join('');
  if (random.length < least * 0.6 || distinct(random) < 6) return false;
  const changes = pieces.reduce((sum, piece) => sum + changesIn(piece), 0);
  return changes / random.length >= 0.22 && changes >= 4;
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
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(text)) return false;
  try {
    return /^[\x20-\x7e]{1,200}:[\x20-\x7e]{0,400}$/.test(atob(text));
  } catch {
    // Not base64: then it is no pair either.
    return false;
  }
}
