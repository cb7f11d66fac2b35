import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const text = (path: string): string => readFileSync(join(root, path), 'utf8');

const run = async (path: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, [path], { cwd: root })).stdout;

test('E1: the loop of the guide runs over HTTP and stays inside its window', async () => {
  assert.match(await run('examples/own-loop/run.ts'), /^[1-9]\d* compressions, \d+ % of the window in use$/m);
});

test('E3: the plugin of the examples compresses a conversation', async () => {
  assert.match(
    await run('examples/plugin-newest/run.ts'),
    /^newest from plugins\/context_engine\n[1-9]\d* compressions;/,
  );
});

test('the guide shows the loop and the plugin that run here', () => {
  const page = text('docs/guide/engine.md');
  const loop = text('examples/own-loop/loop.ts');
  const shown = loop.slice(loop.indexOf('import { ContextCompressor }'));
  assert.ok(page.includes(shown.trim()), shown);
  assert.ok(page.includes(text('examples/plugin-newest/newest/engine.js').trim()));
  assert.ok(page.includes(text('examples/plugin-newest/newest/plugin.json').trim()));
});
