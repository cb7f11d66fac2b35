/** A place for a store that several processes open. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Runs with the path of a file in a folder of its own, which goes when the test is over. */
export async function openedFile(t: TestContext, run: (path: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-conversation-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await run(join(folder, 'store.db'));
}
