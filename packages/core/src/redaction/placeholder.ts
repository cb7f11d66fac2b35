/** What stands in the place of a secret. */
import { contentHash } from '../shared/hash.ts';

/** Label of secrets that only their place gave away: the same one may be a password here and part of an address there. */
export const placeLabel = 'secret';

const opening = '[REDACTED:';
const placeholder = /\[REDACTED:[a-z0-9-]{1,40}:[0-9a-f]{4}\]/g;

/**
 * `[REDACTED:<label>:<4 hex digits>]`. The digits are 16 bits of a hash of the secret alone: the same secret is
 * recognised wherever it stands, and two different ones are told apart but for one time in 65,536. They narrow a guess
 * down as much: who has a list of a million likely passwords has 15 of them left, who guesses at a random key gains
 * nothing.
 *
 * @example
 * import { placeholderFor } from '@palimpsest/core/store';
 * placeholderFor('password', 'hunter2hunter2'); // '[REDACTED:password:…]'
 */
export function placeholderFor(label: string, secret: string): string {
  // Keys are wrapped, indented and escaped differently in every file.
  return `${opening}${label}:${contentHash(secret.replace(/\\[nrt]|\s+/g, '')).slice(0, 4)}]`;
}

/** The placeholders in a text, in order. */
export function placeholdersIn(text: string): readonly { readonly start: number; readonly end: number }[] {
  if (!text.includes(opening)) return [];
  return [...text.matchAll(placeholder)].map(({ 0: whole, index }) => ({ start: index, end: index + whole.length }));
}
