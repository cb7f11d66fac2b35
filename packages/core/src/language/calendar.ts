/** How days of the week, months, times, shares and ends of a time are named: in nine languages. */

/** The names of each day, Sunday first, as alternatives of a regular expression. */
const dayNames: readonly string[] = [
  'sundays?|sonntags?|dimanche|domingos?|domenica|воскресень\\p{L}+|日曜日?|(?:星期|周|週|礼拜)[日天]|일요일',
  'mondays?|montags?|lundi|lunes|segunda(?:-feira)?|luned[ìi]|понедельник\\p{L}*|月曜日?|(?:星期|周|週|礼拜)一|월요일',
  'tuesdays?|dienstags?|mardi|martes|terça(?:-feira)?|marted[ìi]|вторник\\p{L}*|火曜日?|(?:星期|周|週|礼拜)二|화요일',
  'wednesdays?|mittwochs?|mercredi|mi[ée]rcoles|quarta(?:-feira)?|mercoled[ìi]|сред(?:а|у|е|ы|ам|ах)|水曜日?|(?:星期|周|週|礼拜)三|수요일',
  'thursdays?|donnerstags?|jeudi|jueves|quinta(?:-feira)?|gioved[ìi]|четверг\\p{L}*|木曜日?|(?:星期|周|週|礼拜)四|목요일',
  'fridays?|freitags?|vendredi|viernes|sexta(?:-feira)?|venerd[ìi]|пятниц\\p{L}+|金曜日?|(?:星期|周|週|礼拜)五|금요일',
  'saturdays?|samstags?|sonnabends?|samedi|s[áa]bados?|sabato|суббот\\p{L}+|土曜日?|(?:星期|周|週|礼拜)六|토요일',
];

/** A day of the week in a text; the name of the group that matched is `d` and the number of the day, Sunday 0. */
export const weekdays: RegExp = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\d])(?:${dayNames.map((names, day) => `(?<d${day}>${names})`).join('|')})(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\d])`,
  'giu',
);

/** The names of each month, January first, as alternatives of a regular expression; shortened ones too. */
const monthNames: readonly string[] = [
  'jan(?:uary|uar|v|vier)?|jän(?:ner)?|enero|ene|janeiro|genn?(?:aio)?|янв(?:ар[ья])?',
  'feb(?:ruary|ruar|rero|braio)?|févr?(?:ier)?|fev(?:ereiro)?|февр?(?:ал[ья])?',
  'mar(?:ch|s|zo|ço)?|märz|mär|mrz|марта?|мар',
  'apr(?:il|ile)?|avr(?:il)?|abr(?:il)?|апр(?:ел[ья])?',
  'may|mai|mayo|maio|mag(?:gio)?|ма[йя]',
  'jun(?:e|i|io|ho)?|juin|giu(?:gno)?|июн[ья]|июн',
  'jul(?:y|i|io|ho)?|juil(?:let)?|lug(?:lio)?|июл[ья]|июл',
  'aug(?:ust)?|août|aout|ago(?:sto)?|авг(?:уста?)?',
  'sept?(?:ember|embre|iembre)?|set(?:iembre|embro|tembre)?|сент?(?:ябр[ья])?',
  'o[ck]t(?:ober|obre|ubre)?|out(?:ubro)?|ott(?:obre)?|окт(?:ябр[ья])?',
  'nov(?:ember|embre|iembre|embro)?|ноя(?:бр[ья])?',
  'de[cz](?:ember|iembre|embro)?|déc(?:embre)?|dic(?:iembre|embre)?|дек(?:абр[ья])?',
];

/** A month by its name; the group that matched is `m` and its number, January 1. */
export const monthSource: string = monthNames.map((names, i) => `(?<m${i + 1}>${names})`).join('|');

const from = '(?<![\\p{L}\\d])';
const to = '(?![\\p{L}\\d])';

/** `2026-01-21` and `2026/1/21`. */
export const yearFirstDates: RegExp = /(?<!\d)((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g;

/** 2026年1月30日, 1月30日 and 2026년 1월 30일. */
export const characterDates: RegExp = /(?:((?:19|20)\d\d)\s*[年년]\s*)?(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日号號일]/g;

/** `21.1.2026`, `21/01/2026` and `21.1.`. */
export const dayFirstDates: RegExp = /(?<![\d.])(\d{1,2})([./-])(\d{1,2})(?:\2((?:19|20)\d\d)|\.(?!\d))(?!\d)/g;

/** `21 January 2026`, `21. Januar`, `21 de enero de 2026`, `21 января 2026`. */
export const dayMonthDates: RegExp = new RegExp(
  `${from}(\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?\\s+(?:of\\s+|de\\s+)?(?:${monthSource})\\.?${to}(?:,?\\s+(?:de\\s+|of\\s+|del\\s+)?((?:19|20)\\d\\d))?`,
  'giu',
);

/** `January 21, 2026`. */
export const monthDayDates: RegExp = new RegExp(
  `${from}(?:${monthSource})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?${to}(?:,?\\s+((?:19|20)\\d\\d))?`,
  'giu',
);

const until = (latin: string, wide: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\d])(?:${latin})(?![\\p{L}\\d])|${wide}`, 'iu');

