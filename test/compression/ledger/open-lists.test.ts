import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, edit, person, ran, rows, type Said, saying, shell, write } from './session.ts';

describe('S10: a plan in a file', () => {
  for (const [language, request, first, second] of [
    ['English', 'Add the export.', 'Write the exporter', 'Cover it with tests'],
    ['Japanese', '出力を追加して。', '出力処理を書く', 'テストを追加する'],
    ['Korean', '내보내기를 추가해 줘.', '내보내기 작성', '테스트 추가'],
    ['Chinese', '添加导出功能。', '编写导出代码', '补充测试'],
  ] as const)
    test(`tells the boxes that are not ticked, in ${language}`, () => {
      const messages = [
        person(request),
        write('/srv/app/tasks/todo.md', `# Plan\n\n- [ ] #1 ${first}\n  Files: a.ts\n- [ ] #2 ${second}\n`),
        edit('/srv/app/src/a.ts', 'a', 'b'),
        edit('/srv/app/tasks/todo.md', `- [ ] #1 ${first}`, `- [x] #1 ${first}`),
      ];
      assert.deepEqual(rows(messages, 'remaining'), [`m2 assistant's plan: #2 ${second}`]);
      const done = [...messages, edit('/srv/app/tasks/todo.md', `- [ ] #2 ${second}`, `- [x] #2 ${second}`)];
      assert.deepEqual(rows(done, 'remaining'), []);
    });

  test('that was only read is one from when the agent ticks it', () => {
    const messages = [
      person('Work through the specification.'),
      ran({
        name: 'Read',
        input: { file_path: 'spec/change.md' },
        result: '     1→- [ ] Parse the header\n     2→- [ ] Refuse an empty body\n     3→- [ ] Tell the line',
      }),
    ];
    assert.deepEqual(rows(messages, 'remaining'), []);
    const ticked = edit('spec/change.md', '- [ ] Parse the header', '- [x] Parse the header');
    assert.deepEqual(rows([...messages, ticked], 'remaining'), [
      "m2 assistant's plan: Refuse an empty body",
      "m2 assistant's plan: Tell the line",
    ]);
  });

  test('is no document with boxes that nobody ticks', () => {
    const guide = '- [ ] Check the address\n- [ ] Check the name\n';
    assert.deepEqual(rows([person('Write the guide.'), write('docs/guide.md', guide)], 'remaining'), []);
  });

  test('says once what the to-do tool says too', () => {
    const todos = [
      { content: 'Parse the header', status: 'pending' },
      { content: 'Tell the line', status: 'pending' },
    ];
    const messages = [
      person('Do it.'),
      ran({ name: 'TodoWrite', input: { todos }, result: 'ok' }),
      write('TODO.md', '- [ ] Parse the header\n- [ ] Tell the line\n'),
    ];
    assert.equal(rows(messages, 'remaining').length, 2);
  });
});

test('S10: an entry of a plan names the message that said it, not the one that began it', () => {
  const messages = [
    person('Do it.'),
    ran({ name: 'TaskCreate', input: { subject: 'Parse the header' }, result: 'Task #1 created' }),
    ran({ name: 'TaskUpdate', input: { taskId: '1', status: 'in_progress' }, result: 'Updated task #1' }),
    shell('npm test'),
    agent('More to come.'),
  ];
  assert.deepEqual(rows(messages, 'progress'), ["m2 assistant's plan: #1 Parse the header"]);
});

