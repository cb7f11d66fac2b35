/** What is left out of the lists of open matters: it looks open by its words, and is settled, or was never the agent's to do. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LedgerFacts } from '../../../packages/core/src/compression/ledger/facts.ts';
import { Tracker } from '../../../packages/core/src/compression/ledger/tracker.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, edit, person, ran, rows, saying, shell, write } from './session.ts';

describe('S10: a call that the person refused', () => {
  const refusal =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";
  const refused = (words: string): readonly Message[] =>
    ran({
      name: 'Bash',
      input: { command: 'mkdir docs/plans' },
      result: `${refusal} To tell you how to proceed, the user said:\n${words}`,
      isError: true,
    });

  for (const [language, request, words, reply] of [
    ['English', 'Write the plan.', 'put it into the issue instead', 'I put the plan into the issue.'],
    ['Japanese', '計画を書いて。', '計画はイシューに書いて', 'イシューに計画を書きます。'],
    ['German', 'Schreib den Plan.', 'schreib ihn lieber in das Ticket', 'Ich schreibe den Plan in das Ticket.'],
  ] as const)
    test(`waits, in the words in which it was refused, until anybody goes on, in ${language}`, () => {
      const messages = [person(request), shell('ls docs'), refused(words)];
      assert.deepEqual(rows(messages, 'blocked'), [`m4 Bash mkdir docs/plans failed:\n < ${words}`]);
      assert.deepEqual(rows([...messages, saying(reply, shell('gh issue comment 9 -b plan'))], 'blocked'), []);
      assert.deepEqual(rows([...messages, agent(reply)], 'blocked'), []);
    });

  test('waits no longer when the agent has asked about it', () => {
    const messages = [person('Plan it.'), shell('ls'), agent('Which folder?'), person('docs'), refused('not there')];
    assert.equal(rows(messages, 'blocked').length, 1);
    assert.deepEqual(rows([...messages, agent('Where do you want it, then?')], 'blocked'), []);
  });

  test('is no check that failed', () => {
    const result = `${refusal} STOP what you are doing and wait for the user to tell you how to proceed.`;
    const check = ran({ name: 'Bash', input: { command: 'npm test' }, result, isError: true });
    const messages = [person('Go on.'), check, saying('I leave the tests, then.', shell('ls'))];
    assert.deepEqual(rows(messages, 'blocked', 'checks'), []);
    assert.deepEqual(rows(messages, 'progress'), ['m4 assistant: I leave the tests, then.']);
  });

  test('is told in the words of the host where the person said none', () =>
    assert.deepEqual(
      rows([person('Go on.'), refused('The user wants to clarify these questions.')], 'blocked').length,
      1,
    ));
});

describe('S10: what is not there yet', () => {
  for (const [language, question, absent, undone] of [
    [
      'English',
      'Is the number known by then?',
      "In the hook the number doesn't exist yet.",
      'The number is not written yet.',
    ],
    [
      'German',
      'Gibt es die Nummer dann schon?',
      'Im Hook gibt es die Nummer noch nicht.',
      'Die Nummer wird noch nicht geschrieben.',
    ],
    [
      'Japanese',
      'その時点で番号はありますか？',
      'フックの時点では番号はまだありません。',
      '番号の書き込みはまだ実装していません。',
    ],
    ['Korean', '그때 번호가 있나요?', '훅 시점에는 번호가 아직 없습니다.', '번호 기록은 아직 처리하지 못했습니다.'],
    ['Chinese', '那时有编号吗？', '在钩子里还没有 `id`。', '编号的写入还没有处理。'],
    [
      'French',
      'Le numéro existe déjà ?',
      'Dans le hook, le numéro n’existe pas encore.',
      'Le numéro n’est pas encore écrit.',
    ],
    ['Spanish', '¿Existe ya el número?', 'En el gancho todavía no existe el número.', 'El número aún no está escrito.'],
  ] as const)
    test(`is no work that was left where nothing was done, in ${language}`, () => {
      const asked = [person('Add the hook.'), shell('npm run hook'), agent('OK.'), person(question)];
      assert.deepEqual(rows([...asked, agent(absent)], 'remaining'), []);
      assert.deepEqual(rows([...asked, shell('cat hook.sh'), agent(absent)], 'remaining'), []);
      assert.deepEqual(rows([...asked, saying(absent, shell('npm run hook'))], 'remaining'), []);
      const said = [...asked, agent(undone)];
      assert.deepEqual(rows(said, 'remaining'), [`m6 assistant: ${undone}`]);
      const done = [...asked, edit('hook.sh', 'a', 'b'), agent(absent)];
      assert.deepEqual(rows(done, 'remaining'), [`m8 assistant: ${absent}`]);
    });

  test('is expected where a comment lays down steps, and told where it reports', () => {
    const comment = (body: string): readonly Message[] =>
      ran({ name: 'create_comment', input: { issue: 'X-1', body }, result: '{}', isError: false });
    const step = '**Step 2: run it**\n\nExpected: FAIL, the column is not exported yet.';
    const plan = `## Plan\n\n### Task 1: the column\n\n${step}\n\n### Task 2: its zone\n\n${step}`;
    assert.deepEqual(rows([person('Plan it.'), comment(plan)], 'remaining'), []);
    assert.equal(
      rows([person('Go on.'), comment('## State\n\nThe column is not exported yet.')], 'remaining').length,
      1,
    );
  });

  test('is the state of a project where a list of it is shown that nobody worked on', () => {
    const list = '## Blockers\n\n- The verifier needs another plan in production\n- Two notes wait for review';
    const shown = [person('How far are we?'), shell('cat STATE.md'), agent(list)];
    assert.deepEqual(rows(shown, 'remaining'), []);
    const worked = [person('Finish it.'), edit('a.ts', 'a', 'b'), agent(list)];
    assert.equal(rows(worked, 'remaining').length, 2);
  });
});

for (const [language, settled, open] of [
  [
    'English',
    'I did not run the tests because only a page was written.',
    'I have not yet run the tests because the server is down.',
  ],
  [
    'German',
    'Die Tests sind ungetestet, weil nur Text dazukam.',
    'Die Tests laufen noch nicht, weil der Server steht.',
  ],
  ['Spanish', 'Queda sin probar porque solo es texto.', 'Todavía queda sin probar porque el servidor no responde.'],
] as const)
  test(`S10: what was left undone for a reason is settled, unless it is so only so far, in ${language}`, () => {
    const said = (words: string): Message[] => [person('Write the page.'), ...edit('a.ts', 'a', 'b'), agent(words)];
    assert.deepEqual(rows(said(settled), 'remaining'), []);
    assert.equal(rows(said(open), 'remaining').length, 1);
  });

test('S10: runs of checks that failed are told once, by the newest', () => {
  const messages = [
    person('Fix it.'),
    shell('npm test 2>&1 | tail -5', 1, 'FAIL test/a.test.ts'),
    shell('npm test 2>&1 | grep FAIL', 1, 'FAIL test/a.test.ts'),
    shell('npx vitest run test/a.test.ts', 1, 'FAIL test/a.test.ts'),
  ];
  assert.deepEqual(rows(messages, 'blocked'), []);
  assert.ok(rows(messages, 'progress').some((row) => row.startsWith('m6 Bash vitest run')));
});

test('S10: of changed files of which nothing is known to be missing, the last ones are under way', () => {
  const changes = ['a', 'b', 'c', 'd'].map((name) => edit(`src/${name}.ts`, 'a', 'b'));
  const begun = [person('Rename it everywhere.'), ...changes];
  assert.deepEqual(rows(begun, 'progress'), ['m6 changed src/c.ts', 'm8 changed src/d.ts']);
  // Where work is checked, none of them is.
  const checked = [person('Check it.'), shell('npm test'), agent('OK.'), ...begun];
  assert.equal(rows(checked, 'progress').length, 4);
});

for (const [program, failed, none, some] of [
  ['go test ./...', '--- FAIL: TestRows (0.0s)', 'ok  \tx/rows\t0.6s [no tests to run]', 'ok  \tx/rows\t0.6s'],
  [
    'pytest',
    'FAILED tests/test_a.py::test_rows - x',
    'collected 0 items\n\nno tests ran in 0.01s',
    '1 passed in 0.01s',
  ],
  ['npx vitest run', 'FAIL src/a.test.ts', 'No test files found, exiting with code 0', 'Tests  3 passed (3)'],
  ['cargo test', 'test rows ... FAILED', 'running 0 tests', 'running 0 tests\n\nrunning 2 tests'],
] as const)
  test(`S10: a run that found no test mends none that failed: ${program}`, () => {
    const messages = (output: string): readonly (Message | readonly Message[])[] => [
      person('Fix it.'),
      shell(program, 1, failed),
      shell(program, 0, output),
    ];
    assert.match(rows(messages(none), 'progress').join(), /^m2 Bash .* failed/);
    assert.deepEqual(rows(messages(some), 'progress'), []);
  });

describe('S10: an entry of a plan', () => {
  for (const [language, done, undone] of [
    ['English', 'Task 1 is complete. Now the next one.', 'Task 1 is blocked until the parser is fixed. Now the rest.'],
    ['German', 'Aufgabe 1 ist erledigt. Weiter geht es.', 'Aufgabe 1 ist noch nicht erledigt.'],
    ['Japanese', 'タスク #1 完了。次に進む。', 'タスク #1 はまだ完了していません。'],
    ['Korean', '작업 1 완료. 다음으로.', '작업 1은 아직 완료하지 못했습니다.'],
    ['Chinese', '任务 1 已完成。', '任务 1 还没有完成。'],
  ] as const)
    test(`is done when it is said so by its number, in ${language}`, () => {
      const add = (subject: string): readonly Message[] =>
        ran({ name: 'TaskCreate', input: { subject }, result: `Task created: ${subject}`, isError: false });
      const kept = [person('Do it.'), add('Parse the header'), add('Tell the line'), edit('a.ts', 'a', 'b')];
      const boxes = '- [ ] #1 Parse the header\n- [ ] #2 Tell the line\n';
      const written = [person('Do it.'), write('tasks/todo.md', boxes), edit('a.ts', 'a', 'b')];
      for (const begun of [kept, written]) {
        assert.equal(rows([...begun, saying(done, shell('ls'))], 'remaining').length, 1);
        assert.match(rows([...begun, saying(done, shell('ls'))], 'remaining').join(), /Tell the line/);
        assert.equal(rows([...begun, saying(undone, shell('ls'))], 'remaining').length, 2);
      }
    });

  test('has the number that it opens with, not one amid its words', () => {
    const begun = (boxes: string): readonly (Message | readonly Message[])[] => [
      person('Do it.'),
      write('tasks/todo.md', boxes),
      saying('Task 3 is complete.', shell('ls')),
    ];
    for (const opening of ['#3', '3.', '**Task 3:**'])
      assert.equal(rows(begun(`- [ ] ${opening} Parse the header\n- [ ] Add 3 tests\n`), 'remaining').length, 1);
  });

  test('is not the issue or request of the same number', () => {
    const messages = [
      person('Do it.'),
      ran({ name: 'TaskCreate', input: { subject: 'Parse the header' }, result: 'Task #1 created', isError: false }),
      saying('PR #1 is pushed, and issue 1 is closed.', shell('ls')),
    ];
    assert.equal(rows(messages, 'remaining').length, 1);
  });
});

test('S10: the text of a command begins a turn as words of a person do', () => {
  const list = '## Blockers\n\n- The verifier needs another plan in production\n- Two notes wait for review';
  const offer = 'Shall I start, or is there anything else first?';
  const before = [person('Finish it.'), edit('a.ts', 'a', 'b'), agent(`The tests have not been run. ${offer}`)].flat();
  const after = [person('Show the state.'), ...shell('cat STATE.md'), agent(list)];
  const factsAt = (length: number): LedgerFacts => {
    const tracker = new Tracker();
    const messages = [...before, ...after].slice(0, length);
    for (const [at, message] of messages.entries()) tracker.add(message, `m${at + 1}`, at === before.length);
    return tracker.facts();
  };
  // What ended the turn before is not what is being done.
  assert.deepEqual(factsAt(before.length + 2).said, []);
  // A list is shown by a turn that only looked.
  assert.deepEqual(
    factsAt(before.length + after.length).outstanding.map(({ ref }) => ref),
    ['m4', 'm4'],
  );
});
