/** Rules and open requests of the user that a summary has to carry, and does not. */
import { estimateTextTokens } from '../../tokens/estimate.ts';
import type { Ask } from '../ledger/facts.ts';
import type { OutlineLine } from '../ledger/names.ts';
import { outlineOf } from '../ledger/outline.ts';
import { formsOf } from '../ledger/quotes.ts';
import type { SectionContent } from '../ledger/templates.ts';
import type { Ref } from '../ref.ts';
import type { MissingFact } from './claims.ts';
import type { Context } from './context.ts';
import { lettersOf } from './user-words.ts';
import { languageOf } from './words/language.ts';
import { wordsOf } from './words-of.ts';

export interface MissingInput {
  /** The summary without credentials, as it came. */
  readonly clean: string;
  /** The same without what was wrong in it: what has been taken out tells nobody anything. */
  readonly summary: string;
  readonly covers: (ref: Ref) => boolean;
}

/** Nobody can ask more of a summary than the ledger would say in as many tokens, less what estimates are off by. */
const budgetShare = 0.7;
/** Said again with at least this share of its words' weight, in one line or its neighbours. */
const saidShare = 0.55;
const verbatimChars = 160;
/** What a long request opens with says what it is. */
export const askChars = 600;

const types: Partial<Record<SectionContent, MissingFact['type']>> = {
  task: 'task',
  constraints: 'constraint',
  asks: 'request',
};

/** What is missing, in the order in which it was said. */
export function missingFrom(context: Context, { clean, summary, covers }: MissingInput): readonly MissingFact[] {
  const budget = estimateTextTokens(clean) * budgetShare;
  const wanted = outlineOf({ facts: context.facts, covers, budget, count: estimateTextTokens });
  const said = saidIn(summary, context);
  const newest = context.facts.asks.findLast(({ ref }) => covers(ref));
  return wanted.flatMap((line): MissingFact[] => {
    // A rule in the midst of a long request is told where there is room.
    const type = line.isRule ? undefined : types[line.content];
    const ask = context.facts.asks.find(({ ref }) => ref === line.ref);
    if (type === undefined || !ask || !covers(line.ref) || line.text.startsWith(' →')) return [];
    if (said(ask, ask === newest || type === 'constraint')) return [];
    return [{ type, text: plain(line), ref: line.ref }];
  });
}

const leastShared = 2;
/** A concept, a figure or a name: the same in every language. */
const anyLanguage = /^~|\d|[a-z][./_:-][a-z]/;

const plain = ({ text }: OutlineLine): string => text.replace(/^#+ /, '').trim();

/**
 * Tells whether the summary says again what was asked: word for word, or with most of what tells in it. Where nothing
 * of it can be compared, it counts as said, unless it matters most: then its very words have to stand there.
 */
function saidIn(summary: string, { passages, lines }: Context): (ask: Ask, matters: boolean) => boolean {
  const letters = lettersOf(summary);
  const language = languageOf(summary);
  const isOurs = lines.some(({ content }) => /^m\d{1,6} user: /.test(content));
  const words = lines.map((line) => new Set(line.words.map(({ word }) => word)));
  return (ask, matters) => {
    const { ref, text } = ask;
    const opening = lettersOf(text.slice(0, verbatimChars));
    if (opening === '' || letters.includes(opening)) return true;
    // Beginning and end, as the ledger shortens what is long.
    if (isOurs && formsOf(ask, ask.rules ?? []).some((form) => letters.includes(lettersOf(form)))) return true;
    // Of what was said in another language only names, figures and the words of every language can be compared; a
    // handoff of ours quotes.
    const isForeign = languageOf(text) !== language && !isOurs;
    if (isForeign && lines.some(({ refs }) => refs.includes(Number(ref.slice(1)) - 1))) return true;
    const wanted = new Map<string, number>();
    wordsOf(text.slice(0, askChars), (word, { isPiece }) => {
      if (isPiece || (isForeign && !anyLanguage.test(word))) return;
      if (passages.weightOf(word) > 0) wanted.set(word, passages.weightOf(word));
    });
    const all = [...wanted.values()].reduce((sum, weight) => sum + weight, 0);
    // One word that two languages share is said of many things.
    if (all === 0 || (isForeign && wanted.size < leastShared)) return isForeign && !matters;
    const reach = isForeign ? 0 : 1;
    return words.some((_, at) => {
      let found = 0;
      for (const [word, weight] of wanted) {
        if (words.slice(Math.max(0, at - reach), at + reach + 1).some((near) => near.has(word))) found += weight;
      }
      return found >= all * saidShare;
    });
  };
}
