/** The four languages that the fake writes and lies in, and what it needs to say in each. */
import type { Language } from '../language/fake-texts.ts';

/** The language of a text by its script; English for everything that is none of the others. */
export function languageOf(text: string): Language {
  const hangul = count(text, /[\uac00-\ud7af]/g);
  const kana = count(text, /[\u3040-\u30ff]/g);
  const han = count(text, /[\u4e00-\u9fff]/g);
  const latin = count(text, /[A-Za-z]+/g);
  if (hangul + kana + han === 0 || latin > 4 * (hangul + kana + han)) return 'en';
  if (hangul >= kana + han) return 'ko';
  return kana * 8 > han ? 'ja' : 'zh';
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
