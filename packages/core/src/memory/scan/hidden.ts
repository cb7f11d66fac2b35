/** Text that a model reads and a person does not see. */
import { isInvisible, mixedWords } from './fold.ts';

export interface HiddenText {
  readonly start: number;
  readonly end: number;
  readonly what: string;
}

const signs = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

const markup: readonly { readonly found: RegExp; readonly what: string }[] = [
  { found: /<!--(?!\s{0,9}[^\s<>]{0,40}\s{0,9}-->)/g, what: 'a comment that a page does not show' },
  {
    found:
      /(?:display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden|font-size\s{0,4}:\s{0,4}0(?![.\d])|opacity\s{0,4}:\s{0,4}0(?![.\d]))[^<>]{0,200}>|<[^<>]{0,80}\shidden(?:\s|>|=)|^\[(?:\/\/|comment)\]:\s*#/gimu,
    what: 'markup that a page does not show',
  },
];

/** Invisible signs, markup that is not shown, and words that mix alphabets. Linear. */
export function hiddenIn(text: string): readonly HiddenText[] {
  return [
    ...[...text.matchAll(signs)]
      .filter(({ 0: sign, index }) => isInvisible(sign) && !isNeeded(text, sign, index))
      .map(({ 0: sign, index }) => ({ start: index, end: index + sign.length, what: nameOf(sign) })),
    ...markup.flatMap(({ found, what }) =>
      [...text.matchAll(found)].map(({ 0: run, index }) => ({ start: index, end: index + run.length, what })),
    ),
    ...[...mixedWords(text)].map((place) => ({ ...place, what: 'a word of letters from two alphabets' })),
  ];
}

/** The text without signs that nobody sees and no script needs, and how many they were. Linear. */
export function withoutInvisible(text: string): { readonly text: string; readonly removed: number } {
  let [visible, removed] = [text, 0];
  // What one sign was needed for may have been another one.
  for (let pass = 0; pass < 3; pass++) {
    const before = visible;
    visible = before.replaceAll(signs, (sign, at: number) => {
      if (isNeeded(before, sign, at)) return sign;
      removed++;
      return '';
    });
    if (visible === before) break;
  }
  return { text: visible, removed };
}

/** Emoji and some scripts need joiners; a text may begin with a byte order mark, and a word be hyphenated softly. */
function isNeeded(text: string, sign: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  const after = text.slice(at + sign.length, at + sign.length + 2);
  if (sign === '\ufeff') return at === 0;
  if (sign === '\u00ad') return true;
  if (sign === '\ufe0f' || sign === '\ufe0e') return /[\p{Emoji}\p{S}\p{P}]$/u.test(before);
  if (sign === '\u200d' || sign === '\u200c')
    return (
      /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)$/u.test(before) ||
      /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Sinhala}\p{Script=Malayalam}]$/u.test(
        before,
      )
    );
  if (sign === '\u200e' || sign === '\u200f') return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(before + after);
  if (/[\u{e0020}-\u{e007f}]/u.test(sign))
    return /\u{1f3f4}[\u{e0020}-\u{e007f}]{0,6}$/u.test(text.slice(Math.max(0, at - 14), at));
  return /[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]/u.test(sign) && /\p{Script=Han}$/u.test(before);
}

function nameOf(sign: string): string {
  if (/[\u202a-\u202e\u2066-\u2069]/.test(sign)) return 'a sign that turns the direction of reading';
  return /[\u{e0000}-\u{e007f}]/u.test(sign) ? 'letters of the invisible tag block' : 'an invisible sign';
}
