/**
 * What becomes of a memory file that several processes and a person's editor write to at once. Prints Markdown; ends with 1
 * where a write was reported done and is not there, or a read found something else than whole entries.
 *
 *   node bench/memory-writes.ts [--writes 1000] [--processes 4] [--seed 20261123]
 *
 * The processes add notes and correct every fifth; the editor knows no lock and saves the whole file by rename, after a
 * random number of writes of others.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openMemoryFiles } from '@palimpsest/core/memory';
import { root } from './options.ts';

const { values } = parseArgs({
  options: {
    writes: { type: 'string', default: '1000' },
    processes: { type: 'string', default: '4' },
    seed: { type: 'string', default: '20261123' },
  },
});
const processes = Number(values.processes);
const writes = Number(values.writes);
/** What the writers and the editor of the tests write. */
const wholeEntry = /^(?:writer \d note \d+(?: instead of .+)?|[a-z]+(?:~[a-z]+){4})$/;

const start = (name: string, ...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(root, 'test/memory/files/workers', `${name}.ts`), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });

async function output(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('A worker was started with a pipe.');
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`a writer ended with ${code}; what it said stands above`);
  return said;
}

const folder = mkdtempSync(join(tmpdir(), 'memory-writes-'));
const children: ChildProcess[] = [];
try {
  const files = openMemoryFiles({ folder, check: () => undefined, limits: { memory: 100_000_000 } });
  await files.apply('memory', [{ action: 'add', content: 'writer 0 note 0' }]);
  const editor = start('editor', join(folder, 'MEMORY.md'), values.seed);
  const editorSaid = output(editor);
  const began = performance.now();
  const writers = Array.from({ length: processes }, (_, at) => start('writer', folder, String(at + 1), String(writes)));
  children.push(editor, ...writers);
  const ended = Promise.all(writers.map(output));
  let isRunning = true;
  const done = ended.finally(() => {
    isRunning = false;
  });
  let [reads, invalid] = [0, 0];
  const watched = (async () => {
    while (isRunning) {
      const { entries } = await files.read('memory');
      reads++;
      if (entries.length === 0 || entries.some((entry) => !wholeEntry.test(entry.text))) invalid++;
      await pause(50);
    }
  })();
  const expected: readonly string[] = (await done).flatMap((said) => JSON.parse(said));
  const seconds = (performance.now() - began) / 1_000;
  await watched;
  editor.stdin?.end();
  const { kept, saves }: { readonly kept: readonly string[]; readonly saves: number } = JSON.parse(await editorSaid);
  // The first write after the last save brings back what that overwrote.
  await files.apply('memory', [{ action: 'add', content: 'writer 0 note 1' }]);
  const there = new Set((await files.read('memory')).entries.map((entry) => entry.text));
  const lost = expected.filter((entry) => !there.has(entry)).length;
  const lostByEditor = kept.filter((entry) => !there.has(entry)).length;
  const all = processes * writes;
  console.log('| what | count |\n|---|---|');
  for (const [what, count] of [
    [`writes reported done (${processes} processes)`, all],
    ['entries that they must have left', expected.length],
    ['of them lost', lost],
    ['saves of the editor', saves],
    ['entries that it must have left', kept.length],
    ['of them lost', lostByEditor],
    ['reads meanwhile', reads],
    ['of them not valid', invalid],
    ['seconds', seconds.toFixed(1)],
    ['writes a second', Math.round(all / seconds)],
  ])
    console.log(`| ${what} | ${count} |`);
  process.exitCode = lost + lostByEditor + invalid > 0 ? 1 : 0;
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
}
