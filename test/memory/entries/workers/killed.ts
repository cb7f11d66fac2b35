/**
 * Does one act on a memory and is killed in it: `node killed.ts FOLDER STORE ACT STEP`. The steps: `noted` before the files
 * are written, `between` two of them, `written` before the store is, `kept` before the note of the act goes.
 */
import { createMemory } from '../../../../packages/core/src/memory/entries/create-memory.ts';
import type { MemoryStore } from '../../../../packages/core/src/store/memory-store.ts';
import { openStore } from '../../../../packages/core/src/store/open-store.ts';
import type { MetaStore } from '../../../../packages/core/src/store/store.ts';

const [folder = '', path = '', act = '', step = ''] = process.argv.slice(2);
const store = await openStore({ path });
const die = (at: string): void => {
  if (at === step) process.kill(process.pid, 'SIGKILL');
};

const meta: MetaStore = {
  ...store.meta,
  set: async (key, value) => {
    if (value === undefined) die('kept');
    await store.meta.set(key, value);
    if (value !== undefined) die('noted');
  },
};
const memory: MemoryStore = {
  ...store.memory,
  act: async (draft, expected) => {
    if (draft.actor !== 'file') die('written');
    return store.memory.act(draft, expected);
  },
  undo: async (id, by) => {
    die('written');
    return store.memory.undo(id, by);
  },
};

/** A file is checked right before it is written. */
const check = (text: string): undefined => {
  if (text === 'Likes tea, merged.') die('between');
};
const under = createMemory({ store: { memory, meta }, folder, project: '/code/pear', check });
const byPage = { actor: 'model', source: 'outside-tool', scope: 'everywhere' } as const;
const acts: Readonly<Record<string, () => Promise<unknown>>> = {
  add: () => under.apply([{ action: 'add', content: 'A new note.' }], byPage),
  replace: () =>
    under.apply([{ action: 'replace', entry: { containing: 'old' }, content: 'Port 81, it says.' }], byPage),
  remove: () => under.apply([{ action: 'remove', entry: { containing: 'old' } }], byPage),
  undo: () => under.undo('a2'),
  approve: () => under.approve('e3'),
  several: () =>
    under.entries.act({
      actor: 'curator',
      what: 'merge',
      reason: 'Both say the same.',
      changes: [
        { type: 'set', id: 'e1', values: { text: 'The old port, merged.' } },
        { type: 'set', id: 'e2', values: { text: 'Likes tea, merged.' } },
      ],
    }),
};
await acts[act]?.();
process.stdout.write('not killed');
