/**
 * Finds credentials in a text and puts placeholders in their place (S6, invariant 8). What is masked is the secret
 * alone: names, hosts, users and headers stay readable.
 */
import { createKeywordScan } from './keyword-scan.ts';
import { isIssued } from './looks.ts';
import { placeholderFor, placeholdersIn, placeLabel } from './placeholder.ts';
import type { Rule, Span } from './rule.ts';
import { rules } from './rules.ts';

/** A credential in a text: from `start` to before `end`, and the id of the rule that found it. */
export interface Secret extends Span {
  readonly rule: string;
}

interface Found extends Span {
  /** Index of the rule. */
  readonly rule: number;
}

/**
 * The credentials in a text, in order and without overlaps. Placeholders are none. Time in proportion to the text,
 * whatever it holds.
 */
export function findSecrets(text: string): readonly Secret[] {
  return found(text).map(({ start, end, rule }) => ({ start, end, rule: rules[rule]?.id ?? '' }));
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
    const secrets = found(clean);
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

const keywords = [...new Set(rules.flatMap((rule) => rule.keywords.map((keyword) => keyword.toLowerCase())))];
const rulesOf: readonly (readonly number[])[] = keywords.map((keyword) =>
  rules.flatMap((rule, number) => (rule.keywords.some((one) => one.toLowerCase() === keyword) ? [number] : [])),
);
let scan: ReturnType<typeof createKeywordScan> | undefined;

function found(text: string): readonly Found[] {
  const spans: Found[] = [];
  const search = createSearch(text, spans);
  scan ??= createKeywordScan(keywords);
  scan(text, search);
  if (spans.length === 0) return spans;
  const barriers = placeholdersIn(text);
  return joined(spans.filter((span) => !barriers.some(({ start, end }) => span.start < end && start < span.end)));
}

/** After this many finds in one stretch that are no secrets, the rest of the stretch is not looked at again. */
const mostRefused = 8;

/** Asks the rules of a keyword where it stands. */
function createSearch(text: string, spans: Found[]): (keyword: number, start: number, end: number) => void {
  /** Up to where each rule is done: what it found is not searched again. */
  const doneTo = new Map<number, number>();
  const refused = new Map<number, { readonly end: number; readonly count: number }>();
  return (keyword, start, end) => {
    for (const number of rulesOf[keyword] ?? []) {
      const rule = rules[number];
      if (!rule || start < (doneTo.get(number) ?? 0)) continue;
      if (rule.startsWord !== false && !startsWord(text, start)) continue;
      const span = ask(rule, { text, start, end });
      if (!span) continue;
      if ((rule.check ?? isIssued)(text.slice(span.start, span.end))) {
        const whole = { start: span.start, end: endOfRun(text, span), rule: number };
        spans.push(whole);
        doneTo.set(number, whole.end);
        continue;
      }
      const before = refused.get(number);
      const count = before && span.start < before.end ? before.count + 1 : 1;
      refused.set(number, { end: Math.max(span.end, before?.end ?? 0), count });
      if (count > mostRefused) doneTo.set(number, span.end);
    }
  };
}

function ask({ find }: Rule, hit: { text: string; start: number; end: number }): Span | undefined {
  if (typeof find === 'function') return find(hit);
  find.lastIndex = hit.start;
  const match = find.exec(hit.text);
  if (!match) return undefined;
  const end = find.lastIndex;
  const lead = match.groups?.lead;
  if (lead !== undefined) return { start: hit.start - lead.length, end };
  return { start: end - (match[1] ?? match[0]).length, end };
}

const bounded = 400;
const runUnit = /[\w+/=.~%-]/;

/** The end of a secret that is longer than what rules look at. */
function endOfRun(text: string, { start, end }: Span): number {
  let at = end;
  if (end - start >= bounded) while (at < text.length && runUnit.test(text[at] ?? '')) at++;
  return at;
}

/** True where a word begins: also behind an escaped line end, a percent code, or a colour of a terminal. */
function startsWord(text: string, at: number): boolean {
  if (!isWordUnit(text.charCodeAt(at - 1))) return true;
  if (text[at - 2] === '\\') return /[nrtbfv0]/.test(text[at - 1] ?? '');
  if (text[at - 3] === '%') return /%[0-9A-Fa-f]{2}$/.test(text.slice(at - 3, at));
  if (text[at - 4] === '\\' || text[at - 6] === '\\')
    return /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})$/.test(text.slice(Math.max(0, at - 6), at));
  return text[at - 1] === 'm' && /\[[0-9;]{0,9}m$/.test(text.slice(Math.max(0, at - 12), at));
}

const isWordUnit = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);

/** Spans that touch the same characters become one, under the rule of the longest, or of the first in the table. */
function joined(spans: readonly Found[]): readonly Found[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end || a.rule - b.rule);
  const list: Found[] = [];
  let longest = 0;
  for (const span of sorted) {
    const last = list.at(-1);
    if (!last || span.start >= last.end) {
      list.push(span);
      longest = span.end - span.start;
      continue;
    }
    const isLonger = span.end - span.start > longest;
    if (isLonger) longest = span.end - span.start;
    list[list.length - 1] = {
      start: last.start,
      end: Math.max(last.end, span.end),
      rule: isLonger ? span.rule : last.rule,
    };
  }
  return list;
}
