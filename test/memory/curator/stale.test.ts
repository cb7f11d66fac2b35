import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { datesIn, endOf } from '../../../packages/core/src/memory/curator/dates.ts';
import { planCuration } from '../../../packages/core/src/memory/curator/plan.ts';
import { dayAt, note, ofProject } from '../../support/memory-notes.ts';

const said = dayAt('03-10');
/** When a day is over everywhere. */
const over = (day: string): number => dayAt(day) + 36 * 3_600_000;

describe('curator: dates', () => {
  for (const language of ['en', 'de', 'fr', 'es', 'pt', 'it', 'ru', 'ja', 'zh', 'ko'])
    it(`reads every month as ${language} writes it`, () => {
      const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
      for (let month = 0; month < 12; month++) {
        const at = Date.UTC(2026, month, 21);
        const text = format.format(at);
        assert.deepEqual(
          datesIn(text, said).map((date) => date.over),
          [at + 36 * 3_600_000],
          text,
        );
      }
    });

  const ends: readonly (readonly [string, string])[] = [
    ['The token is valid until 4 April 2026.', '04-04'],
    ['Anna covers for Ben till 2026-04-04.', '04-04'],
    ['The coupon expires on April 4, 2026.', '04-04'],
    ['Das Zertifikat gilt bis zum 4. April.', '04-04'],
    ['Die Sperre endet am 04.04.2026.', '04-04'],
    ['メンテナンスは4月4日まで。', '04-04'],
    ['契約は2026年4月4日で終了する。', '04-04'],
    ['活动到2026年4月4日为止。', '04-04'],
    ['이벤트는 2026년 4월 4일까지.', '04-04'],
    ['Отпуск до 4 апреля 2026.', '04-04'],
    ['La oferta vence el 4 de abril de 2026.', '04-04'],
    ["Le gel dure jusqu'au 4 avril 2026.", '04-04'],
    ['Out of office until Friday.', '03-13'],
    ['金曜まで不在。', '03-13'],
  ];
  for (const [text, day] of ends) it(`“${text}” ends on ${day}`, () => assert.equal(endOf(text, said), over(day)));

  const none = [
    'Founded on 4 April 2026.',
    'The contract runs from 4 April 2026.',
    'Lived in Kiel until May 2020.',
    'Worked at Nordlicht until 4 May 2020.',
    'Open from Monday until Friday.',
    'Version 4.4.2026 is the newest.',
    'バージョンは4月4日に出た。',
  ];
  for (const text of none) it(`“${text}” names no end`, () => assert.equal(endOf(text, said), undefined));

  it('of 4/5 the later day is meant, as nobody knows which is the month', () => {
    assert.equal(endOf('Valid until 04/05/2026', said), over('05-04'));
    assert.equal(endOf('Valid until 05/04/2026', said), over('05-04'));
  });
});

const retired = (...args: Parameters<typeof planCuration>): readonly string[] =>
  planCuration(...args).flatMap(({ changes }) =>
    changes.flatMap((change) => (change.type === 'set' && change.values.status === 'retired' ? [change.id] : [])),
  );

describe('curator: what is stale', () => {
  it('M5 goes when its day is over everywhere, and not before', () => {
    const entry = ofProject('The freeze ends on 4 April 2026.', { day: '03-10' });
    assert.deepEqual(retired([entry], { now: over('04-04') }), []);
    assert.deepEqual(retired([entry], { now: over('04-04') + 1 }), [entry.id]);
  });

  it('goes at the end that the entry itself has, whatever its text says', () => {
    const entry = note('The lab key is at the front desk.', { until: dayAt('04-01') });
    assert.deepEqual(retired([entry], { now: dayAt('04-02') }), [entry.id]);
  });

  it('working state goes after a month without a word or use; other kinds do not', () => {
    const old = note('Waiting for the vendor.', { kind: 'state', day: '03-01' });
    const used = note('Half of the tables are moved.', { kind: 'state', day: '03-01', usedAt: dayAt('04-10') });
    const fact = note('The vendor is in Ghent.', { day: '03-01' });
    assert.deepEqual(retired([old, used, fact], { now: dayAt('04-15') }), [old.id]);
  });

  const done: readonly (readonly [string, string])[] = [
    ['Currently rewriting the tax tables.', 'The tax tables are finished.'],
    ['Arbeitet gerade an der Steuertabelle.', 'Steuertabelle ist fertig.'],
    ['税率表の移行は作業中。', '税率表の移行が完了した。'],
    ['正在迁移税率表。', '税率表迁移已完成。'],
    ['Ещё не готова таблица налогов.', 'Таблица налогов готова.'],
    ['La tabla de impuestos todavía no funciona.', 'Tabla de impuestos terminada.'],
  ];
  for (const [open, end] of done)
    it(`“${open}” goes with “${end}”`, () => {
      const entries = [ofProject(open, { day: '03-01' }), ofProject(end, { day: '03-03' })];
      assert.deepEqual(retired(entries, { now: dayAt('03-05') }), [entries[0]?.id]);
    });

  it('work that was opened again stays, and so does other work', () => {
    const entries = [
      ofProject('The tax tables are finished.', { day: '03-01' }),
      ofProject('The tax tables are not done yet.', { day: '03-03' }),
      ofProject('Currently rewriting the login page.', { day: '02-20' }),
    ];
    assert.deepEqual(retired(entries, { now: dayAt('03-05') }), []);
  });

  it('a page that says that work is done ends none of ours', () => {
    const entries = [
      ofProject('Currently rewriting the tax tables.', { day: '03-01' }),
      ofProject('The tax tables are finished.', { day: '03-03', source: 'document' }),
    ];
    assert.deepEqual(retired(entries, { now: dayAt('03-05') }), []);
  });

  it('our own blocks are no knowledge, unless the person wrote of them', () => {
    const text = '<memory-context>\n[Recalled from memory as background]\nuses vim\n</memory-context>';
    const entries = [note(text, { source: 'model' }), note(text, { source: 'person', day: '03-02', project: 'x' })];
    assert.deepEqual(retired(entries, { now: dayAt('03-05') }), [entries[0]?.id]);
  });
});
