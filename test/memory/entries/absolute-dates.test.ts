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

const bounds: Readonly<Record<string, string>> = {
  'Ab Freitag gilt der neue Plan, bis Mittwoch der alte.': 'Ab 2026-11-27 gilt der neue Plan, bis 2026-11-25 der alte.',
  'Vertretung bis Ende März': 'Vertretung bis 2027-03-31',
  'From Friday the office is closed.': 'From 2026-11-27 the office is closed.',
  'The office will be closed from Friday.': 'The office will be closed from 2026-11-27.',
  'Starting Thursday: two reviewers. Until Sunday: one.': 'Starting 2026-11-26: two reviewers. Until 2026-11-29: one.',
  'Holds until the end of March': 'Holds until 2027-03-31',
  'Congé à partir de mardi': 'Congé à partir de 2026-11-24',
  "Valable jusqu'à fin mars": "Valable jusqu'à 2027-03-31",
  'Cerrado a partir del jueves': 'Cerrado a partir del 2026-11-26',
  'Vigente hasta el fin de marzo': 'Vigente hasta 2027-03-31',
  'С пятницы будем работать из дома': 'С 2026-11-27 будем работать из дома',
  'Действует до конца марта': 'Действует до 2027-03-31',
  金曜から在宅勤務の予定: '2026-11-27から在宅勤務の予定',
  休暇は3月末まで: '休暇は2027-03-31まで',
  从周五起改用新分支: '从2026-11-27起改用新分支',
  有效期到3月底: '有效期到2027-03-31',
  '금요일부터 재택근무 예정': '2026-11-27부터 재택근무 예정',
  '휴가는 3월 말까지': '휴가는 2027-03-31까지',
};

const doubtful: Readonly<Record<string, string>> = {
  'The report from Friday is the right one': '(as of 2026-11-23)',
  'From Monday on tabs': '(as of 2026-11-23)',
  'Ab Montag nur noch zu zweit': '(Stand 2026-11-23)',
  'Krank bis Ende Oktober': '(Stand 2026-11-23)',
  'À partir de lundi en congé': '(au 2026-11-23)',
  'Trabaja aquí desde el jueves': '(al 2026-11-23)',
  'С пятницы болеет': '(на 2026-11-23)',
  金曜から休んでいる: '（2026-11-23時点）',
  从周五开始一直下雨: '（截至2026-11-23）',
  '금요일부터 비가 온다': '(2026-11-23 기준)',
};

describe('M5 a day from which or until which something holds', () => {
  for (const [text, expected] of Object.entries(bounds))
    test(text, () => assert.equal(withAbsoluteDates(text, monday), expected));

  for (const [text, told] of Object.entries(doubtful))
    test(`stands as it is where it may be another one: ${text}`, () =>
      assert.equal(withAbsoluteDates(text, monday), `${text} ${told}`));

  test('stands as it is where it comes back each week, is a stretch of days, or has a date of its own', () => {
    const texts = [
      'Open from Monday to Friday',
      'Geöffnet von Montag bis Freitag',
      'Jede Woche ab Freitag geschlossen',
      'Starting Fridays at noon',
      'Ab Freitag, 11. Dezember, geschlossen',
      'From Friday the 13th on',
      'A week from Friday',
      'Ouvert du lundi jusqu’à vendredi',
      'Abierto de lunes a viernes',
      'Открыто с понедельника по пятницу',
      '月曜から金曜まで営業',
      '从周一到周五',
      '월요일부터 금요일까지',
      '毎週金曜から休み',
      'Jedes Jahr bis Ende März',
      'Until the end of March 2029',
      'Says "from Friday on"',
    ];
    assert.deepEqual(
      texts.map((text) => withAbsoluteDates(text, monday)),
      texts,
    );
  });

  test('is changed once, and next to other relative words only by those', () => {
    for (const text of [...Object.keys(bounds), ...Object.keys(doubtful)]) {
      const once = withAbsoluteDates(text, monday);
      assert.equal(withAbsoluteDates(once, monday), once);
    }
    assert.equal(withAbsoluteDates('From Friday next week', monday), 'From Friday 2026-W49');
    assert.equal(withAbsoluteDates('ab nächsten Freitag', monday), 'ab 2026-11-27');
    assert.equal(withAbsoluteDates('来週の金曜から休む', monday), '2026-12-04から休む');
  });
});

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
