import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Tracker } from '../../../packages/core/src/compression/ledger/tracker.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { conversations } from '../../support/conversations.ts';
import { agent, factsOf, fileStates, person, ran, shell } from './session.ts';

test('S8: requests stand word for word with the words that ended their turn', () => {
  const text = '  修复登录，\n不要改 “旧” API 🙂 ';
  const { asks } = factsOf(person(text), agent('I look.'), shell('ls'), agent('Fixed it.'), person('thanks'));
  assert.equal(asks[0]?.text, text.trim());
  assert.deepEqual(asks[0]?.answer, { ref: 'm5', text: 'Fixed it.' });
  assert.equal(asks[1]?.answer, undefined);
});

test('invariant 4: only what a person wrote is attributed to the user', () => {
  const decided = 'We decided to use one table.';
  const facts = factsOf(
    { role: 'user', origin: 'host', parts: [{ type: 'text', text: `<note>${decided}</note>` }] },
    { role: 'user', origin: 'summary', parts: [{ type: 'text', text: `User said: ${decided}` }] },
    { role: 'tool', parts: [{ type: 'toolResult', callId: 'x', content: [{ type: 'text', text: decided }] }] },
    { role: 'system', parts: [{ type: 'text', text: decided }] },
    person(decided),
  );
  assert.deepEqual(
    facts.asks.map(({ ref }) => ref),
    ['m5'],
  );
  assert.deepEqual(
    facts.decisions.map(({ ref, by }) => [ref, by]),
    [['m5', 'user']],
    'what a summary tells was decided is nobody’s own word',
  );
});

test('S8: an action has its tool, target, outcome, exit code and first error line', () => {
  const { actions } = factsOf(
    shell('cd app && npm test 2>&1', 1, 'Error: port is taken'),
    ran({ name: 'Read', input: { file_path: '/r/a.ts' }, result: 'text', isError: false }),
    ran({ name: 'Grep', input: { pattern: 'x.*y', path: 'src' }, result: 'src/a.ts', isError: false }),
    ran({ name: 'WebFetch', input: { url: 'https://example.org', prompt: 'p' }, result: 'page', isError: false }),
    ran({ name: 'Task', input: { description: 'Find it', prompt: 'long' }, result: 'found', isError: false }),
    ran({ name: 'AskUserQuestion', input: { questions: [{ question: 'Which one?' }, { question: 'When?' }] } }),
  );
  assert.deepEqual(actions[0], {
    ref: 'm1',
    tool: 'Bash',
    type: 'run',
    target: 'npm test 2>&1',
    ok: false,
    exitCode: 1,
    firstErrorLine: 'Error: port is taken',
  });
  assert.deepEqual(
    actions.slice(1).map(({ type, target, ok }) => [type, target, ok]),
    [
      ['read', '/r/a.ts', true],
      ['search', 'x.*y in src', true],
      ['fetch', 'https://example.org', true],
      ['delegate', 'Find it', true],
      ['other', 'Which one? When?', undefined],
    ],
  );
});

test('S8: the target of a command is its first line that says something', () => {
  const target = (command: string): string | undefined => factsOf(shell(command)).actions[0]?.target;
  assert.equal(target('set -e\n# prepare\nnpm ci\nnpm test'), 'npm ci');
  assert.equal(target('cd "/my app" && make all'), 'make all');
  assert.equal(target('gh pr create \\\n  --title "x"'), 'gh pr create --title "x"');
  assert.equal(target('git commit -m "$(cat <<\'EOF\'\nfix: a\n\nb\nEOF\n)"'), 'git commit -m "fix: a"');
});

