import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkingIn } from '../../../packages/core/src/compression/ledger/checks.ts';
import type { OutlineLine } from '../../../packages/core/src/compression/ledger/names.ts';
import { newNames } from '../../../packages/core/src/compression/ledger/new-names.ts';
import { openMatters } from '../../../packages/core/src/compression/ledger/open-matters.ts';
import { outlineOf } from '../../../packages/core/src/compression/ledger/outline.ts';
import type { SectionContent } from '../../../packages/core/src/compression/ledger/templates.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, factsOf, person, ran, shell } from './session.ts';

type Said = readonly (Message | readonly Message[])[];

const outline = (...messages: Said): readonly OutlineLine[] =>
  outlineOf({ facts: factsOf(...messages), covers: () => true, budget: 4_000, count: (text) => text.length / 4 });

/** Rows of some contents. */
const rows = (messages: Said, ...contents: SectionContent[]): readonly string[] =>
  outline(...messages)
    .filter(({ content }) => contents.includes(content))
    .map(({ text }) => text);

const edit = (path: string, before: string, after: string): readonly Message[] =>
  ran({
    name: 'Edit',
    input: { file_path: path, old_string: before, new_string: after },
    result: 'updated',
    isError: false,
  });
const write = (path: string): readonly Message[] =>
  ran({ name: 'Write', input: { file_path: path, content: 'text' }, result: 'created', isError: false });
/** What an agent says beside a call, and the call. */
const saying = (text: string, [call, ...results]: readonly Message[]): readonly Message[] =>
  call ? [{ ...call, parts: [{ type: 'text', text }, ...call.parts] }, ...results] : [];

describe('S2: files', () => {
  test('tell their last change with its ref, not a later read', () => {
    const { files } = factsOf(
      person('Fix it.'),
      edit('src/cli/a.ts', 'a', 'b'),
      ran({ name: 'Read', input: { file_path: 'src/cli/a.ts' }, result: 'b' }),
    );
    assert.deepEqual(
      files.map(({ state, ref }) => [state, ref]),
      [['changed', 'm2']],
    );
  });

  test('that were only read tell the last read', () => {
    const read = ran({ name: 'Read', input: { file_path: 'src/a.ts' }, result: 'b' });
    assert.equal(factsOf(person('Look.'), read, read).files[0]?.ref, 'm4');
  });
});

describe('S10: checks', () => {
  for (const [command, kinds] of [
    ['cd web && npm test -- --coverage 2>&1 | tail -20', ['tests']],
    ['pnpm --filter web run lint', ['lint']],
    ['go build ./... && go test -race ./...', ['build', 'tests']],
    ['npx tsc --noEmit', ['types']],
    ['npm run check', ['check']],
    ['cargo clippy --all', ['lint']],
    ['python -m pytest tests/unit', ['tests']],
    ['mise run tidy && mise run lint && mise run test:unit', ['lint', 'tests']],
    ['./gradlew assemble', ['build']],
    ['node --test test/a.test.ts', ['tests']],
  ] as const)
    test(`are known by their programs: ${command}`, () => assert.deepEqual(checkingIn(command)?.kinds, kinds));

  for (const command of [
    'npm install',
    'git commit -m "run npm test"',
    'echo npm test',
    'ls test',
    'npm ci',
    'cat lint.sh',
  ])
    test(`are no other commands: ${command}`, () => assert.equal(checkingIn(command), undefined));

  test('tell the newest run of each kind; a newer one takes the place of an older', () => {
    const messages = [
      person('Fix the parser.'),
      shell('npm test', 1, 'FAIL src/a.test.ts\n2 failing'),
      shell('npm run lint'),
      edit('src/a.ts', 'a', 'b'),
      shell('npm test'),
      agent('Done.'),
    ];
    assert.deepEqual(rows(messages, 'checks'), [
      'm4 Bash npm run lint: passed, files changed since',
      'm8 Bash npm test: passed',
    ]);
    assert.deepEqual(rows(messages, 'progress', 'blocked'), []);
  });

  for (const [failed, output, passed, isSettled] of [
    ['npm test', 'FAIL src/a.test.ts\nFAIL src/b.test.ts', 'npm test -- src/a.test.ts', false],
    ['npm test', 'FAIL src/a.test.ts\n2 failing', 'npm test -- src/a.test.ts', true],
    ['npm test', 'FAIL src/a.test.ts\n2 failing', 'npx vitest run', true],
    ['npm test', 'FAIL src/a.test.ts\n2 failing', 'npx vitest run -t "empty rows"', false],
    [
      'pytest',
      'FAILED tests/test_a.py::test_rows - x\nFAILED tests/test_b.py::test_cols',
      'pytest -k test_rows',
      false,
    ],
    ['pytest', 'FAILED tests/test_a.py::test_rows - x', 'pytest -k test_rows', true],
    ['pytest', 'FAILED tests/test_a.py::test_rows - x', 'pytest tests/test_a.py::test_rows', true],
    ['pytest', 'FAILED tests/api/test_a.py::test_rows - x', 'pytest tests/unit', false],
    ['pytest', '3 failed', 'pytest --lf', true],
    ['go test ./...', '--- FAIL: TestRows (0.0s)\n--- FAIL: TestCols (0.0s)', 'go test ./... -run TestRows', false],
    ['go test ./...', '--- FAIL: TestRows (0.0s)', 'go test ./internal/rows -run TestRows', true],
    ['cargo test', 'test rows ... FAILED\ntest cols ... FAILED', 'cargo test rows', false],
    ['cargo test', 'test keeps_rows ... FAILED', 'cargo test keeps_rows', true],
    ['npm run lint', 'src/a.ts:3:1 error no-var', 'npx eslint src/b.ts', false],
    ['npm run lint', 'src/a.ts:3:1 error no-var', 'npx eslint src/', true],
  ] as const)
    test(`that failed are ${isSettled ? '' : 'not '}settled by what passed: ${failed}, ${passed} (${output.length})`, () => {
      const messages = [person('Fix it.'), shell(failed, 1, output), edit('src/a.ts', 'a', 'b'), shell(passed)];
      const failing = rows(messages, 'progress', 'checks').filter((row) => / failed/.test(row));
      assert.equal(failing.length, isSettled ? 0 : 1, failing.join('\n'));
      assert.match(rows(messages, 'checks').join('\n'), /^m6 Bash .*: passed$/m);
    });

  test('that fail are under way, with the files that they name', () => {
    const output =
      'src/cli/a.ts(7,12): error TS2741: Property is missing\nsrc/cli/b.ts(3,1): error TS2552: Cannot find name';
    const messages = [person('Fix the types.'), shell('npx tsc --noEmit', 2, output)];
    assert.deepEqual(rows(messages, 'progress'), [
      'm2 Bash tsc --noEmit failed in cli/a.ts, cli/b.ts:\n < src/cli/a.ts(7,12): error TS2741: Property is missing',
    ]);
  });

  test('that failed two turns ago are state, no longer under way', () => {
    const messages = [person('Test it.'), shell('npm test', 1, '1 failing'), agent('It fails.')];
    const later = [person('And the docs?'), agent('They are old.')];
    assert.equal(rows(messages, 'progress').length, 1);
    assert.equal(rows([...messages, ...later], 'progress').length, 0);
    assert.match(rows([...messages, ...later], 'checks')[0] ?? '', /^m2 Bash npm test failed/);
  });
});

