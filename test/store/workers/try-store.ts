/** Opens a store, reads and writes, and reports what happened: `node try-store.ts PATH [read-only]`. */
import { PalimpsestError } from '../../../packages/core/src/shared/errors.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import { writeOne } from '../../support/store-files.ts';

const [path = '', mode] = process.argv.slice(2);

async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return PalimpsestError.isInstance(error) ? error.code : String(error);
  }
}

const report = await outcome(async () => {
  await using store = await openStore({ path, readOnly: mode === 'read-only' });
  return {
    messages: await outcome(() => store.messages.count()),
    write: await outcome(async () => {
      await writeOne(store);
      return 'written';
    }),
  };
});
console.log(JSON.stringify(report));