describe('S10: what the agent says is not done', () => {
  /** What is left after a request was answered in these words, and what was done since. */
  const left = (answer: string, ...since: Said): readonly string[] =>
    rows([person('Add the export.'), write('src/export.ts', 'text'), agent(answer), ...since], 'remaining');

  for (const [language, done, undone, later] of [
    [
      'English',
      'The exporter writes rows.',
      'The date column is not yet exported.',
      'The date column is exported now, done.',
    ],
    ['Japanese', '出力処理を書きました。', '日付列の変換はまだ実装していません。', '日付列の変換を実装しました。'],
    [
      'Korean',
      '내보내기를 작성했습니다.',
      '날짜 열 변환은 아직 처리하지 못했습니다.',
      '날짜 열 변환 처리를 완료했습니다.',
    ],
    ['Chinese', '导出代码写好了。', '日期列的转换还没有处理。', '日期列的转换已完成处理。'],
    [
      'German',
      'Der Export schreibt Zeilen.',
      'Die Datumsspalte wird noch nicht exportiert.',
      'Die Datumsspalte wird exportiert, das ist erledigt.',
    ],
    [
      'French',
      'L’export écrit les lignes.',
      'La colonne date n’est pas encore exportée.',
      'La colonne date est exportée, terminée.',
    ],
    [
      'Spanish',
      'La exportación escribe filas.',
      'La columna fecha aún no está exportada.',
      'La columna fecha está lista, terminada.',
    ],
  ] as const)
    test(`stands in the list until later words say that it is done, in ${language}`, () => {
      assert.deepEqual(left(`${done} ${undone}`), [`m4 assistant: ${undone}`]);
      assert.deepEqual(left(`${done} ${undone}`, person('Thanks, go on.'), agent(later)), []);
    });

  test('is what stands under "remaining", without what is ticked there', () => {
    const report =
      'The parser reads files.\n\n**Remaining:**\n- ✅ Read the header line\n- Refuse an empty body\n- Tell the line number\n\nThe tests pass.';
    assert.deepEqual(left(report), ['m4 assistant: Refuse an empty body', 'm4 assistant: Tell the line number']);
  });

  for (const [language, lead] of [
    ['Japanese', '残りの作業:'],
    ['Korean', '남은 작업:'],
    ['Chinese', '## 待办'],
    ['German', 'Noch offen:'],
  ] as const)
    test(`is what stands under such words, in ${language}`, () =>
      assert.deepEqual(left(`OK.\n\n${lead}\n\n1. \`parse.ts\` header\n2. \`lines.ts\` counter`), [
        'm4 assistant: `parse.ts` header',
        'm4 assistant: `lines.ts` counter',
      ]));

  test('leaves when its file is changed, its check passes, or its commit is made', () => {
    const said =
      'The exporter writes rows. `format.ts` is still missing the date. The tests have not been run. Nothing else.';
    assert.equal(left(said).length, 2);
    assert.deepEqual(left(said, person('Go on.'), edit('src/format.ts', 'a', 'b')), [
      'm4 assistant: The tests have not been run.',
    ]);
    assert.deepEqual(left(said, person('Go on.'), edit('src/format.ts', 'a', 'b'), shell('npm test')), []);
    const unpushed = 'It is done, but the branch is still not pushed.';
    assert.equal(left(unpushed).length, 1);
    assert.deepEqual(left(unpushed, person('Push it then.'), shell('git push origin export')), []);
    assert.equal(left(unpushed, person('And then?'), shell('gh pr comment 3 -b "git push later"')).length, 1);
  });

  test('is told in its newest words', () =>
    assert.deepEqual(
      left(
        'The date column is not yet exported.',
        person('Look again.'),
        agent('Still the same: the date column is not yet exported, nor its zone.'),
      ),
      ['m6 assistant: Still the same: the date column is not yet exported, nor its zone.'],
    ));

  test('is forgotten when turns end without it, later where it is a duty', () => {
    const turn = (ask: string): Said => [person(ask), shell('ls'), agent('Here you are.')];
    const turns = [...turn('What is in the folder?'), ...turn('And beside it?'), person('Fine, and above?')];
    assert.deepEqual(left('The date column is not yet exported.', ...turns), []);
    assert.equal(left('The date column must be checked before the release.', ...turns).length, 1);
  });

  for (const words of [
    'If the date column is not yet exported, run it again.',
    'The column was not yet known then.',
    'There are no outstanding issues, nothing is left.',
    'Is the date column not yet exported?',
    'テストが未完了の場合は再実行します。',
    '没有未完成的任务。',
  ])
    test(`is no condition, memory or question: ${words}`, () => assert.deepEqual(left(words), []));

  test('beside calls is about the work at hand: what is announced about it, and what is past, is not listed', () => {
    const said = (...texts: readonly string[]): readonly string[] =>
      rows([person('Start the server.'), ...texts.map((text) => saying(text, shell('ls')))], 'remaining');
    assert.deepEqual(said('The database is not running yet. Let me start it.'), []);
    assert.equal(
      said(
        'The database is not running yet.',
        'Port 80 is taken by another program here, so it is port 81 from now on.',
      ).length,
      1,
    );
    assert.deepEqual(said('The database is not running yet.', 'One.', 'Two.', 'Three.', 'Four.'), []);
  });

  test('is what is talked about where nobody ever does anything', () =>
    assert.deepEqual(rows([person('Is it proven?'), agent('It has not yet been observed.')], 'remaining'), []));

  test('is what a comment on an issue says too', () => {
    const comment =
      'bd comments add x-1 "The parser reads files now and its own tests pass; the browser check remains pending for this issue."';
    assert.deepEqual(rows([person('Go on.'), shell(comment)], 'remaining'), [
      'm2 assistant: The parser reads files now and its own tests pass; the browser check remains pending for this issue.',
    ]);
  });
});

