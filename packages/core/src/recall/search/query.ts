/**
 * What a query asks for. Words, "phrases", AND, OR and NOT in capitals, brackets, -word and beginning* have a meaning;
 * everything else is text to look for. Every text is a query: there are no syntax errors.
 */

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
