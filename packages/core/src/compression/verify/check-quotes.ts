/** What a summary puts into quotation marks: the user's words have to be the user's. */

import type { AttributionVerb } from '../../language/attribution.ts';
import { articles, userWords, wideSigns } from '../../language/languages.ts';
import { isPointer } from '../handoff-rows.ts';
import { refAt } from '../record.ts';
import type { Ref } from '../ref.ts';
import { alignedStretch } from './aligned.ts';
import { type ClaimLine, isNames, userHeader } from './claim-line.ts';
import type { WrongClaim } from './claims.ts';
import { type Check, type Checked, type Context, nothing } from './context.ts';
import { deniedPart, negatedSentence, sentencesIn } from './cut-quotes.ts';
import type { Speaker } from './source.ts';
import { isSpelling, lettersOf, plainWords, userTextWith } from './user-words.ts';
import { isConsent, isRefusal } from './words/answers.ts';
import { attributionIn, userSection } from './words/attributions.ts';
import { languageOf } from './words/language.ts';
import { isNegated } from './words/negations.ts';
import { codeIn, type Quote, quotesIn } from './words/quotes.ts';

const leastWords = 4;

/** Holds every quotation of a line against what was said. */
export const checkQuotes: Check = (line, context) => {
  if (line.type === 'code' || line.type === 'blank' || isToldBySummary(line, context)) return nothing;
  const retold = userLine(line, context);
  if (retold !== undefined) return retold;
  const quotes = quotesIn(line.content);
  const checked: Checked[] = quotes.map((quote) => {
    if (isOfUser(line, quote, context)) return userQuote(line, quote.text, context);
    const alone = quotedAlone(line, quote, context);
    if (alone) return { claims: ['quote'], wrong: [alone] };
    const taken = takenFromOthers(line, quote, context) ?? saidByNobody(line, quote, context);
    if (taken) return { claims: ['quote'], wrong: [taken] };
    return otherQuote(line, { ...quote, what: 'quote' }, context);
  });
  for (const span of codeIn(line.content)) checked.push(otherQuote(line, { ...span, what: 'identifier' }, context));
  if (quotes.length === 0) checked.push(unquoted(line, context));
  return { claims: checked.flatMap(({ claims }) => claims), wrong: checked.flatMap(({ wrong }) => wrong) };
};

/** A line below `m1 earlier summary:` claims no more than that this summary says it. */
const isToldBySummary = ({ content, isUnder, scope }: ClaimLine, { source }: Context): boolean =>
  isUnder &&
  source.textSearch(content).some((at) => source.messageOf(at) === scope && source.speakerOf(at) === 'summary');

const lengthNote = /…?\s*\(\d+ characters in all\)$/;

/** A line under `m12 user:` is the user's, word for word. */
function userLine(line: ClaimLine, context: Context): Checked | undefined {
  const isHeader = userHeader.test(line.content);
  // Names below a message are any names of its step.
  if (!isHeader && (!line.isUnder || isNames(line))) return undefined;
  if (!context.source.persons.has(line.scope ?? -1)) return isHeader ? notUsers(line, context) : undefined;
  const text = line.content.replace(userHeader, '').replace(lengthNote, '');
  if (text === 'word for word below' || isPointer(line.text, headingsOf(context))) return nothing;
  return context.isVerbatim(line) ? { claims: ['quote'], wrong: [] } : userQuote(line, text, context);
}

const headingsOf = ({ lines }: Context): ReadonlySet<string> =>
  new Set(lines.flatMap(({ type, heading }) => (type === 'heading' ? [heading] : [])));

/** Somebody else's message is told as the user's. */
function notUsers(line: ClaimLine, { source, facts }: Context): Checked | undefined {
  // A host's message may carry words that a person typed.
  const at = line.scope;
  if (at === undefined || facts.asks.some(({ ref }) => ref === `m${at + 1}`)) return undefined;
  if (source.userTexts.some(({ message }) => message === at)) return undefined;
  const why = `m${at + 1} is not a message of the user`;
  const claim = { type: 'quote', text: clip(line.content), line: line.number, refs: [`m${at + 1}`] } as const;
  return { claims: ['quote'], wrong: [{ ...claim, verdict: 'contradicted', why }] };
}

