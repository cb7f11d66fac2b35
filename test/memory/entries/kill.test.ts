/** A process is killed within an act: afterwards it was done or not, and nothing changes hands by that. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createMemory, type Memory } from '../../../packages/core/src/memory/entries/create-memory.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { newFolder } from '../../support/store-files.ts';
import { add, told } from './bench.ts';

const old = 'The old port is 80.';

interface Scene {
  readonly folder: string;
  readonly path: string;
}

const memoryOver = (store: Store, { folder }: Scene): Memory =>
  createMemory({ store, folder, project: '/code/pear', check: () => undefined });

/** Two entries in two files, and one that waits. */
async function scene(t: TestContext): Promise<Scene> {
  const root = await newFolder(t);
  const made = { folder: join(root, 'memories'), path: join(root, 'store.db') };
  await using store = await openStore({ path: made.path });
  const memory = memoryOver(store, made);
  await add(memory, old, { scope: 'everywhere', source: 'document' });
  await add(memory, 'Likes tea.', { target: 'user' });
  await add(memory, 'Waits.', { scope: 'everywhere', source: 'document', confirm: true });
  return made;
}

async function killed(t: TestContext, { folder, path }: Scene, [act, step]: readonly [string, string]): Promise<void> {
  const worker = join(import.meta.dirname, 'workers', 'killed.ts');
  const child = spawn(process.execPath, [worker, folder, path, act, step], { stdio: 'inherit' });
  t.after(() => child.kill('SIGKILL'));
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
}

const before = ['e1 live document: The old port is 80.', 'e2 live model: Likes tea.', 'e3 pending document: Waits.'];

/** What is there when an act was done. */
const after: Readonly<Record<string, readonly string[]>> = {
  add: [...before, 'e4 live outside-tool: A new note.'],
  replace: ['e1 retired document: The old port is 80.', ...before.slice(1), 'e4 live document: Port 81, it says.'],
  remove: ['e1 retired document: The old port is 80.', ...before.slice(1)],
  undo: [before[0] ?? '', 'e2 retired model: Likes tea.', before[2] ?? ''],
  approve: [...before.slice(0, 2), 'e3 live person: Waits.'],
  several: ['e1 live document: The old port, merged.', 'e2 live model: Likes tea, merged.', before[2] ?? ''],
};

const yes = (step: string) => [step, true] as const;

for (const [act, done] of Object.entries(after)) {
  const steps = [
    ['noted', false],
    ...(act === 'several' ? ['between'] : []).map(yes),
    yes('written'),
    yes('kept'),
  ] as const;
  for (const [step, isDone] of steps) {
    test(`M2 killed in ${act} when it was ${step}: it was ${isDone ? '' : 'not '}done, in files and store`, async (t) => {
      const made = await scene(t);
      await killed(t, made, [act, step]);
      await using store = await openStore({ path: made.path });
      const memory = memoryOver(store, made);
      assert.equal(await memory.reconcile(), undefined, 'something looks as if it were changed by hand');
      const entries = isDone ? done : before;
      assert.deepEqual(await told(store), entries);
      const shown = ['MEMORY.md', 'USER.md'].flatMap((name) =>
        readFileSync(join(made.folder, name), 'utf8').split('\n§\n').filter(Boolean),
      );
      const live = (await store.memory.list()).map(({ text }) => text);
      assert.deepEqual(shown.toSorted(), live.toSorted());
      assert.equal((await store.memory.history()).length, isDone ? 4 : 3);
      assert.equal((await store.care.check()).ok, true);
    });
  }
}