test('S8: the file tools of every agent touch their files', () => {
  const ok = { result: 'Success.', isError: false };
  for (const [state, calls] of [
    [
      'read',
      [
        ['Read', { file_path: 'a/f.ts' }],
        ['view', { path: 'a/f.ts' }],
        ['read', { path: 'a/f.ts' }],
        ['open', { path: 'a/f.ts' }],
        ['mcp__fs__read_text_file', { path: 'a/f.ts' }],
        ['read_multiple_files', { paths: ['a/f.ts'] }],
        ['str_replace_editor', { command: 'view', path: 'a/f.ts' }],
      ],
    ],
    [
      'created',
      [
        ['Write', { file_path: 'a/f.ts', content: 'x' }],
        ['create', { path: 'a/f.ts', file_text: 'x' }],
        ['write', { path: 'a/f.ts' }],
        ['mcp__fs__write_file', { path: 'a/f.ts' }],
        ['str_replace_editor', { command: 'create', path: 'a/f.ts' }],
        ['apply_patch', '*** Begin Patch\n*** Add File: a/f.ts\n+x\n*** End Patch'],
        ['execute_code', { code: 'open("a/f.ts", "w").write("x")' }],
      ],
    ],
    [
      'changed',
      [
        ['Edit', { file_path: 'a/f.ts' }],
        ['edit', { path: 'a/f.ts', oldText: 'a', newText: 'b' }],
        ['MultiEdit', { file_path: 'a/f.ts', edits: [] }],
        ['replace', { file_path: 'a/f.ts' }],
        ['NotebookEdit', { notebook_path: 'a/f.ts' }],
        ['apply_patch', { input: '*** Begin Patch\n*** Update File: a/f.ts\n@@\n-x\n+y\n*** End Patch' }],
        ['patch', { patch: '--- a/a/f.ts\n+++ b/a/f.ts\n@@ -1 +1 @@\n-x\n+y' }],
      ],
    ],
    [
      'deleted',
      [
        ['delete_file', { target_file: 'a/f.ts' }],
        ['apply_patch', '*** Begin Patch\n*** Delete File: a/f.ts\n*** End Patch'],
        ['exec_command', { cmd: 'rm a/f.ts' }],
        ['bash', { command: ['bash', '-lc', 'git rm a/f.ts'] }],
      ],
    ],
  ] as const) {
    for (const [name, input] of calls) {
      assert.deepEqual(
        fileStates(factsOf(ran({ name, input, ...ok }))),
        { 'a/f.ts': state },
        `${name} ${JSON.stringify(input)}`,
      );
    }
  }
});

test('S8: moves take a file from one name to the other', () => {
  const moved = { 'a/old.ts': 'deleted', 'a/new.ts': 'created' };
  const patch = '*** Begin Patch\n*** Update File: a/old.ts\n*** Move to: a/new.ts\n@@\n-x\n+y\n*** End Patch';
  assert.deepEqual(fileStates(factsOf(ran({ name: 'apply_patch', input: patch, result: 'Success.' }))), moved);
  assert.deepEqual(fileStates(factsOf(shell('git mv a/old.ts a/new.ts'))), moved);
  const input = { source: 'a/old.ts', destination: 'a/new.ts' };
  assert.deepEqual(
    fileStates(factsOf(ran({ name: 'mcp__fs__move_file', input, result: 'Successfully moved' }))),
    moved,
  );
});

test('S8: an editor that has a file open edits that file', () => {
  const facts = factsOf(
    ran({ name: 'open', input: { path: 'src/a.py' }, result: '[File: src/a.py]\n1:x' }),
    ran({ name: 'edit', input: { search: 'x', replace: 'y' }, result: 'Text replaced. File updated.' }),
  );
  assert.deepEqual(fileStates(facts), { 'src/a.py': 'changed' });
  assert.equal(facts.actions[1]?.target, 'src/a.py');
});

test('S8: a relative and an absolute path of one file are one fact', () => {
  const facts = factsOf(
    ran({ name: 'Read', input: { file_path: '/home/u/app/src/net/dial.ts' }, result: 'x', isError: false }),
    shell("sed -i 's/a/b/' src/net/dial.ts"),
    shell('cat ./net/dial.ts'),
    ran({ name: 'Edit', input: { file_path: '/home/u/app/src/net/dial.ts' }, result: 'updated', isError: false }),
  );
  assert.deepEqual(facts.files, [{ path: '/home/u/app/src/net/dial.ts', state: 'changed', ref: 'm7', touches: 4 }]);
});

test('S8: files that only share their last name, or stand in different places, stay apart', () => {
  const read = (path: string): ReturnType<typeof ran> =>
    ran({ name: 'Read', input: { file_path: path }, result: 'x', isError: false });
  const paths = [
    '/a/src/index.ts',
    '/b/src/index.ts',
    'index.ts',
    '/src/index.ts',
    'lib/main_index.ts',
    'xsrc/index.ts',
  ];
  assert.deepEqual(Object.keys(fileStates(factsOf(...paths.map(read)))), paths);
});

