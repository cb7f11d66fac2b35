/** What a requirement means for the index: terms that a message must have, or must not have, to be looked at at all. */
import { scanTerms, termKinds } from '../../store/terms/scan.ts';
import type { Leaf, Query, Requirement } from './query.ts';

export interface RequiredTerms {
  /** Each of these groups must have a term that occurs. */
  readonly all: readonly (readonly string[])[];
  readonly none: readonly string[];
}

/** The terms that begin with the text of a prefix leaf. */
export type Completions = ReadonlyMap<string, readonly string[]>;

/** The index is asked for so many groups; the rest is seen in the messages themselves. */
const mostGroups = 16;
/** Longer runs of a script without spaces are sentences, not words. */
const longestKeyword = 8;

/**
 * What a message must fulfil: what the query says firmly. A query of up to three words, one of them a name or a word of a
 * script without spaces, must have one of them as a whole, since parts of such a word are other words.
 */
export function requirementOf({ requirement, leaves }: Query): Requirement | undefined {
  if (requirement) return requirement;
  const isKeywords = leaves.length > 0 && leaves.length <= 3 && leaves.every(isKeyword);
  if (!isKeywords || leaves.every(isPlainWord)) return undefined;
  const [first] = leaves;
  return leaves.length === 1 ? first : { type: 'or', of: leaves };
}

const isPlainWord = ({ type, text }: Leaf): boolean =>
  type === 'word' && /^[\p{L}\p{N}]+$/u.test(text) && scanTerms(text).terms.length === 1;

function isKeyword({ text }: Leaf): boolean {
  const { kinds } = scanTerms(text);
  return kinds.filter((kind) => kind === termKinds.character).length <= longestKeyword;
}

/** Terms that follow from a requirement; fewer than it says, never more. */
export function requiredTerms(requirement: Requirement | undefined, completions: Completions): RequiredTerms {
  if (!requirement) return { all: [], none: [] };
  const parts = requirement.type === 'and' ? requirement.of : [requirement];
  return {
    all: parts.flatMap((part) => groupsOf(part, completions)).slice(0, mostGroups),
    none: parts.flatMap(forbiddenTerms),
  };
}

function groupsOf(requirement: Requirement, completions: Completions): readonly (readonly string[])[] {
  switch (requirement.type) {
    case 'not':
      return [];
    case 'and':
      return requirement.of.flatMap((part) => groupsOf(part, completions));
    case 'or': {
      // A message needs the first group of one of them at least.
      const firsts = requirement.of.map((part) => groupsOf(part, completions)[0]);
      return firsts.some((group) => group === undefined) ? [] : [firsts.flatMap((group) => group ?? [])];
    }
    case 'prefix': {
      const terms = completions.get(requirement.text) ?? [];
      return terms.length === 0 ? [] : [terms];
    }
    case 'word':
    case 'phrase':
      return groupsOfLeaf(requirement);
  }
}

/** The words and pairs of a leaf. A word in mixed cases may also be written in one. */
function groupsOfLeaf({ text }: Leaf): readonly (readonly string[])[] {
  const { terms, kinds, starts, ends } = scanTerms(text);
  const isAlone = (i: number): boolean => kinds[i] === termKinds.character && !kinds.includes(termKinds.pair);
  return terms.flatMap((term, i) => {
    if (kinds[i] !== termKinds.word && kinds[i] !== termKinds.pair && !isAlone(i)) return [];
    const whole = terms.filter(
      (_, j) =>
        kinds[j] === termKinds.name && isWordName(text.slice(starts[j], ends[j])) && covers(starts, ends, [j, i]),
    );
    return [[term, ...whole]];
  });
}

const isWordName = (name: string): boolean => /^[A-Za-z\d]+$/.test(name);

const covers = (
  starts: readonly number[],
  ends: readonly number[],
  [outer, inner]: readonly [number, number],
): boolean => (starts[outer] ?? 0) <= (starts[inner] ?? 0) && (ends[outer] ?? 0) >= (ends[inner] ?? 0);

/** A word that must not occur, where it is a single term. */
function forbiddenTerms(requirement: Requirement): readonly string[] {
  if (requirement.type !== 'not' || requirement.of.type !== 'word') return [];
  const { terms } = scanTerms(requirement.of.text);
  return terms.length === 1 ? terms : [];
}

/** A requirement without everything but what must not occur; undefined when that leaves nothing. */
export function prohibitionsOf(requirement: Requirement): Requirement | undefined {
  const parts = requirement.type === 'and' ? requirement.of : [requirement];
  const nots = parts.filter(({ type }) => type === 'not');
  const [first] = nots;
  return nots.length < 2 ? first : { type: 'and', of: nots };
}
