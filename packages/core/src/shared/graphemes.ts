/** What a person sees as one character: a letter with its marks, a flag, a family of emoji. */
import { lazily } from './lazily.ts';

const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** The characters of a text as a person counts them. */
export function* graphemes(text: string): Generator<string, void, undefined> {
  for (const { segment } of segmenter().segment(text)) yield segment;
}

/** The text with at most `most` characters; a cut is marked with `…`, which counts as one. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept: string[] = [];
  for (const character of graphemes(text)) {
    if (kept.length === most) return `${kept.slice(0, most - 1).join('')}…`;
    kept.push(character);
  }
  return text;
}
