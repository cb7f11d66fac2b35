/** Which language a line is written in, as far as its letters and commonest words tell. */
import { chinese } from '../../../language/chinese.ts';
import { japanese } from '../../../language/japanese.ts';
import { korean } from '../../../language/korean.ts';
import { englishWords, europeanWords, han, hangul, kana, type LanguageWords } from '../../../language/languages.ts';

export type Language = 'en' | 'zh' | 'ja' | 'ko' | 'other';

/**
 * A letter of these scripts says about as much as four Latin ones, and names in Latin letters stand in every language
 * of this field: a Chinese line about `src/parser/index.ts` is a Chinese line.
 */
const wideWeight = 4;

/** The language of a text; `other` for every further one and for a text without letters. Linear. */
export function languageOf(text: string): Language {
  const prose = text.replace(names, ' ');
  const count = (letters: RegExp): number => prose.match(letters)?.length ?? 0;
  const kana = count(/[\u3041-\u30fa\u30fd-\u30ff\uff66-\uff9d]/g);
  const hangul = count(/[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]/g);
  const han = count(/\p{Script=Han}/gu);
  const latin = count(/\p{Script=Latin}/gu);
  const rest = count(/\p{L}/gu) - kana - hangul - han - latin;
  const wide = Math.max(hangul, kana + han);
  if (wide > 0 && wide * wideWeight >= latin + rest) {
    if (hangul >= kana + han) return 'ko';
    // Japanese without any kana is rare and short; Chinese with a few is a quoted name.
    return kana * 6 >= han ? 'ja' : 'zh';
  }
  if (rest > latin || latin === 0) return 'other';
  return count(europeanWords) > count(englishWords) ? 'other' : 'en';
}

/** Code spans, and words with a dot or a slash inside, are the same in every language. */
const names = /`[^`]*`|(?<![\w$@-])[\w$@-]+[/._\\][\w$@/._\\-]*/g;

/** The words of the languages that a text has letters of; most texts have none. Chinese and Japanese are told by kana. */
export function languagesIn(text: string): readonly LanguageWords[] {
  const found: LanguageWords[] = [];
  if (hangul.test(text)) found.push(korean);
  if (kana.test(text)) found.push(japanese);
  else if (han.test(text)) found.push(chinese);
  return found;
}
