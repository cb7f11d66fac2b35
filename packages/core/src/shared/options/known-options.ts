/** The one check of options that programs hand over: often without a compiler, and a misspelt one would be left out without a word. */
import { PalimpsestError } from '../errors.ts';
import { describe, isObject, nearest } from './schema.ts';

/** What an option must be. */
export interface OptionRule {
  /** The end of a sentence that begins with "expected as NAME". */
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** An option that may not be left out. @default false */
  readonly isNeeded?: boolean;
  /** Looks into a value that holds. */
  readonly inside?: (value: unknown, owner: string) => void;
}

/** Every option of a function, so that the compiler tells when one is missing: what it must be, or true for what its reader checks. */
export type KnownOptions<Options> = Readonly<Record<keyof Options & string, true | OptionRule>>;

/** What the values are called in messages. */
interface Words {
  readonly whole: string;
  readonly one: string;
  readonly all: string;
}

/**
 * @param owner the function or class that takes the options, as its user writes it
 * @throws BAD_OPTION for what is no object, for an option that is not in `known`, and for a value that breaks its rule
 */
export function checkKnownOptions<Options extends object>(
  owner: string,
  options: Options,
  known: KnownOptions<Options>,
): void {
  const words = { whole: `the options of ${owner}`, one: `an option of ${owner}`, all: 'the options are' };
  checkNames(options, known, words);
  checkValues(options, known);
}

/** The same for a part of what a function takes, such as `a reply`. */
export function checkMembers<Members extends object>(
  owner: string,
  value: unknown,
  known: KnownOptions<Members>,
): asserts value is Members {
  const given = checkNames(value, known, { whole: owner, one: `a member of ${owner}`, all: 'its members are' });
  checkValues(given, known, owner);
}

function checkNames(given: unknown, known: object, { whole, one, all }: Words): object {
  if (!isObject(given)) throw badOption('options', `expected ${whole} as an object, got ${describe(given)}`);
  const stranger = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (stranger !== undefined) throw unknownName(stranger, Object.keys(known), { one, all });
  return given;
}

/** What to throw for a name that nobody knows. */
export function unknownName(
  name: string,
  names: readonly string[],
  { one, all, option = name.slice(0, 40) }: Omit<Words, 'whole'> & { readonly option?: string },
): PalimpsestError {
  const near = nearest(name.slice(0, 40), names);
  const meant = near === undefined ? `${all} ${names.join(', ')}` : `did you mean ${near}?`;
  return badOption(option, `expected ${one}, got ${name.slice(0, 40)}: ${meant}`);
}

/** Checks values alone. @throws BAD_OPTION */
export function checkValues(options: object, rules: Readonly<Record<string, true | OptionRule>>, owner?: string): void {
  for (const [name, rule] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, name);
    if (rule === true || (value === undefined && !rule.isNeeded)) continue;
    const of = owner === undefined ? '' : ` of ${owner}`;
    if (!rule.holds(value)) throw wrongOption(`${name}${of}`, rule.expected, { value, option: name });
    rule.inside?.(value, `${name}${of}`);
  }
}

/** What to throw for a value that makes no sense. */
export const wrongOption = (
  name: string,
  expected: string,
  { value, option = name }: { readonly value: unknown; readonly option?: string },
): PalimpsestError => badOption(option, `expected as ${name} ${expected}, got ${describe(value)}`);

const badOption = (option: string, message: string): PalimpsestError =>
  new PalimpsestError('BAD_OPTION', message, { evidence: { option } });

// Rules that many options share.

export const aFunction: OptionRule = {
  expected: 'a function',
  holds: (value) => (value ?? undefined) === undefined || typeof value === 'function',
};

export const aText: OptionRule = { expected: 'a text', holds: (value) => typeof value === 'string' };

/** A number that is not below `from`. */
export const aNumber = (from: number): OptionRule => ({
  expected: `a number of at least ${from}`,
  holds: (value) => Number.isFinite(value) && Number(value) >= from,
});

export const anEnum = (words: readonly unknown[]): OptionRule => ({
  expected: `one of ${words.join(', ')}`,
  holds: (value) => words.includes(value),
});
