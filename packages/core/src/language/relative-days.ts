/**
 * Words for a day, a week, a month or a year that are counted from the day on which they are said: one list a language. What
 * they mean is told by the unit and by how many of it lie between then and now.
 */

import { lazily } from '../shared/lazily.ts';
import { asOf } from './day-bounds.ts';

/** What relative words count in. */
export type DayUnit = 'day' | 'week' | 'month' | 'year';

/** A stretch of time, counted from the one in which the text was written. */
export interface Shift {
  readonly unit: DayUnit;
  readonly by: number;
}

/** How a language speaks of days near by. */
export interface RelativeDays {
  /** Phrases that need no number; a group holds what stands before or behind them and is kept. */
  readonly phrases: readonly (readonly [RegExp, Shift])[];
  /** `3 weeks ago`: groups `count` and `unit`. */
  readonly ago: readonly RegExp[];
  /** `in 3 weeks`, which may as well be part of a rule ("tokens expire in 30 days"). */
  readonly ahead: readonly RegExp[];
  /** Tells the day on which a text was written, in place of `$`. */
  readonly asOf: string;
  /** What the group `unit` says, by its beginning. */
  readonly units: readonly (readonly [string, DayUnit])[];
  /** Numbers in words. */
  readonly numbers: Readonly<Record<string, number>>;
  /** `next Friday`: the group `day` is the beginning of a weekday's name. A number counts weeks that begin on Monday. */
  readonly weekdays: readonly (readonly [RegExp, 'next' | 'last' | 'coming' | number])[];
  /** Beginnings of the names of the days, Sunday first. */
  readonly dayNames: readonly string[];
}

const day = (by: number): Shift => ({ unit: 'day', by });
const week = (by: number): Shift => ({ unit: 'week', by });
const month = (by: number): Shift => ({ unit: 'month', by });
const year = (by: number): Shift => ({ unit: 'year', by });

