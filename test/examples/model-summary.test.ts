import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

test('S9: the example with a model that lies runs and finds its own output right', async () => {
  const run = await promisify(execFile)(process.execPath, ['examples/model-summary/compress.ts'], { cwd: root });
  assert.match(run.stdout, /wrote it in 1 call/);
  assert.match(run.stdout, /^removed: /m);
});
