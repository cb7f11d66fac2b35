/**
 * Reads a JSON text that is to be passed on byte for byte: what is not exactly JSON, or could be read in two ways, is a problem
 * and never a guess. `JSON.parse` decides what is JSON (its grammar is that of RFC 8259); the rest is looked at here.
 */
import type { JsonValue } from './json.ts';
import { endOfString, type Span } from './json-spans.ts';

/** UTF-16 units; Anthropic takes 32 MB, and nobody takes twice as much. */
export const mostJsonChars: number = 64 * 1024 * 1024;
/** Lists and objects inside each other: far above any request, far below what overflows a stack. */
export const mostJsonDepth = 512;

/** A value, or one sentence half that says what came instead: short, and never what stands in the text. */
export type StrictJson = { readonly value: JsonValue } | { readonly problem: string };

/** Reads a text, or the bytes of one in UTF-8. */
export function readStrictJson(given: string | Uint8Array): StrictJson & { readonly text: string } {
  const size = given.length;
  if (size > mostJsonChars) return { text: '', problem: `${size} characters, more than ${mostJsonChars}` };
  const text = typeof given === 'string' ? given : decoded(given);
  if (text === undefined) return { text: '', problem: 'bytes that are no UTF-8' };
  if (text.startsWith('\ufeff')) return { text, problem: 'a byte order mark, which JSON does not have' };
  // Half a surrogate pair has no bytes: whoever sends it on sends something else. Escaped, it is JSON.
  if (typeof given === 'string' && !text.isWellFormed()) return { text, problem: 'half a surrogate pair' };
  if (nestsDeeper(text, mostJsonDepth)) return { text, problem: `values nested deeper than ${mostJsonDepth}` };
  try {
    // JSON.parse returns what JSON can carry and nothing else.
    return { text, value: JSON.parse(text) as JsonValue };
  } catch (error) {
    // The words of the error quote the text.
    const place = /position \d+/.exec(error instanceof Error ? error.message : '')?.[0];
    return { text, problem: place === undefined ? 'something else' : `something else at ${place}` };
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const [quote, colon, listStart, listEnd, objectStart, objectEnd] = [0x22, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d];

/** True for a text with more brackets open at once; it need not be JSON. */
function nestsDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = endOfString(text, at);
      continue;
    }
    if (unit === listStart || unit === objectStart) {
      if (++depth > most) return true;
    } else if (unit === listEnd || unit === objectEnd) depth--;
    at++;
  }
  return false;
}

// `JSON.parse` takes the last of two members with one name, and others take the first.

/** True for a value in which two members of an object have the same name, at any depth. */
export const repeatsNames = (text: string, span: Span, value: JsonValue): boolean =>
  colonsIn(text, span) !== membersIn(value);

/** Outside of strings, there is one for each member. */
function colonsIn(text: string, { start, end }: Span): number {
  let count = 0;
  for (let at = start; at < end; ) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = endOfString(text, at);
      continue;
    }
    if (unit === colon) count++;
    at++;
  }
  return count;
}

function membersIn(value: JsonValue): number {
  const waiting: JsonValue[] = [value];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const inside: readonly JsonValue[] = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) count += inside.length;
    for (const one of inside) if (typeof one === 'object' && one !== null) waiting.push(one);
  }
  return count;
}