describe('S10: what the agent put off for something else', () => {
  for (const [language, announced, first] of [
    ['English', 'Now I will add tests for `rowOf`.', 'First, let me read `rows.test.ts`:'],
    ['German', 'Gut, ich werde Tests für `rowOf` schreiben.', 'Zuerst lese ich `rows.test.ts`:'],
    ['Japanese', '`rowOf` のテストを追加します。', 'その前に `rows.test.ts` を確認します。'],
    ['Korean', '`rowOf` 테스트를 추가하겠습니다.', '먼저 `rows.test.ts`를 확인하겠습니다.'],
    ['Chinese', '现在我要添加 `rowOf` 的测试。', '首先看看 `rows.test.ts`。'],
  ] as const)
    test(`is left until its file is changed or the turn ends, in ${language}`, () => {
      const going = saying('The names in there are older than the table, so they stay as they are.', shell('ls src'));
      const begun = [person('Add the row.'), saying(`${announced} ${first}`, shell('cat rows.test.ts')), going];
      const row = `m2 assistant: ${announced}`;
      assert.deepEqual(rows(begun, 'remaining'), [row]);
      // A run of the tests that are there already adds none.
      assert.deepEqual(rows([...begun, edit('src/row.ts', 'a', 'b'), shell('npm test')], 'remaining'), [row]);
      assert.deepEqual(rows([...begun, agent('It is there.'), person('Thanks.')], 'remaining'), []);
      const other = announced.replace('rowOf', 'rowOf.test.ts');
      const named = [person('Add the row.'), saying(`${other} ${first}`, shell('cat rows.test.ts')), going];
      assert.equal(rows(named, 'remaining').length, 1);
      assert.deepEqual(rows([...named, edit('test/rowOf.test.ts', 'a', 'b')], 'remaining'), []);
      assert.deepEqual(rows([...named, shell('mv tmp/a.ts test/rowOf.test.ts')], 'remaining'), []);
      // Where nothing comes first, the call beside it is what was announced.
      const alone = [person('Add the row.'), saying(announced, shell('cat rows.test.ts')), going];
      assert.deepEqual(rows(alone, 'remaining'), []);
    });
});

for (const [language, offer, other, yes, no] of [
  [
    'English',
    'Shall I start on part 1, or is there anything else first?',
    'Can we name the branch?',
    'Yes.',
    'No, stop.',
  ],
  ['German', 'Soll ich mit Teil 1 anfangen, oder noch etwas anderes?', 'Benenne den Zweig um.', 'Ja.', 'Nein.'],
  ['Japanese', '第1部を始めますか、それとも他に何かありますか？', 'ブランチの名前を変えて。', 'はい', 'いいえ'],
] as const)
  test(`S10: what was offered beside anything else is left when the person names something else, in ${language}`, () => {
    const offered = [person('Plan it.'), shell('npm run plan'), agent(`OK. ${offer}`)];
    const row = `m4 assistant: ${offer}`;
    assert.deepEqual(rows([...offered, person(other)], 'remaining'), [row]);
    assert.deepEqual(rows([...offered, person(yes)], 'remaining'), []);
    assert.deepEqual(rows([...offered, person(no)], 'remaining'), []);
    const later = [...offered, person(other), shell('git branch -m b'), agent('OK.'), person('List them all.')];
    assert.deepEqual(rows(later, 'remaining'), []);
  });