/** True for words that the line puts into the user's mouth. */
function isOfUser(line: ClaimLine, quote: Quote, { source }: Context): boolean {
  if (userSection(line.heading) === 'messages' && quote.start <= 2) return true;
  const said = attributionIn(line.content);
  if (said) return quote.start >= said.start && speaks.has(said.verb);
  // A quotation beside the number of a message of the user.
  return line.refs.length === 1 && line.refs.every((at) => source.persons.has(at)) && severalWords.test(quote.text);
}

/** Two words, or as much of a script that puts no spaces between them. */
const severalWords = /\S\s+\S|[\u2e80-\ud7ff]{4}/;

/** So near to a quotation the user is who said it, whatever the words between. */
const reach = { before: 24, after: 40 } as const;
const leastChars = 20;

/** A quotation beside the word for the user that somebody else said, and the user did not. */
function takenFromOthers(line: ClaimLine, quote: Quote, context: Context): WrongClaim | undefined {
  const { content, number, type } = line;
  const { source, isUsers } = context;
  if (
    type === 'heading' ||
    context.isVerbatim(line) ||
    quote.text.length < leastChars ||
    isUsers(quote.text) ||
    !severalWords.test(quote.text)
  )
    return undefined;
  const before = content.slice(Math.max(0, quote.start - reach.before), quote.start);
  const after = content.slice(quote.end, quote.end + reach.after);
  if (!userWords.test(before) && !userWords.test(after)) return undefined;
  const at = source.textSearch(quote.text).find((place) => othersVoices.has(source.speakerOf(place)));
  if (at === undefined) return undefined;
  const ref = source.refOf(at);
  const claim = { type: 'quote', text: quote.text, line: number, verdict: 'contradicted', refs: [ref] } as const;
  return { ...claim, why: `not the user but ${ref} says so` };
}

/** A line that is one quotation: nearly the user's words, and nobody's. */
function quotedAlone(line: ClaimLine, quote: Quote, context: Context): WrongClaim | undefined {
  const rest = line.content.slice(0, quote.start) + line.content.slice(quote.end);
  if (/[\p{L}\p{N}]/u.test(rest.replace(/m\d{1,6}/g, '')) || !severalWords.test(quote.text)) return undefined;
  if (context.isUsers(quote.text) || context.source.textSearch(quote.text.trim()).length > 0) return undefined;
  const wrong = misquote(line, quote.text, context);
  return wrong?.verdict === 'contradicted' || userSection(line.heading) !== undefined ? wrong : undefined;
}

/** A quotation beside an attribution of any kind (what the user chose, approved, proposed) that nobody ever said. */
function saidByNobody(line: ClaimLine, quote: Quote, { source, isUsers }: Context): WrongClaim | undefined {
  if (line.type === 'heading' || !severalWords.test(quote.text) || isUsers(quote.text)) return undefined;
  const said = attributionIn(line.content);
  if (!said || quote.start < said.start || /…|\.{3}/.test(quote.text)) return undefined;
  const text = quote.text.replace(/^[\s*_`]+|[\s.,;:!?。、，*_`]+$/g, '');
  if (source.textSearch(text).length > 0) return undefined;
  const claim = { type: 'quote', text: quote.text, line: line.number, verdict: 'unsupported', refs: [] } as const;
  return { ...claim, why: 'neither the user nor anybody else said so' };
}

const othersVoices: ReadonlySet<Speaker> = new Set(['agent', 'call', 'result']);

/** After these words a quotation is what was said; after others it may name a thing. */
const speaks: ReadonlySet<AttributionVerb> = new Set(['said', 'asked', 'wants', 'prefers']);

