/** What a query looks for, in terms of the index. */
import { askingWords, grammarCharacters, oftenGrammarCharacters, queryStopWords } from '../../language/languages.ts';
import { scanTerms, termKinds } from '../../store/terms/scan.ts';
import { stem } from '../../store/terms/word-terms.ts';
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

// The numbers of the ranking, in one place. What each is worth is measured by `bench/search.ts`.

export interface RankingWeights {
  readonly terms: TermWeights;
  /** A word in the very form that was typed, beside its stem, by how much rarer the form is. */
  readonly exact: number;
  /** The same for a single word whose form is rare, beside what the best message of any form has (1). */
  readonly lone: number;
  /** BM25: how soon a repeated word counts no more. */
  readonly saturation: number;
  /** What every message pays, and by which power of their length long ones pay more: turns hardly, long answers much. */
  readonly lengthFloor: number;
  readonly lengthPower: number;
  /** Words of a message that is neither long nor short: the same for all stores, so that scores stay what they are. */
  readonly typicalWords: number;
  /** What the best stretch of a long message counts by itself, where that is more, and its size in words. */
  readonly stretch: number;
  readonly stretchWords: number;
  /** Two words side by side as in the query, beside what each counts alone; and within how many words. */
  readonly pair: number;
  readonly pairReach: number;
  /** Share of the score of a short neighbour: the one before, the one before when it asks, the one after, those two away. */
  readonly before: number;
  readonly beforeAsking: number;
  readonly after: number;
  readonly twoAway: number;
  /** By how much a short turn that asks counts less: it has the words, and what follows has the answer. */
  readonly asking: number;
  /** Longest message, in characters, that counts as a short turn. */
  readonly shortTurn: number;
  /** The name of who speaks, as so many words of the text. */
  readonly speaker: number;
  /** A message of the one speaker of several that the query names. */
  readonly namedSpeaker: number;
  /** The session's own score beside the message's (1); a power below 1 brings the sessions closer to the best one. */
  readonly session: number;
  readonly sessionPower: number;
  /** What was said by the user, where the query speaks of "me", and by the assistant, where it speaks of "you". */
  readonly person: number;
  /** A time that the query names. */
  readonly time: number;
  /** Closeness in meaning beside the words (1), of the message and of the closest one of its session, where there are vectors. */
  readonly meaning: number;
  readonly meaningSession: number;
  /** A best closeness below this is no sure find and counts in proportion; from `close` on a message is found without a word. */
  readonly sure: number;
  readonly close: number;
  /** Text of tool results beside what was said (1). */
  readonly result: number;
}

export const rankingWeights: RankingWeights = {
  terms: { name: 1, pair: 1, character: 0.1, asking: 0.5, grammar: 0.2 },
  exact: 2,
  lone: 9,
  saturation: 1.2,
  lengthFloor: 0.15,
  lengthPower: 1.3,
  typicalWords: 150,
  stretch: 0.6,
  stretchWords: 100,
  pair: 0.3,
  pairReach: 5,
  before: 0.25,
  beforeAsking: 0.9,
  after: 0.5,
  twoAway: 0.2,
  asking: 0.3,
  shortTurn: 400,
  speaker: 1,
  namedSpeaker: 0.25,
  session: 0.5,
  sessionPower: 0.7,
  person: 0.2,
  time: 0.6,
  meaning: 1,
  meaningSession: 0.3,
  sure: 0.5,
  close: 0.3,
  result: 0.7,
};
