/** The real model on this machine. `npm run test:vectors` installs its packages and runs this file; `npm test` does not. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { embedMessages, loadMiniLm, search } from '@palimpsest/core/search';
import { openStore } from '@palimpsest/core/store';
import { vectorLoader, vectorPackages } from '../../../scripts/vectors.ts';

const root = join(import.meta.dirname, '../../..');

const embedder = await loadMiniLm({ load: await vectorPackages() });

/** A program in a process of its own. */
const run = (program: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' });

const product = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number =>
  a.reduce((sum, one, i) => sum + one * (b[i] ?? 0), 0);

test('Q2 gives the cosines that the published weights give', async () => {
  const [reset, change, cat, deploy, rollout] = await embedder.embed([
    'How do I reset my database password?',
    'Steps to change the credentials of the SQL server',
    'The cat sat on the warm windowsill',
    'Deploy failed: timeout connecting to Redis',
    'Redis connection timed out during the rollout',
  ]);
  assert.equal(reset?.length, 384);
  assert.ok(Math.abs(product(reset, reset) - 1) < 1e-3);
  // Of the reference implementation, with the same weights: 0.55, 0.83 and less than 0.1.
  assert.ok(Math.abs(product(reset, change) - 0.546) < 0.01, String(product(reset, change)));
  assert.ok(Math.abs(product(deploy, rollout) - 0.834) < 0.01, String(product(deploy, rollout)));
  assert.ok(product(reset, cat) < 0.1);
});

test('Q2 gives a text the same vector alone, among others, and in any order', async () => {
  const texts = ['', 'one', 'Deploy failed. '.repeat(200), '我们去海边', '\ud800 \0 🎉'];
  const together = await embedder.embed(texts);
  const turned = (await embedder.embed(texts.toReversed())).toReversed();
  assert.equal(together.length, texts.length);
  for (const [i, text] of texts.entries()) {
    const [alone] = await embedder.embed([text]);
    assert.ok(product(alone, together[i]) > 0.9999, JSON.stringify(text.slice(0, 20)));
    assert.ok(product(alone, turned[i]) > 0.9999, JSON.stringify(text.slice(0, 20)));
  }
  assert.deepEqual(await embedder.embed([]), []);
});

test('Q2 finds in a store what was said in other words', async () => {
  const vectors = embedder;
  await using store = await openStore({ path: ':memory:' });
  const { id } = await store.sessions.create({ source: 'library' });
  const texts = ['We adopted a puppy last summer.', 'The invoice is due on Friday.', 'My sister plays the cello.'];
  await store.messages.append(
    id,
    texts.map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })),
  );
  await embedMessages(store, vectors);
  const query = 'which pets live there';
  assert.deepEqual((await search(store, query)).hits, []);
  const [best] = (await search(store, query, { vectors })).hits;
  assert.equal(best?.passage.text, texts[0]);
});

test('Q2 does what the guide shows', async () => {
  const page = readFileSync(join(root, 'docs/guide/vectors.md'), 'utf8');
  const [, example = ''] = /```ts\n(import assert[\s\S]*?)```/.exec(page) ?? [];
  assert.match(example, /loadMiniLm/);
  const { status, stderr } = run(
    example.replace('loadMiniLm()', `loadMiniLm(await import(${JSON.stringify(vectorLoader())}))`),
  );
  assert.equal(status, 0, stderr);
});
