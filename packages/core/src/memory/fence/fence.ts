/** The block around text that is recalled from memory, and what takes such blocks off again. */
import { guardedNames, memoryNote } from './kinds.ts';

/**
 * The text inside its block, as the model gets it; empty for an empty one. Text that already is such a block is taken out of it
 * first. Nothing in the text can end the block or look like one of ours: their tags lose the bracket in front, however they are
 * written.
 */
export function fence(text: string): string {
  const body = disarmed(withoutNotes(unfence(text))).trim();
  return body === '' ? '' : `<memory-context>\n${memoryNote}\n\n${body}\n</memory-context>`;
}

/** The text inside of a block, or of blocks inside of blocks, as providers hand it over; the text itself where there is none around it. */
export function unfence(text: string): string {
  let body = text;
  for (let depth = 0; depth < 8; depth++) {
    const inner = wholeFence.exec(body)?.[1];
    // Two blocks one behind the other are not one around the other.
    if (inner === undefined || anyEnd.test(inner.replace(innerFence, ''))) return body;
    body = withoutNotes(inner).trim();
  }
  return body;
}

/** The text without whole blocks of recalled text, without tags of them that stand alone, and without what such blocks say of themselves. */
export function sanitize(text: string): string {
  const clean = withoutNotes(withoutFences(text)).replace(anyTag, '').trim();
  // What stood around a tag may become another one.
  return clean.search(anyTag) < 0 ? clean : disarmed(clean);
}

const wholeFence = /^\s*<memory-context(?:[ \t][^<>]*)?>([\s\S]*)<\/memory-context\s*>\s*$/i;
const innerFence = /<memory-context(?:[ \t][^<>]*)?>[^<]*(?:<(?!\/?memory-context\b)[^<]*)*<\/memory-context\s*>/gi;
const anyEnd = /<\/memory-context\s*>/i;
const anyTag = /<\s{0,8}\/?\s{0,8}(?:memory|recalled)-context(?:\s[^<>]*)?>/gi;

/** The note of ours, and the like of other tools. */
const notes: readonly RegExp[] = [
  new RegExp(
    memoryNote
      .split(' ')
      .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('\\s+'),
    'gi',
  ),
  /\[System note:[^\]\n]{0,80}recalled memory context[^\]\n]{0,400}\]/gi,
];

function withoutNotes(text: string): string {
  return notes.reduce((rest, note) => rest.replace(note, ''), text);
}

/** In one pass: an opening without an end behind it is looked for once. */
function withoutFences(text: string): string {
  let [kept, depth, from] = ['', 0, 0];
  const ends = [...text.matchAll(/<\s{0,8}\/\s{0,8}(?:memory|recalled)-context\s*>/gi)].at(-1)?.index ?? -1;
  for (const tag of text.matchAll(anyTag)) {
    const isEnd = /^<\s*\//.test(tag[0]);
    if (depth === 0 && tag.index > ends) break;
    if (!isEnd && depth === 0) kept += text.slice(from, tag.index);
    if (isEnd && depth === 1) from = tag.index + tag[0].length;
    depth = Math.max(0, depth + (isEnd ? -1 : 1));
  }
  // Openings that more ends should have followed: what stands behind the last end is outside.
  if (depth > 0) from = text.indexOf('>', ends) + 1;
  return kept + text.slice(from);
}

// Tags in disguise: a model reads `&lt;/memory-context&gt;`, `＜／ＭＥＭＯＲＹ－ＣＯＮＴＥＸＴ＞` and Cyrillic letters like the real thing.

/** The text with the bracket replaced of everything that reads like a tag of ours. */
export function disarmed(text: string): string {
  const plain = plainOf(text);
  let [result, from] = ['', 0];
  for (const { index } of plain.text.matchAll(readsLikeTag)) {
    const [start = from, end = start] = [plain.starts[index], plain.ends[index]];
    result += `${text.slice(from, start)}[`;
    from = end;
  }
  return result + text.slice(from);
}

const readsLikeTag = new RegExp(
  `<(?=[\\s/\\\\!?]{0,16}(?:${guardedNames.map((name) => name.split('').join('\\s?').replace('-', '[-\\s_]{0,4}')).join('|')}))`,
  'g',
);

/** A text as a reader sees it, and where each of its characters stands in the text. */
interface Plain {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A character, or how markup, addresses and programs write one. */
const character =
  /&(?:amp;){0,4}(?:lt|LT|sol|bsol|gt|GT|hyphen|dash|shy|zwj|zwnj|nbsp);?|&(?:amp;){0,4}#0{0,8}\d{1,7};?|&(?:amp;){0,4}#[xX]0{0,8}[\da-fA-F]{1,6};?|\\u\{?00[\da-fA-F]{2}\}?|\\x[\da-fA-F]{2}|%[2-7][\da-fA-F]|[\s\S]/gu;

function plainOf(text: string): Plain {
  const plain: string[] = [];
  const [starts, ends]: [number[], number[]] = [[], []];
  for (const { 0: written, index } of text.matchAll(character)) {
    for (const char of seenAs(written)) {
      plain.push(char);
      starts.push(index);
      ends.push(index + written.length);
    }
  }
  return { text: plain.join(''), starts, ends };
}

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  sol: '/',
  bsol: '\\',
  hyphen: '-',
  dash: '-',
  shy: '',
  zwj: '',
  zwnj: '',
  nbsp: ' ',
};

/** The plain letters that a person takes it for; nothing for what nobody sees. */
function seenAs(written: string): string {
  const decoded = written.length > 1 ? decode(written) : written;
  if (decoded.length === 1 && decoded < '\u0080') return decoded.toLowerCase();
  const bare = decoded
    .normalize('NFKD')
    .replace(/[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .toLowerCase();
  return [...bare].map((char) => lookalikes.get(char) ?? char).join('');
}

function decode(written: string): string {
  const entity = /^&(?:amp;)*([a-zA-Z]+);?$/.exec(written)?.[1];
  if (entity !== undefined) return named[entity.toLowerCase()] ?? written;
  const decimal = /^&(?:amp;)*#(\d+);?$/.exec(written)?.[1];
  const hex = /^(?:&(?:amp;)*#[xX]|\\u\{?|\\x|%)([\da-fA-F]+)[;}]?$/.exec(written)?.[1];
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10_ffff ? String.fromCodePoint(code) : written;
}

/** Letters and signs that look like those of the tags (Unicode's confusables, UTS 39). */
const lookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '<': '‹〈⟨❮❰˂ᐸ⧼≺𝈶',
    '/': '∕⁄⧸╱⟋⼃〳᜵',
    '-': '‐‑‒–—―−⁃➖ー─﹣',
    a: 'аɑα⍺ᴀ',
    c: 'сϲᴄⲥⅽ',
    d: 'ԁᏧᑯⅾᴅ',
    e: 'еҽ℮ᴇεёɛ',
    f: 'ẝꬵϝք',
    h: 'һհᏂнʜ',
    l: 'ӏǀ∣ⅼιı',
    m: 'мᴍⅿ',
    n: 'ոռпɴη',
    o: 'оοօ๐໐೦ഠ०੦૦௦ᴏσ',
    r: 'гᴦⲅꭇʀ',
    t: 'тτᴛ',
    x: 'хҳχ×⨯ⅹ',
    y: 'уүγყʏ',
  }).flatMap(([plain, alike]) => [...alike].map((char): [string, string] => [char, plain])),
);