describe('S10: next steps', () => {
  const report =
    'Ready.\n\n**Next steps:**\n1. Rename `a.ts` everywhere\n2. Cover `b.ts` with tests\n3. Describe `c.ts` for readers';

  test('stand in the list as long as nobody has spoken, and when a person says go on', () => {
    const messages = [person('Plan it.'), shell('ls'), agent(report)];
    assert.equal(rows(messages, 'remaining').length, 3);
    assert.equal(rows([...messages, person('Go ahead.')], 'remaining').length, 3);
    assert.deepEqual(rows([...messages, person('What does the parser do with tabs?')], 'remaining'), []);
  });

  for (const [language, lead, yes] of [
    ['Japanese', '次のステップ:', '続けて'],
    ['Korean', '다음 단계:', '계속해'],
    ['Chinese', '下一步：', '继续'],
  ] as const)
    test(`leave with those before them when their file is worked on, in ${language}`, () => {
      const said = `OK\n\n${lead}\n1. \`a.ts\` header\n2. \`b.ts\` body\n3. \`c.ts\` footer`;
      const messages = [person('?'), shell('ls'), agent(said), person(yes), edit('src/b.ts', 'a', 'b')];
      assert.deepEqual(rows(messages, 'remaining'), ['m4 assistant: `c.ts` footer']);
    });
});

describe('S10: failures and requests that a turn left', () => {
  test('a failure of the last step blocks, though others of the step worked', () => {
    const messages = [person('Look for the hooks.'), shell('ls src'), shell('ls test')];
    const [first, second] = [shell('rg hook guides', 2, 'rg: guides: No such file or directory'), shell('ls lib')];
    const step: Message = { role: 'assistant', parts: [first, second].flatMap(([call]) => call?.parts ?? []) };
    const results = [first, second].flatMap(([, ...rest]) => rest);
    assert.deepEqual(rows([...messages, step, ...results], 'blocked'), [
      'm6 Bash rg hook guides failed:\n < rg: guides: No such file or directory',
    ]);
    assert.deepEqual(rows([...messages, step, ...results, shell('ls'), shell('ls lib')], 'blocked'), []);
  });

  for (const [language, question, handOver, next] of [
    [
      'English',
      'Do you know why the orders fail?',
      'Please try to order something, I read along.',
      'Sign in and see for yourself.',
    ],
    ['Japanese', '注文が失敗するのはなぜ？', 'もう一度試してください。', '自分でログインして'],
    ['Korean', '주문이 왜 실패하나요?', '다시 실행해 주세요.', '직접 로그인해 봐'],
    ['Chinese', '下单为什么失败？', '请您试一下下单。', '你自己登录看看'],
  ] as const)
    test(`a question that ended in nothing but a hand-over is open still, in ${language}`, () => {
      const messages = [person(question), shell('tail log'), agent(handOver), person(next)];
      assert.deepEqual(rows(messages, 'asks', 'goal').length, 1);
      assert.match(rows(messages, 'asks')[0] ?? '', /^m1 user:/);
      const fixed = [person(question), edit('a.ts', 'a', 'b'), agent(handOver), person(next)];
      assert.deepEqual(rows(fixed, 'asks'), []);
    });

  for (const [language, request, complaint, thanks] of [
    ['English', 'Make the upload button green.', 'it is still not green', 'Nice. Rename the page title.'],
    ['Japanese', 'ボタンを緑にして。', 'まだ緑になっていません', 'では題名を変えて。'],
    ['Korean', '버튼을 초록색으로 바꿔 줘.', '여전히 똑같아', '좋아. 제목을 바꿔 줘.'],
    ['Chinese', '把按钮改成绿色。', '还是不行', '好，改一下标题。'],
    ['German', 'Färbe den Knopf grün.', 'geht immer noch nicht', 'Gut. Ändere den Titel.'],
    ['French', 'Mets le bouton en vert.', 'ça ne marche toujours pas', 'Bien. Change le titre.'],
    ['Spanish', 'Pon el botón en verde.', 'todavía no está verde', 'Bien. Cambia el título.'],
  ] as const)
    test(`a request is open again when the person says that nothing has come of it, in ${language}`, () => {
      const done = [person('Hello.'), agent('Hello.'), person(request), edit('a.css', 'a', 'b'), agent('OK.')];
      assert.match(rows([...done, person(complaint)], 'asks').join(), /^m3 user:/);
      assert.deepEqual(rows([...done, person(thanks)], 'asks'), []);
    });

  test('the last call that did something is told, unless the words beside it or another row tell it', () => {
    const words = 'Now I relate the two issues and leave a note for whoever comes next.';
    const said = saying(words, shell('bd dep add --help'));
    const messages = [person('Relate the issues.'), said];
    assert.deepEqual(rows(messages, 'progress').length, 1);
    assert.ok(
      rows([...messages, shell('bd dep add a b')], 'progress').includes('m4 Bash bd dep add a b: the last step'),
    );
    assert.equal(rows([...messages, shell('grep -n a b.ts')], 'progress').length, 1);
    assert.ok(
      !rows([...messages, shell('npm test')], 'progress')
        .join()
        .includes('last step'),
    );
  });
});

