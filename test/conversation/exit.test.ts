/** What is under way in the background keeps no process from its end. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const leaver = fileURLToPath(new URL('workers/leaver.ts', import.meta.url));

test('F1 a process ends although the model that writes a summary in the background never answers', async () => {
  // One that does not end is killed, which rejects.
  const { stdout } = await promisify(execFile)(process.execPath, [leaver], { timeout: 60_000 });
  assert.equal(stdout, 'open: 1');
});

test('M5 a process ends although the curator of its memory has yet to begin', async () => {
  const quiet = fileURLToPath(new URL('workers/quiet.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [quiet], { timeout: 60_000 });
  assert.equal(stdout, 'left');
});
