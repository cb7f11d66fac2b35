/** Which versions of Palimpsest a plugin was written for: the ranges that package files use. */

/** What a range may look like. */
export const rangeExpected = 'a range of versions, such as "^0.1.0", ">=0.1.0 <0.3.0" or "*"';

type Version = readonly [number, number, number];
type Comparator = (version: Version) => boolean;

/**
 * True when a version lies in a range: `*`, `1.2.3`, `1.2`, `1.x`, `^`, `~`, `>`, `>=`, `<`, `<=`, with blanks for "and"
 * and `||` for "or". Pre-release tags are left out of account. Undefined for a text that is no range or no version.
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const wanted = versionOf(version);
  if (!wanted || range.length > mostCharacters) return undefined;
  const choices = range.split('||').map((choice) => comparatorsOf(choice.trim()));
  const known = choices.filter((choice) => choice !== undefined);
  if (known.length < choices.length) return undefined;
  return known.some((comparators) => comparators.every((holds) => holds(wanted)));
}

const mostCharacters = 200;

function comparatorsOf(text: string): readonly Comparator[] | undefined {
  if (text === '' || text === '*') return [];
  const found = text
    .replaceAll(/([<>=~^]) +/g, '$1')
    .split(/ +/)
    .map(comparatorOf);
  const known = found.filter((comparator) => comparator !== undefined);
  return known.length === found.length ? known : undefined;
}

const pattern = /^(>=|<=|>|<|=|\^|~)?v?(\d{1,9}|[x*])(?:\.(\d{1,9}|[x*]))?(?:\.(\d{1,9}|[x*]))?(?:[-+][\w.+-]+)?$/i;

function comparatorOf(text: string): Comparator | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, sign = '', ...parts] = match;
  const numbers = parts.map((part) => (part === undefined || /^[x*]$/i.test(part) ? undefined : Number(part)));
  const given = numbers.indexOf(undefined);
  const depth = given < 0 ? 3 : given;
  const [major = 0, minor = 0, patch = 0] = numbers;
  const low: Version = [major, minor, patch];
  switch (sign) {
    case '>=':
      return (version) => compare(version, low) >= 0;
    case '>':
      return (version) => compare(version, depth === 3 ? low : after(low, depth)) >= (depth === 3 ? 1 : 0);
    case '<':
      return (version) => compare(version, low) < 0;
    case '<=':
      return (version) => (depth === 3 ? compare(version, low) <= 0 : compare(version, after(low, depth)) < 0);
    case '^':
      return between(low, after(low, Math.min(depth, caretDepth(low))));
    case '~':
      return between(low, after(low, Math.min(depth, 2)));
    default:
      return between(low, after(low, depth));
  }
}

const between =
  (low: Version, high: Version): Comparator =>
  (version) =>
    compare(version, low) >= 0 && compare(version, high) < 0;

/** The part of a version up to which `^` holds: the first that is not 0. */
const caretDepth = ([major, minor]: Version): number => (major > 0 ? 1 : minor > 0 ? 2 : 3);

/** The first version behind all that begin with so many parts. */
function after([major, minor, patch]: Version, depth: number): Version {
  if (depth === 0) return [Number.POSITIVE_INFINITY, 0, 0];
  if (depth === 1) return [major + 1, 0, 0];
  return depth === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function versionOf(text: string): Version | undefined {
  const match = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+]|$)/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

function compare(a: Version, b: Version): number {
  for (const at of [0, 1, 2] as const) if (a[at] !== b[at]) return a[at] - b[at];
  return 0;
}
