import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compress, estimatingTokenizer } from '@palimpsest/core';
import type { LedgerFacts } from '../../../packages/core/src/compression/ledger/facts.ts';
import { ledgerOf } from '../../../packages/core/src/compression/ledger/ledger.ts';
import { isLeftBehind } from '../../../packages/core/src/compression/ledger/plans.ts';
import { estimateTextTokens } from '../../../packages/core/src/tokens/estimate.ts';
import { agent, factsOf, person, ran } from './session.ts';

const done = 'The list was updated successfully.';
const entries = (facts: LedgerFacts): readonly string[] =>
  (facts.plan?.entries ?? []).map(({ text, state }) => `${state} ${text}`);

test('S8: a plan that is set whole holds as it was set last', () => {
  const set = (todos: unknown): ReturnType<typeof ran> => ran({ name: 'TodoWrite', input: { todos }, result: done });
  const facts = factsOf(
    set([
      { content: 'Read', status: 'in_progress' },
      { content: 'Write', status: 'pending' },
    ]),
    set([
      { content: 'Read', status: 'completed' },
      { content: 'Write', status: 'in_progress' },
      { content: 'Drop', status: 'cancelled' },
    ]),
  );
  assert.deepEqual(entries(facts), ['done Read', 'active Write']);
  assert.equal(facts.plan?.ref, 'm3');
});

test('S8: the to-do tools of other agents are read', () => {
  for (const [name, input] of [
    [
      'update_plan',
      {
        explanation: 'x',
        plan: [
          { step: 'Read', status: 'completed' },
          { step: 'Write', status: 'pending' },
        ],
      },
    ],
    [
      'manage_todo_list',
      {
        operation: 'write',
        todoList: [
          { id: 1, title: 'Read', status: 'completed' },
          { id: 2, title: 'Write', status: 'not-started' },
        ],
      },
    ],
    ['update_todo', { todos: '- [x] Read\n- [ ] Write' }],
    [
      'write_todos',
      {
        todos: [
          { description: 'Read', status: 'completed' },
          { description: 'Write', status: 'pending' },
        ],
      },
    ],
    ['todo', { todos: [{ id: 'a', content: 'Read', status: 'done' }, 'Write'] }],
  ] as const) {
    assert.deepEqual(entries(factsOf(ran({ name, input, result: done }))), ['done Read', 'open Write'], name);
  }
});

