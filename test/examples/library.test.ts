import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

test('the library example runs and finds its own output right', async () => {
  const run = await promisify(execFile)(process.execPath, ['examples/library/compress.ts'], { cwd: root });
  assert.match(run.stdout, /\d+ → \d+ tokens/);
});
