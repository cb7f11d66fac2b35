/** What a summary puts into quotation marks: the user's words have to be the user's. */

import { alignedStretch } from './aligned.ts';
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Checked, type Context, nothing } from './context.ts';
import { lettersOf, userTextWith } from './user-words.ts';
import { type AttributionVerb, attributionIn } from './words/attributions.ts';
import { type Quote, quotesIn } from './words/quotes.ts';
import { userSection } from './words/user-sections.ts';

const leastWords = 3;

/** Holds every quotation of a line against what was said. */
export const checkQuotes: Check = (line, context) => {
  if (line.type === 'code' || line.type === 'blank') return nothing;
  const retold = userLine(line, context);
  if (retold !== undefined) return retold;
  const quotes = quotesIn(line.content);
  const checked: Checked[] = quotes.map((quote) =>
    isOfUser(line, quote) ? userQuote(line, quote.text, context) : otherQuote(line, quote, context),
  );
  return { claims: checked.flatMap(({ claims }) => claims), wrong: checked.flatMap(({ wrong }) => wrong) };
};

const userHeader = /^m\d{1,6}(?:-m\d{1,6})? user:\s*/;
const lengthNote = /…?\s*\(\d+ characters in all\)$/;

/** A line under `m12 user:` is the user's, word for word. */
function userLine(line: ClaimLine, context: Context): Checked | undefined {
  const isHeader = userHeader.test(line.content);
  // Names below a message are any names of its step.
  if (!isHeader && (line.scope === undefined || /^\s*(?:\+ |(?:→ )?m\d)/.test(line.text))) return undefined;
  if (!context.source.persons.has(line.scope ?? -1)) return isHeader ? notUsers(line, context) : undefined;
  const text = line.content.replace(userHeader, '').replace(lengthNote, '');
  if (text === 'word for word below') return nothing;
  return context.isVerbatim(line) ? { claims: ['quote'], wrong: [] } : userQuote(line, text, context);
}

/** Somebody else's message is told as the user's. */
function notUsers(line: ClaimLine, { source, facts }: Context): Checked | undefined {
  // A host's message may carry words that a person typed.
  const at = line.scope;
  if (at === undefined || facts.asks.some(({ ref }) => ref === `m${at + 1}`)) return undefined;
  if (source.userTexts.some(({ message }) => message === at)) return undefined;
  const why = `m${at + 1} is no message of the user`;
  const claim = { type: 'quote', text: clip(line.content), line: line.number, refs: [`m${at + 1}`] } as const;
  return { claims: ['quote'], wrong: [{ ...claim, verdict: 'contradicted', why }] };
}

/** True for words that the line puts into the user's mouth. */
function isOfUser(line: ClaimLine, quote: Quote): boolean {
  if (userSection(line.heading) === 'messages') return quote.start <= 2;
  const said = attributionIn(line.content);
  return said !== undefined && quote.start >= said.start && speaks.has(said.verb);
}

/** After these words a quotation is what was said; after others it may name a thing. */
const speaks: ReadonlySet<AttributionVerb> = new Set(['said', 'asked', 'wants', 'prefers']);

function userQuote(line: ClaimLine, text: string, context: Context): Checked {
  const pieces = text.split(/…|\.{3}|\[[^\][\n]{0,80}\]/).map(lettersOf);
  const said = pieces.filter((piece) => piece !== '');
  if (said.length === 0) return nothing;
  const found = userTextWith(said, context.source);
  if (found !== undefined) return { claims: ['quote'], wrong: [] };
  return { claims: ['quote'], wrong: [misquote(line, text, context)] };
}

function misquote(line: ClaimLine, text: string, context: Context): WrongClaim {
  const claim = { type: 'quote', text, line: line.number } as const;
  const meant = context.userWords.nearest(text);
  if (meant) {
    const why = `the user's words in ${meant.ref} are other ones`;
    return { ...claim, verdict: 'contradicted', why, refs: [meant.ref], correction: meant.text };
  }
  const at = context.source.textSearch(text)[0];
  if (at !== undefined) {
    const ref = context.source.refOf(at);
    return { ...claim, verdict: 'contradicted', why: `not the user but ${ref} says so`, refs: [ref] };
  }
  return { ...claim, verdict: 'unsupported', why: 'the user never said so', refs: [] };
}

/**
 * Other quotations may be titles or loose words. One that nobody said is wrong where a passage says nearly the same:
 * then a word of it was exchanged.
 */
function otherQuote(line: ClaimLine, quote: Quote, context: Context): Checked {
  const text = quote.text.replace(/[.,;:!?…]+$/, '');
  if (context.isVerbatim(line) || context.isUsers(text)) return nothing;
  if (context.source.textSearch(text).length > 0) return { claims: ['quote'], wrong: [] };
  const near = nearlySaid(quote, line, context);
  if (!near) return nothing;
  const ref = context.source.refOf(near.passage);
  const claim = { type: 'quote', text: quote.text, line: line.number, verdict: 'contradicted', refs: [ref] } as const;
  const why = `${ref} says ${clip(near.instead)}`;
  return { claims: ['quote'], wrong: [{ ...claim, why, correction: near.instead }] };
}

interface NearlySaid {
  readonly passage: number;
  readonly instead: string;
}

/** The stretch of a passage that differs from the quotation in one or two words. */
function nearlySaid(quote: Quote, line: ClaimLine, { passages, source }: Context): NearlySaid | undefined {
  const words = line.words.filter(({ start, end, isPiece }) => !isPiece && start >= quote.start && end <= quote.end);
  if (words.length < leastWords) return undefined;
  const most = Math.max(1, Math.floor(words.length / 5));
  for (const { passage } of passages.nearest({ ...line, words })) {
    const found = alignedStretch(
      words.map(({ word }) => word),
      source.text(passage),
      most,
    );
    if (found !== undefined) return { passage, instead: found };
  }
  return undefined;
}

const clip = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 159)}…`);