test('S8: a plan is built entry by entry, numbered by the calls that worked', () => {
  const facts = factsOf(
    ran({
      name: 'TaskCreate',
      input: { subject: 'Read', description: 'Read all of it' },
      result: 'Task #1 created successfully: Read',
    }),
    ran({ name: 'TaskCreate', input: { subject: 'Lost' }, result: 'Error: full', isError: true }),
    ran({ name: 'TaskCreate', input: { subject: 'Write' }, result: 'Task #2 created successfully: Write' }),
    ran({ name: 'TaskCreate', input: { subject: 'Obsolete' }, result: 'Task #3 created successfully: Obsolete' }),
    ran({ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' }, result: 'Updated task #1 status' }),
    ran({
      name: 'TaskUpdate',
      input: { taskId: '2', status: 'in_progress', subject: 'Write it' },
      result: 'Updated task #2',
    }),
    ran({ name: 'TaskUpdate', input: { taskId: '3', status: 'deleted' }, result: 'Updated task #3' }),
    ran({ name: 'TaskUpdate', input: { taskId: '9', status: 'completed' }, result: 'Updated task #9' }),
  );
  assert.deepEqual(entries(facts), ['done Read', 'active Write it']);
});

test('S8: a call that changes nothing leaves the plan alone', () => {
  const facts = factsOf(
    ran({ name: 'update_plan', input: { plan: [{ step: 'Read', status: 'in_progress' }] }, result: done }),
    ran({ name: 'TodoRead', input: {}, result: '[]' }),
    ran({ name: 'ExitPlanMode', input: { plan: '# A plan in prose\n\nFirst this, then that.' }, result: 'ok' }),
    ran({ name: 'TodoWrite', input: '{broken', result: 'ok' }),
  );
  assert.deepEqual(entries(facts), ['active Read']);
  assert.equal(factsOf(person('hello')).plan, undefined);
});

test('S8: an entry is done in whatever words and signs its list says so', () => {
  for (const status of ['完了', '已完成', '완료', '済み', '做完了', 'Done.', 'finished'])
    assert.deepEqual(
      entries(factsOf(ran({ name: 'TodoWrite', input: { todos: [{ content: 'Read', status }] }, result: done }))),
      ['done Read'],
      status,
    );
  for (const [status, state] of [
    ['未完了', 'open'],
    ['未完成', 'open'],
    ['미완료', 'open'],
    ['未着手', 'open'],
    ['not started', 'open'],
    ['進行中', 'active'],
    ['进行中', 'active'],
    ['진행 중', 'active'],
  ] as const)
    assert.deepEqual(
      entries(factsOf(ran({ name: 'TodoWrite', input: { todos: [{ content: 'Read', status }] }, result: done }))),
      [`${state} Read`],
      status,
    );
  for (const todos of [
    ['- [x] Read', '[ ] Write'],
    ['✅ Read', '⬜ Write'],
    '- [X] Read\n- [ ] Write',
    '1. ☑ Read\n2. ☐ Write',
    [{ content: '[x] Read' }, { content: 'Write', checked: false }],
    [{ content: 'Read', checked: true }, 'Write'],
  ])
    assert.deepEqual(entries(factsOf(ran({ name: 'update_todo', input: { todos }, result: done }))), [
      'done Read',
      'open Write',
    ]);
});

test('S8: a plan that nobody touched while two turns changed something is left behind', () => {
  const plan = ran({ name: 'TodoWrite', input: { todos: [{ content: 'Read', status: 'pending' }] }, result: done });
  const edit = ran({ name: 'Edit', input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }, result: done });
  const turn = [person('Go on with the next step.'), ...edit, agent('That step is done.')];
  const talk = [person('Why is that so?'), agent('Because the lock is older.')];
  assert.equal(
    isLeftBehind(factsOf(person('Make a plan.'), ...plan, ...edit, agent('Begun.'), ...talk, ...talk)),
    false,
  );
  assert.equal(isLeftBehind(factsOf(person('Make a plan.'), ...plan, ...edit, agent('Begun.'), ...turn)), true);
  assert.equal(isLeftBehind(factsOf(person('Make a plan.'), ...turn, ...turn, ...plan, ...turn)), false);
});

test('S8: entries have the numbers that their tool gives them: a conversation that begins with a summary goes on counting', () => {
  for (const [tenth, eleventh] of [
    ['Task #10 created successfully: Read', 'Task #11 created successfully: Write'],
    ['{"task":{"id":"10","subject":"Read"}}', '{"task":{"id":"11","subject":"Write"}}'],
    ['{"id":10}', '{"id":11}'],
  ]) {
    const facts = factsOf(
      ran({ name: 'TaskCreate', input: { subject: 'Read' }, result: tenth ?? '' }),
      ran({ name: 'TaskCreate', input: { subject: 'Write' }, result: eleventh ?? '' }),
      ran({ name: 'TaskUpdate', input: { taskId: '10', status: 'completed' }, result: 'Updated task #10 status' }),
    );
    assert.deepEqual(entries(facts), ['done Read', 'open Write'], tenth);
  }
});

test('S8: an entry keeps its number over a compression, and is settled by it in a process without the record', async () => {
  const before = [
    person('Mend the gate, then paint it.'),
    ...ran({ name: 'TaskCreate', input: { subject: 'Mend the gate' }, result: 'Task #7 created successfully' }),
    ...ran({ name: 'TaskCreate', input: { subject: 'Paint it' }, result: 'Task #8 created successfully' }),
    ...Array.from({ length: 20 }, (_, at) =>
      ran({ name: 'Bash', input: { command: `saw ${at}` }, result: `board ${at} `.repeat(300) }),
    ).flat(),
    agent('The boards are sawn.'),
    person('Go on.'),
  ];
  const tokenizer = estimatingTokenizer('claude');
  const { handoff, messages } = await compress(before, { tokenizer, targetTokens: 900, contextLength: 200_000 });
  assert.match(handoff?.text ?? '', /assistant's plan: #7 Mend the gate/);
  const after = ran({ name: 'TaskUpdate', input: { taskId: '7', status: 'completed' }, result: 'Updated task #7' });
  const ledger = ledgerOf(structuredClone([...messages, ...after]), { count: estimateTextTokens });
  assert.deepEqual(entries(ledger.facts()), ['done Mend the gate', 'open Paint it']);
});
