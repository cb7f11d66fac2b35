/** Writes notes one by one, each from elsewhere: `node writer.ts FOLDER STORE NAME COUNT`. Tells the ids of its entries. */
import { createMemory } from '../../../../packages/core/src/memory/entries/create-memory.ts';
import { openStore } from '../../../../packages/core/src/store/open-store.ts';

const [folder = '', path = '', name = '', count = '0'] = process.argv.slice(2);
await using store = await openStore({ path, busyMilliseconds: 60_000 });
const memory = createMemory({
  store,
  folder,
  check: () => undefined,
  limits: { memory: 1_000_000 },
  lock: { waitMs: 120_000 },
});
const ids: string[] = [];
for (let i = 0; i < Number(count); i++) {
  const content = `writer ${name} note ${i}`;
  const written = await memory.apply([{ action: 'add', content }], { actor: 'model', source: 'outside-tool' });
  if (written.type !== 'saved') throw new Error(`${content}: ${written.type}`);
  ids.push(...written.entries.map(({ id }) => id));
}
process.stdout.write(JSON.stringify(ids));
