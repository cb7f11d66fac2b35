/** How times are named in a query: dates, months, years, and words such as "yesterday". */

const monthNames = 'january|february|march|april|may|june|july|august|september|october|november|december';

/** Months by their English names, whole or shortened; January is 1. */
export const months: ReadonlyMap<string, number> = new Map([
  ...monthNames.split('|').flatMap((name, i) => [[name, i + 1] as const, [name.slice(0, 3), i + 1] as const]),
  ['sept', 9] as const,
]);
const monthName = [...months.keys()].sort((a, b) => b.length - a.length).join('|');

/** `2024-05` and `2024-05-17`. */
export const isoDates: RegExp = /\b((?:19|20)\d\d)-(\d\d?)(?:-(\d\d?))?\b/g;

/** 2024年5月17日 and 2024년 5월. */
export const yearsInCharacters: RegExp = /((?:19|20)\d\d)\s*[年년]\s*(?:(\d\d?)\s*[月월]\s*(?:(\d\d?)\s*[日号일])?)?/g;

/** 5月17日. */
export const monthsInCharacters: RegExp = /(\d\d?)\s*[月월]\s*(?:(\d\d?)\s*[日号일])?/g;

/** `17th of May 2024`. */
export const daysBeforeMonths: RegExp = new RegExp(
  `\\b(\\d\\d?)(?:st|nd|rd|th)?\\s+(?:of\\s+)?(${monthName})\\b\\.?(?:,?\\s+((?:19|20)\\d\\d))?`,
  'gi',
);

/** `May`, `May 17th` and `May 2024`. */
export const namedMonths: RegExp = new RegExp(
  `\\b(${monthName})\\b\\.?(?:\\s+(\\d\\d?)(?:st|nd|rd|th)?\\b)?(?:,?\\s+(?:of\\s+)?((?:19|20)\\d\\d))?`,
  'gi',
);

/** `2024`. */
export const plainYears: RegExp = /\b((?:19|20)\d\d)\b/g;

/** Today and yesterday; outside English the second group is a word for today. */
export const nearDays: RegExp = /\b(today|yesterday)\b|(今天|今日|오늘)|(昨天|昨日|어제)/gi;

/** `last week`. */
export const nearPeriods: RegExp = /\b(this|last|past)\s+(week|month|year)\b/gi;

/** The same in Chinese, Japanese and Korean. */
export const nearPeriodsInCharacters: RegExp =
  /(这|這|本|今|上|先|去|지난|이번)\s*(?:个|個)?(周|週|星期|礼拜|月|年|주|달|해)/g;

/** Words for the period before this one. */
export const lastPeriods: RegExp = /[上先去]|지난/;

/** `two weeks ago`. */
export const agoWords: RegExp = /\b(\d{1,3}|a|an|one|two|three|four|five|six)\s+(day|week|month|year)s?\s+ago\b/gi;

/** The same in Chinese, Japanese and Korean. */
export const agoInCharacters: RegExp = /(\d{1,3})\s*(天|日|周|週|个月|個月|か月|年|일|주|개월|년)\s*(?:以?前|전)/g;

/** Names of months that are words as well. */
export const ambiguousMonths: RegExp = /^(?:may|mar|march|dec|jan|jun|sep)$/i;

/** What stands before the name of a month. */
export const beforeMonths: RegExp =
  /\b(?:in|last|since|until|before|after|during|of|by|from|early|late|mid|this|next)[\s-]+$/i;

/** A month, as the unit of a period. */
export const monthUnits: RegExp = /month|月|달/i;

/** A year, as the unit of a period. */
export const yearUnits: RegExp = /year|年|해/i;

/** A day, as the unit of a stretch of time. */
export const dayUnits: RegExp = /^(?:day|天|日|일)/i;

/** A week, as the unit of a stretch of time. */
export const weekUnits: RegExp = /week|周|週|주/i;

/** A month, as the unit of a stretch of time. */
export const agoMonthUnits: RegExp = /month|月|개월/i;

/** Numbers in words, each at its place. */
export const numberWords: readonly string[] = ['', 'one', 'two', 'three', 'four', 'five', 'six'];
