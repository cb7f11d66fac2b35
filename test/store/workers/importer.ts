/**
 * Imports every file of a folder and says so after each: `node importer.ts STORE FOLDER MILLISECONDS`. The clock of the
 * store is ahead by the milliseconds, so that the leases of importers that were killed have lapsed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTranscripts } from '@palimpsest/core';
import { importTranscripts, openStore } from '@palimpsest/core/store';

const [path = '', folder = '', ahead = '0'] = process.argv.slice(2);
const clock = (): number => Date.now() + Number(ahead);
const store = await openStore({ path, clock: { now: clock } });
for (const name of readdirSync(folder).sort()) {
  const { transcripts } = await readTranscripts(readFileSync(join(folder, name)));
  const imported = await importTranscripts(store, transcripts);
  process.stdout.write(`${JSON.stringify(imported.map(({ outcome }) => outcome))}\n`);
}
await store.close();
