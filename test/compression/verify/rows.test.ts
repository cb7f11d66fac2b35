/** Rows of handoffs of ours are held against the record by their form: the index, requests that were shortened, outcomes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFileRow } from '../../../packages/core/src/compression/verify/file-rows.ts';
import { verifySummary } from '../../../packages/core/src/compression/verify/verify.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { agent, person, ran } from '../ledger/session.ts';

const long = `Please move the reader of the archive into a module of its own. ${'It grew over the years and nobody dares to touch it. '.repeat(12)}Keep the old entry point until the autumn release is out.`;
const messages: readonly Message[] = [
  person(long),
  ...ran({ name: 'Read', input: { file_path: 'src/archive.ts' }, result: 'export function readArchive(pagePath) {}' }),
  ...ran({ name: 'Edit', input: { file_path: 'src/reader.ts', old_string: 'a', new_string: 'b' }, result: 'done' }),
  agent(
    'The reader stands in `src/reader.ts` now. I looked at the tests first.\n\n1. **Old entry point** kept until autumn.\n2. Pages are read lazily.',
  ),
  person('And the writer?'),
];
const found = (row: string): readonly string[] =>
  verifySummary(row, messages, { add: false }).wrong.map(({ text }) => text);

test('S9: names of the index are looked for in the messages of their row', () => {
  assert.deepEqual(found('## Index of Names\n + m2-m3 archive.ts: readArchive pagePath'), []);
  assert.deepEqual(found('## Index of Names\n + m4-m6: readArchive'), ['readArchive']);
  assert.deepEqual(found('## Index of Names\n + m2-m3: writeArchive'), ['writeArchive']);
});

test('S9: a long request holds as the ledger shortens it, and not with another beginning, end or length', () => {
  const { length } = long;
  const row = (text: string, characters = length): string =>
    `## Goal\nm1 user: ${text} (${characters} characters in all)`;
  const start = long.slice(0, 72).trimEnd();
  const end = long.slice(-45).trimStart();
  assert.deepEqual(found(row(`${start} … ${end}`)), []);
  assert.notDeepEqual(found(row(`${start} … ${end.replace('autumn', 'spring')}`)), []);
  assert.notDeepEqual(found(row(`${start.replace('module', 'package')} … ${end}`)), []);
  assert.notDeepEqual(found(row(`Please move the reader … out and touch nobody of the ${end}`)), []);
});

test('S9: sentences of one message hold in their order, and no others between them', () => {
  const row = (text: string): string => `## Completed Actions\n → m6 assistant: ${text}`;
  const wrongIn = (text: string): readonly string[] => found(row(text));
  assert.deepEqual(wrongIn('The reader stands in `src/reader.ts` now.\n 1. Old entry point kept until autumn.'), []);
  assert.deepEqual(wrongIn('I looked at the tests first.\n 2. Pages are read lazily.'), []);
  assert.notDeepEqual(wrongIn('The reader stands in `src/writer.ts` now. I looked at the tests first.'), []);
});

test('S9: what a turn changed is looked up again', () => {
  assert.deepEqual(found('## Completed Actions\n m2-m4 changed reader.ts'), []);
  const { wrong } = verifySummary('## Completed Actions\n m2-m4 changed archive.ts', messages, { add: false });
  assert.deepEqual(
    wrong.map(({ correction }) => correction),
    ['m2-m4 changed reader.ts'],
  );
});

test('S9: a row of files holds as the facts have it, with what the assistant said beside the call', () => {
  const files = [
    { path: '/repo/web/api/auth.ts', state: 'changed', ref: 'm5', touches: 1 },
    { path: '/repo/src/main.ts', state: 'created', ref: 'm9', touches: 2 },
    { path: '/repo/src/old.ts', state: 'read', ref: 'm7', touches: 1 },
  ] as const;
  const said = new Map([[3, ['Now the frontend.', 'Do not add `email` to the log.', 'Add `email` to the session:']]]);
  const holds = (row: string): boolean => isFileRow(row, { files }, (message) => said.get(message) ?? []);
  assert.ok(holds('m5 changed api/auth.ts: Add `email` to the session'));
  assert.ok(holds('m5-m9 also changed: api/auth.ts, src/main.ts'));
  assert.ok(holds('m7 read, not changed: src/old.ts'));
  for (const row of [
    'm5 created api/auth.ts: Add `email` to the session',
    'm9 changed api/auth.ts: Add `email` to the session',
    'm5 changed api/auth.ts: add `email` to the log.',
    'm5 changed api/auth.ts: Add `phone` to the session',
    'm5-m8 also changed: api/auth.ts, src/main.ts',
    'm5-m9 also changed: api/auth.ts, src/old.ts',
    'm5-m9 read, not changed: src/old.ts, src/main.ts',
  ])
    assert.ok(!holds(row), row);
});
