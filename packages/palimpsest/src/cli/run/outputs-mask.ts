/** Saved text without the credentials in it, in pieces: a result of any size is shown from its first line at once. */
import { findSecrets, placeholderFor, placeLabel, redactPiece, rules, type Secret } from '@palimpsest/core';

/** Characters that are looked through at once. */
const pieceChars = 1 << 19;
/** What may stand between the start of a credential and what tells that it is one; `redactPiece` has the same. */
const reach = 32_000;
/** Masking one may lay open the next. */
const mostPasses = 8;

/** The text of `texts` with every credential masked. Line breaks stay where they are, so that lines keep their numbers. */
export async function* maskedPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const window = newWindow();
  for await (const text of texts) {
    for (let from = 0; from < text.length; from += pieceChars) {
      window.held += text.slice(from, from + pieceChars);
      if (window.held.length - window.at >= window.wanted) yield shift(window, false);
    }
  }
  if (window.held.length > window.at) yield shift(window, true);
}

interface Window {
  held: string;
  /** Where what was not given yet begins; before it stands what was. */
  at: number;
  /** Characters to wait for: more when one credential fills all that there is. */
  wanted: number;
}

const newWindow = (): Window => ({ held: '', at: 0, wanted: pieceChars });

/** Gives what is safe to give, up to the end of a line where there is one. */
function shift(window: Window, isEnd: boolean): string {
  const { held, at } = window;
  const secrets = findSecrets(held).filter(({ end }) => end > at);
  const cut = isEnd ? held.length : cutOf(held, at, secrets);
  if (cut <= at) {
    window.wanted *= 2;
    return '';
  }
  const inside = secrets
    .filter(({ end }) => end <= cut)
    .map(({ start, end, rule }) => ({ start: Math.max(0, start - at), end: end - at, rule }));
  const from = Math.max(0, cut - reach);
  Object.assign(window, { held: held.slice(from), at: cut - from, wanted: pieceChars });
  return masked(held.slice(at, cut), inside);
}

/** Before what is still too near to the end, and never inside of a credential. */
function cutOf(held: string, at: number, secrets: readonly Secret[]): number {
  const most = held.length - reach;
  const lineEnd = held.lastIndexOf('\n', most - 1) + 1;
  const wanted = lineEnd > at ? lineEnd : most;
  const crossing = secrets.find(({ start, end }) => start < wanted && end > wanted);
  return crossing ? Math.max(at, crossing.start) : wanted;
}

/** A text with every credential masked, as many lines as before. */
export const maskedText = (text: string): string => masked(text, findSecrets(text));

/** A piece of a line, without the credentials in it; one that begins before the piece leaves a mark. */
export function maskedPiece(line: string, piece: { readonly start: number; readonly end: number }): string {
  const { text, start } = redactPiece(line, piece);
  return start > piece.start ? `[REDACTED:…]${text}` : text;
}

function masked(text: string, found: readonly Secret[]): string {
  let secrets = found;
  let clean = text;
  for (let pass = 0; pass < mostPasses && secrets.length > 0; pass++) {
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, rule } of secrets) {
      parts.push(clean.slice(from, start), placeholderLines(clean.slice(start, end), rule));
      from = end;
    }
    parts.push(clean.slice(from));
    clean = parts.join('');
    secrets = findSecrets(clean);
  }
  return clean;
}

/** The placeholder in each line that a credential has something in. */
function placeholderLines(secret: string, rule: string): string {
  const isByShape = rules.find(({ id }) => id === rule)?.by === 'shape';
  const placeholder = placeholderFor(isByShape ? rule : placeLabel, secret);
  return secret.includes('\n') ? secret.replaceAll(/[^\r\n]+/g, placeholder) : placeholder;
}
