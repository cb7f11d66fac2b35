/**
 * Finds credentials in a text and puts placeholders in their place (S6, invariant 8). What is masked is the secret
 * alone: names, hosts, users and headers stay readable.
 */
import { placeholderFor, placeLabel } from './placeholder.ts';
import type { Span } from './rule.ts';
import { rules } from './rules.ts';
import { type Found, search } from './search.ts';

/** A credential in a text: from `start` to before `end`, and the id of the rule that found it. */
export interface Secret extends Span {
  readonly rule: string;
}

/**
 * The credentials in a text, in order and without overlaps. Placeholders are none. Time in proportion to the text,
 * whatever it holds.
 */
export function findSecrets(text: string): readonly Secret[] {
  return search(text).map(({ start, end, rule }) => ({ start, end, rule: rules[rule]?.id ?? '' }));
}

/** Masking one secret may lay open the next, which stood against it; each pass leaves less to find. */
const mostPasses = 8;

/**
 * The text with `[REDACTED:<rule>:<4 hex digits>]` for every credential; the very same string when there is none.
 * The same secret always gets the same placeholder.
 */
export function redact(text: string): string {
  let clean = text;
  for (let pass = 0; pass < mostPasses; pass++) {
    const secrets = search(clean);
    if (secrets.length === 0) break;
    clean = masked(clean, secrets);
  }
  return clean;
}

function masked(text: string, secrets: readonly Found[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, rule } of secrets) {
    const { by, id } = rules[rule] ?? { by: 'place', id: '' };
    pieces.push(text.slice(from, start), placeholderFor(by === 'shape' ? id : placeLabel, text.slice(start, end)));
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}