/** A request told without quotation marks: nearly the user's words are as wrong as a wrong quotation. */
function unquoted(line: ClaimLine, context: Context): Checked {
  const said = attributionIn(line.content);
  const rest = said && clauseWithin(said.rest, context);
  if (rest === undefined || rest.trim() === '' || context.isUsers(rest)) return nothing;
  const start = line.content.indexOf(rest);
  if (start < 0) return nothing;
  // After a colon stand the user's words themselves.
  const isLabelled = /[:：]\s*\**\s*$/.test(line.content.slice(0, start));
  // In another language than the line's they are no paraphrase of it.
  if (isLabelled && isOtherLanguage(line.content.slice(0, start), rest)) return userQuote(line, rest, context);
  const meant = isLabelled && speaks.has(said?.verb ?? 'chose') ? context.userWords.nearest(rest) : undefined;
  const near = nearlySaid({ start, end: start + rest.length }, line, { ...context, onlyPersons: true });
  if (near && !isLabelled && (isRetold(near, rest) || /[?？]$/.test(wholeSentence(near, context).text))) return nothing;
  if (!near && meant && !isSpelling(rest, meant.text)) {
    const claim = { type: 'quote', text: rest, line: line.number, verdict: 'contradicted' } as const;
    return { claims: ['quote'], wrong: [{ ...claim, ...usersWords(meant) }] };
  }
  if (!near || isSpelling(rest, near.instead)) return nothing;
  const claim = { type: 'quote', text: rest, line: line.number, verdict: 'contradicted' } as const;
  return { claims: ['quote'], wrong: [{ ...claim, ...usersWords(wholeSentence(near, context)) }] };
}

/**
 * One word stands in the place of another, which says nothing here: a `yes` or `no` before the rest, an article, or the
 * words lie one further on.
 */
function isRetold({ instead }: NearlySaid, rest: string): boolean {
  const [said, told] = [plainWords(instead), plainWords(rest)];
  const at = said.findIndex((word, place) => word !== told[place]);
  if (at < 0 || said.some((word, place) => place > at && word !== told[place])) return false;
  return articles.test(said[at] ?? '') || (at === 0 && (isConsent(instead) || isRefusal(instead)));
}

/** What is attributed, without a further clause; the user's own words may have a semicolon. */
function clauseWithin(whole: string, { isUsers }: Context): string {
  const rest = whole.replace(/\s*[(（]m\d{1,6}[)）]\s*$/, '');
  const end = /[;；]\s?/.exec(rest)?.index ?? -1;
  return end <= 0 || isUsers(rest) ? rest : rest.slice(0, end);
}

/** One of them is written in Latin letters and the other is not, or the two in different scripts. */
function isOtherLanguage(label: string, rest: string): boolean {
  const [one, other] = [languageOf(label), languageOf(rest)];
  if (one === 'other' || one === other || other === 'other') return false;
  return other !== 'en' || /\p{Script=Latin}{2,}\s+\p{Script=Latin}{2,}\s+\p{Script=Latin}{2,}/u.test(rest);
}

function userQuote(line: ClaimLine, text: string, context: Context): Checked {
  const parts = text.split(/…|\.{3}|\[[^\][\n]{0,80}\]/);
  const said = parts.map(lettersOf).filter((piece) => piece !== '');
  if (said.length === 0) return nothing;
  const found = isPickedOut(said) ? undefined : userTextWith(said, context.source);
  const cut = found === undefined ? undefined : deniedByUser(parts, context);
  if (cut) {
    const why = `the user's sentence in ${cut.ref} denies it`;
    const claim = { type: 'quote', text, line: line.number, verdict: 'contradicted' } as const;
    return { claims: ['quote'], wrong: [{ ...claim, ...usersWords(cut), why }] };
  }
  if (found !== undefined) return { claims: ['quote'], wrong: [] };
  const wrong = misquote(line, text, context);
  return { claims: ['quote'], wrong: wrong ? [wrong] : [] };
}

/** Letters and words that were picked out in their order say anything at all. */
const isPickedOut = (pieces: readonly string[]): boolean =>
  pieces.length > mostBrief && pieces.join('').length < pieces.length * (wideSigns.test(pieces.join('')) ? 3 : 6);
const mostBrief = 3;

