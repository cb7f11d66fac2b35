/** What may be a password in a sentence. */
import { isInterfaceWord, isKnownSaid, isSaidOfPasswords, remembered } from './plain-words.ts';
import type { Span } from './rule.ts';
import { isPassword, isPhrase } from './values.ts';

/** In any quotes; the group that is there is the value. */
export const inQuotes: string =
  '(?:“([^“”\\n]{2,60})”|„([^“”„\\n]{2,60})[“”]|« ?([^«»\\n]{2,60}?) ?»|‘([^‘’\\n]{2,60})’|「([^「」\\n]{2,60})」|『([^『』\\n]{2,60})』|' +
  '\\\\{0,4}"([^"\\n\\\\]{2,60})\\\\{0,4}"|`([^`\\n]{2,60})`|\'([^\'\\n]{2,60})\'(?![\\p{L}\\p{N}]))';
/** A word without quotes. */
export const token: string = '([^\\s"\'`“”„«»「」<>()[\\]{}|\\\\]{2,64})';

/** A value in a sentence. */
export interface Value extends Span {
  readonly isQuoted: boolean;
  readonly text: string;
}

/** The group that took part in a match, as a span of the text. */
export function spanOf(match: RegExpExecArray, from: number, isFirst = 1): Value | undefined {
  for (let group = isFirst; group < match.length; group++) {
    const text = match[group];
    if (text === undefined) continue;
    const at = match[0].lastIndexOf(text);
    const start = from + match.index + at;
    return { start, end: start + text.length, isQuoted: group < match.length - 1, text };
  }
  return undefined;
}

/** Without the signs that end a clause. */
export const bareOf = (value: string): string => value.replace(/(?:[.,;:!?…*_—–]|-->?)+$/, '');
export const withBare = ({ start, text }: { start: number; text: string }): Span => ({
  start,
  end: start + bareOf(text).length,
});

/** What ends as files and hosts do. */
const fileOrHost =
  /\.(?:com|org|net|io|dev|app|ai|co|edu|gov|info|de|fr|es|it|nl|pl|ru|cn|jp|kr|uk|us|eu|me|tv|cloud|local|lan|internal|example|test|localhost|[cm]?[jt]sx?|py|rb|go|rs|java|kt|cs|cpp|[chr]|hpp|php|sh|bash|zsh|ps1|bat|jsonl?|ya?ml|toml|xml|html?|s?css|md|rst|txt|log|[ct]sv|sql|db|conf|cfg|ini|env|lock|pem|key|crt|cer|p12|pfx|jks|zip|t?gz|tar|7z|rar|exe|dll|so|bin|iso|img|png|jpe?g|gif|svg|pdf|docx?|xlsx?|pptx?|properties|gpg|asc|kdbx|tf|tfvars|vue|svelte|swift|pl|lua|ipynb|wasm|map)$/i;

/** Letters with digits or signs among them, as hardly a word has: `hunter2`, `Spring-Onion`, `tea#pot`. */
export const isMarked: (value: string) => boolean = remembered((value) => {
  if (
    value.length < 5 ||
    !isPassword(value) ||
    /^[0-9a-f]{8}-[0-9a-f]{4}-|^(?:[a-z]+:\/\/|\/|~|www\.|@)|^[\w.+-]+@[\w-]+\./i.test(value) ||
    fileOrHost.test(value)
  )
    return false;
  const pieces = value.match(/[\p{L}\p{N}]+/gu) ?? [];
  // With a digit and a sign beside it, the end of a word says nothing.
  const hasDigit = /\d/.test(value);
  const isMixed = /[#@!$%&*+?§]/.test(value) || /^\p{Lu}\p{Ll}+[-_.]\p{Lu}\p{Ll}+\d*$/u.test(value);
  const isSaid = hasDigit && isMixed ? isKnownSaid : isSaidOfPasswords;
  if (
    isKnownSaid(value) ||
    pieces.some((one) => one.length > 3 && (isSaid(one) || isInterfaceWord(one))) ||
    /[()=<>{}]/.test(value)
  )
    return false;
  if (hasDigit) return /\p{L}/u.test(value) && !/^\d+(?:[-.]\p{L}+)$|^v?\d+(?:\.\d+)+/u.test(value);
  if (/^\p{L}+(?:[._]\p{L}+)+$/u.test(value)) return isDotted(value);
  return /[#@!$%^&*+~§]/.test(value) || (pieces.length > 1 && /-/.test(value) && !/['’]/.test(value));
});

/** `Granary.Door`, `Spatz_Berg`: words of some length that no program joins like that. */
const isDotted = (value: string): boolean =>
  /^\p{Lu}\p{Ll}+(?:[._]\p{L}{2,})+$|^\p{Ll}{3,}(?:\.\p{Ll}{3,})+$|^\p{Ll}{3,}(?:[._]\p{Lu}\p{Ll}+)+$/u.test(value);

/** A word or words in quotes that nobody says of passwords. */
export const isQuotedPassword = (value: string): boolean =>
  isPassword(value) &&
  (value.includes(' ') ? isPhrase(value) : !isKnownSaid(value) && !isInterfaceWord(value)) &&
  !/^(?:https?:|\/|\.|<)|[(){}=<>]|^[A-Z][A-Z0-9_]+$/.test(value);

/** One plain word that says nothing of a password. */
export const isMadeUpWord = (word: string): boolean =>
  /^[\p{L}]{4,30}$/u.test(word) &&
  isPassword(word) &&
  !isSaidOfPasswords(word) &&
  !isInterfaceWord(word) &&
  !/^[A-Z]+$/.test(word);

/** The line that a text ends in, and the one it begins with. Line ends may be escaped; looked for as strings: an expression would be asked at every character. */
export function lastLine(text: string): string {
  const escaped = text.lastIndexOf('\\n');
  return text.slice(Math.max(text.lastIndexOf('\n') + 1, escaped === -1 ? 0 : escaped + 2));
}

export function firstLine(text: string): string {
  const ends = [text.indexOf('\n'), text.indexOf('\\n')].filter((at) => at !== -1);
  return text.slice(0, Math.min(text.length, ...ends));
}
