/**
 * Finds credentials in a text and puts placeholders in their place (S6, invariant 8). What is masked is the secret
 * alone: names, hosts, users and headers stay readable.
 */
import { placeholderFor, placeLabel } from './placeholder.ts';
import type { Span } from './rule.ts';
import { rules } from './rules.ts';
import { endOfRun, type Found, isRunUnit, search } from './search.ts';

/** A credential in a text: from `start` to before `end`, and the id of the rule that found it. */
export interface Secret extends Span {
  readonly rule: string;
}

/**
 * The credentials in a text, in order and without overlaps. Placeholders are none. Time in proportion to the text,
 * whatever it holds.
 *
 * @example
 * import { findSecrets } from '@palimpsest/core';
 * findSecrets('password: hunter2hunter2').map(({ rule, start, end }) => [rule, start, end]);
 */
export function findSecrets(text: string): readonly Secret[] {
  return search(text).map(({ start, end, rule }) => ({ start, end, rule: rules[rule]?.id ?? '' }));
}

/** Masking one secret may lay open the next, which stood against it; each pass leaves less to find. */
const mostPasses = 8;

/**
 * The text with `[REDACTED:<rule>:<4 hex digits>]` for every credential; the very same string when there is none.
 * The same secret always gets the same placeholder.
 *
 * @example
 * import { redact } from '@palimpsest/core';
 * redact('password: hunter2hunter2'); // 'password: [REDACTED:…]'
 */
export function redact(text: string): string {
  const secrets = settled(text);
  return secrets.length === 0 ? text : masked(text, secrets);
}

/** A piece of a text as it may be shown, and where it stands in the text. */
export interface CleanPiece extends Span {
  readonly text: string;
}

/** No credential is longer, unless it is one run of the characters of keys; what tells that it is one stands nearer. */
const reach = 32_000;
/** A longer run is no credential but a file: of such a run a piece is looked at by itself, so that it costs no more. */
const longestRun = 1 << 18;

/**
 * What `redact` makes of a piece of a text, in time proportional to the piece. A credential that the edge of the piece
 * would cut in two belongs to where it begins: the end moves behind it, and the start behind one that began before.
 *
 * @example
 * import { redactPiece } from '@palimpsest/core/store';
 * const log = 'password: hunter2hunter2, then a long text';
 * const { text } = redactPiece(log, { start: 0, end: 15 });
 */
export function redactPiece(text: string, piece: Span): CleanPiece {
  const near = Math.max(0, startOfRun(text, piece.start) - reach);
  const { head, from } = tableAround(text, near);
  const shift = from - head.length;
  const to = piece.end + reach;
  const found = settled(head + text.slice(from, endOfRun(text.slice(0, to + longestRun), to)))
    .map((one) => ({ start: one.start + shift, end: one.end + shift, rule: one.rule }))
    .filter((one) => one.start >= from);
  const start = found.find((one) => one.start < piece.start && one.end > piece.start)?.end ?? piece.start;
  const cut = found.find((one) => one.start < piece.end && one.end > piece.end)?.end;
  const end = Math.max(start, Math.min(text.length, cut ?? piece.end));
  const inside = found
    .filter((one) => one.start >= start && one.end <= end)
    .map((one) => ({ ...one, start: one.start - start, end: one.end - start }));
  return { text: masked(text.slice(start, end), inside), start, end };
}

/** Where a run begins that is longer than `reach` and no file; else the place itself. */
function startOfRun(text: string, at: number): number {
  const first = Math.max(0, at - longestRun);
  let start = at;
  while (start > first && isRunUnit(text.charCodeAt(start - 1))) start--;
  return at - start >= reach && start > first ? start : at;
}

/** How far the head of a table may stand in front of its rows, and how long its two lines are. */
const longestTable = 1 << 20;
const longestHead = 1_000;

/** The head of a table that goes over a place, and where its next row begins; without one, an empty head. */
function tableAround(text: string, at: number): { readonly head: string; readonly from: number } {
  const none = { head: '', from: at };
  const first = Math.max(0, at - longestTable);
  const start = text.slice(first, at).lastIndexOf('\n\n') + first + (first === 0 ? 0 : 2);
  const opening = start > at || at === 0 ? '' : text.slice(start < 2 ? 0 : start, start + longestHead).trimStart();
  const lines = opening.split('\n', 3);
  const row = text.slice(at, at + longestHead).indexOf('\n');
  if (lines.length < 3 || row === -1 || !/[,;\t|]/.test(lines[0] ?? '')) return none;
  return { head: `${lines[0]}\n${lines[1]}\n`, from: at + row + 1 };
}

/** The credentials of all passes, where they stand in the text itself. */
function settled(text: string): readonly Found[] {
  let secrets = search(text);
  for (let pass = 1; pass < mostPasses && secrets.length > 0; pass++) {
    const more = search(masked(text, secrets));
    if (more.length === 0) break;
    secrets = [...secrets, ...unmasked(more, secrets, text)].sort((a, b) => a.start - b.start);
  }
  return secrets;
}

/** What was found in a masked text, by its places in the text before; it never reaches into a placeholder. */
function unmasked(more: readonly Found[], secrets: readonly Found[], text: string): readonly Found[] {
  let next = 0;
  let longer = 0;
  return more.map((one) => {
    for (let mask = secrets[next]; mask && mask.start + longer < one.start; mask = secrets[++next])
      longer += placeholderOf(mask, text).length - (mask.end - mask.start);
    return { ...one, start: one.start - longer, end: one.end - longer };
  });
}

function masked(text: string, secrets: readonly Found[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const secret of secrets) {
    pieces.push(text.slice(from, secret.start), placeholderOf(secret, text));
    from = secret.end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}

function placeholderOf({ start, end, rule }: Found, text: string): string {
  const { by, id } = rules[rule] ?? { by: 'place', id: '' };
  return placeholderFor(by === 'shape' ? id : placeLabel, text.slice(start, end));
}
