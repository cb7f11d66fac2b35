/** What can be asked of facts: by words, by what they are about, and which of them do not go together. Pure. */
import type { Fact } from './facts.ts';

/** The words of a text, in scripts with and without blanks. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter.segment(text.toLowerCase())) {
    if (isWordLike && (segment.length > 2 || /\p{Lo}/u.test(segment) || /\d/.test(segment))) words.add(segment);
  }
  return words;
}
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const shared = new Set(a).intersection(b).size;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
};

/** Facts that share words with the query, the likest and most trusted first. */
export function searchFacts(facts: readonly Fact[], query: string): readonly Fact[] {
  const wanted = wordsOf(query);
  return ranked(facts, (fact) => {
    const words = wordsOf(`${fact.text} ${fact.tags}`);
    const covered = new Set(wanted).intersection(words).size / Math.max(1, wanted.size);
    return (covered + likeness(words, wanted)) * fact.trust;
  });
}

/** All facts about one thing. */
export const probeFacts = (facts: readonly Fact[], entity: string): readonly Fact[] =>
  facts.filter((fact) => isAbout(fact, entity));

const isAbout = ({ about, text }: Fact, entity: string): boolean => {
  const name = entity.trim().toLowerCase();
  return name !== '' && (about.includes(name) || text.toLowerCase().includes(name));
};

/** What else is said of things that one thing is mentioned with. */
export function relatedFacts(facts: readonly Fact[], entity: string): readonly Fact[] {
  const direct = probeFacts(facts, entity);
  const around = new Set(direct.flatMap(({ about }) => about));
  around.delete(entity.trim().toLowerCase());
  const rest = facts.filter((fact) => !direct.includes(fact));
  return ranked(rest, ({ about, trust }) => about.filter((name) => around.has(name)).length * trust);
}

/** Facts that connect several things: those about most of them first, and none that is about a single one. */
export function reasonOverFacts(facts: readonly Fact[], entities: readonly string[]): readonly Fact[] {
  const least = Math.min(2, entities.length);
  return ranked(facts, (fact) => {
    const count = entities.filter((entity) => isAbout(fact, entity)).length;
    return count < least ? 0 : count + fact.trust / 2;
  });
}

/** Pairs about the same things that are worded alike and yet not the same: one of them may be out of date. */
export function contradictions(facts: readonly Fact[]): readonly (readonly [Fact, Fact])[] {
  const all = facts
    .slice(0, mostCompared)
    .map((fact) => ({ fact, about: new Set(fact.about), words: wordsOf(fact.text) }));
  const pairs = all.flatMap((a, at) =>
    all.slice(at + 1).flatMap((b) => {
      const [things, words] = [likeness(a.about, b.about), likeness(a.words, b.words)];
      return things >= 0.3 && words >= 0.3 && words < 1
        ? [{ pair: [a.fact, b.fact] as const, score: things + words }]
        : [];
    }),
  );
  return pairs.sort((a, b) => b.score - a.score).map(({ pair }) => pair);
}

/** Every fact is held against every other one. */
const mostCompared = 500;

function ranked(facts: readonly Fact[], score: (fact: Fact) => number): readonly Fact[] {
  return facts
    .map((fact) => ({ fact, score: score(fact) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score || a.fact.id - b.fact.id)
    .map(({ fact }) => fact);
}
