/** Several processes over one store and one folder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createMemory } from '../../../packages/core/src/memory/entries/create-memory.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import { newFolder } from '../../support/store-files.ts';

test('M2 what two processes write at once is in file and store once, and nothing of it looks as if a person wrote it', async (t) => {
  const root = await newFolder(t);
  const [folder, path] = [join(root, 'memories'), join(root, 'store.db')];
  await using store = await openStore({ path });
  const outputs = await Promise.all(
    ['1', '2'].map(async (name) => {
      const worker = join(import.meta.dirname, 'workers', 'writer.ts');
      const child = spawn(process.execPath, [worker, folder, path, name, '15'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      t.after(() => child.kill('SIGKILL'));
      const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      assert.equal(code, 0);
      const ids: readonly string[] = JSON.parse(said);
      return ids;
    }),
  );
  assert.equal(new Set(outputs.flat()).size, 30);
  const memory = createMemory({ store, folder, check: () => undefined, limits: { memory: 1_000_000 } });
  assert.equal(await memory.reconcile(), undefined);
  const entries = await store.memory.list();
  assert.deepEqual(entries.map(({ id }) => id).toSorted(), outputs.flat().toSorted());
  assert.ok(entries.every(({ source }) => source === 'outside-tool'));
  const shown = (await memory.files().read('memory')).entries.map((entry) => entry.text);
  assert.deepEqual(shown.toSorted(), entries.map((entry) => entry.text).toSorted());
});