/** The user's words, or undefined where only the spelling differs. */
function misquote(line: ClaimLine, text: string, context: Context): WrongClaim | undefined {
  const claim = { type: 'quote', text, line: line.number } as const;
  const meant = context.userWords.nearest(text);
  if (meant && isSpelling(text, meant.text)) return undefined;
  if (meant) return { ...claim, verdict: 'contradicted', ...usersWords(meant) };
  const at = context.source.textSearch(text)[0];
  if (at !== undefined) {
    const ref = context.source.refOf(at);
    return { ...claim, verdict: 'contradicted', why: `not the user but ${ref} says so`, refs: [ref] };
  }
  return { ...claim, verdict: 'unsupported', why: 'the user never said so', refs: [] };
}

interface Sentence {
  readonly text: string;
  readonly ref: Ref;
}

/** The user's own sentence, whole: a part of it, or a word of it put into another line, may say something else. */
const usersWords = ({ text, ref }: Sentence): Pick<WrongClaim, 'why' | 'refs' | 'correction' | 'row'> => ({
  why: `the user's words in ${ref} are other ones`,
  refs: [ref],
  correction: text,
  row: `${ref} user: ${text}`,
});

function wholeSentence({ passage, instead }: NearlySaid, { source }: Context): Sentence {
  const text = source.text(passage);
  return { text: sentencesIn(text).find((one) => one.includes(instead)) ?? text, ref: source.refOf(passage) };
}

/** Where every text of the user that has the words denies them in the same sentence: that sentence. */
function deniedByUser(parts: readonly string[], { source }: Context): Sentence | undefined {
  const pieces = parts.map(lettersOf).filter((piece) => piece !== '');
  if (isNegated(pieces.join(' '))) return undefined;
  let denied: Sentence | undefined;
  for (const { text, message } of source.userTexts) {
    if (!hasAll(pieces, lettersOf(text))) continue;
    const sentence = negatedSentence(pieces, text) ?? (pieces.length > 1 ? deniedPart(parts, text) : undefined);
    if (sentence === undefined) return undefined;
    denied ??= { text: sentence, ref: refAt(message) };
  }
  return denied;
}

const hasAll = (pieces: readonly string[], letters: string): boolean =>
  pieces.every((piece) => letters.includes(piece));

interface Quoted extends TextRange {
  readonly text: string;
  readonly what: 'quote' | 'identifier';
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Other quotations may be titles or loose words, and code may be a sketch. One that nobody said is wrong where a
 * passage says nearly the same: then a word of it was exchanged.
 */
function otherQuote(line: ClaimLine, quote: Quoted, context: Context): Checked {
  const text = quote.text.replace(/[.,;:!?…]+$/, '');
  if (context.isVerbatim(line) || context.isUsers(text)) return nothing;
  if (context.source.textSearch(text).length > 0) return { claims: [quote.what], wrong: [] };
  const near = nearlySaid(quote, line, { ...context, onlyPersons: false });
  if (!near) return nothing;
  const ref = context.source.refOf(near.passage);
  const claim = {
    type: quote.what,
    text: quote.text,
    line: line.number,
    verdict: 'contradicted',
    refs: [ref],
  } as const;
  const why = `${ref} says ${clip(near.instead)}`;
  const isPersons = quote.what === 'quote' && context.source.speakerOf(near.passage) === 'person';
  const own = isPersons ? usersWords(wholeSentence(near, context)) : { correction: near.instead };
  return { claims: [quote.what], wrong: [{ ...claim, ...own, why }] };
}

interface NearlySaid {
  readonly passage: number;
  readonly instead: string;
}

/** The stretch of a passage that differs from one of the line in a word of four or more. */
function nearlySaid(
  { start: from, end: to }: TextRange,
  line: ClaimLine,
  { passages, source, onlyPersons }: Context & { readonly onlyPersons: boolean },
): NearlySaid | undefined {
  const words = line.words.filter(({ start, end, isPiece }) => !isPiece && start >= from && end <= to);
  if (words.length < leastWords) return undefined;
  const most = Math.max(1, Math.floor(words.length / 8));
  for (const { passage } of passages.nearest({ ...line, words })) {
    if (onlyPersons && source.speakerOf(passage) !== 'person') continue;
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
