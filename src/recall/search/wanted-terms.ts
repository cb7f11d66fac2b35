/** What a query looks for, in terms of the index. */
import { scanTerms, termKinds } from '../../store/terms/scan.ts';
import type { Leaf, Query } from './query.ts';
import { askingWords, stopWords } from './stop-words.ts';

export interface WantedTerm {
  readonly term: string;
  /** How much it counts beside its rarity, 0 to 1. */
  readonly weight: number;
}

/** How much the kinds of terms count. */
export interface TermWeights {
  readonly name: number;
  readonly pair: number;
  /** A single character beside the pairs that it is part of. */
  readonly character: number;
  /** Words by which people ask. */
  readonly asking: number;
}

/** More terms than this are never needed to find something again; the rest of a long query is left out. */
const mostTerms = 400;

/** The distinct terms of a query, those that count most first. Words of grammar are left out, but where there is nothing else. */
export function wantedTerms(query: Query, weights: TermWeights): readonly WantedTerm[] {
  const found = query.leaves.flatMap((leaf) => termsOfLeaf(leaf, weights));
  const telling = found.filter(({ weight }) => weight > 0);
  const chosen = telling.length > 0 ? telling : found.map(({ term }) => ({ term, weight: 1 }));
  const byTerm = new Map<string, WantedTerm>();
  for (const wanted of chosen) {
    const known = byTerm.get(wanted.term);
    if (!known || known.weight < wanted.weight) byTerm.set(wanted.term, wanted);
  }
  return [...byTerm.values()].sort((a, b) => b.weight - a.weight).slice(0, mostTerms);
}

function termsOfLeaf(leaf: Leaf, weights: TermWeights): readonly WantedTerm[] {
  const { terms, kinds } = scanTerms(leaf.text);
  const isAlone = !kinds.includes(termKinds.pair);
  return terms.map((term, i) => ({
    term,
    weight: weightOf(term, kinds[i], isAlone ? { ...weights, character: 1 } : weights),
  }));
}

function weightOf(term: string, kind: number | undefined, weights: TermWeights): number {
  switch (kind) {
    case termKinds.name:
      return weights.name;
    case termKinds.pair:
      return weights.pair;
    case termKinds.character:
      return weights.character;
    default:
      return stopWords.has(term) ? 0 : askingWords.has(term) ? weights.asking : 1;
  }
}
