/**
 * Splits TypeScript into tokens, well enough for the rules of this folder: comments, strings and regular expressions
 * are told from code. It does not parse; TypeScript 7 has no parser that a script could call.
 */

export interface Token {
  readonly type: 'word' | 'number' | 'string' | 'template' | 'regex' | 'comment' | 'sign';
  readonly text: string;
  /** Offset of the first character. */
  readonly at: number;
  /** Line of the first character, from 1. */
  readonly line: number;
}

/** A `/` after one of these words starts a regular expression, after any other word it divides. */
const wordsBeforeRegex: ReadonlySet<string> = new Set(
  'return typeof case in of delete void throw new do else yield await instanceof'.split(' '),
);

/** Signs of several characters that must not be taken apart; the longest come first. */
const longSigns: readonly string[] = [
  '...',
  '===',
  '!==',
  '=>',
  '==',
  '!=',
  '<=',
  '>=',
  '?.',
  '??',
  '||',
  '&&',
  '++',
  '--',
];

const wordPattern = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy;
const numberPattern = /\d[\w.]*/y;
const regexPattern = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const spacePattern = /\s+/y;
/** The first line of a script that names its interpreter counts as a comment. */
const commentPattern = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|#![^\n]*/y;
const stringPattern = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
/** From a backtick, or from the brace that ends an embedded expression, to the next one or the next `${`. */
const templatePattern = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;

/** All tokens of a text in order, comments included. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  // One entry for each open brace: true for the `${` of a template.
  const braces: boolean[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const { type, length } = next(text, at, { previous: lastCode(tokens), inTemplate: braces.at(-1) === true });
    const piece = text.slice(at, at + length);
    if (type !== 'space') tokens.push({ type, text: piece, at, line });
    if (type === 'template') {
      if (piece.startsWith('}')) braces.pop();
      if (piece.endsWith('${')) braces.push(true);
    } else if (piece === '{') braces.push(false);
    else if (piece === '}') braces.pop();
    line += piece.split('\n').length - 1;
    at += length;
  }
  return tokens;
}

interface Surroundings {
  readonly previous: Token | undefined;
  readonly inTemplate: boolean;
}

function next(text: string, at: number, around: Surroundings): { type: Token['type'] | 'space'; length: number } {
  const match = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length ?? 0;
  };
  const candidates = [
    ['space', spacePattern],
    ['comment', commentPattern],
    ['string', stringPattern],
    ['word', wordPattern],
    ['number', numberPattern],
  ] as const;
  for (const [type, pattern] of candidates) {
    const length = match(pattern);
    if (length > 0) return { type, length };
  }
  const first = text.charAt(at);
  if (first === '`' || (first === '}' && around.inTemplate)) {
    const length = match(templatePattern);
    if (length > 0) return { type: 'template', length };
  }
  if (first === '/' && startsRegex(around.previous)) {
    const length = match(regexPattern);
    if (length > 0) return { type: 'regex', length };
  }
  const sign = longSigns.find((long) => text.startsWith(long, at));
  return { type: 'sign', length: sign?.length ?? 1 };
}

function startsRegex(previous: Token | undefined): boolean {
  if (!previous) return true;
  if (previous.type === 'word') return wordsBeforeRegex.has(previous.text);
  return previous.type === 'sign' && ![')', ']', '}'].includes(previous.text);
}

const lastCode = (tokens: readonly Token[]): Token | undefined => tokens.findLast((token) => token.type !== 'comment');
