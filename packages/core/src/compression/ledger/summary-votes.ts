/**
 * What a model's summary says about which terms the agent will need. The weights are log odds on top of those in
 * `relevance.ts`, fitted by `node bench/fit-votes.ts`; docs/decisions/0010-best-of-both.md has data and alternatives.
 *
 * Where a summary tells what is under way and what comes next, its terms are needed far more often than their counts in
 * the conversation let expect, and so are the terms beside them in a line of the conversation. That a summary names a
 * term elsewhere says nothing that the conversation does not: models name what was said often and lately.
 */
import type { Corpus, TermStats } from './corpus.ts';
import type { SectionContent } from './templates.ts';
import type { ToldLine } from './told.ts';

/** Log odds of a term: of every one, of one that the summary names in what goes on, of one beside such a term. */
export const votes = { every: -0.19, named: 1.72, beside: 0.97 } as const;

/** What a summary says about the present and the future. */
export const goesOn: ReadonlySet<SectionContent | undefined> = new Set(['task', 'progress', 'remaining']);

/** Terms that a summary names where it tells what goes on, and those that stand in a line with one of them. */
export interface Named {
  readonly named: ReadonlySet<TermStats>;
  readonly beside: ReadonlySet<TermStats>;
}

/** What a summary says of the terms of a conversation. Linear in both. */
export function namedIn(told: readonly ToldLine[], { lines }: Pick<Corpus, 'lines'>): Named {
  const named = new Set<TermStats>();
  for (const { line, about } of told) {
    if (!goesOn.has(about)) continue;
    for (const term of line.terms) for (const one of [term, ...term.parts]) named.add(one);
  }
  const beside = new Set<TermStats>();
  for (const { terms } of lines) {
    if (!terms.some((term) => named.has(term))) continue;
    for (const term of terms) if (!named.has(term)) beside.add(term);
  }
  return { named, beside };
}

/** The log odds that a summary gives each term, by id; undefined when it says nothing of what goes on. */
export function votesOf(told: readonly ToldLine[], corpus: Corpus): Float64Array | undefined {
  const { named, beside } = namedIn(told, corpus);
  if (named.size === 0) return undefined;
  const odds = new Float64Array(corpus.terms.length).fill(votes.every);
  for (const { id } of beside) odds[id] = votes.every + votes.beside;
  for (const { id } of named) odds[id] = votes.every + votes.named;
  return odds;
}

/** A chance with log odds added to its own. */
export const withOdds = (chance: number, odds: number): number => chance / (chance + (1 - chance) * Math.exp(-odds));
