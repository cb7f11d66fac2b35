import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openMemoryFiles } from '../../../packages/core/src/memory/files/memory-files.ts';
import { createMemoryTool, type MemoryToolOptions } from '../../../packages/core/src/memory/files/memory-tool.ts';
import { newFolder } from '../../support/store-files.ts';

async function bench(t: TestContext, limit = 2_200) {
  const folder = join(await newFolder(t), 'memories');
  const check = (text: string) => (text.includes('evil') ? { reason: 'it is evil' } : undefined);
  const files = openMemoryFiles({ folder, check, limits: { memory: limit } });
  const tool = createMemoryTool({ files });
  const call = async (args: unknown): Promise<Record<string, unknown>> => JSON.parse(await tool.run(args));
  const held = async (target: 'memory' | 'user' = 'memory'): Promise<readonly string[]> =>
    (await files.read(target)).entries.map(({ text }) => text);
  return { folder, files, tool, call, held };
}

test('M1 a saved entry is told with its usage, and without the others', async (t) => {
  const { call, held } = await bench(t);
  assert.deepEqual(await call({ action: 'add', target: 'user', content: 'Lives in Turin.' }), {
    success: true,
    target: 'user',
    usage: '1% — 15/1,375 chars',
    entry_count: 1,
    note: 'Saved. It stands in the system prompt from the next conversation on.',
  });
  assert.deepEqual(await held('user'), ['Lives in Turin.']);
});

test('M1 replace tells the entry that it replaced, and takes new_text for content', async (t) => {
  const { call, held } = await bench(t);
  await call({ action: 'add', content: 'tea at four, with milk' });
  const answer = await call({ action: 'replace', old_text: 'four', new_text: 'tea at five' });
  assert.deepEqual([answer.success, answer.replaced_entry], [true, 'tea at four, with milk']);
  assert.deepEqual(await held(), ['tea at five']);
});

test('M1 arguments come as an object or as its JSON, the operations too', async (t) => {
  const { call, held } = await bench(t);
  await call('{"action":"add","content":"one"}');
  const operations = [
    { action: 'add', content: 'two' },
    { action: 'remove', old_text: 'one' },
  ];
  await call({ operations: JSON.stringify(operations) });
  assert.deepEqual(await held(), ['two']);
});

test('M1 an entry that was there already is success', async (t) => {
  const { call } = await bench(t);
  await call({ action: 'add', content: 'one' });
  const answer = await call({ action: 'add', content: 'one' });
  assert.deepEqual([answer.success, answer.note], [true, 'It was there already: nothing to change.']);
});

test('M1 a full memory shows whole entries, so that the model can make room', async (t) => {
  const { call } = await bench(t, 100);
  await call({ action: 'add', content: 'x'.repeat(90) });
  const answer = await call({ action: 'add', content: 'one more entry' });
  assert.equal(answer.success, false);
  assert.equal(answer.usage, '90% — 90/100 chars');
  assert.deepEqual(answer.current_entries, ['x'.repeat(90)]);
  assert.match(String(answer.error), /has 90 of 100 characters, and this would make 107/);
});

test('M1 what is not found or ambiguous is shown by its first 80 characters', async (t) => {
  const { call, tool } = await bench(t);
  const [first, second] = [`a ${'x'.repeat(100)}`, `b ${'x'.repeat(100)}`];
  await call({ operations: [first, second].map((content) => ({ action: 'add', content })) });
  const previews = [first, second].map((entry) => `${entry.slice(0, 80)}…`);
  assert.deepEqual((await call({ action: 'remove', old_text: 'xx' })).matches, previews);
  tool.startTurn();
  assert.deepEqual((await call({ action: 'remove', old_text: 'yy' })).current_entries, previews);
});

test('M1 a batch that fails changes nothing, names its operation and shows no entries', async (t) => {
  const { call, held } = await bench(t);
  await call({ action: 'add', content: 'one' });
  const answer = await call({
    operations: [
      { action: 'remove', old_text: 'one' },
      { action: 'remove', old_text: 'none' },
    ],
  });
  assert.match(String(answer.error), /^Operation 2: .* None of the operations was done\.$/);
  assert.equal(answer.current_entries, undefined);
  assert.deepEqual(await held(), ['one']);
});

test('M2 an entry that may not be shown stays hidden in errors', async (t) => {
  const { call, folder } = await bench(t);
  mkdirSync(folder);
  writeFileSync(join(folder, 'MEMORY.md'), 'an evil plan\n§\ntea');
  const { current_entries: entries } = await call({ action: 'remove', old_text: 'none' });
  assert.match(JSON.stringify(entries), /^\["\[BLOCKED: [^"]*it is evil[^"]*","tea"\]$/);
});

test('M2 a text that the check refuses is not saved, and the reason is told', async (t) => {
  const { call, held } = await bench(t);
  const answer = await call({ action: 'add', content: 'an evil plan' });
  assert.equal(answer.error, 'This may not be remembered: it is evil.');
  assert.deepEqual(await held(), []);
});

test('M1 the third failure of a turn ends it, whatever comes then, until the next turn', async (t) => {
  const { call, tool, held } = await bench(t);
  const failing = { action: 'remove', old_text: 'none' };
  assert.equal((await call(failing)).done, undefined);
  assert.equal((await call(failing)).done, undefined);
  assert.equal((await call(failing)).done, true);
  assert.equal((await call({ action: 'add', content: 'one' })).done, true);
  assert.deepEqual(await held(), []);
  tool.startTurn();
  assert.equal((await call({ action: 'add', content: 'one' })).success, true);
});

test('M1 a success starts the count of failures again', async (t) => {
  const { call } = await bench(t);
  const failing = { action: 'remove', old_text: 'none' };
  for (let round = 0; round < 3; round++) {
    assert.equal((await call(failing)).done, undefined);
    assert.equal((await call(failing)).done, undefined);
    assert.equal((await call({ action: 'add', content: `note ${round}` })).success, true);
  }
});

test('M1 wrong arguments are answered with what is expected', async (t) => {
  const { call, tool, held } = await bench(t);
  const cases: readonly (readonly [unknown, RegExp])[] = [
    ['no JSON', /Expected an object/],
    [undefined, /Expected an object/],
    [{ action: 'append', content: 'x' }, /action must be one of: add, replace, remove/],
    [{ action: 'add' }, /add needs content/],
    [{ action: 'replace', old_text: 'x', content: '' }, /use remove/],
    [{ action: 'remove' }, /needs old_text/],
    [{ action: 'add', content: 'x', target: 'all' }, /target must be one of: memory, user/],
    [{ operations: 1 }, /operations must be a list/],
    [{ operations: [{ action: 'add', content: 'x' }, 1] }, /^Operation 2: expected an object/],
    [{ operations: [] }, /action must be one of/],
  ];
  for (const [args, expected] of cases) {
    tool.startTurn();
    const answer = await call(args);
    assert.equal(answer.success, false);
    assert.match(String(answer.error), expected);
  }
  assert.deepEqual(await held(), []);
});

test('M2 a file that cannot be read is told by its code, not as an empty memory', async (t) => {
  const { call, folder } = await bench(t);
  mkdirSync(join(folder, 'MEMORY.md'), { recursive: true });
  const answer = await call({ action: 'add', content: 'one' });
  assert.equal(answer.error, 'The memory cannot be written now (FILE_UNREADABLE). Nothing was saved.');
});

test('M1 the tool needs the files', () => {
  // A program without a compiler hands over anything.
  assert.throws(() => createMemoryTool({} as MemoryToolOptions), { code: 'BAD_OPTION' });
});
