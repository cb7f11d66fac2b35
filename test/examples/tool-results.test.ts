import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

test('R3: the example with a result that is too large runs and finds its own output right', async () => {
  const run = await promisify(execFile)(process.execPath, ['examples/tool-results/page.ts'], { cwd: root });
  assert.match(run.stdout, /^\d+ characters became \d+:$/m);
  assert.match(run.stdout, /^4322: .* 500$/m);
});
