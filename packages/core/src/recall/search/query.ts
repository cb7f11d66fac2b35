/**
 * What a query asks for. Words, "phrases", AND, OR and NOT in capitals, brackets, -word and beginning* have a meaning;
 * everything else is text to look for. Every text is a query: there are no syntax errors.
 */
import { scanTerms, termKinds } from '../../store/terms/scan.ts';

/** Something to look for, as it was written. */
export interface Leaf {
  /** A word or a name; words in a row, word for word; the beginning of a word. */
  readonly type: 'word' | 'phrase' | 'prefix';
  readonly text: string;
}

/** What a message must fulfil. */
export type Requirement =
  | Leaf
  | { readonly type: 'and' | 'or'; readonly of: readonly Requirement[] }
  | { readonly type: 'not'; readonly of: Requirement };

export interface Query {
  /** Everything that is looked for, in order, without what must not occur. */
  readonly leaves: readonly Leaf[];
  /** What a message must fulfil; undefined where any of the words will do. */
  readonly requirement: Requirement | undefined;
}

/** A longer query is cut: nobody types one, and a pasted text is known by its beginning. */
export const longestQuery = 4_000;
/** Brackets are followed to this depth, and mean nothing below. */
const deepest = 20;

/** Reads a query. */
export function parseQuery(text: string): Query {
  const tokens = tokensOf(text.slice(0, longestQuery).toWellFormed().normalize());
  const parser: Parser = { tokens, at: 0, leaves: [], depth: 0 };
  const parts: Term[] = [];
  while (parser.at < tokens.length) {
    parts.push(...sequence(parser));
    // A closing bracket that nothing opened.
    parser.at++;
  }
  return { leaves: parser.leaves, requirement: required(parts) };
}

interface Token {
  readonly type: Leaf['type'] | 'and' | 'or' | 'not' | 'open' | 'close';
  readonly text: string;
}

interface Parser {
  readonly tokens: readonly Token[];
  readonly leaves: Leaf[];
  at: number;
  depth: number;
}

/** A requirement, and whether it was asked for in so many words. */
interface Term {
  readonly is: Requirement;
  readonly firm: boolean;
}

const pieces = /(?<sign>[-+]?)(?:"(?<phrase>[^"]*)"?|(?<open>\()|(?<close>\))|(?<word>[^\s"()]+))/g;

function tokensOf(text: string): readonly Token[] {
  return text.matchAll(pieces).flatMap(tokensOfPiece).toArray();
}

function tokensOfPiece(match: RegExpExecArray): readonly Token[] {
  const { sign = '', phrase, open, close, word = '' } = match.groups ?? {};
  const lead: readonly Token[] = sign === '-' && isSign(match) ? [{ type: 'not', text: sign }] : [];
  if (phrase !== undefined) return isText(phrase) ? [...lead, { type: 'phrase', text: phrase }] : [];
  if (open !== undefined) return [...lead, { type: 'open', text: open }];
  if (close !== undefined) return [{ type: 'close', text: close }];
  if (word === 'AND' || word === '&&') return [{ type: 'and', text: word }];
  if (word === 'OR' || word === '||') return [{ type: 'or', text: word }];
  if (word === 'NOT') return [{ type: 'not', text: word }];
  const [, start] = /^(.+?)\*+[.,;:!?]*$/.exec(word) ?? [];
  if (start !== undefined && isText(start)) return [...lead, { type: 'prefix', text: start }];
  // A name may begin with the sign, as -rf does; and what is no text is nothing to look for.
  return isText(word) ? [...lead, { type: 'word', text: lead.length > 0 ? word : sign + word }] : [];
}

/** A minus is a sign where a word of three or more follows, and a space or nothing stands before. */
function isSign({ input, index, groups }: RegExpExecArray): boolean {
  const before = index === 0 || /[\s(]/.test(input.charAt(index - 1));
  return before && (groups?.word === undefined || /^[\p{L}\p{N}]{3}|^[^\0-\x7f]/u.test(groups.word));
}

const isText = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);

/** Terms up to a closing bracket or the end. */
function sequence(parser: Parser): readonly Term[] {
  const terms: Term[] = [];
  while (parser.at < parser.tokens.length && parser.tokens[parser.at]?.type !== 'close') {
    const term = alternatives(parser);
    if (term) terms.push(term);
  }
  return terms;
}

/** `a OR b`. */
function alternatives(parser: Parser): Term | undefined {
  const terms: Term[] = [];
  for (;;) {
    const term = conjunction(parser);
    if (term) terms.push(term);
    if (parser.tokens[parser.at]?.type !== 'or') break;
    parser.at++;
  }
  const [first] = terms;
  if (terms.length < 2) return first;
  return { is: { type: 'or', of: terms.map((term) => term.is) }, firm: terms.some((term) => term.firm) };
}

/** `a AND b`. */
function conjunction(parser: Parser): Term | undefined {
  const terms: Term[] = [];
  for (;;) {
    const term = single(parser);
    if (term) terms.push(term);
    if (parser.tokens[parser.at]?.type !== 'and') break;
    parser.at++;
  }
  const [first] = terms;
  if (terms.length < 2) return first;
  return { is: { type: 'and', of: terms.map((term) => term.is) }, firm: true };
}

function single(parser: Parser): Term | undefined {
  const token = parser.tokens[parser.at];
  if (!token || token.type === 'close' || token.type === 'and' || token.type === 'or') return undefined;
  parser.at++;
  switch (token.type) {
    case 'not':
      return negated(parser);
    case 'open':
      return bracket(parser);
    case 'word':
    case 'phrase':
    case 'prefix': {
      const leaf: Leaf = { type: token.type, text: token.text };
      parser.leaves.push(leaf);
      return { is: leaf, firm: token.type !== 'word' };
    }
  }
}

function negated(parser: Parser): Term | undefined {
  const before = parser.leaves.length;
  const term = parser.depth < deepest ? deeper(parser, single) : undefined;
  // What must not occur is nothing to look for.
  parser.leaves.length = before;
  return term && { is: { type: 'not', of: term.is }, firm: true };
}

function bracket(parser: Parser): Term | undefined {
  if (parser.depth >= deepest) return undefined;
  const terms = deeper(parser, sequence);
  if (parser.tokens[parser.at]?.type === 'close') parser.at++;
  const is = required(terms) ?? eitherOf(terms);
  return is && { is, firm: terms.some((term) => term.firm) };
}

function deeper<T>(parser: Parser, read: (parser: Parser) => T): T {
  parser.depth++;
  const result = read(parser);
  parser.depth--;
  return result;
}

function eitherOf(terms: readonly Term[]): Requirement | undefined {
  const [first] = terms;
  return terms.length < 2 ? first?.is : { type: 'or', of: terms.map((term) => term.is) };
}

/** All of what was asked for firmly. */
function required(terms: readonly Term[]): Requirement | undefined {
  const firm = terms.filter((term) => term.firm).map((term) => term.is);
  const [first] = firm;
  return firm.length < 2 ? first : { type: 'and', of: firm };
}

// What a requirement means for the index: terms that a message must have, or must not have, to be looked at at all.

interface RequiredTerms {
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
