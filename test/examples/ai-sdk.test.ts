import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

test('K2: the example with an agent of the AI SDK runs and finds its own output right', async () => {
  const run = await promisify(execFile)(process.execPath, ['examples/ai-sdk/agent.ts'], { cwd: root });
  assert.match(run.stdout, /^All rooms are visited\. 42 steps, 42 requests\.$/m);
  assert.match(run.stdout, /compressed [1-9]\d* times/);
});
