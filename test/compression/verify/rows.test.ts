/** Rows of handoffs of ours are held against the record by their form: the index, requests that were shortened, outcomes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('S9: a file holds by what the assistant said before it was changed, and by the messages of its row', () => {
  const said = 'I move the pages out of the reader first.';
  const edits: readonly Message[] = [
    person('Tidy up the archive.'),
    agent(said),
    ...ran({ name: 'Edit', input: { file_path: 'src/reader.ts', old_string: 'a', new_string: 'b' }, result: 'done' }),
    ...ran({ name: 'Edit', input: { file_path: 'src/pages.ts', old_string: 'a', new_string: 'b' }, result: 'done' }),
    ...ran({ name: 'Read', input: { file_path: 'src/archive.ts' }, result: 'export function readArchive() {}' }),
    ...ran({ name: 'Bash', input: { command: 'ls src' }, result: 'archive.ts pages.ts reader.ts' }),
  ];
  const wrongIn = (row: string): number =>
    verifySummary(`## Relevant Files\n${row}`, edits, { add: false }).wrong.length;
  assert.equal(wrongIn(`m3 changed src/reader.ts: ${said}`), 0);
  assert.ok(wrongIn(`m3 changed src/reader.ts: ${said.replace('pages', 'images')}`) > 0);
  assert.ok(wrongIn(`m3 changed src/writer.ts: ${said}`) > 0);
  assert.equal(wrongIn('m3-m5 also changed: src/reader.ts, src/pages.ts'), 0);
  assert.equal(wrongIn('m7 read, not changed: src/archive.ts'), 0);
  assert.ok(wrongIn('m3-m5 also changed: src/reader.ts, src/writer.ts') > 0);
});

const guarded = [
  'Please set up the nightly job on the new server.',
  'The old one is slow and its disk is nearly full. '.repeat(8).trim(),
  'Under no circumstances delete user data.',
  'Write a short report when the job has run once.',
].join(' ');
const guardedSession = [person('Hello, we have work.'), agent('I listen.'), person(guarded), agent('I will.')];
const shortenedTo = (text: string): number =>
  verifySummary(`## Completed Actions\n### m3 user: ${text}`, guardedSession, { add: false }).wrong.length;

test('S9: a request that is shortened to whole sentences holds, and none that is cut out of what it denies', () => {
  const [first, last] = [
    'Please set up the nightly job on the new server.',
    'Write a short report when the job has run',
  ];
  assert.equal(shortenedTo(`${first} … ${last} once.`), 0);
  assert.equal(shortenedTo(`${first} … Under no circumstances delete user data. … ${last} once.`), 0);
  assert.ok(shortenedTo(`${first} … delete user data. … ${last} once.`) > 0);
  assert.ok(shortenedTo(`${first} … delete user data. ${last} once.`) > 0);
});

test('S9: single letters and parts of words in their order are no shortened request', () => {
  assert.ok(shortenedTo('P … l … e … a … s … e … d … e … l … e … t … e') > 0);
  assert.ok(shortenedTo('Please … set … the … disk … data … report') > 0);
});
