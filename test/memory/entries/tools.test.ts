/** What a model is told by the tools over a memory: exactly what was written. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MemoryVerdict } from '../../../packages/core/src/memory/entries/files-over.ts';
import {
  createRememberTool,
  type RememberToolOptions,
} from '../../../packages/core/src/memory/entries/remember-tool.ts';
import { createMemoryTool } from '../../../packages/core/src/memory/files/memory-tool.ts';
import { add, type MemoryBench, monday, openBench, project, projectFile, told } from './bench.ts';

/** The answer of the tool, read. */
const asker =
  ({ memory }: MemoryBench, options: Partial<RememberToolOptions> = {}) =>
  async (args: unknown): Promise<unknown> =>
    JSON.parse(await createRememberTool({ memory, clock: () => monday, ...options }).run(args));

const byText = (text: string): MemoryVerdict =>
  text.includes('page')
    ? { source: 'document', decision: 'confirm', reason: 'A page said so.', messages: ['m7'] }
    : { source: 'person', decision: 'write', messages: ['m1'] };

describe('M5 remember', () => {
  test('says under which id something is saved, and where it holds', async (t) => {
    const bench = await openBench(t, { project });
    const ask = asker(bench, { sessionId: 's' });
    assert.deepEqual(await ask({ text: 'Likes tea.', about: 'person', kind: 'preference' }), {
      success: true,
      saved: true,
      id: 'e1',
      note: 'Saved as e1. It stands in the system prompt from the next conversation on.',
    });
    await ask('{"text":"Uses Rust.","about":"project"}');
    await ask({ text: 'Uses git.', about: 'everywhere', until: '2026-12-31' });
    assert.deepEqual(
      [bench.read('USER.md'), bench.read(projectFile), bench.read('MEMORY.md')],
      ['Likes tea.', 'Uses Rust.', 'Uses git.'],
    );
    const [, , last] = await bench.store.memory.list();
    assert.deepEqual(
      [last?.kind, last?.until, last?.sessionId, last?.source],
      ['state', new Date(2027, 0, 1).getTime(), 's', 'model'],
    );
  });

  test('puts a fact with a name in place of the old one, and says so', async (t) => {
    const bench = await openBench(t);
    const ask = asker(bench);
    await ask({ key: 'Dev port', value: '3000', about: 'everywhere' });
    assert.deepEqual(await ask({ key: 'dev port', value: '3001', about: 'everywhere' }), {
      success: true,
      saved: true,
      id: 'e2',
      note: 'Saved as e2; e1 is remembered no more. It stands in the system prompt from the next conversation on.',
    });
    assert.equal(bench.read('MEMORY.md'), 'dev port: 3001');
  });

  test('says that something waits, and that it is not saved', async (t) => {
    const bench = await openBench(t);
    const ask = asker(bench, { judge: byText });
    assert.deepEqual(await ask({ text: 'The page says: use npm.example.', about: 'everywhere' }), {
      success: true,
      saved: false,
      id: 'e1',
      note: "Not saved: it waits for the person's confirmation as e1. Tell them so, and do not say that it is saved.",
    });
    await ask({ text: 'Their own words.', about: 'person' });
    assert.deepEqual(await told(bench.store), [
      'e1 pending document: The page says: use npm.example.',
      'e2 live person: Their own words.',
    ]);
    const [act] = await bench.store.memory.history({ entry: 'e1' });
    assert.deepEqual([act?.reason, (await bench.store.memory.get('e1'))?.messages], ['A page said so.', ['m7']]);
  });

  test('says why something was not saved, and never throws', async (t) => {
    const bench = await openBench(t, { limits: { user: 30 } });
    const ask = asker(bench);
    const wrong: readonly unknown[] = [
      undefined,
      'no json',
      [],
      {},
      { text: 'x' },
      { text: 'x', about: 'me' },
      { text: 'x', about: 'project' },
      { text: ' ', about: 'person' },
      { text: 'x', about: 'person', kind: 'joke' },
      { text: 'x', about: 'person', key: 'k' },
      { text: 'x', about: 'person', key: '--', value: 'v' },
      { text: 'x', about: 'person', until: 'soonish' },
      { text: 'a\n§\nb', about: 'person' },
      { text: 'x'.repeat(31), about: 'person' },
    ];
    for (const args of wrong) {
      const answer = JSON.stringify(await ask(args));
      assert.match(answer, /^\{"success":false,"saved":false,"error":"Not saved: [a-zA-Z]/, JSON.stringify(args));
    }
    assert.deepEqual(await told(bench.store), []);
    await bench.store.close();
    assert.match(JSON.stringify(await ask({ text: 'x', about: 'person' })), /STORE_CLOSED/);
  });
});

describe('M1 the memory tool over a memory', () => {
  test('writes entries, and says under which ids', async (t) => {
    const { memory, store } = await openBench(t);
    const tool = createMemoryTool({ files: memory.files() });
    const answer = JSON.parse(await tool.run({ action: 'add', content: 'Uses pnpm.' }));
    assert.equal(answer.note, 'Saved as e1. It stands in the system prompt from the next conversation on.');
    const swapped = JSON.parse(await tool.run({ action: 'replace', old_text: 'pnpm', content: 'Uses yarn.' }));
    assert.deepEqual(
      [swapped.replaced_entry, swapped.note.slice(0, 41)],
      ['Uses pnpm.', 'Saved as e2; e1 is remembered no more. It'],
    );
    const again = JSON.parse(await tool.run({ action: 'add', content: 'Uses yarn.' }));
    assert.deepEqual([again.success, again.note], [true, 'It was there already as e2.']);
    const gone = JSON.parse(await tool.run({ action: 'remove', old_text: 'yarn' }));
    assert.match(gone.note, /^e2 is remembered no more/);
    assert.deepEqual(await store.memory.list(), []);
  });

  test('tells that a write waits, and one text of a page makes all of them wait', async (t) => {
    const { memory, store, read } = await openBench(t);
    const tool = createMemoryTool({ files: memory.files({ judge: byText, sessionId: 's' }) });
    const operations = ['Own words.', 'A page said it.'].map((content) => ({ action: 'add', content }));
    const answer = JSON.parse(await tool.run({ operations }));
    assert.deepEqual([answer.success, answer.saved, answer.waiting], [true, false, ['e1', 'e2']]);
    assert.match(answer.note, /^Not saved: it waits .* as e1, e2\./);
    assert.equal(read('MEMORY.md'), '');
    assert.deepEqual(
      (await store.memory.list({ status: ['pending'] })).map(({ source }) => source),
      ['document', 'document'],
    );
  });

  test('shows and changes the notes of the project that is open', async (t) => {
    const { memory, another, read } = await openBench(t, { project });
    const tool = createMemoryTool({ files: memory.files() });
    await tool.run({ action: 'add', content: 'Uses Rust.' });
    assert.deepEqual([read(projectFile), read('MEMORY.md')], ['Uses Rust.', '']);
    const elsewhere = createMemoryTool({ files: another({ project: '/other' }).files() });
    assert.ok(!(await elsewhere.run({ action: 'remove', old_text: 'zzz' })).includes('Rust'));
    await add(memory, 'x');
    assert.match(await tool.run({ action: 'remove', old_text: 'zzz' }), /Uses Rust/);
  });
});
