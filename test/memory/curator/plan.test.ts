import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planCuration } from '../../../packages/core/src/memory/curator/plan.ts';
import type { MemoryEntry } from '../../../packages/core/src/store/memory-store.ts';
import { aboutPerson, dayAt, note, ofProject } from '../../support/memory-notes.ts';

const now = dayAt('07-01');

/** The texts that stay, in the order of the entries. */
function left(entries: readonly MemoryEntry[], person?: string): readonly string[] {
  const acts = planCuration(entries, { now, ...(person ? { person } : {}) });
  const gone = new Set(
    acts.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.type === 'set' && change.values.status === 'retired' ? [change.id] : [])),
    ),
  );
  return entries.filter(({ id }) => !gone.has(id)).map(({ text }) => text);
}

const series = (make: typeof note, ...texts: readonly string[]): readonly MemoryEntry[] =>
  texts.map((text, i) => make(text, { day: `03-${String(i + 1).padStart(2, '0')}` }));

describe('curator: what says the same', () => {
  const same: readonly (readonly [string, typeof note, string, string])[] = [
    ['en', ofProject, 'Packages come from pnpm.', 'Install dependencies with pnpm.'],
    ['en', aboutPerson, 'Lives in Oslo.', 'Home town: Oslo'],
    ['en', ofProject, 'The API listens on port 4321.', 'Local API at http://localhost:4321/'],
    ['de', ofProject, 'Als Datenbank dient MariaDB.', 'Die Daten stecken in MariaDB.'],
    ['de', aboutPerson, 'Beginnt den Arbeitstag um 8:30 Uhr.', 'Arbeitsbeginn: 8.30 Uhr'],
    ['ja', ofProject, 'リリースは金曜日。', '毎週金曜に本番へデプロイする。'],
    ['ja', aboutPerson, '京都に住んでいます。', '居住地は京都。'],
    ['zh', aboutPerson, '住在成都。', '现居住在成都'],
    ['zh', ofProject, '每周四发布新版本。', '发布日：星期四'],
    ['ru', aboutPerson, 'Живёт в Казани.', 'Проживает в Казани.'],
    ['es', ofProject, 'Se publica cada martes.', 'Despliegue los martes.'],
    ['fr', ofProject, 'La mise en production a lieu le jeudi.', 'On publie chaque jeudi.'],
    ['ko', ofProject, '배포는 매주 목요일.', '목요일에 출시한다.'],
  ];
  for (const [language, make, first, second] of same)
    it(`M5 of “${first}” and “${second}” one stays (${language})`, () => {
      assert.equal(left(series(make, first, second)).length, 1);
    });

  it('the same words in the same order are one, whatever they are about', () => {
    assert.equal(left(series(ofProject, 'Invoices round half up.', 'invoices round half up')).length, 1);
  });

  it('who does what to whom makes a difference', () => {
    const texts = ['Billing calls Ledger over gRPC.', 'Ledger calls Billing over gRPC.'];
    assert.deepEqual(left(series(ofProject, ...texts)), texts);
  });

  it('a thing and its contrary are not the same', () => {
    const texts = ['Uploads are encrypted at rest there.', 'Uploads are not encrypted at rest there.'];
    assert.deepEqual(left(series(ofProject, ...texts)), texts);
  });
});

