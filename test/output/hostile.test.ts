/** What happens to saved results behind the store, beside it, and to its folder. */
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { createOutputBudget } from '../../packages/core/src/output/budget.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { spilledOutput } from '../../packages/core/src/transcript/text.ts';
import { lines, memoryStore, part, plain, wholeText } from './results.ts';

/** 12,000 characters a result. */
const contextLength = 20_000;

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-outputs-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('R2: a saved text that was altered behind the store', () => {
  /** Several pieces, some of them not packed. */
  const text = Array.from({ length: 6_000 }, (_, i) => `${i} ${Math.sin(i)} ${Math.cos(i)} ${Math.tan(i)}`).join('\n');

  for (const [title, statement, line] of [
    ['a piece in the middle is gone', 'delete from output_pieces where place = 1', 2_500],
    ['the end is gone', 'delete from output_pieces where place = (select max(place) from output_pieces)', 5_000],
    ['all pieces are gone', 'delete from output_pieces', 1],
    [
      'a piece is another one',
      "update output_pieces set encoding = 'utf8', body = zeroblob(131072) where place = 1",
      undefined,
    ],
    ['a piece is cut', 'update output_pieces set body = substr(body, 1, length(body) / 2) where place = 1', 2_500],
  ] as const) {
    test(`R2 is told and not read as if it were whole: ${title}`, async (t) => {
      const path = join(await folderFor(t), 'store.db');
      await using store = await openStore({ path });
      const { id } = await store.outputs.save(text);
      const database = new DatabaseSync(path);
      database.exec(statement);
      database.close();
      await assert.rejects(store.outputs.read(id), { code: 'STORE_DAMAGED' });
      const [read] = createOutputBudget({ outputs: store.outputs, contextLength }).tools;
      if (line !== undefined)
        assert.match((await read?.run({ id, from: line })) ?? '', /cannot be read now \(STORE_DAMAGED\)/);
      // Saved again, it is there again.
      assert.equal((await store.outputs.save(text)).id, id);
      assert.ok((await store.outputs.read(id)).text === text);
    });
  }
});

describe('R2: stores that move, vanish or are shared', () => {
  test('R2 a copy of the file on another machine reads what was saved', async (t) => {
    const folder = await folderFor(t);
    const [path, copy] = [join(folder, 'store.db'), join(folder, 'copy.db')];
    const store = await openStore({ path });
    const { content } = await createOutputBudget({ outputs: store.outputs, contextLength }).admit(plain(lines(50_000)));
    await store.close();
    await copyFile(path, copy);
    await using other = await openStore({ path: copy });
    assert.equal(await wholeText(other.outputs, spilledOutput(content)), lines(50_000));
  });

  test('R2 a folder that goes away under an open store costs no tool loop its result', async (t) => {
    const folder = await folderFor(t);
    const gone = join(folder, 'gone');
    const store = await openStore({ path: join(folder, 'here', 'store.db') });
    await rename(join(folder, 'here'), gone);
    const { content } = await createOutputBudget({ outputs: store.outputs, contextLength }).admit(plain(lines(50_000)));
    const id = spilledOutput(content);
    if (id === undefined) assert.match(content, /^\[truncated: bash \| 50,000 characters \| could not be saved/);
    else assert.equal(await wholeText(store.outputs, id), lines(50_000));
    await store.close();
  });

  test('R2 two processes that save the same text at once have it once, each with its own use', async (t) => {
    const path = join(await folderFor(t), 'store.db');
    await using one = await openStore({ path });
    await using other = await openStore({ path });
    const admitted = await Promise.all(
      [one, other, one, other].map((store) =>
        createOutputBudget({ outputs: store.outputs, contextLength }).admit(plain(lines(50_000))),
      ),
    );
    assert.equal(new Set(admitted.map(({ content }) => content)).size, 1);
    assert.equal((await one.outputs.list()).length, 1);
  });

  test('R1 two results at once under the same id of a call are each saved as they are', async () => {
    await using store = await memoryStore();
    const budget = createOutputBudget({ outputs: store.outputs, contextLength });
    const texts = [lines(50_000), lines(50_000).toUpperCase()];
    const admitted = await Promise.all(texts.map((text) => budget.admit(plain(text))));
    const back = await Promise.all(admitted.map(({ content }) => wholeText(store.outputs, spilledOutput(content))));
    assert.deepEqual(back, texts);
  });
});

describe('R2: results of every kind', () => {
  const bytes = Array.from({ length: 60_000 }, (_, i) => String.fromCharCode((i * 7_919) & 0xff)).join('');
  for (const [title, text] of [
    ['binary', bytes],
    ['a picture as base64', `data:image/png;base64,${Buffer.from(bytes, 'latin1').toString('base64')}`],
    ['composed and decomposed letters', 'é e\u0301 Å A\u030a\n'.repeat(6_000)],
    ['carriage returns alone', 'progress 10 %\r'.repeat(6_000)],
    ['line separators of Unicode', 'a\u2028b\u2029c\u0085d'.repeat(6_000)],
    ['a byte order mark and NUL', `\ufeff\0${'\0'.repeat(50_000)}`],
  ] as const) {
    test(`R2 ${title} comes back byte for byte, from a text and from a part`, async () => {
      await using store = await memoryStore();
      const budget = createOutputBudget({ outputs: store.outputs, contextLength });
      const { content } = await budget.admit(plain(text));
      assert.ok((await wholeText(store.outputs, spilledOutput(content))) === text);
      const [first] = (await budget.admit(part([{ type: 'text', text }]))).content;
      assert.equal(first?.type === 'text' && spilledOutput(first.text), spilledOutput(content));
    });
  }

  test('R1 of JSON of many megabytes in one line a model gets the start, and finds the rest', async () => {
    await using store = await memoryStore();
    const budget = createOutputBudget({ outputs: store.outputs });
    const text = JSON.stringify({ rows: Array.from({ length: 150_000 }, (_, row) => ({ row, name: `name ${row}` })) });
    const { content } = await budget.admit(plain(text));
    assert.ok(content.length < 2_500);
    const [read, search] = budget.tools;
    const id = spilledOutput(content);
    const [, char] = /^1 at char (\d+): /m.exec((await search?.run({ id, query: '"row":149999' })) ?? '') ?? [];
    assert.ok((await read?.run({ id, char }))?.includes('"row":149999,"name":"name 149999"'));
  });
});