/** Words that make an end of the date that stands behind them in their sentence. */
export const endsBefore: RegExp = until(
  [
    'until|till|til|up to|through|thru|ends?|ending|expires?|expiring|runs? out|lapses?|valid to|no later than|closes|last day|deadline|due',
    'bis|endet|enden|gültig|spätestens|befristet|letzter tag|frist|schließt|verfällt',
    "jusqu['’]?(?:au|à|a|en)?|expire|se termine|prend fin|finit|échéance|au plus tard",
    'hasta|vence|caduca|termina|expira|finaliza|a más tardar|fecha límite',
    'até|acaba|fino al?|scade|finisce|entro',
    'до|по|истекает|заканчивается|кончается',
  ].join('|'),
  '截止|到期|结束于|直到|[到至]|有効期限|期限|締め切り|締切|〆切|마감|기한',
);

/** The same right behind the date. */
export const endsBehind: RegExp =
  /^\s*(?:まで|迄|に(?:終わ|終了|切れ|期限|失効|満了)|で(?:終わ|終了|切れ|失効|満了)|限り|が(?:期限|締)|为止|止|之?前有效|到期|截止|结束|過期|过期|까지|에\s*(?:끝|종료|만료|마감)|로\s*(?:끝|종료|만료))|^\s*(?:ab(?![\p{L}\d])|aus(?![\p{L}\d])|is the (?:last|end))/iu;

/** Words between such a word and the date that make a beginning of it. */
export const beginsThere: RegExp =
  /(?<![\p{L}\d])(?:since|from|after|seit|ab|von|vom|nach|depuis|dès|desde|с|после)(?![\p{L}\d])|从|自/iu;

/** A day of the week as an end: `until Friday`. */
export const endsOfWeek: RegExp =
  /(?<![\p{L}\d])(?:until|till|through|bis|jusqu['’]à|hasta|até|до)\s+(?:the\s+|next\s+|this\s+|zum\s+|el\s+|le\s+)?$/iu;

/** A time of the day: hour, minute, minute or half behind an hour sign of East Asia, and the half of the day. */
export const clockTimes: RegExp =
  /(?<![\d.:])(\d{1,2})(?:[:.h](\d\d)(?!\d|[.:]\d)(?:\s*(?:Uhr|h(?![\p{L}])|時))?|\s*(?:Uhr|h(?![\p{L}\d])|時(?!間)|点(?!钟?头)|시(?!간)|часов|часа)\s*(?:(\d\d?)\s*(?:分|분)|(半|반))?)?\s*([ap]\.?m\.?(?![\p{L}]))?/giu;

/** `80 %` in words and signs. */
export const percentages: RegExp =
  /(?<![\d.,])(\d{1,3}(?:[.,]\d+)?)\s*(?:%|％|percent|prozent|パーセント|퍼센트|процент\p{L}*|por ciento|pour cent)/giu;

/** 百分之八十, in digits. */
export const percentagesInChinese: RegExp = /百分之(\d{1,3})/g;
