/** Real sessions, where they are at hand, through the store and back; nothing of them is in this repository. */
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inMemory, requireRoundTrip, transcriptsOf } from '../support/import-logs.ts';

const data = fileURLToPath(new URL('../../../shared/data/transcripts/', import.meta.url));
const files = existsSync(data) ? globSync('**/*.gz', { cwd: data }).sort() : [];
const skip = files.length === 0 && 'there are no real sessions here';

test('L6: what is imported comes back as it was: from real sessions of every tool', { skip }, () =>
  inMemory(async (store) => {
    for (const file of files) await requireRoundTrip(store, await transcriptsOf(join(data, file)));
    assert.ok((await store.care.check()).ok);
  }),
);