describe('S10: under way', () => {
  test('tells the last words, and changed files that no check has seen with the names they brought in', () => {
    const messages = [
      person('Add a gate.'),
      shell('go test ./...'),
      saying(
        'Now the constant for the gate:',
        edit('cmd/cli/gate.go', 'const a = 1', 'const a = 1\nconst gateLabel = "x"'),
      ),
    ];
    assert.deepEqual(rows(messages, 'progress'), [
      'm4 assistant: Now the constant for the gate:',
      'm4 changed cli/gate.go, no check since: gateLabel',
    ]);
  });

  test('ends with the words that end the turn, or with a check that passes', () => {
    const begun = [person('Add a gate.'), edit('src/gate.ts', 'a', 'b')];
    assert.deepEqual(rows([...begun, shell('npm test')], 'progress'), []);
    assert.deepEqual(rows([...begun, agent('Added.')], 'progress'), []);
  });

  test('is what the last words announce when no call followed', () => {
    const messages = [person('Add a gate.'), edit('src/gate.ts', 'a', 'b'), agent('Now let me run the tests.')];
    assert.deepEqual(rows(messages, 'progress'), ['m2 changed src/gate.ts', 'm4 assistant: Now let me run the tests.']);
  });

  test('is nothing in a conversation without calls, whatever is announced or spoken of', () => {
    const said = '```\ngit push && npm test\n```\nIt passed with 3 failures. Now let me run the tests.';
    const messages = [person('How would you release it?'), agent(said)];
    assert.deepEqual(rows(messages, 'progress', 'state', 'checks', 'blocked', 'files'), []);
  });

  test('tells what is not committed where the agent commits its work', () => {
    const messages = [person('Go on.'), shell('git commit -m "one"'), write('docs/plan.md')];
    assert.deepEqual(rows(messages, 'progress'), ['m4 created docs/plan.md, not committed']);
  });
});

