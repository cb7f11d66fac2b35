/** What a query looks for, in terms of the index. */
import { askingWords, grammarCharacters, oftenGrammarCharacters, queryStopWords } from '../../language/languages.ts';
import { scanTerms, termKinds } from '../../store/terms/scan.ts';
import { stem } from '../../store/terms/stem.ts';
import type { Leaf, Query } from './query.ts';

export interface WantedTerm {
  readonly term: string;
  /** How much it counts beside its rarity, 0 to 1. */
  readonly weight: number;
  /** Terms of words that stand soon behind it in the query. */
  readonly followers?: readonly string[];
  /** True for a character that stands in the query only as a part of a longer word. */
  readonly isPart?: boolean;
}

/** How much the kinds of terms count. */
export interface TermWeights {
  readonly name: number;
  readonly pair: number;
  /** A single character beside the pairs that it is part of. */
  readonly character: number;
  /** Words by which people ask. */
  readonly asking: number;
  /** Characters and pairs of Chinese grammar, beside others of their kind. */
  readonly grammar: number;
}

/** More terms than this are never needed to find something again; the rest of a long query is left out. */
const mostTerms = 400;

/** The distinct terms of a query, those that count most first. Words of grammar are left out, but where there is nothing else. */
export function wantedTerms(query: Query, weights: TermWeights): readonly WantedTerm[] {
  const found = query.leaves.flatMap((leaf) => termsOfLeaf(leaf, weights));
  const telling = found.filter(({ weight }) => weight > 0);
  const chosen = telling.length > 0 ? telling : found.map((one) => ({ ...one, weight: 1 }));
  const byTerm = new Map<string, WantedTerm>();
  for (const wanted of chosen) {
    const known = byTerm.get(wanted.term);
    if (!known || known.weight < wanted.weight) byTerm.set(wanted.term, wanted);
  }
  const followers = followersIn(query, new Set(byTerm.keys()));
  return [...byTerm.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, mostTerms)
    .map((wanted) => ({ ...wanted, followers: followers.get(wanted.term) ?? [] }));
}

/** Words so close in a query belong together, with words of grammar between them. */
const reach = 3;

/** For each term of a word the one that stands next in the query, where it is near. */
function followersIn({ leaves }: Query, wanted: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const followers = new Map<string, string[]>();
  let before: { readonly term: string; readonly ordinal: number } | undefined;
  let words = 0;
  for (const { text } of leaves) {
    const scan = scanTerms(text);
    for (const [i, term] of scan.terms.entries()) {
      if (!isOfWord(scan.kinds[i]) || !wanted.has(term)) continue;
      const ordinal = words + (scan.ordinals[i] ?? 0);
      if (before && before.term !== term && ordinal - before.ordinal <= reach) {
        followers.set(before.term, [...(followers.get(before.term) ?? []), term]);
      }
      before = { term, ordinal };
    }
    words += scan.words;
  }
  return followers;
}

const isOfWord = (kind: number | undefined): boolean => kind === termKinds.word || kind === termKinds.name;

function termsOfLeaf(leaf: Leaf, weights: TermWeights): readonly WantedTerm[] {
  const { terms, kinds } = scanTerms(leaf.text);
  const isAlone = !kinds.includes(termKinds.pair);
  const ofKind = isAlone ? { ...weights, character: 1 } : weights;
  // The same characters carry the meaning of Japanese words.
  const grammar = kana.test(leaf.text) ? 1 : weights.grammar;
  return terms.map((term, i) => ({
    term,
    weight: weightOf(term, kinds[i], ofKind) * (isGrammar(term, kinds[i]) ? grammar : 1),
    isPart: !isAlone && kinds[i] === termKinds.character,
  }));
}

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** True for a character or pair of Chinese grammar, such as 什么 or 的时. */
function isGrammar(term: string, kind: number | undefined): boolean {
  if (kind !== termKinds.pair && kind !== termKinds.character) return false;
  const characters = [...term];
  if (characters.some((one) => grammarCharacters.has(one))) return true;
  return characters.every((one) => oftenGrammarCharacters.has(one));
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
      return stopWords.has(term) ? 0 : askingStems.has(term) ? weights.asking : 1;
  }
}

// Words that say nothing of what is looked for. They are kept in the index, so that a phrase may have them.

const stems = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map((word) => stem(word)));

const stopWords = stems(queryStopWords);
const askingStems = stems(askingWords);
