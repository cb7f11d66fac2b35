/** Relative words of eight languages become dates when an entry is written. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withAbsoluteDates } from '../../../packages/core/src/memory/entries/absolute-dates.ts';

/** Noon of Monday, 2026-11-23, wherever the machine is. */
const monday = new Date(2026, 10, 23, 12).getTime();

const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  English: {
    'The build broke yesterday and will be fixed tomorrow.': 'The build broke 2026-11-22 and will be fixed 2026-11-24.',
    'Review the day after tomorrow; the demo was last Friday.': 'Review 2026-11-25; the demo was 2026-11-20.',
    'The release is next Friday, the freeze this Monday.': 'The release is 2026-11-27, the freeze 2026-11-23.',
    'Moved to Postgres three weeks ago, hired Ada 2 months ago': 'Moved to Postgres 2026-W45, hired Ada 2026-09',
    'Travels next month; retires next year': 'Travels 2026-12; retires 2027',
    'Tokens expire in 30 days': 'Tokens expire in 30 days (as of 2026-11-23)',
  },
  German: {
    'Gestern lief es, morgen wird umgestellt, übermorgen frei.':
      '2026-11-22 lief es, 2026-11-24 wird umgestellt, 2026-11-25 frei.',
    'Jeden Morgen um neun; heute Morgen fiel es aus': 'Jeden Morgen um neun; 2026-11-23 fiel es aus',
    'Abgabe am nächsten Freitag, Umzug vor zwei Wochen': 'Abgabe 2026-11-27, Umzug 2026-W46',
  },
  French: {
    "La réunion est demain, aujourd'hui congé": 'La réunion est 2026-11-24, 2026-11-23 congé',
    'Livraison vendredi prochain ; migré il y a 3 jours': 'Livraison 2026-11-27 ; migré 2026-11-20',
  },
  Spanish: {
    'Mañana entrega; ayer falló': '2026-11-24 entrega; 2026-11-22 falló',
    'Corre por la mañana y viaja la semana que viene': 'Corre por la mañana y viaja 2026-W49',
    'Lo cambió hace 3 días': 'Lo cambió 2026-11-20',
  },
  Russian: {
    'Вчера упало, завтра релиз': '2026-11-22 упало, 2026-11-24 релиз',
    'Переехали две недели назад; встреча в следующую пятницу': 'Переехали 2026-W46; встреча 2026-11-27',
  },
  Chinese: {
    '昨天上线，明天回滚，后天休息': '2026-11-22上线，2026-11-24回滚，2026-11-25休息',
    '下周五发布，三天前改的，3月前不动': '2026-12-04发布，2026-11-20改的，3月前不动',
  },
  Japanese: {
    '昨日リリースし、明日休む': '2026-11-22リリースし、2026-11-24休む',
    '来週の金曜日に会議、5月3日前に提出、3日前に開始': '2026-12-04に会議、5月3日前に提出、2026-11-20に開始',
  },
  Korean: {
    '어제 배포했고 내일 쉰다': '2026-11-22 배포했고 2026-11-24 쉰다',
    '다음 주 금요일에 회의, 두 달 전에 시작': '2026-12-04에 회의, 2026-09에 시작',
  },
};

for (const [language, texts] of Object.entries(cases)) {
  describe(`M5 in ${language}`, () => {
    for (const [text, expected] of Object.entries(texts))
      test(text, () => assert.equal(withAbsoluteDates(text, monday), expected));
  });
}

test('M5 what is quoted, code or a file stands as it is, and so does a text without such words', () => {
  const texts = [
    'Greets with "see you tomorrow"',
    'Run `rotate --since yesterday`',
    'logs/today/app.log and yesterday.sh',
    'The port is 8080.',
    'Uses Tuesdays for reviews, every Friday off',
    'Since 2024-01-02 on Node 24',
    'a few days ago it was different',
  ];
  assert.deepEqual(
    texts.map((text) => withAbsoluteDates(text, monday)),
    texts,
  );
});

test('M5 dates at the turn of a year are right, and a text is changed once', () => {
  const sylvester = new Date(2027, 11, 31, 12).getTime();
  const text = withAbsoluteDates('tomorrow, next month, next week, last year, in two days', sylvester);
  assert.equal(text, '2028-01-01, 2028-01, 2028-W01, 2026, in two days (as of 2027-12-31)');
  assert.equal(withAbsoluteDates(text, sylvester), text);
});