describe('S8: waiting for the user', () => {
  for (const [language, question] of [
    ['en', 'The tide is not kept anywhere. Do you want a table for it?'],
    ['zh', '潮位没有保存。您想要一个单独的表吗？'],
    ['ja', '潮位は保存されていません。表を追加しますか？'],
    ['ko', '수위가 저장되지 않습니다. 표를 추가할까요?'],
    ['de', 'Die Adresse fehlt. Bitte bestätige, dass ich sie speichern soll.'],
    ['fr', 'L’adresse manque. Dis-moi quel fichier changer.'],
    ['es', 'Falta la dirección. ¿Añado una tabla?'],
  ] as const)
    test(`is what the turn ended with: ${language}`, () => {
      const [row = ''] = rows([person('The page has no tide.'), agent(question)], 'waiting');
      assert.match(row, /^m2 waits for the user's answer:\n - /);
    });

  test('goes with the points to choose from', () => {
    const messages = [person('Add a cache.'), agent('Which one do you prefer?\n1. Redis\n2. In memory')];
    assert.deepEqual(rows(messages, 'waiting'), [
      "m2 waits for the user's answer:\n - Which one do you prefer?\n - 1. Redis\n - 2. In memory",
    ]);
  });

  test('ends with an answer, and is no courtesy', () => {
    const asked = [person('Add a cache.'), agent('Which one do you prefer?')];
    assert.deepEqual(rows([...asked, person('Redis')], 'waiting'), []);
    for (const words of [
      'Done. Let me know if you need anything else!',
      'Fertig. Sonst noch Fragen? Melde dich, falls du etwas brauchst.',
    ])
      assert.deepEqual(rows([person('Add a cache.'), write('src/cache.ts'), agent(words)], 'waiting'), [], words);
  });
});

describe('S8: open requests', () => {
  const open = (...messages: Said): readonly string[] => [...openMatters(factsOf(...messages)).asks];
  const begin = [person('Hello.'), agent('Hello.')];

  test('a request that the agent only looked into stays open while it asks back', () => {
    const messages = [
      ...begin,
      person('The tide is missing from the header.'),
      ran({ name: 'Grep', input: { pattern: 'tide' }, result: 'Header.tsx:9' }),
      agent('The tide is a constant there. Shall I change that?'),
    ];
    const asked = person('can the station not tell the tide as well?');
    assert.deepEqual(open(...messages, asked), ['m3']);
    assert.deepEqual(open(...messages, asked, agent('It can. Do you want me to ask it?')), ['m3']);
    assert.deepEqual(open(...messages, person('yes')), ['m3']);
    assert.deepEqual(open(...messages, person('Now write the changelog for version two')), []);
  });

  for (const word of ['go on', '继续', '続けて', '계속해 줘', 'weiter', 'continue', 'sigue'])
    test(`"${word}" leaves the request before it open`, () => {
      const messages = [...begin, person('Migrate all guides.'), write('a.md'), agent('The first is done.')];
      assert.deepEqual(open(...messages, person(word)), ['m3']);
    });

  test('a request that was finished is settled, however short the next one is', () => {
    const messages = [...begin, person('Migrate all guides.'), write('a.md'), agent('All are done.')];
    assert.deepEqual(open(...messages, person('Commit all of it')), []);
    assert.deepEqual(open(...messages, person('yes'), agent('Fine.')), []);
  });

  test('a request that nobody answered is open until a turn ends', () => {
    const messages = [...begin, person('Fix the parser.'), write('a.ts'), person('Also update the changelog.')];
    assert.deepEqual(open(...messages), ['m3']);
    assert.deepEqual(open(...messages, agent('Both are done.')), []);
  });

  test('a request leaves when it is put otherwise, taken back, interrupted or committed', () => {
    const ask = [...begin, person('Move the parser tests to the new folder.')];
    assert.deepEqual(open(...ask, person('Move the parser tests to the folder of the parser.')), []);
    assert.deepEqual(open(...ask, person('never mind'), person('Show the log.')), []);
    const stop: Message = {
      role: 'user',
      origin: 'host',
      parts: [{ type: 'text', text: '[Request interrupted by user]' }],
    };
    assert.deepEqual(open(...ask, write('a.ts'), stop, person('What is in the log?')), []);
    assert.deepEqual(open(...ask, write('a.ts'), shell('git commit -m "move"'), person('What is in the log?')), []);
  });
});

describe('S8: failures', () => {
  const failures = (...messages: Said): readonly string[] => rows(messages, 'blocked');
  const failed = [person('Deploy it.'), shell('docker ps', 127, 'docker: command not found')];

  test('block until work has gone past them', () => {
    assert.deepEqual(failures(...failed), ['m2 Bash docker ps failed:\n < docker: command not found']);
    assert.deepEqual(failures(...failed, shell('docker ps')), []);
    assert.deepEqual(failures(...failed, shell('podman ps'), shell('podman run web')), []);
  });

  test('still block while the agent asks the user about them', () => {
    assert.equal(failures(...failed, agent('Docker is not here. Can you start it?')).length, 1);
    assert.deepEqual(failures(...failed, agent('Docker is not here, so it was left out.')), []);
  });

  test('of looking at things block nothing once anything worked', () => {
    const missing = ran({ name: 'Read', input: { file_path: 'x.md' }, result: 'File does not exist.', isError: true });
    assert.deepEqual(failures(person('Look.'), missing, shell('node build.ts')), []);
  });
});

test('S10: the names that an edit brings in are those it declares, then some that it uses', () => {
  const input = {
    old_string: 'type A struct {\n}',
    new_string: 'type A struct {\n\tAnchorDepth string\n}\nvar x = findMooring()',
  };
  assert.deepEqual(newNames(input, ''), ['AnchorDepth', 'findMooring']);
  assert.deepEqual(newNames({}, '*** Update File: a.ts\n-const a = 1\n+const lockFile = 1'), ['lockFile']);
  assert.deepEqual(newNames({ content: 'const wholeFile = 1' }, ''), []);
});
