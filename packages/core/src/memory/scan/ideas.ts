/** Where a text says which idea: the words of all languages at once, since an attack may change its language. */

import { type Sign, universalSigns } from '../../language/threat-signs.ts';
import type { Idea, ThreatWords } from '../../language/threats.ts';
import { eastAsianThreats } from '../../language/threats-east-asian.ts';
import { englishThreats } from '../../language/threats-english.ts';
import { europeanThreats } from '../../language/threats-european.ts';
import { chineseWide } from '../../language/threats-wide-chinese.ts';
import { englishWide } from '../../language/threats-wide-english.ts';
import { frenchWide } from '../../language/threats-wide-french.ts';
import { germanWide } from '../../language/threats-wide-german.ts';
import { iberianWide } from '../../language/threats-wide-iberian.ts';
import { japaneseWide } from '../../language/threats-wide-japanese.ts';
import { koreanWide } from '../../language/threats-wide-korean.ts';
import { russianWide } from '../../language/threats-wide-russian.ts';
import { lazily } from '../../shared/lazily.ts';
import { foldMarks } from './fold.ts';
import { createPhraseScan, type Place } from './phrases.ts';

/** Where each idea is said, in the order of the text. */
export type Said = ReadonlyMap<Sign, readonly Place[]>;

/** Words of alphabets, and of scripts without blanks. */
interface Tables {
  readonly alphabetic: readonly ThreatWords[];
  readonly signed: readonly ThreatWords[];
}

const narrow: Tables = { alphabetic: [englishThreats, ...europeanThreats], signed: eastAsianThreats };
const all: Tables = {
  alphabetic: [...narrow.alphabetic, englishWide, germanWide, frenchWide, iberianWide, russianWide],
  signed: [...narrow.signed, chineseWide, japaneseWide, koreanWide],
};

const expand = (source: string, filler: string): string =>
  foldMarks(source)
    .replaceAll(/(?<!\\)([\p{L}\d])\*/gu, '$1\\p{L}*')
    .replaceAll(/~\? \?/g, ` ?${filler}`)
    .replaceAll(/~ \??/g, filler)
    .replaceAll(/~(?!\/)/g, filler);

/** Alternatives in the order of the tables, for each idea. */
type Sources = readonly (readonly string[])[];

/** The signs of tables, and how those that are ideas of words are said: in words of alphabets, and in signs. */
interface Vocabulary {
  readonly signs: readonly Sign[];
  readonly ideas: readonly Idea[];
  readonly inWords: () => Sources;
  readonly inSigns: () => Sources;
}

function vocabularyOf({ alphabetic, signed }: Tables): Vocabulary {
  // The keys of the tables are signs, which Object.keys forgets.
  const keys = [...alphabetic, ...signed, universalSigns].flatMap((words) => Object.keys(words) as Sign[]);
  const signs = [...new Set(keys)];
  const ideas = signs.filter((sign): sign is Idea => universalSigns[sign] === undefined);
  const sourcesIn = (tables: readonly ThreatWords[], filler: string): Sources =>
    ideas.map((idea) => tables.flatMap((words) => words[idea] ?? []).map((source) => expand(source, filler)));
  return {
    signs,
    ideas,
    inWords: () => sourcesIn(alphabetic, '(?:[^\\s.]{1,24} ){0,3}'),
    inSigns: () => sourcesIn(signed, '.{0,8}'),
  };
}

/** All words, in their widest sense. */
export const vocabulary: () => Vocabulary = lazily(() => vocabularyOf(all));

const eastAsian = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

function readerOf({ signs, ideas, inWords, inSigns }: Vocabulary): (text: string) => Said {
  const scanWords = lazily(() => createPhraseScan(inWords(), { isOfWords: true }));
  const scanSigns = lazily(() => createPhraseScan(inSigns(), { isOfWords: false }));
  return (text) => {
    const words = scanWords()(text);
    const wide = eastAsian.test(text) ? scanSigns()(text) : [];
    const said = new Map<Sign, readonly Place[]>(
      ideas.map((idea, at) => [idea, [...(words[at] ?? []), ...(wide[at] ?? [])]]),
    );
    return new Map(
      signs.map((sign) => {
        const universal = universalSigns[sign];
        return [sign, universal ? placesOf(universal, text) : (said.get(sign) ?? [])];
      }),
    );
  };
}

const placesOf = (pattern: RegExp, text: string): readonly Place[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));

const readAll = lazily(() => readerOf(vocabulary()));
const readNarrow = lazily(() => readerOf(vocabularyOf(narrow)));

/** Where a folded text says which idea, in the widest sense of its words. Linear: no pattern reaches farther than a few words. */
export const ideasIn = (text: string): Said => readAll()(text);

/** The same for words that mean little else. */
export const plainIdeasIn = (text: string): Said => readNarrow()(text);