describe('S10: what waits for an answer', () => {
  const waiting = (answer: string): string => rows([person('Plan it.'), shell('ls'), agent(answer)], 'waiting').join();

  for (const [language, question, document] of [
    ['English', 'Want me to draw the pages now, or is the text enough?', '## Next\n\n`plan 14`\n\n- Edit the notes'],
    ['Japanese', '今すぐ画面を描きましょうか？', '## 次\n\n`plan 14`\n\n- メモを直す'],
    ['Korean', '지금 화면을 그릴까요?', '## 다음\n\n`plan 14`\n\n- 메모 수정'],
    ['German', 'Soll ich die Seiten jetzt zeichnen?', '## Danach\n\n`plan 14`\n\n- Notizen ändern'],
  ] as const)
    test(`is asked before a document that is shown behind it, in ${language}`, () => {
      const shown = `One.\n\n${question}\n\n---\n\n# Page\n\nOne thing. Another thing. A third.\n\n---\n\n${document}`;
      assert.ok(waiting(shown).includes(question));
      assert.equal(waiting(shown.replace(question, `${question}\n\nI drew them.`)), '');
      assert.equal(waiting(shown.replace(question, `### ${question}`)), '');
      assert.equal(waiting(`\`\`\`\n${shown}\n\`\`\``), '');
    });

  for (const [language, offer, idle] of [
    [
      'English',
      'Shall I start on the first room, or is there anything else today?',
      'Anything else, or any other question?',
    ],
    ['German', 'Soll ich anfangen, oder noch etwas anderes?', 'Noch etwas anderes, oder weitere Fragen?'],
    [
      'Japanese',
      '始めてもよいですか、それとも他に何かありますか？',
      '他に何かありますか、それともご不明な点がありますか？',
    ],
  ] as const)
    test(`is asked beside an idle remark, in ${language}`, () => {
      assert.ok(waiting(`Done.\n\n${offer}`).includes(offer));
      assert.equal(waiting(`Done.\n\n${idle}`), '');
    });

  for (const [language, question, behind] of [
    ['Japanese', '件数も追加しますか?', 'npm の件数は別の範囲に入っています。'],
    ['Chinese', '也要加上数量吗?', 'npm 的数量已在另一个范围里。'],
    ['Korean', '개수도 추가할까요?', 'npm 개수는 다른 범위에 있습니다.'],
  ] as const)
    test(`is asked in a line that goes on, in ${language}`, () =>
      assert.ok(waiting(`${question} ${behind}`).includes(question)));
});