/** A phrase between letters of an alphabet that puts spaces between words. */
const words = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`, 'giu');
const signs = (source: string): RegExp => new RegExp(source, 'giu');

const count = '(?<count>\\d{1,3}|\\p{L}+)';

const english = (): RelativeDays => ({
  phrases: [
    [words('the day after tomorrow'), day(2)],
    [words('the day before yesterday'), day(-2)],
    [words('tomorrow'), day(1)],
    [words('yesterday|last night'), day(-1)],
    [words('today|tonight|this (?:morning|afternoon|evening)'), day(0)],
    [words('next week'), week(1)],
    [words('last week'), week(-1)],
    [words('this week'), week(0)],
    [words('next month'), month(1)],
    [words('last month'), month(-1)],
    [words('this month'), month(0)],
    [words('next year'), year(1)],
    [words('last year'), year(-1)],
    [words('this year'), year(0)],
  ],
  ago: [words(`${count} (?<unit>day|week|month|year)s? ago`)],
  ahead: [
    words(`in ${count} (?<unit>day|week|month|year)s?(?! of)`),
    words(`${count} (?<unit>day|week|month|year)s? from now`),
  ],
  asOf: asOf.english,
  units: [
    ['day', 'day'],
    ['week', 'week'],
    ['month', 'month'],
    ['year', 'year'],
  ],
  numbers: { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  weekdays: [
    [words('next (?<day>sun|mon|tues|wednes|thurs|fri|satur)day'), 'next'],
    [words('last (?<day>sun|mon|tues|wednes|thurs|fri|satur)day'), 'last'],
    [words('this (?<day>sun|mon|tues|wednes|thurs|fri|satur)day'), 'coming'],
  ],
  dayNames: ['sun', 'mon', 'tues', 'wednes', 'thurs', 'fri', 'satur'],
});

const german = (): RelativeDays => ({
  phrases: [
    [words('übermorgen'), day(2)],
    [words('vorgestern'), day(-2)],
    // "Morgen" with a capital within a sentence is the morning, as in "heute Morgen" and "am Morgen".
    [/(?<![\p{L}\p{N}_])heute (?:Morgen|früh|Abend|Nacht|Mittag|Nachmittag|Vormittag)(?![\p{L}\p{N}_])/gu, day(0)],
    [/(?<![\p{L}\p{N}_])gestern (?:Morgen|früh|Abend|Nacht|Mittag|Nachmittag|Vormittag)(?![\p{L}\p{N}_])/gu, day(-1)],
    [/(?<![\p{L}\p{N}_])(?:morgen|(?<=(?:^|[.!?:]\s+))Morgen)(?: früh)?(?![\p{L}\p{N}_])/gu, day(1)],
    [words('gestern'), day(-1)],
    [words('heute'), day(0)],
    [words('(?:in der )?(?:nächste[nr]?|kommende[nr]?) Woche'), week(1)],
    [words('(?:in der )?(?:letzte[nr]?|vorige[nr]?|vergangene[nr]?) Woche'), week(-1)],
    [words('(?:in )?diese[nr]? Woche'), week(0)],
    [words('(?:im )?(?:nächste[nrms]*|kommende[nrms]*) Monat'), month(1)],
    [words('(?:im )?(?:letzte[nrms]*|vorige[nrms]*|vergangene[nrms]*) Monat'), month(-1)],
    [words('(?:in )?diese[nm] Monat'), month(0)],
    [words('(?:im )?(?:nächste[nrms]*|kommende[nrms]*) Jahr'), year(1)],
    [words('(?:im )?(?:letzte[nrms]*|vorige[nrms]*|vergangene[nrms]*) Jahr'), year(-1)],
    [words('(?:in )?diese[ms] Jahr'), year(0)],
  ],
  ago: [words(`vor ${count} (?<unit>Tag|Woche|Monat|Jahr)(?:en|e|n)?`)],
  ahead: [words(`in ${count} (?<unit>Tag|Woche|Monat|Jahr)(?:en|e|n)?`)],
  asOf: asOf.german,
  units: [
    ['tag', 'day'],
    ['woche', 'week'],
    ['monat', 'month'],
    ['jahr', 'year'],
  ],
  numbers: { einem: 1, einer: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9, zehn: 10 },
  weekdays: [
    [
      words('(?:am )?(?:nächsten|kommenden) (?<day>Sonntag|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag)'),
      'next',
    ],
    [
      words(
        '(?:am )?(?:letzten|vorigen|vergangenen) (?<day>Sonntag|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag)',
      ),
      'last',
    ],
    [words('diesen (?<day>Sonntag|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag)'), 'coming'],
  ],
  dayNames: ['sonntag', 'montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag'],
});

const french = (): RelativeDays => ({
  phrases: [
    [words('après[- ]demain'), day(2)],
    [words('avant[- ]hier'), day(-2)],
    [words('demain(?: (?:matin|soir))?'), day(1)],
    [words('hier(?: (?:matin|soir))?'), day(-1)],
    [words("aujourd['’]hui|ce (?:matin|soir)"), day(0)],
    [words('la semaine prochaine'), week(1)],
    [words('la semaine (?:dernière|passée)'), week(-1)],
    [words('cette semaine'), week(0)],
    [words('le mois prochain'), month(1)],
    [words('le mois (?:dernier|passé)'), month(-1)],
    [words('ce mois-ci'), month(0)],
    [words("l['’]an(?:née)? prochaine?"), year(1)],
    [words("l['’]an(?:née)? (?:dernière?|passée?)"), year(-1)],
    [words('cette année'), year(0)],
  ],
  ago: [words(`il y a ${count} (?<unit>jour|semaine|mois|an|année)s?`)],
  ahead: [words(`dans ${count} (?<unit>jour|semaine|mois|an|année)s?`)],
  asOf: asOf.french,
  units: [
    ['jour', 'day'],
    ['semaine', 'week'],
    ['mois', 'month'],
    ['an', 'year'],
  ],
  numbers: { un: 1, une: 1, deux: 2, trois: 3, quatre: 4, cinq: 5, six: 6, sept: 7, huit: 8, neuf: 9, dix: 10 },
  weekdays: [
    [words('(?<day>dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi) prochain'), 'next'],
    [words('(?<day>dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi) (?:dernier|passé)'), 'last'],
    [words('ce (?<day>dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi)'), 'coming'],
  ],
  dayNames: ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'],
});

const spanish = (): RelativeDays => ({
  phrases: [
    [words('pasado mañana'), day(2)],
    [words('anteayer|antes de ayer'), day(-2)],
    // "la mañana" is the morning.
    [words('(?<!(?:la|las|cada|esta|buena|de)\\s)mañana(?: por la (?:mañana|tarde|noche))?'), day(1)],
    [words('ayer(?: por la (?:mañana|tarde|noche))?|anoche'), day(-1)],
    [words('hoy|esta (?:mañana|tarde|noche)'), day(0)],
    [words('la (?:próxima semana|semana (?:próxima|que viene))'), week(1)],
    [words('la semana pasada'), week(-1)],
    [words('esta semana'), week(0)],
    [words('el (?:próximo mes|mes (?:próximo|que viene))'), month(1)],
    [words('el mes pasado'), month(-1)],
    [words('este mes'), month(0)],
    [words('el (?:próximo año|año (?:próximo|que viene))'), year(1)],
    [words('el año pasado'), year(-1)],
    [words('este año'), year(0)],
  ],
  ago: [words(`hace ${count} (?<unit>día|semana|mes|año)(?:e?s)?`)],
  ahead: [words(`(?:dentro de|en) ${count} (?<unit>día|semana|mes|año)(?:e?s)?`)],
  asOf: asOf.spanish,
  units: [
    ['día', 'day'],
    ['semana', 'week'],
    ['mes', 'month'],
    ['año', 'year'],
  ],
  numbers: { un: 1, una: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5, seis: 6, siete: 7, ocho: 8, nueve: 9, diez: 10 },
  weekdays: [
    [words('el (?:próximo (?<day>domingo|lunes|martes|miércoles|jueves|viernes|sábado))'), 'next'],
    [words('el (?<day>domingo|lunes|martes|miércoles|jueves|viernes|sábado) (?:próximo|que viene)'), 'next'],
    [words('el (?<day>domingo|lunes|martes|miércoles|jueves|viernes|sábado) pasado'), 'last'],
    [words('este (?<day>domingo|lunes|martes|miércoles|jueves|viernes|sábado)'), 'coming'],
  ],
  dayNames: ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'],
});

const russian = (): RelativeDays => ({
  phrases: [
    [words('послезавтра'), day(2)],
    [words('позавчера'), day(-2)],
    [words('завтра(?: (?:утром|днём|днем|вечером))?'), day(1)],
    [words('вчера(?: (?:утром|днём|днем|вечером))?'), day(-1)],
    [words('сегодня(?: (?:утром|днём|днем|вечером))?'), day(0)],
    [words('на (?:следующей|будущей) неделе'), week(1)],
    [words('на прошлой неделе'), week(-1)],
    [words('на этой неделе'), week(0)],
    [words('в следующем месяце'), month(1)],
    [words('в прошлом месяце'), month(-1)],
    [words('в этом месяце'), month(0)],
    [words('в (?:следующем|будущем) году'), year(1)],
    [words('в прошлом году'), year(-1)],
    [words('в этом году'), year(0)],
  ],
  ago: [words(`(?:${count} )?(?<unit>день|дня|дней|недел[юиь]|месяц(?:а|ев)?|год(?:а)?|лет) назад`)],
  ahead: [words(`через (?:${count} )?(?<unit>день|дня|дней|недел[юиь]|месяц(?:а|ев)?|год(?:а)?|лет)`)],
  asOf: asOf.russian,
  units: [
    ['д', 'day'],
    ['нед', 'week'],
    ['мес', 'month'],
    ['год', 'year'],
    ['лет', 'year'],
  ],
  numbers: {
    один: 1,
    одну: 1,
    два: 2,
    две: 2,
    три: 3,
    четыре: 4,
    пять: 5,
    шесть: 6,
    семь: 7,
    восемь: 8,
    девять: 9,
    десять: 10,
  },
  weekdays: [
    [words('в следующ(?:ий|ую|ее) (?<day>воскресенье|понедельник|вторник|сред|четверг|пятниц|суббот)[уае]?'), 'next'],
    [words('в прошл(?:ый|ую|ое) (?<day>воскресенье|понедельник|вторник|сред|четверг|пятниц|суббот)[уае]?'), 'last'],
    [words('в эт(?:от|у|о) (?<day>воскресенье|понедельник|вторник|сред|четверг|пятниц|суббот)[уае]?'), 'coming'],
  ],
  dayNames: ['воскресенье', 'понедельник', 'вторник', 'сред', 'четверг', 'пятниц', 'суббот'],
});

const wideNumbers = { 一: 1, 两: 2, 兩: 2, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9, 十: 10 };
/** Not the day of a date (5月3日前), and not the end of a longer number. */
const wideCount = '(?<![\\d月年第])(?<count>\\d{1,3}|[一两兩二三四五六七八九十])\\s?';

const chinese = (): RelativeDays => ({
  phrases: [
    [signs('大后天|大後天'), day(3)],
    [signs('(?<![今前以之随隨])(?:后天|後天)(?![性])'), day(2)],
    [signs('大前天'), day(-3)],
    [signs('前天'), day(-2)],
    [signs('明天|明日'), day(1)],
    [signs('昨天|昨晚|昨日'), day(-1)],
    [signs('今天|今晚|今早'), day(0)],
    [signs('下(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?![一二三四五六日天末])'), week(1)],
    [signs('上(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?![一二三四五六日天末])'), week(-1)],
    [signs('(?:这|這|本)(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?![一二三四五六日天末])'), week(0)],
    [signs('下(?:个|個)月'), month(1)],
    [signs('上(?:个|個)月'), month(-1)],
    [signs('(?:这|這)(?:个|個)月|本月'), month(0)],
    [signs('明年'), year(1)],
    [signs('去年'), year(-1)],
    [signs('今年'), year(0)],
  ],
  ago: [signs(`${wideCount}(?:(?:个|個)(?<unit>月|星期)|(?<other>天|周|週|年))(?:以|之)?前`)],
  ahead: [signs(`${wideCount}(?:(?:个|個)(?<unit>月|星期)|(?<other>天|周|週|年))(?:以|之)?[后後]`)],
  asOf: asOf.chinese,
  units: [
    ['天', 'day'],
    ['周', 'week'],
    ['週', 'week'],
    ['星期', 'week'],
    ['月', 'month'],
    ['年', 'year'],
  ],
  numbers: wideNumbers,
  weekdays: [
    [signs('下(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?<day>[一二三四五六日天])'), 1],
    [signs('上(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?<day>[一二三四五六日天])'), -1],
    [signs('(?:这|這|本)(?:个|個)?(?:周|週|星期|礼拜|禮拜)(?<day>[一二三四五六日天])'), 0],
  ],
  dayNames: ['日天', '一', '二', '三', '四', '五', '六'],
});

const japanese = (): RelativeDays => ({
  phrases: [
    [signs('明々?後日|あさって'), day(2)],
    [signs('一昨日|おととい'), day(-2)],
    [signs('(?:明日|あした)(?![葉香])'), day(1)],
    [signs('昨日|昨夜|きのう'), day(-1)],
    [signs('本日|(?<!今)今日(?!は[。！、!]|的)|今夜|今朝|きょう(?!う)'), day(0)],
    [signs('来週(?!の?[月火水木金土日]曜)'), week(1)],
    [signs('先週(?!の?[月火水木金土日]曜)'), week(-1)],
    [signs('今週(?!の?[月火水木金土日]曜)'), week(0)],
    [signs('来月'), month(1)],
    [signs('先月'), month(-1)],
    [signs('今月'), month(0)],
    [signs('来年'), year(1)],
    [signs('去年|昨年'), year(-1)],
    [signs('今年'), year(0)],
  ],
  ago: [signs(`${wideCount}(?:[かヶカケ箇](?<unit>月)|(?<other>日|週間|年))前`)],
  ahead: [signs(`${wideCount}(?:[かヶカケ箇](?<unit>月)|(?<other>日|週間|年))後`)],
  asOf: asOf.japanese,
  units: [
    ['日', 'day'],
    ['週', 'week'],
    ['月', 'month'],
    ['年', 'year'],
  ],
  numbers: wideNumbers,
  weekdays: [
    [signs('来週の?(?<day>[日月火水木金土])曜日?'), 1],
    [signs('次の(?<day>[日月火水木金土])曜日?'), 'next'],
    [signs('先週の?(?<day>[日月火水木金土])曜日?'), -1],
    [signs('今週の?(?<day>[日月火水木金土])曜日?'), 0],
    [signs('今度の(?<day>[日月火水木金土])曜日?'), 'coming'],
  ],
  dayNames: ['日', '月', '火', '水', '木', '金', '土'],
});

const korean = (): RelativeDays => ({
  phrases: [
    [signs('(?<![\\p{L}])모레'), day(2)],
    [signs('(?<![\\p{L}])(?:그저께|그제)'), day(-2)],
    [signs('(?<![\\p{L}])내일'), day(1)],
    [signs('(?<![\\p{L}])(?:어제|어젯밤)'), day(-1)],
    [signs('(?<![\\p{L}])오늘'), day(0)],
    [signs('다음\\s?주(?!\\s?[일월화수목금토]요일)(?![가-힣]*말)'), week(1)],
    [signs('(?:지난|저번)\\s?주(?!\\s?[일월화수목금토]요일)'), week(-1)],
    [signs('이번\\s?주(?!\\s?[일월화수목금토]요일)'), week(0)],
    [signs('다음\\s?달'), month(1)],
    [signs('(?:지난|저번)\\s?달'), month(-1)],
    [signs('이번\\s?달'), month(0)],
    [signs('(?<![\\p{L}])내년'), year(1)],
    [signs('(?<![\\p{L}])작년|지난\\s?해'), year(-1)],
    [signs('(?<![\\p{L}])올해'), year(0)],
  ],
  ago: [
    signs(
      '(?<![\\d월년]\\s?)(?<count>\\d{1,3}|한|두|세|네)\\s?(?<unit>일|주일?|개월|달|년)\\s?전(?=에|부터|까지|의|[\\s.,]|$)',
    ),
  ],
  ahead: [signs('(?<![\\d월년]\\s?)(?<count>\\d{1,3}|한|두|세|네)\\s?(?<unit>일|주일?|개월|달|년)\\s?(?:후|뒤)')],
  asOf: asOf.korean,
  units: [
    ['일', 'day'],
    ['주', 'week'],
    ['개월', 'month'],
    ['달', 'month'],
    ['년', 'year'],
  ],
  numbers: { 한: 1, 두: 2, 세: 3, 네: 4 },
  weekdays: [
    [signs('다음\\s?주\\s?(?<day>[일월화수목금토])요일'), 1],
    [signs('(?:지난|저번)\\s?주\\s?(?<day>[일월화수목금토])요일'), -1],
    [signs('이번\\s?주\\s?(?<day>[일월화수목금토])요일'), 0],
  ],
  dayNames: ['일', '월', '화', '수', '목', '금', '토'],
});

/** A text is read in all of them: notes mix languages. Japanese before Chinese, which shares its signs. */
export const relativeDays: () => readonly RelativeDays[] = lazily(() => [
  english(),
  german(),
  french(),
  spanish(),
  russian(),
  japanese(),
  chinese(),
  korean(),
]);

/** What is quoted, code, or the name of a file: it stands as it is. */
export const quotedStretches: RegExp =
  /`[^`\n]*`|"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])|\S*[/\\@_=]\S*|\S+\.\w{1,5}(?=[\s,;:!?)]|$)|\w+\(\)?/gu;
