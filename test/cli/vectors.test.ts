/** `palimpsest vectors` and `palimpsest search --vectors`, as a person runs them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore } from '@palimpsest/core/store';
import { runHere } from '../support/command-line.ts';

/** A store of three messages, one of them in Chinese. */
async function storeFile(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'store.db');
  await using store = await openStore({ path });
  const { id } = await store.sessions.create({ source: 'library', title: 'Talk' });
  await store.messages.append(
    id,
    ['We adopted a puppy last summer.', 'The invoice is due on Friday.', '我们去海边。'].map((text) => ({
      role: 'user',
      parts: [{ type: 'text', text }],
    })),
  );
  return path;
}

test('Q2 builds vectors, finds by them, counts and forgets them', async (t) => {
  const store = await storeFile(t);
  const query = ['search', 'which', 'pets', 'live', 'there', '--store', store];
  const before = await runHere([...query, '--vectors']);
  if (/optional packages/.test(before.stderr)) return t.skip(before.stderr.trim());
  assert.equal(before.code, 1);
  assert.match(
    before.stderr,
    /3 messages have no vectors yet and can be found by words only: run `palimpsest vectors build`/,
  );

  const built = await runHere(['vectors', 'build', '--store', store]);
  assert.deepEqual([built.code, built.stderr], [0, '']);
  assert.equal(
    built.stdout,
    'all-MiniLM-L6-v2: built vectors for 2 messages; skipped 1 that it cannot search (tool results, other scripts)\n',
  );

  const found = await runHere([...query, '--vectors', '--json']);
  assert.equal(found.code, 0);
  const { conversations, notes } = JSON.parse(found.stdout);
  assert.match(conversations[0].hits?.[0]?.passage?.text ?? JSON.stringify(conversations[0]), /puppy/);
  assert.deepEqual(notes, []);
  assert.equal((await runHere(query)).code, 1, 'without --vectors, words alone count');

  const status = await runHere(['vectors', 'status', '--store', store]);
  assert.match(status.stdout, /^all-MiniLM-L6-v2: vectors of 2 of 3 messages \(0\.0 MB\)\n$/);
  const { models } = JSON.parse((await runHere(['vectors', 'status', '--store', store, '--json'])).stdout);
  assert.deepEqual([models[0].name, models[0].dimensions, models[0].messages], ['all-MiniLM-L6-v2', 384, 3]);

  const wrong = await runHere(['vectors', 'drop', 'gpt', '--store', store]);
  assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /\(all-MiniLM-L6-v2\), got "gpt"/);
  const dropped = await runHere(['vectors', 'drop', '--store', store]);
  assert.equal(dropped.stdout, 'all-MiniLM-L6-v2: deleted the vectors of 2 messages\n');
});

test('Q2 says what to do where there are no vectors, no store, or no such number of cores', async (t) => {
  const store = await storeFile(t);
  const status = await runHere(['vectors', 'status', '--store', store]);
  assert.deepEqual([status.code, status.stdout], [0, '']);
  assert.match(status.stderr, /`palimpsest vectors build` builds them/);
  assert.equal((await runHere(['vectors', 'drop', '--store', store])).stdout, 'there are no vectors\n');
  const none = await runHere(['vectors', 'build', '--store', join(store, '..', 'none.db')]);
  assert.equal(none.code, 3);
  assert.match(none.stderr, /There is no store/);
  const cores = await runHere(['vectors', 'build', '--cores', 'all', '--store', store]);
  assert.equal(cores.code, 2);
  assert.match(cores.stderr, /--cores to be a whole number from 1 to 256, got "all"/);
});
