/** A text as it reads once its disguises are off: one width and case, no invisible signs, no look-alike letters. */

/** The text, and for every unit of it where it stands in the original. */
export interface Folded {
  readonly text: string;
  /** One place more than units: the last is the end of the original. */
  readonly places: readonly number[];
}

/** Signs that nobody sees: format characters, fillers, variation selectors, tags. */
export const isInvisible = (sign: string): boolean => /^[\p{Cf}\p{Default_Ignorable_Code_Point}]$/u.test(sign);

/** Letters of other scripts that look Latin, by the letter they look like. */
const lookAlikes = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ьвβ',
    c: 'сϲ',
    d: 'ԁɗ',
    e: 'еεєҽ',
    g: 'ɡց',
    h: 'һнհ',
    i: 'іιıɩ',
    j: 'јϳ',
    k: 'кκ',
    l: 'ӏǀⅼ',
    m: 'мм',
    n: 'пηո',
    o: 'оοօσ',
    p: 'рρ',
    q: 'ԛզ',
    r: 'гɾ',
    s: 'ѕꜱ',
    t: 'тτ',
    u: 'υսц',
    v: 'νѵ',
    w: 'ԝωш',
    x: 'хχ',
    y: 'уγү',
    z: 'ᴢ',
  }).flatMap(([letter, signs]) => [...signs].map((sign) => [sign, letter] as const)),
);

/** Letters in boxes, circles and flags, and small capitals, by the letter they show. */
const styled = new Map([
  ...[0x1f1e6, 0x1f130, 0x1f150, 0x1f170].flatMap((first) =>
    Array.from({ length: 26 }, (_, at) => [String.fromCodePoint(first + at), String.fromCharCode(97 + at)] as const),
  ),
  ...[...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ'].map((sign, at) => [sign, 'abcdefghijklmnopqrstuvw'[at] ?? sign] as const),
  ['ʏ', 'y'] as const,
  ['ᴢ', 'z'] as const,
]);

/** A word of Latin letters that has letters of other scripts between them. */
const mixedWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{M}]+/gu;

/** Words that mix Latin with letters that look like it. */
export function* mixedWords(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (const { 0: word, index } of text.matchAll(mixedWord)) {
    const foreign = [...word].filter((sign) => /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(sign));
    const known = foreign.filter((sign) => lookAlikes.has(sign.toLowerCase()));
    if (foreign.length > 0 && foreign.length < [...word].length && known.length === foreign.length && word.length > 2)
      if (/\p{Script=Latin}{1}/u.test(word)) yield { start: index, end: index + word.length };
  }
}

/** As `Folded`; `keepsLines` leaves each line break, which else is a space where a sentence goes on. Linear. */
export function foldText(original: string, keepsLines = false): Folded {
  const mixed = new Set<number>();
  for (const { start, end } of mixedWords(original)) for (let at = start; at < end; at++) mixed.add(at);
  const units: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const sign of original) {
    if (!isInvisible(sign))
      for (const unit of foldSign(sign, mixed.has(at))) {
        units.push(unit);
        places.push(at);
      }
    at += sign.length;
  }
  const text = units.join('');
  return collapse({ text, places: places.concat(original.length) }, keepsLines);
}

/** The units of one sign, small, composed, without marks over Latin, Greek and Cyrillic letters. */
function foldSign(sign: string, isMixed: boolean): string {
  if (sign === '\n') return sign;
  if (sign === '’' || sign === '‘' || sign === 'ʼ') return "'";
  if (sign === '。' || sign === '！' || sign === '？') return sign;
  const small = (styled.get(sign) ?? sign).normalize('NFKC').toLowerCase();
  const plain = foldMarks(small);
  return isMixed ? (lookAlikes.get(plain) ?? plain) : plain;
}

/** Without the marks over Latin, Greek and Cyrillic letters. */
export const foldMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');

/** One space for many; a line break is one too, unless a new item or paragraph follows. */
function collapse({ text, places }: Folded, keepsLines: boolean): Folded {
  const kept: string[] = [];
  const at: number[] = [];
  for (const { 0: run, index } of text.matchAll(/\s+|\S+/g)) {
    const breaks = run.split('\n').length - 1;
    const isGap = run.trim() === '';
    const next = text[index + run.length] ?? '';
    const shown = !isGap ? run : breaks > 1 || (breaks === 1 && (keepsLines || /[-*•>#|\d<[]/.test(next))) ? '\n' : ' ';
    for (let i = 0; i < shown.length; i++) {
      kept.push(shown[i] ?? '');
      at.push(places[index + i] ?? 0);
    }
  }
  return { text: kept.join(''), places: at.concat(places.at(-1) ?? 0) };
}
