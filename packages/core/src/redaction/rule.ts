/** What a rule is, and the short ways to write the usual ones. */

/** Words of a list, parted by `|`. */
export const words = (...lines: readonly string[]): readonly string[] => lines.join('|').split('|');

/** From the first character of the secret to before its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a keyword stands. */
export interface Hit extends Span {
  readonly text: string;
}

/** What a rule found; `refused` when it looked at it and it is no secret. */
export interface Finding extends Span {
  readonly refused?: true;
  /** More secrets of the same kind, behind the first. */
  readonly more?: readonly Span[];
  /** Up to here the rule has read, and need not be asked again. */
  readonly read?: number;
}

/** How one kind of secret is recognised. */
export interface Rule {
  /** Kebab-case and unique. */
  readonly id: string;
  /** `shape`: the secret tells by itself what it is. `place`: only what stands around it tells that it is one. */
  readonly by: 'shape' | 'place';
  /**
   * The rule is asked only where one of these stands, each of at least three characters: exactly as written for a
   * shape, in either case for a place.
   */
  readonly keywords: readonly string[];
  /**
   * A sticky expression from the first character of the keyword on, or a function. Of the expression, group 1 is the
   * secret and ends the match; without groups the whole match is it. A group `lead` in a lookbehind belongs to it too.
   * Repeats are bounded and never nested, so that a hit costs a bounded time.
   */
  readonly find: RegExp | ((hit: Hit) => Finding | undefined);
  /** Whether what was found is a secret; of a shape, beside that it is no stopgap such as `xxxx`. */
  readonly check?: (secret: string) => boolean;
  /** False when the keyword may stand within a word. @default true */
  readonly startsWord?: boolean;
}

/** Several secrets as one finding. */
export const findingOf = ([first, ...more]: readonly Span[]): Finding | undefined => first && { ...first, more };

/** The group `value`, or else the first, of each match of `pattern` in a part of a text, where it is a value. */
export function valuesIn(
  text: string,
  { start, end }: Span,
  { pattern, isValue }: { pattern: RegExp; isValue: (value: string, groups: Record<string, string>) => boolean },
): readonly Span[] {
  return [...text.slice(start, end).matchAll(pattern)].flatMap(({ groups, indices }) => {
    const [from, to] = indices?.groups?.value ?? indices?.[1] ?? [0, 0];
    const span = { start: start + from, end: start + to };
    return isValue(text.slice(span.start, span.end), groups ?? {}) ? [span] : [];
  });
}

/** A rule that a function answers for, wherever one of its keywords stands. */
export const placeRule = (
  id: string,
  keywords: string | readonly string[],
  find: (hit: Hit) => Finding | undefined,
): Rule => ({
  id,
  by: 'place',
  startsWord: false,
  check: () => true,
  keywords: typeof keywords === 'string' ? keywords.split('|') : keywords,
  find,
});

/** What tells that a text was cut off here: dots, a mark of a tool, or its end. */
const cut = '(?=…|\\.{2}|\\*{3}|\\[(?:…|\\.\\.|cut|trunc)|<(?:…|\\.\\.|cut|trunc)|$)';

/** Longer runs are masked whole all the same (`redact.ts`): the bound is for what is looked at. */
const most = 400;

interface PrefixedOptions {
  /** The characters behind the prefix, as a class of a regular expression. @default '[A-Za-z0-9]' */
  readonly chars?: string;
  /** How many there are at least where nothing is cut off. @default 16 */
  readonly least?: number;
  readonly check?: (secret: string) => boolean;
}

/** The source of an expression for one of some texts. */
const anyOf = (texts: string): string => texts.replace(/[.$|+*?^()[\]{}\\]/g, '\\$&').replaceAll(' ', '|');

/** A vendor's key: a prefix that nothing else has and random characters; also one that was cut off behind 8 of them. */
export function prefixed(id: string, prefixes: string, options: PrefixedOptions = {}): Rule {
  const { chars = '[A-Za-z0-9]', least = 16, check } = options;
  const keywords = prefixes.split(' ');
  const short = least > 8 ? `|${chars}{8,${least - 1}}${cut}` : '';
  const find = new RegExp(`(?:${anyOf(prefixes)})(?:${chars}{${least},${most}}${short})`, 'y');
  return { id, by: 'shape', keywords, find, ...(check ? { check } : {}) };
}

/** The source of an expression, and what else a rule needs. */
export type Form = readonly [source: string, options?: Partial<Rule>];

/** A key of an exact form, as an expression that begins with one of the keywords. */
export function shaped(id: string, keywords: string, ...[source, options]: Form): Rule {
  return { id, by: 'shape', keywords: keywords.split(' '), find: new RegExp(source, 'y'), ...options };
}

/** The same where the keyword may stand within a word. */
export const inside = (id: string, keywords: string, source: string): Rule =>
  shaped(id, keywords, source, { startsWord: false });

/** What stands in an address behind a host and a path that nothing else has, as the webhooks of services do. */
export const address = (id: string, starts: string, secret: string): Rule =>
  inside(id, starts, `(?:${anyOf(starts)})(${secret})`);

/** Each of some beginnings with each of some characters behind: too short alone, they are keywords together. */
export const followed = (starts: readonly string[], by: string): string =>
  starts.flatMap((start) => [...by].map((next) => start + next)).join(' ');

/** Classes of the characters of keys. */
export const word = '[\\w-]';
export const dotted = '[\\w.-]';
export const hex = '[0-9a-f]';
export const base64 = '[A-Za-z0-9+/]';
/** Hexadecimal digits of a UUID. */
export const uuid = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}';
