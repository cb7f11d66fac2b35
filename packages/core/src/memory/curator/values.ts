/** What a text names that can be compared as a value: days, times, numbers, addresses, commands, names. */
import { koreanParticles, type ValueType } from '../../language/attributes.ts';
import { clockTimes, percentages, percentagesInChinese, weekdays } from '../../language/calendar.ts';
import { type FoundValue, outermost } from './known-values.ts';

const collect = (text: string, pattern: RegExp, value: (match: RegExpMatchArray) => string | undefined): FoundValue[] =>
  [...text.matchAll(pattern)].flatMap((match) => {
    const found = value(match);
    return found === undefined ? [] : [{ value: found, start: match.index, end: match.index + match[0].length }];
  });

const groupNumber = (match: RegExpMatchArray, letter: string): string | undefined =>
  Object.entries(match.groups ?? {})
    .find(([name, text]) => name.startsWith(letter) && text !== undefined)?.[0]
    .slice(1);

/** The days of the week in a text, Sunday `0`. */
export const weekdaysIn = (text: string): readonly FoundValue[] =>
  collect(text, weekdays, (match) => groupNumber(match, 'd'));

/** `9:30`, `9.30 Uhr`, `9 am`, `9時半`, `9点`, `9시 30분`: as minutes of the day. */
export const timesIn = (text: string): readonly FoundValue[] =>
  collect(text, clockTimes, ([all, hour = '', minute, wideMinute, half, noon]) => {
    if (!/[^\d\s]/.test(all) || (/\d\.\d/.test(all) && !/[\p{L}]/u.test(all))) return undefined;
    const hours = (Number(hour) % (noon ? 12 : 24)) + (noon && /^p/i.test(noon) ? 12 : 0);
    const minutes = half ? 30 : Number(minute ?? wideMinute ?? 0);
    return Number(hour) > 24 || minutes > 59 ? undefined : String(hours * 60 + minutes);
  });

const percents = (text: string): readonly FoundValue[] =>
  collect(text, percentages, ([, n = '']) => n.replace(',', '.')).concat(
    collect(text, percentagesInChinese, ([, n]) => n),
  );

const ports = (text: string): readonly FoundValue[] => [
  ...collect(text, /(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]):(\d{2,5})/gi, ([, n]) => n),
  ...collect(text, /(?<![\d.:,%-])(\d{2,5})(?![\d.:,%]*\d|\s*[%a-z])(?!\s*(?:ms|MB|GB|KB|%))/giu, ([, n = '']) =>
    Number(n) >= 22 && Number(n) < 65_536 ? n : undefined,
  ),
];

/** Hosts and addresses; a version such as 1.2.3 is none. */
export const hostsIn = (text: string): readonly FoundValue[] =>
  collect(
    text,
    /(?<![\w@.-])(?:https?:\/\/)?((?:\d{1,3}(?:\.\d{1,3}){3}|(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:[a-z]{2,})))(?::\d+)?(?:\/[^\s。、，]*)?(?![\w-])/gi,
    ([, host = '']) =>
      /\.(?:ts|js|tsx|jsx|md|json|py|rs|go|java|yml|yaml|toml|css|html|txt|sh|rb|php|sql|lock)$/i.test(host)
        ? undefined
        : host.toLowerCase(),
  );

