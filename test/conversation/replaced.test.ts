/** A conversation whose store was replaced by another process hears of it, and the newcomer stays as it came. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '@palimpsest/core/store';
import { filledFile, newFolder, writeOne } from '../support/store-files.ts';
import { answer, listOf, reply, runtimeOver, smallWindow, system, user } from './agent.ts';

const replaced = { code: 'STORE_REPLACED', message: /Close it, put the right file in place/ };
const opening = [system('You bake.'), user('Bake the bread, please.')];

test('L1 neither an answer nor a request nor a compression is acknowledged into a file that is gone', async (t) => {
  const path = await filledFile(t);
  const newcomer = join(await newFolder(t), 'newcomer.db');
  {
    await using other = await openStore({ path: newcomer });
    await writeOne(other);
  }
  const bytes = readFileSync(newcomer);
  const store = await openStore({ path });
  t.after(() => store.close());
  const runtime = runtimeOver(store);
  const prepared = await runtime.prepare({ messages: opening });
  execFileSync('mv', [newcomer, path]);
  await assert.rejects(
    runtime.settle(prepared, { type: 'answered', reply: reply('Done.'), usage: undefined }),
    replaced,
  );
  await assert.rejects(runtime.prepare({ messages: [...opening, reply('Done.'), user('And now a cake.')] }), replaced);
  const small = runtimeOver(store, { contextLength: smallWindow });
  await assert.rejects(small.prepare({ messages: listOf(40) }), replaced);
  await store.close();
  assert.ok(bytes.equals(readFileSync(path)));
});

test('L1 a conversation goes on in a store that was opened again', async (t) => {
  const path = await filledFile(t);
  const store = await openStore({ path });
  t.after(() => store.close());
  const list = listOf(2);
  const runtime = runtimeOver(store);
  await answer(runtime, await runtime.prepare({ messages: list }), reply('Done.'));
  execFileSync('sh', ['-c', 'cp "$1" "$1.new" && mv "$1.new" "$1"', 'sh', path]);
  await assert.rejects(runtimeOver(store).prepare({ messages: [...list, reply('Done.'), user('More.')] }), replaced);
  await store.close();
  await using again = await openStore({ path });
  await runtimeOver(again).prepare({ messages: [...list, reply('Done.'), user('More.')] });
  assert.equal((await again.care.check()).ok, true);
});