test('S8: the state of a file is what happened to it last', () => {
  const write = (result: string): ReturnType<typeof ran> =>
    ran({ name: 'Write', input: { file_path: '/r/s/a.ts' }, result, isError: false });
  const read = ran({ name: 'Read', input: { file_path: '/r/s/a.ts' }, result: 'x', isError: false });
  const edit = ran({ name: 'Edit', input: { file_path: '/r/s/a.ts' }, result: 'updated', isError: false });
  const failed = ran({
    name: 'Edit',
    input: { file_path: '/r/s/a.ts' },
    result: 'String to replace not found',
    isError: true,
  });
  const state = (...messages: readonly (readonly Message[])[]): string | undefined =>
    factsOf(...messages).files[0]?.state;
  assert.equal(state(write('File created successfully')), 'created');
  assert.equal(state(write('The file /r/s/a.ts has been updated.')), 'changed');
  assert.equal(state(read, write('ok')), 'changed');
  assert.equal(state(write('ok'), edit, read), 'changed');
  assert.equal(state(read, failed), 'read');
  assert.equal(state(edit, shell('rm /r/s/a.ts')), 'deleted');
  assert.equal(state(edit, shell('rm /r/s/a.ts'), write('ok')), 'created');
});

test('S8: what a failed call wrote before it failed is written, what it did not get to is not', () => {
  const command = "cat > test/a.test.ts <<'X'\nx\nX\nnode --test && rm src/old.ts";
  assert.deepEqual(fileStates(factsOf(shell(command, 1, 'Error: x'))), { 'test/a.test.ts': 'created' });
  assert.deepEqual(fileStates(factsOf(shell('rm src/old.ts', 1, 'rm: cannot remove'))), {});
  const refused = "The user doesn't want to proceed with this tool use.";
  assert.deepEqual(fileStates(factsOf(ran({ name: 'Bash', input: { command }, result: refused, isError: true }))), {});
});

test('S8: removing a folder removes what is in it, until it is written again', () => {
  const write = (path: string): ReturnType<typeof ran> =>
    ran({ name: 'Write', input: { file_path: path }, result: 'ok', isError: false });
  const facts = factsOf(
    write('/r/out/a/x.ts'),
    write('/r/src/y.ts'),
    shell('cd /r && rm -rf out'),
    write('/r/out/a/z.ts'),
  );
  assert.deepEqual(fileStates(facts), {
    '/r/out/a/x.ts': 'deleted',
    '/r/src/y.ts': 'created',
    '/r/out': 'deleted',
    '/r/out/a/z.ts': 'created',
  });
});

test('S8: an error is fixed when the same thing works, by what was changed in between', () => {
  const edit = (path: string): ReturnType<typeof ran> =>
    ran({ name: 'Edit', input: { file_path: path }, result: 'updated', isError: false });
  const { errors } = factsOf(
    edit('/r/s/before.ts'),
    shell('npm test', 1, 'Error: one'),
    shell('npm run lint', 1, 'Error: style'),
    edit('/r/s/a.ts'),
    shell('npm test 2>&1 | tail -5', 1, 'Error: two'),
    edit('/r/s/b.ts'),
    shell('cd /r && npm test'),
  );
  assert.deepEqual(
    errors.map(({ line, fixed }) => [line, fixed?.ref, fixed?.by]),
    [
      ['Error: one', 'm13', ['/r/s/a.ts', '/r/s/b.ts']],
      ['Error: style', undefined, undefined],
      ['Error: two', 'm13', ['/r/s/a.ts', '/r/s/b.ts']],
    ],
  );
});

test('S8: without exit codes, a command that complained is fixed when it runs without a complaint', () => {
  const say = (result: string): ReturnType<typeof ran> => ran({ name: 'exec', input: { command: 'x' }, result });
  const run = (result: string): ReturnType<typeof ran> => ran({ name: 'bash', input: { command: 'npm test' }, result });
  assert.equal(factsOf(run('TypeError: x is not a function'), run('all is well')).errors[0]?.fixed?.ref, 'm3');
  assert.equal(factsOf(run('TypeError: x is not a function'), run('TypeError: y')).errors[0]?.fixed, undefined);
  assert.equal(factsOf(shell('npm test', 1, 'Error: x'), run('all is well')).errors[0]?.fixed, undefined);
  assert.equal(factsOf(say('Error: x'), say('fine')).errors.length, 1);
});

test('S8: side effects of commands and of services are kept with their outcome', () => {
  const facts = factsOf(
    shell('git push', 1, 'error: rejected'),
    shell('git add a && git commit -m "x y" && git push'),
    ran({ name: 'book_crossing', input: { user_id: 'u_1' }, result: 'Error: no berths' }),
    ran({
      name: 'mcp__mail__send_email',
      input: { to: 'a@example.org', subject: 'Hello' },
      result: '{"success": true}',
    }),
    ran({ name: 'mcp__hub__create_issue', input: { title: 'A bug', repo: 'r' } }),
    ran({ name: 'http_request', input: { method: 'POST', url: 'https://example.org/x' }, result: 'ok' }),
    shell('git log && git tag -l'),
  );
  assert.deepEqual(
    facts.sideEffects.map(({ target, ok }) => [target, ok]),
    [
      ['git push', false],
      ['git commit -m "x y" && git push', true],
      ['u_1', false],
      ['Hello', true],
      ['A bug', undefined],
      ['https://example.org/x', true],
    ],
  );
});

