/** What a summary puts into quotation marks: the user's words have to be the user's. */
import type { ClaimLine } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Checked, type Context, nothing } from './context.ts';
import { substitutions } from './passages.ts';
import { lettersOf, userTextWith } from './user-words.ts';
import { aboutUserSection, attributionIn } from './words/attributions.ts';
import { type Quote, quotesIn } from './words/quotes.ts';

/** A passage with this share of the line's words says the same thing. */
const sameShare = 0.7;
const leastWords = 3;

/** Holds every quotation of a line against what was said. */
export const checkQuotes: Check = (line, context) => {
  if (line.type === 'code') return nothing;
  const quotes = quotesIn(line.content);
  if (quotes.length === 0) return nothing;
  const checked: Checked[] = quotes.map((quote) =>
    isOfUser(line, quote) ? userQuote(line, quote, context) : otherQuote(line, quote, context),
  );
  return { claims: checked.flatMap(({ claims }) => claims), wrong: checked.flatMap(({ wrong }) => wrong) };
};

/** True for words that the line puts into the user's mouth. */
function isOfUser(line: ClaimLine, quote: Quote): boolean {
  if (aboutUserSection(line.heading)?.kind === 'messages') return quote.start <= 2;
  const said = attributionIn(line.content);
  return said !== undefined && quote.start >= said.start && speaks.has(said.verb);
}

/** After these words a quotation is what was said; after others it may name a thing. */
const speaks: ReadonlySet<string> = new Set([
  'said',
  'asked',
  'requested',
  'wants',
  'prefers',
  'approved',
  'rejected',
  'told',
  'wrote',
  'confirmed',
  'instructed',
  'replied',
  'answered',
]);

function userQuote(line: ClaimLine, quote: Quote, context: Context): Checked {
  const pieces = quote.text.split(/…|\.{3}|\[\s*(?:…|\.{3})\s*\]/).map(lettersOf);
  const said = pieces.filter((piece) => piece !== '');
  if (said.length === 0) return nothing;
  const found = userTextWith(said, context.source);
  if (found !== undefined) return { claims: ['quote'], wrong: [] };
  return { claims: ['quote'], wrong: [misquote(line, quote, context)] };
}

function misquote(line: ClaimLine, quote: Quote, context: Context): WrongClaim {
  const claim = { type: 'quote', text: clip(quote.text), line: line.number } as const;
  const meant = context.userWords.nearest(quote.text);
  if (meant) {
    const why = `the user's words in ${meant.ref} are other ones`;
    return { ...claim, verdict: 'contradicted', why, refs: [meant.ref], correction: meant.text };
  }
  const at = context.source.textSearch(quote.text)[0];
  if (at !== undefined) {
    const ref = context.source.refOf(at);
    return { ...claim, verdict: 'contradicted', why: `not the user but ${ref} says so`, refs: [ref] };
  }
  return { ...claim, verdict: 'unsupported', why: 'the user never said so', refs: [] };
}

/** Other quotations may be titles or loose words: wrong only where a passage says the same with other words. */
function otherQuote(line: ClaimLine, quote: Quote, context: Context): Checked {
  if (context.isVerbatim(line) || quote.text.split(/\s+/).length < leastWords) return nothing;
  if (context.source.textSearch(quote.text.replace(/[.,;:!?…]+$/, '')).length > 0)
    return { claims: ['quote'], wrong: [] };
  for (const { passage, coverage } of context.passages.nearest(line)) {
    if (coverage < sameShare) break;
    const text = context.source.text(passage);
    const exchanged = substitutions(line, text).find(
      ({ word }) => word.start >= quote.start && word.end <= quote.end && context.passages.weightOf(word.word) !== 0,
    );
    if (!exchanged) continue;
    const ref = context.source.refOf(passage);
    const said = line.content.slice(exchanged.word.start, exchanged.word.end);
    const why = `${ref} says ${exchanged.instead}`;
    const claim: WrongClaim = {
      ...{ type: 'quote', text: said, line: line.number, verdict: 'contradicted', why, refs: [ref] },
      correction: exchanged.instead,
    };
    return { claims: ['quote'], wrong: [claim] };
  }
  return nothing;
}

const clip = (text: string): string => (text.length <= 160 ? text : `${text.slice(0, 159)}…`);