/** What stands between backquotes, and paths. */
export const commandsIn = (text: string): readonly FoundValue[] =>
  collect(text, /`([^`\n]+)`/g, ([, code = '']) => code.trim().replaceAll(/\s+/g, ' '));

/** Numbers with what they count, where it is written together or right behind. */
export const numbersIn = (text: string): readonly FoundValue[] =>
  collect(text, /(?<![\p{L}\d])v?\d+(?:[.,:]\d+)*(?![\d])/gu, ([all]) => all.toLowerCase().replace(/^v/, ''));

const letters = '\\p{L}\\p{M}';
const capital = `\\p{Lu}[${letters}\\d'’.-]*[${letters}\\d]|\\p{Lu}`;
const latinNames = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{M}\\d])(?:${capital})(?:\\s+(?:&\\s+|de\\s+|van\\s+|von\\s+|da\\s+)?(?:${capital}|\\d+(?![\\d.:])))*`,
  'gu',
);
/** Runs of one script: what in Chinese and Japanese may be a name. */
const wideNames = /[\p{Script=Han}々]{1,6}|[\p{Script=Katakana}ー・]{2,}|\p{Script=Hangul}{2,}/gu;

/** What may be names, without the words that are known to be none. `isFrame` tells of places in the text. */
function namesIn(text: string, isFrame: (start: number, end: number) => boolean): readonly FoundValue[] {
  const found: FoundValue[] = [];
  for (const { 0: run, index } of text.matchAll(latinNames)) {
    const parts: { text: string; start: number }[] = [];
    for (const word of run.matchAll(/\S+/g)) {
      const start = index + word.index;
      const bare = word[0].replace(/['’]s?$/, '');
      if (!isWeekday(bare) && !isFrame(start, start + bare.length)) parts.push({ text: bare, start });
      else if (parts.length > 0) break;
    }
    const [first] = parts;
    const last = parts.at(-1);
    if (first && last)
      found.push({
        value: parts.map((part) => part.text.toLowerCase()).join(' '),
        start: first.start,
        end: last.start + last.text.length,
      });
  }
  for (const { 0: run, index } of text.matchAll(wideNames)) found.push(...wideParts(run, index, isFrame));
  return withoutFirstWord(text, found);
}

/** A sentence begins with a capital: a word there is a name only where the sentence is short and has no other. */
function withoutFirstWord(text: string, found: readonly FoundValue[]): readonly FoundValue[] {
  const [first] = found;
  const isSuspect = first?.start === 0 && !first.value.includes(' ') && /^\p{Lu}/u.test(text);
  return isSuspect && (found.length > 1 || text.split(/\s+/).length > 4) ? found.slice(1) : found;
}

const isWeekday = (word: string): boolean => weekdaysIn(word).length > 0;

/** What is left of a run where the words of the frame are taken out. */
function wideParts(
  run: string,
  index: number,
  isFrame: (start: number, end: number) => boolean,
): readonly FoundValue[] {
  const parts: FoundValue[] = [];
  let start = -1;
  for (let at = 0; at <= run.length; at++) {
    const isOut = at === run.length || isFrame(index + at, index + at + 1);
    if (!isOut && start < 0) start = at;
    if (isOut && start >= 0) {
      const value = run.slice(start, at).replace(koreanParticles, '');
      if (value.length > 0) parts.push({ value, start: index + start, end: index + start + value.length });
      start = -1;
    }
  }
  return parts;
}

/** The values of a type in a text. `isFrame` tells whether a place in it is a word that is no value. */
export function valuesOf(
  type: Exclude<ValueType, 'known' | 'words'>,
  text: string,
  isFrame: (start: number, end: number) => boolean,
): readonly FoundValue[] {
  switch (type) {
    case 'weekday':
      return weekdaysIn(text);
    case 'time':
      return timesIn(text);
    case 'percent':
      return percents(text);
    case 'port':
      return outermost(ports(text));
    case 'host':
      return hostsIn(text);
    case 'command':
      return commandsIn(text);
    case 'name':
    case 'person':
      return namesIn(text, isFrame);
  }
}

/** Two values of a type mean the same; of a name the one may be a part of the other. */
export function isSameValue(type: ValueType, a: string, b: string): boolean {
  if (a === b) return true;
  if (type !== 'name' && type !== 'person' && type !== 'known') return false;
  const [short = '', long = ''] = a.length < b.length ? [a, b] : [b, a];
  const own = short.split(' ');
  const words = long.split(' ');
  // A version is no part of a name: Node is not Node 22, but a town may stand beside its land.
  if (type === 'known') return false;
  return own.every((word) => words.includes(word));
}
