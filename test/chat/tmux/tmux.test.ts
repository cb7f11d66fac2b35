/** The terminal that other tests type into: what they rely on is shown here with a program that does nothing else. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { noTmux, openTmux, type Tmux, type TmuxProgram } from '../../support/tmux.ts';

const program: TmuxProgram = {
  command: [process.execPath, join(import.meta.dirname, 'echo.ts')],
  cwd: tmpdir(),
  env: { OWN: 'yes; it is', NODE_DISABLE_COMPILE_CACHE: '1' },
};
const skip = noTmux ?? false;

async function opened(): Promise<Tmux> {
  const tmux = await openTmux({ ...program, columns: 80, rows: 24 });
  await tmux.shows('ready');
  return tmux;
}

test('a terminal has the size, the kind and the locale that were asked for, and no key of ours', { skip }, async () => {
  await using tmux = await opened();
  const screen = await tmux.screen();
  assert.match(screen, /^size 80x24$/m);
  assert.match(screen, /^term tmux-256color locale C.UTF-8 own yes; it is key undefined$/m);
  await tmux.resize(120, 40);
  await tmux.shows(/^size 120x40$/m);
});

test('text, keys and bytes arrive as a person would send them', { skip }, async () => {
  await using tmux = await opened();
  await tmux.type('Enter; and 窯の温度;');
  await tmux.shows('read "Enter; and 窯の温度;"');
  await tmux.key('Enter');
  await tmux.shows(String.raw`read "\r"`);
  await tmux.key('M-Enter');
  await tmux.shows(String.raw`read "\u001b\r"`);
  await tmux.key('Escape');
  await tmux.shows(/read "\\u001b"$/);
  await tmux.bytes(new TextEncoder().encode('\u001b[13;2u'));
  await tmux.shows(String.raw`read "\u001b[13;2u"`);
});

test('a paste is bracketed, and its lines end as terminals end them', { skip }, async () => {
  await using tmux = await opened();
  await tmux.paste('first\nsecond');
  await tmux.shows(String.raw`read "\u001b[200~first\rsecond\u001b[201~"`);
});

test('a paste that is not marked comes as typed text', { skip }, async () => {
  await using tmux = await opened();
  await tmux.paste('first\nsecond', { isMarked: false });
  await tmux.shows(String.raw`read "first\rsecond"`);
});

test('a line that is wider than the terminal is told from those that fit', { skip }, async () => {
  await using tmux = await opened();
  const [broken = '', ...others] = await tmux.brokenLines();
  assert.deepEqual([broken, others], ['wide '.repeat(30).trimEnd(), []]);
  assert.ok((await tmux.scrollback()).split('\n').every((row) => row.length <= 80));
});

test('what never appears fails with the last screen', { skip }, async () => {
  await using tmux = await opened();
  await assert.rejects(tmux.shows('never', { timeoutMs: 60 }), /"never"[\s\S]*\| ready/);
});

test('a program that ended says how, and another one takes its place', { skip }, async () => {
  await using tmux = await opened();
  await tmux.type('q');
  assert.equal(await tmux.ended(), 7);
  await tmux.run(program);
  await tmux.shows('ready');
  const first = await tmux.pid();
  await tmux.kill('SIGKILL');
  assert.equal(await tmux.ended(), undefined);
  await tmux.run(program);
  await tmux.shows('ready');
  assert.notEqual(await tmux.pid(), first);
});

test('nothing is left of a terminal that was closed', { skip }, async () => {
  const tmux = await opened();
  const program = await tmux.pid();
  await tmux.close();
  assert.throws(() => process.kill(program, 0), /ESRCH/);
  await assert.rejects(tmux.screen());
});
