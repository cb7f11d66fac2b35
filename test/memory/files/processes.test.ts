/** Several processes and a person at the same files. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { openMemoryFiles } from '../../../packages/core/src/memory/files/memory-files.ts';
import { newFolder } from '../../support/store-files.ts';

function start(t: TestContext, name: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'workers', `${name}.ts`), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function output(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.equal(code, 0);
  return said;
}

test('M2 4 processes × 250 writes, and an editor that saves by rename: nothing is lost, the file is always valid', async (t) => {
  const folder = await newFolder(t);
  const path = join(folder, 'MEMORY.md');
  const files = openMemoryFiles({ folder, check: () => undefined, limits: { memory: 1_000_000 } });
  await files.apply('memory', [{ action: 'add', content: 'writer 0 note 0' }]);
  const editor = start(t, 'editor', path, '20261123');
  const editorSaid = output(editor);
  const written = await Promise.all(
    ['1', '2', '3', '4'].map((name) => output(start(t, 'writer', folder, name, '250'))),
  );
  const expected: readonly string[] = written.flatMap((said) => JSON.parse(said));
  editor.stdin?.end();
  const { kept, saves }: { kept: readonly string[]; saves: number } = JSON.parse(await editorSaid);
  // The first write after the last save brings back what that overwrote.
  await files.apply('memory', [{ action: 'add', content: 'writer 0 note 1' }]);
  const there = new Set((await files.read('memory')).entries.map((entry) => entry.text));
  t.diagnostic(JSON.stringify({ saves, kept: kept.length, entries: there.size }));
  assert.deepEqual(
    [...expected, ...kept].filter((entry) => !there.has(entry)),
    [],
  );
  assert.equal(expected.length, 800);
  assert.ok(saves > 5);
  assert.deepEqual(readdirSync(folder).sort(), ['.MEMORY.md.recent', 'MEMORY.md']);
});
