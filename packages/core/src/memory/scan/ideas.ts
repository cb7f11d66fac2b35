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
import { foldMarks } from './fold.ts';

export interface Place {
  readonly start: number;
  readonly end: number;
}

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

const fillers = '(?:[^\\s.]{1,24} ){0,3}';

const expand = (source: string, filler: string): string =>
  foldMarks(source)
    .replaceAll(/(?<!\\)([\p{L}\d])\*/gu, '$1\\p{L}*')
    .replaceAll(/~\? \?/g, ` ?${filler}`)
    .replaceAll(/~ \??/g, filler)
    .replaceAll(/~(?!\/)/g, filler);

type Patterns = ReadonlyMap<Sign, readonly RegExp[]>;

function patternsOf({ alphabetic, signed }: Tables): Patterns {
  // The keys of the tables are signs, which Object.keys forgets.
  const keys = [...alphabetic, ...signed, universalSigns].flatMap((words) => Object.keys(words) as Sign[]);
  return new Map(
    [...new Set(keys)].map((sign) => {
      const own = universalSigns[sign];
      if (own) return [sign, [own]];
      const idea = sign as Idea; // What is not universal is an idea of words.
      const letters = alphabetic.flatMap((words) => words[idea] ?? []).map((source) => expand(source, fillers));
      const wide = signed.flatMap((words) => words[idea] ?? []).map((source) => expand(source, '.{0,8}'));
      return [
        sign,
        [
          ...(letters.length > 0
            ? [new RegExp(`(?<![\\p{L}\\d_])(?:${letters.join('|')})(?![\\p{L}\\d_])`, 'gu')]
            : []),
          ...(wide.length > 0 ? [new RegExp(wide.join('|'), 'gu')] : []),
        ],
      ];
    }),
  );
}

const [allPatterns, narrowPatterns] = [patternsOf(all), patternsOf(narrow)];

const eastAsian = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/** Where a folded text says which idea, in the widest sense of its words. Linear: no pattern reaches farther than a few words. */
export const ideasIn = (text: string): Said => saidIn(text, allPatterns);

/** The same for words that mean little else. */
export const plainIdeasIn = (text: string): Said => saidIn(text, narrowPatterns);

function saidIn(text: string, sought: Patterns): Said {
  const isWide = eastAsian.test(text);
  return new Map(
    [...sought].map(([sign, patterns]) => [
      sign,
      patterns
        .filter((_, index) => index === 0 || isWide)
        .flatMap((pattern) =>
          [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length })),
        ),
    ]),
  );
}