test('S8: an effect is done where the service says again what it was given, and nothing of a failure', () => {
  const outcome = (result: string): boolean | undefined =>
    factsOf(ran({ name: 'update_form', input: { form: 'vw2026', closes: '2026-08-21' }, result })).sideEffects[0]?.ok;
  assert.equal(outcome('form is open until 2026-08-21'), true);
  for (const result of ['form', 'vw2026: pending approval', 'Which vw2026 do you mean?'])
    assert.equal(outcome(result), undefined, result);
});

test('S8: tools that look, think or act in the own house have no side effect', () => {
  for (const name of [
    'get_guest_details',
    'search_night_ferry',
    'list_issues',
    'issue_read',
    'think',
    'calculate',
    'mcp__fs__create_directory',
    'TaskUpdate',
    'update_plan',
    'get_book_details',
    'mcp__x__read_comments',
    'create',
  ]) {
    assert.deepEqual(factsOf(ran({ name, input: { id: 'x' }, result: 'done' })).sideEffects, [], name);
  }
  for (const name of [
    'cancel_crossing',
    'sendEmail',
    'slack_post_message',
    'issue_refund',
    'transfer_to_front_desk',
    'create_pull_request',
    'DeployService',
    'submit',
    'pay_invoice',
  ]) {
    assert.equal(factsOf(ran({ name, input: { id: 'x' }, result: 'done' })).sideEffects.length, 1, name);
  }
});

test('S8: facts of any conversation name messages of it, and asks are the messages of people', () => {
  fc.assert(
    fc.property(conversations({ faults: true, maxSteps: 25 }), (messages) => {
      const facts = factsOf(messages);
      const all = [
        ...facts.asks,
        ...facts.actions,
        ...facts.files,
        ...facts.errors,
        ...facts.decisions,
        ...facts.sideEffects,
      ];
      for (const { ref } of all) assert.ok(Number(ref.slice(1)) >= 1 && Number(ref.slice(1)) <= messages.length);
      const calls = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'toolCall'));
      assert.equal(facts.actions.length, calls.length);
      for (const { ref, text } of facts.asks) {
        const message = messages[Number(ref.slice(1)) - 1];
        const said = message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
        assert.ok(said?.includes(text.split('\n')[0] ?? ''));
      }
      assert.equal(new Set(facts.files.map(({ path }) => path)).size, facts.files.length, 'one fact a file');
    }),
    { numRuns: 60 },
  );
});

test('invariant 9: facts do not depend on when they are asked for', () => {
  fc.assert(
    fc.property(conversations({ faults: true, maxSteps: 15 }), (messages) => {
      const tracker = new Tracker();
      messages.forEach((message, at) => {
        tracker.add(message, `m${at + 1}`);
        tracker.facts();
      });
      assert.deepEqual(tracker.facts(), factsOf(messages));
    }),
    { numRuns: 40 },
  );
});

test('invariant 10: a message is read when it is added and never again', () => {
  const reads: number[] = [];
  const watched = (message: Message, at: number): Message =>
    new Proxy(message, {
      get: (target, key, receiver) => {
        reads[at] = (reads[at] ?? 0) + 1;
        return Reflect.get(target, key, receiver);
      },
    });
  const messages = Array.from({ length: 60 }, (_, i) => [
    person(`Request ${i}: never change file ${i}`),
    ...shell(`rm -rf out/${i} && npm test part_${i % 3}`, i % 2, 'Error: x'),
    ...ran({ name: 'Edit', input: { file_path: `/r/src/part_${i % 7}.ts` }, result: 'updated', isError: false }),
    agent(`We decided to keep part ${i}.`),
  ]).flat();
  const tracker = new Tracker();
  for (const [at, message] of messages.entries()) {
    const before = [...reads];
    tracker.add(watched(message, at), `m${at + 1}`);
    assert.deepEqual(reads.slice(0, at), before.slice(0, at));
    assert.ok((reads[at] ?? 0) <= 40);
  }
  const known = [...reads];
  tracker.facts();
  assert.deepEqual(reads, known);
});
