import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outlineOf } from '../../../packages/core/src/compression/ledger/outline.ts';
import type { SectionContent } from '../../../packages/core/src/compression/ledger/templates.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, factsOf, person, ran, shell } from './session.ts';

type Said = readonly (Message | readonly Message[])[];

/** Rows of some contents. */
const rows = (messages: Said, ...contents: SectionContent[]): readonly string[] =>
  outlineOf({ facts: factsOf(...messages), covers: () => true, budget: 4_000, count: (text) => text.length / 4 })
    .filter(({ content }) => contents.includes(content))
    .map(({ text }) => text);

const edit = (path: string, before: string, after: string): readonly Message[] =>
  ran({
    name: 'Edit',
    input: { file_path: path, old_string: before, new_string: after },
    result: 'updated',
    isError: false,
  });
const write = (path: string, content: string): readonly Message[] =>
  ran({ name: 'Write', input: { file_path: path, content }, result: 'created', isError: false });

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
  assert.deepEqual(rows(messages, 'progress'), ["m2 assistant's plan: Parse the header"]);
});