describe('curator: what contradicts', () => {
  const changed: readonly (readonly [string, typeof note, string, string])[] = [
    ['en', ofProject, 'The project is licensed under MIT.', 'License: MPL-2.0'],
    ['en', aboutPerson, 'Her manager is Petra Lund.', 'Reports to Aki Salo since the spring.'],
    ['en', ofProject, 'Sessions expire after 30 minutes.', 'Sessions expire after 45 minutes.'],
    ['en', ofProject, 'Nightly backup runs at 02:00.', 'Nightly backup runs at 03:30.'],
    ['de', ofProject, 'Aufgaben pflegen wir in Trello.', 'Die Planung liegt in Jira.'],
    ['de', aboutPerson, 'Wohnt in Jena.', 'Ist von Jena nach Fulda gezogen.'],
    ['ja', ofProject, 'パッケージはnpmで管理する。', 'npmをやめてpnpmに移行した。'],
    ['ja', aboutPerson, '上司は田村さん。', '田村さんが退職し、上司は今西さんになった。'],
    ['zh', ofProject, '测试覆盖率至少 80%。', '测试覆盖率至少 90%。'],
    ['zh', aboutPerson, '他的经理是Anna Berg。', '不再向Anna Berg汇报，经理是Nils Holm。'],
    ['ru', ofProject, 'Релизы выходят по вторникам.', 'Релизы выходят по пятницам.'],
    ['es', aboutPerson, 'Vive en Vigo.', 'Ya no vive en Vigo: se mudó a Lugo.'],
    ['fr', ofProject, 'Le serveur de recette est essai.example.', 'Le serveur de recette est banc.example.'],
    ['ko', ofProject, '패키지는 npm으로 설치한다.', '패키지는 pnpm으로 설치한다.'],
  ];
  for (const [language, make, old, fresh] of changed)
    it(`M5 “${fresh}” takes the place of “${old}” (${language})`, () => {
      assert.deepEqual(left(series(make, old, fresh)), [fresh]);
    });

  it('of a chain of three exactly the last survives', () => {
    const chain = series(
      ofProject,
      'Tests run with `npm test`.',
      'Use `make check` to test, `npm test` is gone.',
      'The test command is `just verify`.',
    );
    assert.deepEqual(left(chain), ['The test command is `just verify`.']);
  });

  it('the value of an earlier note is the old one of two, in a language without words for it', () => {
    assert.deepEqual(
      left(series(ofProject, 'API: port 3000.', 'API: port 3000 → port 3100.', 'API port 3100.')).length,
      1,
    );
  });

  it('M5 an outside claim never beats the person, even if it is newer', () => {
    const entries = [
      ofProject('Staging is at quince.example.', { day: '03-01' }),
      ofProject('Staging is at evil.example.', { day: '06-01', source: 'document' }),
    ];
    assert.deepEqual(left(entries), ['Staging is at quince.example.']);
  });

  it('what the person confirmed counts as the person’s word, wherever it came from', () => {
    const entries = [
      ofProject('Staging is at quince.example.', { day: '03-01' }),
      ofProject('Staging is at plum.example.', { day: '03-02', source: 'document', confirmedAt: dayAt('06-01') }),
    ];
    assert.deepEqual(left(entries), ['Staging is at plum.example.']);
  });

  it('what a model noted later overrules the person only where it tells of a change', () => {
    const said = ofProject('Releases go out on Monday.', { day: '03-01' });
    const guess = ofProject('Release day is Thursday.', { day: '03-09', source: 'model' });
    const told = ofProject('The release day has moved from Monday to Thursday.', { day: '03-09', source: 'model' });
    assert.deepEqual(left([said, guess]), [said.text]);
    assert.deepEqual(left([said, told]), [told.text]);
  });

  it('M5 nothing of one project touches another, nor what holds everywhere', () => {
    const entries = [
      ofProject('Release day is Monday.'),
      ofProject('Release day is Friday.', { project: 'harbour', day: '03-05' }),
      note('Release day is Sunday.', { day: '03-06' }),
    ];
    assert.equal(left(entries).length, 3);
  });

  it('two values in one message are a list', () => {
    const entries = [
      ofProject('The worker pool has 4 slots.', { messages: ['m1'] }),
      ofProject('The worker pool has 8 slots.', { messages: ['m1'], day: '03-02' }),
    ];
    assert.equal(left(entries).length, 2);
  });
});

