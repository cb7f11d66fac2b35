/** What terms and words are worth in a handoff before anything is shown: how likely somebody needs them again. */
import type { Corpus } from './corpus.ts';
import { logAges, relevanceOf, votesOf, withOdds } from './relevance.ts';
import type { ToldLine } from './told.ts';

/** What they are worth by; all measured on whole sessions (docs/decisions/0006-relevance.md). */
const worths = {
  /** Chances are raised to this power: below 1, it prefers many likely terms to a few certain ones. */
  chanceExponent: 0.45,
  /** Worth of writing a whole line again, against that of a name. */
  lineWorth: 0.3,
  /** Terms of the last requests count this much more: without a topic, they are the focus. */
  askedFactor: 1.5,
} as const;

interface WorthsInput {
  readonly corpus: Corpus;
  /** Messages whose terms count more: what was asked last. */
  readonly recentAsks: readonly number[];
  /** The lines of a model's summary. */
  readonly told?: { readonly lines: readonly ToldLine[] } | undefined;
}

/** What each term is worth, by id: its chance of being needed, by what it is and where it was asked about. */
export function termWorths({ corpus, recentAsks, told }: WorthsInput): Float64Array {
  const asked = new Set(recentAsks.flatMap((at) => (corpus.messageLines[at] ?? []).flatMap(({ terms }) => terms)));
  const logAge = logAges(corpus.messageTokens);
  const votes = told && votesOf(told.lines, corpus);
  const found = new Float64Array(corpus.terms.length);
  for (const term of corpus.terms) {
    if (term.lastMessage < 0) continue;
    const known = relevanceOf(term, logAge);
    const chance = (votes ? withOdds(known, votes[term.id] ?? 0) : known) ** worths.chanceExponent;
    if (term.kind === 'line') found[term.id] = chance * worths.lineWorth;
    else found[term.id] = asked.has(term) ? chance * worths.askedFactor : chance;
  }
  return found;
}

/** What each word of a sentence that tells something is worth, by id: in few sentences it tells more than in most. */
export function wordWorths({ wordUses }: Corpus): Float64Array {
  let sentences = 2;
  for (const uses of wordUses) if (uses >= sentences) sentences = uses + 1;
  return Float64Array.from(wordUses, (uses) => Math.log(sentences / uses));
}
