/** Asks every rule wherever one of its keywords stands, and settles what they find. */
import { createKeywordScan, type HitSink, type Keyword } from './keyword-scan.ts';
import { isIssued } from './looks.ts';
import { placeholdersIn } from './placeholder.ts';
import type { Finding, Rule, Span } from './rule.ts';
import { rules } from './rules.ts';

/** What a rule found, by its index in the table. */
export interface Found extends Span {
  readonly rule: number;
}

/** Equal keywords are looked for once; the rules of each, by its place in the list. */
const keywords: Keyword[] = [];
const rulesOf: number[][] = [];
for (const [number, { by, keywords: texts }] of rules.entries()) {
  for (const one of texts) {
    const anyCase = by === 'place';
    const text = anyCase ? one.toLowerCase() : one;
    const known = keywords.findIndex((other) => other.text === text && other.anyCase === anyCase);
    if (known !== -1) rulesOf[known]?.push(number);
    else rulesOf[keywords.push({ text, anyCase }) - 1] = [number];
  }
}
let scan: ReturnType<typeof createKeywordScan> | undefined;

/** What the rules find in a text, in order and without overlaps. Time in proportion to the text, whatever it holds. */
export function search(text: string): readonly Found[] {
  const spans: Found[] = [];
  scan ??= createKeywordScan(keywords);
  const placeholders = placeholdersIn(text);
  const ask = createSearch(text, spans);
  scan(text, placeholders.length === 0 ? ask : outside(placeholders, ask));
  return spans.length === 0 ? spans : joined(outsidePlaceholders(placeholders, spans));
}

/** Leaves out what begins in a placeholder. */
function outside(placeholders: readonly Span[], sink: HitSink): HitSink {
  let next = 0;
  let last = 0;
  return (keyword, start, end) => {
    // Hits of short keywords begin anew.
    if (start < last) next = 0;
    last = start;
    while ((placeholders[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    if ((placeholders[next]?.start ?? Number.POSITIVE_INFINITY) > start) sink(keyword, start, end);
  };
}

/**
 * How much a rule is asked in vain, at most, in a stretch of this many characters: once in 16, or once in 48 where it
 * looks at a value. Hardly any text that people or programs write comes near it; what is made to be slow costs little
 * more than what is not.
 */
const stretch = 4_096;
const mostInVain = 256;
const refusedCosts = 3;
/** After this many finds in one stretch that are no secrets, the rest of the stretch is not looked at again. */
const mostRefused = 4;

/** How far one rule is with a text. */
interface Progress {
  /** Up to here it is done: what it found is not searched again. */
  done: number;
  /** The stretch in which it last found what is no secret, and how often. */
  refusedTo: number;
  refusals: number;
  /** The end of the stretch in which questions in vain are counted, and their number. */
  stretchTo: number;
  inVain: number;
}

/** Asks the rules of a keyword where it stands. */
function createSearch(text: string, spans: Found[]): HitSink {
  const progress: Progress[] = [];
  return (keyword, start, end) => {
    for (const number of rulesOf[keyword] ?? []) {
      const rule = rules[number];
      if (!rule || (rule.startsWord !== false && !startsWord(text, start))) continue;
      progress[number] ??= { done: 0, refusedTo: 0, refusals: 0, stretchTo: 0, inVain: 0 };
      const own = progress[number];
      if (start >= own.stretchTo) {
        own.stretchTo = start + stretch;
        own.inVain = 0;
      }
      if (start < own.done || own.inVain >= mostInVain) continue;
      const found = answer(rule, { text, start, end });
      if (found && !found.refused && isSecret(rule, text.slice(found.start, found.end))) {
        for (const span of [found, ...(found.more ?? [])]) {
          // A secret may be longer than what rules look at.
          own.done = span.end - span.start >= bounded ? endOfRun(text, span.end) : span.end;
          spans.push({ start: span.start, end: own.done, rule: number });
        }
      } else {
        own.inVain += found ? refusedCosts : 1;
        if (found) refuse(own, found);
      }
      own.done = Math.max(own.done, found?.read ?? 0);
    }
  };
}

/** Only places check for stopgaps themselves: there a word may be a password. */
const isSecret = ({ by, check }: Rule, secret: string): boolean =>
  (by === 'place' || isIssued(secret)) && (check === undefined || check(secret));

function refuse(own: Progress, { start, end }: Span): void {
  own.refusals = start < own.refusedTo ? own.refusals + 1 : 1;
  own.refusedTo = Math.max(end, own.refusedTo);
  if (own.refusals > mostRefused) own.done = end;
}

function answer({ find }: Rule, hit: { text: string; start: number; end: number }): Finding | undefined {
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
const runUnits = Uint8Array.from({ length: 128 }, (_, code) => (/[\w+/=.~%-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** True for a character of a secret that has no end of its own. */
export const isRunUnit = (code: number): boolean => runUnits[code] === 1;

/** The end of a run of such characters that goes over a place; the place itself where none does. */
export function endOfRun(text: string, from: number): number {
  let at = Math.min(from, text.length);
  while (at < text.length && isRunUnit(text.charCodeAt(at))) at++;
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

/** In order, without those that reach into a placeholder. */
function outsidePlaceholders(placeholders: readonly Span[], spans: readonly Found[]): readonly Found[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end || a.rule - b.rule);
  let next = 0;
  return sorted.filter(({ start, end }) => {
    while ((placeholders[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    return (placeholders[next]?.start ?? Number.POSITIVE_INFINITY) >= end;
  });
}

/** Spans that touch the same characters become one, under the rule of the longest, or of the first in the table. */
function joined(spans: readonly Found[]): readonly Found[] {
  const list: Found[] = [];
  let longest = 0;
  for (const span of spans) {
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
