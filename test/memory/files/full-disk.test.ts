/** A disk that takes no more, as a limit on the size of files: the system refuses the same calls. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openMemoryFiles } from '../../../packages/core/src/memory/files/memory-files.ts';
import { newFolder } from '../../support/store-files.ts';

const worker = join(import.meta.dirname, 'workers', 'add-note.ts');

test('M2 a write that the disk does not take leaves the old files, and nothing else', async (t) => {
  if (process.platform === 'win32') return t.skip('limits on files are set by a POSIX shell');
  const folder = await newFolder(t);
  const files = openMemoryFiles({ folder, check: () => undefined });
  await files.apply('memory', [{ action: 'add', content: 'one' }]);
  const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  // In units of 512 or 1,024 bytes, which depends on the shell.
  const script = `ulimit -f 4 && exec "$0" "$@"`;
  const run = spawnSync('sh', ['-c', script, process.execPath, worker, folder, '20000'], { encoding: 'utf8' });
  assert.equal(run.stdout, 'FILE_UNREADABLE', run.stderr);
  assert.deepEqual(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    before,
  );
  await files.apply('memory', [{ action: 'add', content: 'two' }]);
  assert.equal(readFileSync(join(folder, 'MEMORY.md'), 'utf8'), 'one\n§\ntwo');
});
