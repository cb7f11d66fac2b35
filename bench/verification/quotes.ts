/** Quotes of the user, altered: a word exchanged, the sense turned round, a number changed. */
import { type Dice, pick } from '../invented-texts.ts';

/** Words and what turns the sense round, tried in either direction. */
const opposites: readonly (readonly [string, string])[] = [
  ['add', 'remove'],
  ['enable', 'disable'],
  ['before', 'after'],
  ['always', 'never'],
  ['with', 'without'],
  ['all', 'no'],
  ['first', 'last'],
  ['use', 'avoid'],
  ['keep', 'drop'],
  ['create', 'delete'],
  ['merge', 'revert'],
  ['increase', 'reduce'],
  ['start', 'stop'],
  ['should', 'should not'],
  ["don't", 'do'],
  ['do not', 'do'],
  ['can', 'cannot'],
  ['is', "isn't"],
  ['please', "please don't"],
  ['must', 'must not'],
  ['yes', 'no'],
  ['new', 'old'],
  ['make', "don't make"],
  ['check', 'ignore'],
  ['fix', 'leave'],
  ['run', 'skip'],
  ['update', 'freeze'],
  ['不要', '要'],
  ['添加', '删除'],
  ['所有', '部分'],
  ['需要', '不需要'],
  ['使用', '停用'],
  ['可以', '不可以'],
  ['してください', 'しないでください'],
  ['して', 'しないで'],
  ['追加', '削除'],
  ['すべて', '一部'],
  ['続けて', '止めて'],
  ['できる', 'できない'],
  ['ない', 'る'],
  ['해줘', '하지 마'],
  ['추가', '삭제'],
  ['모든', '일부'],
  ['주세요', '주지 마세요'],
  ['진행', '중단'],
  ['않', '하'],
];

const latinWords: readonly string[] = [
  'garden',
  'invoice',
  'weather',
  'printer',
  'calendar',
  'museum',
  'bicycle',
  'recipe',
  'harbour',
  'piano',
  'ticket',
  'orchard',
];
const wordsByScript: readonly (readonly [RegExp, readonly string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]{2,3}/gu, ['てんき', 'りんご', 'ピアノ', 'カメラ', 'みなと', 'ラジオ']],
  [/\p{Script=Hangul}{2,3}/gu, ['날씨', '사과', '피아노', '항구', '박물관', '자전거']],
  [/\p{Script=Han}{2}/gu, ['天气', '苹果', '钢琴', '港口', '花园', '博物']],
  [/\b[a-z]{4,}\b/gi, latinWords],
];

/** The quote with one change that a reader would take for the user's words; undefined where nothing can be changed. */
export function alteredQuote(quote: string, dice: Dice): string | undefined {
  const ways = [turnedRound(quote, dice), withOtherWord(quote, dice), withOtherNumber(quote, dice)];
  const possible = ways.filter((altered) => altered !== undefined && altered !== quote);
  return possible.length === 0 ? undefined : pick(dice, possible);
}

function turnedRound(quote: string, dice: Dice): string | undefined {
  const pairs = opposites.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]);
  const possible = pairs.flatMap(([from, to]) => {
    const pattern = /^[\w' ]+$/.test(from) ? new RegExp(`(?<![\\w'])${from}(?![\\w'])`, 'i') : new RegExp(from);
    // A longer opposite stands there already: taking a word out of it would leave the sense as it is.
    return pattern.test(quote) && !quote.toLowerCase().includes(to) ? [quote.replace(pattern, to)] : [];
  });
  return possible.length === 0 ? undefined : pick(dice, possible);
}

function withOtherWord(quote: string, dice: Dice): string | undefined {
  for (const [pattern, words] of wordsByScript) {
    const found = [...quote.matchAll(pattern)];
    if (found.length === 0) continue;
    const { index, 0: old } = pick(dice, found);
    return quote.slice(0, index) + pick(dice, words) + quote.slice(index + old.length);
  }
  return undefined;
}

function withOtherNumber(quote: string, dice: Dice): string | undefined {
  const found = [...quote.matchAll(/\d+/g)];
  if (found.length === 0) return undefined;
  const { index, 0: old } = pick(dice, found);
  return `${quote.slice(0, index)}${Number(old) + 1 + dice(8)}${quote.slice(index + old.length)}`;
}