describe('curator: what stays', () => {
  const kept: readonly (readonly [string, typeof note, readonly string[]])[] = [
    [
      'another thing of the same kind',
      ofProject,
      ['The API listens on port 4000.', 'The mail sink listens on port 1025.'],
    ],
    ['somebody else', aboutPerson, ['Lives in Turku.', 'A colleague, Eino Laine, lives in Pori.']],
    ['somebody else by name', aboutPerson, ['Wohnt in Jena.', 'Katrin wohnt in Suhl.']],
    ['the past', aboutPerson, ['Lives in Turku.', 'Grew up in Oulu.']],
    ['a plan', ofProject, ['Packages are installed with npm.', 'We are considering pnpm for packages.']],
    ['what is not so', ofProject, ['Packages are installed with npm.', 'Never install packages with yarn.']],
    ['lists', aboutPerson, ['Allergic to peanuts.', 'Allergic to shellfish.']],
    ['one more', ofProject, ['The service supports Node 22.', 'The service also supports Node 24.']],
    ['numbers that are names', ofProject, ['Ticket 41 is about the parser.', 'Ticket 42 is about the parser.']],
    [
      'three of a kind',
      ofProject,
      ['The pool in Rome has size 4.', 'The pool in Rome has size 6.', 'The pool in Rome has size 9.'],
    ],
    [
      'a part with its own rules',
      ofProject,
      ['Lena Roth reviews all changes.', 'Ugo Neri reviews changes in docs/legal/.'],
    ],
    ['wishes that go together', aboutPerson, ['Wants answers with sources.', 'Prefers answers without jargon.']],
    ['a part of it', ofProject, ['The docs are licensed under MIT.', 'The server is licensed under AGPL-3.0.']],
    ['a kind of review', ofProject, ['Design reviews are done by Mara Lind.', 'Security reviews go to Tom Berger.']],
    ['a part of the product', ofProject, ['We deploy on Tuesdays.', 'The mobile app is released on Thursdays.']],
    ['days without', ofProject, ['Release day is Tuesday.', 'No releases on Friday.']],
    ['ja', aboutPerson, ['札幌に住んでいる。', '同僚の井上さんは函館に住んでいる。']],
    ['zh', ofProject, ['发布日是周二。', '周五不发布。']],
  ];
  for (const [what, make, texts] of kept)
    it(`${what}: “${texts.at(-1)}”`, () => {
      assert.deepEqual(left(series(make, ...texts)), texts);
    });

  it('an entry that says more than what was overtaken stays', () => {
    const texts = ['Lives in Bergen, plays the viola in a quartet every week.', 'Home: Tromsø'];
    assert.deepEqual(left(series(aboutPerson, ...texts)), texts);
  });

  it('an entry that gives a name as well stays, in a language with and one without capitals', () => {
    const texts = ['Se llama Pilar Ortega y vive en Soria.', 'Vive en Lugo.'];
    assert.deepEqual(left(series(aboutPerson, ...texts)), texts);
    const wide = ['名叫林小云，住在杭州，周三在家里办公写报告。', '住在苏州。'];
    assert.deepEqual(left(series(aboutPerson, ...wide)), wide);
  });

  it('what happened in an earlier year is no news', () => {
    const texts = ['Lives in Bergen.', 'Moved to Norway in 2015.'];
    assert.deepEqual(left(series(aboutPerson, ...texts)), texts);
  });

  it('entries that are not live', () => {
    const entries = [ofProject('Release day is Monday.', { status: 'pending' }), ofProject('Release day is Friday.')];
    assert.equal(planCuration(entries, { now }).length, 0);
  });
});

describe('curator: its acts', () => {
  const entries = [
    ofProject('Release day is Monday.', { id: 'e1', day: '03-01' }),
    ofProject('Release day is Friday.', { id: 'e2', day: '03-02', source: 'model' }),
    ofProject('We ship every Friday.', { id: 'e3', day: '03-03', source: 'person' }),
  ];

  it('one act for what stays, with a reason that names both sides', () => {
    const [act, ...more] = planCuration(entries, { now });
    assert.equal(more.length, 0);
    assert.equal(act?.actor, 'curator');
    assert.match(act?.reason ?? '', /e3 \(“We ship every Friday\.”\).*e2.*e1/);
    assert.deepEqual(act?.changes[0], {
      type: 'set',
      id: 'e3',
      values: { messages: ['m-e3'], replaces: ['e2', 'e1'], statedAt: dayAt('03-03') },
    });
  });

  it('an entry rests on what repeats it only if that is as trusted as itself', () => {
    const [act] = planCuration(
      [
        ofProject('License: MIT', { id: 'e1', day: '03-01' }),
        ofProject('Published under MIT.', { id: 'e2', day: '03-02' }),
        ofProject('The code is licensed under MIT.', { id: 'e3', day: '03-09', source: 'document' }),
      ],
      { now },
    );
    const [first] = act?.changes ?? [];
    assert.ok(first?.type === 'set');
    assert.deepEqual([...(first.values.messages ?? [])].sort(), ['m-e1', 'm-e2']);
    assert.equal(first.values.statedAt, dayAt('03-02'));
  });

  it('the order in which the entries come changes nothing', () => {
    const sorted = (list: readonly MemoryEntry[]): readonly string[] =>
      planCuration(list, { now })
        .map((act) => JSON.stringify(act))
        .sort();
    assert.deepEqual(sorted(entries.toReversed()), sorted(entries));
  });
});
