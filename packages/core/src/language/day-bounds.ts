/**
 * Words that make a day of the week, or the end of a month, the beginning or the end of something: one row a language. Whether
 * such a day lies ahead is told by some of these words, and by others not: "from Friday" is also where a report comes from.
 */
import { monthSource } from './calendar.ts';

/** Tells the day on which a text was written, in place of `$`. */
export const asOf = {
  english: '(as of $)',
  german: '(Stand $)',
  french: '(au $)',
  spanish: '(al $)',
  russian: '(на $)',
  chinese: '（截至$）',
  japanese: '（$時点）',
  korean: '($ 기준)',
} as const;

/** How a language bounds a time by a day. */
export interface DayBounds {
  readonly asOf: string;
  /** What stands right before the name of a day that lies ahead. */
  readonly ahead?: RegExp;
  /** The same right behind the name; where both are given, both are needed. */
  readonly aheadBehind?: RegExp;
  /** What stands right before or behind the name of a day that may lie ahead or back. */
  readonly unsure?: RegExp;
  readonly unsureBehind?: RegExp;
  /** In a sentence with these words such a day lies ahead. */
  readonly planned?: RegExp;
  /** With these words it lies back, or nobody knows. */
  readonly past?: RegExp;
  /** `until the end of March`: what is matched stands for the last day of the month, a group of `calendar` or a number `n`. */
  readonly monthEnds: RegExp;
}

const words = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, 'iu');
const before = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})$`, 'iu');
const noYear = '(?![\\p{L}\\d])(?!,?\\s+(?:of |de |del |года? )?\\d)';
const monthEnds = (opening: string, end: string): RegExp =>
  new RegExp(`(?<=(?<![\\p{L}\\d])(?:${opening}))(?:${end})(?:${monthSource})${noYear}`, 'giu');

/** In the order of `relativeDays`. */
export const dayBounds: readonly DayBounds[] = [
  {
    asOf: asOf.english,
    ahead: before(
      "(?<=(?:^|[.!?:;]\\s+))from\\s+|(?:starting|beginning|effective)\\s+(?:from\\s+|on\\s+)?|(?:until|till|['’]til)\\s+",
    ),
    unsure: before('(?<!(?:days?|weeks?|months?|years?)\\s+)from\\s+'),
    planned: words("will|won['’]t|['’]ll|going to|shall|planned|(?:is|are|am) to"),
    monthEnds: monthEnds('(?:until|till|through)\\s+', '(?:the\\s+)?end of\\s+'),
  },
  {
    asOf: asOf.german,
    ahead: before('(?:ab|bis)\\s+(?:zum\\s+|einschließlich\\s+|einschl\\.\\s+)?'),
    monthEnds: monthEnds('bis\\s+(?:zum\\s+)?', 'Ende\\s+'),
  },
  {
    asOf: asOf.french,
    ahead: before("(?:à\\s+(?:partir|compter)\\s+de|dès|jusqu['’]à)\\s+"),
    unsure: before('depuis\\s+'),
    monthEnds: monthEnds("jusqu['’]à\\s+|d['’]ici\\s+(?:à\\s+)?", "(?:la\\s+)?fin\\s+(?:de\\s+|d['’])?"),
  },
  {
    asOf: asOf.spanish,
    ahead: before('(?:a\\s+partir\\s+del|hasta\\s+el)\\s+'),
    unsure: before('desde\\s+el\\s+'),
    monthEnds: monthEnds('hasta\\s+', '(?:el\\s+)?fin(?:al)?\\s+de\\s+'),
  },
  {
    asOf: asOf.russian,
    ahead: before('до\\s+'),
    unsure: before('(?:начиная\\s+)?со?\\s+'),
    planned: words(
      'буд(?:у|ет|ем|ут|ешь|ете)|начн\\p{L}+|переход(?:им|ит|ят)|перейд\\p{L}+|планиру\\p{L}+|вступ(?:ит|ает)',
    ),
    monthEnds: monthEnds('до\\s+', 'конца\\s+'),
  },
  {
    asOf: asOf.japanese,
    aheadBehind: /^(?:まで(?!の)|以降)/u,
    unsureBehind: /^から/u,
    planned: /予定|つもり|始める|始めます|開始(?:する|します)|始まる|始まります|切り替える|切り替えます/u,
    monthEnds: /(?<![\d月年])(?<n>1?\d)月末(?=まで)/gu,
  },
  {
    asOf: asOf.chinese,
    ahead: /[从從自]$/u,
    aheadBehind: /^(?:起|开始|開始)/u,
    past: /一直|已[经經]|至今|了/u,
    monthEnds: /(?<=[到至])(?<n>1?\d)月底/gu,
  },
  {
    asOf: asOf.korean,
    aheadBehind: /^까지/u,
    unsureBehind: /^부터/u,
    planned: /예정|계획|할게|하겠|시작(?:한다|합니다|할)|바꾼다|바꿉니다|쉽니다|쉰다/u,
    monthEnds: /(?<![\d월년]\s?)(?<n>1?\d)월\s?말(?=까지)/gu,
  },
];

/** A day with these words in its sentence comes back each week, and has no date. */
export const comingBack: RegExp =
  /(?<![\p{L}])(?:every|each|weekly|jede[nrsm]?|wöchentlich|chaque|tou(?:s|tes) les|cada|tod[oa]s l[oa]s|кажд\p{L}+|еженедельно)(?!\p{L})|[每毎]|매주|매월/iu;

/** A name of a day that itself means every such day. */
export const dayOfEachWeek: RegExp =
  /days$|tags$|^(?:понедельник|вторник|сред|четверг|пятниц|суббот|воскресень)[а-я]*[ая]м$/iu;

/** What makes another day of the one before it: a date, another week, or the end of a stretch that comes back. */
export const narrowsDay: RegExp =
  /^\s*(?:,?\s*(?:the |den |dem |le |el |d(?:em|en) )?\d|\(|[-–—~〜]|,?\s*(?:of |in )?(?:next|last|this|nächst|letzt|kommend|prochain|dernier|próxim|pasad|que viene|следующ|прошл|в следующ)|(?:to|through|thru|bis|à|au|al?|по|до)\s+\p{L}|und |and |et |y |и |or |oder )/iu;
