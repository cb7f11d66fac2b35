import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type MemoryFiles,
  type MemoryFilesOptions,
  type MemoryOutcome,
  openMemoryFiles,
} from '../../../packages/core/src/memory/files/memory-files.ts';
import type { MemoryOperation } from '../../../packages/core/src/memory/files/operations.ts';
import { newFolder } from '../../support/store-files.ts';

interface Bench {
  readonly files: MemoryFiles;
  readonly folder: string;
  readonly path: string;
  /** Milliseconds that the files think have gone by. */
  readonly later: (ms: number) => void;
}

async function bench(t: TestContext, options: Partial<MemoryFilesOptions> = {}): Promise<Bench> {
  const folder = join(await newFolder(t), 'memories');
  let ahead = 0;
  const files = openMemoryFiles({
    folder,
    check: () => undefined,
    ...options,
    lock: { waitMs: 1_000, ...options.lock, now: () => Date.now() + ahead },
  });
  const later = (ms: number): void => {
    ahead += ms;
  };
  return { files, folder, path: join(folder, 'MEMORY.md'), later };
}

const add = (content: string): MemoryOperation => ({ action: 'add', content });
const textsOf = (outcome: MemoryOutcome): readonly string[] => outcome.file.entries.map(({ text }) => text);
const refusalOf = (outcome: MemoryOutcome): string | undefined =>
  outcome.type === 'refused' ? outcome.refusal.type : undefined;
const saved = (path: string): string => readFileSync(path, 'utf8');

test('M1 entries are added, replaced whole and removed, and read again from the file', async (t) => {
  const { files, path } = await bench(t);
  await files.apply('memory', [add(' Tests run with npm test. '), add('The store is SQLite.')]);
  assert.equal(saved(path), 'Tests run with npm test.\n§\nThe store is SQLite.');
  const replaced = await files.apply('memory', [
    { action: 'replace', entry: { containing: 'npm' }, content: 'Tests run with node --test.' },
  ]);
  assert.deepEqual(textsOf(replaced), ['Tests run with node --test.', 'The store is SQLite.']);
  assert.deepEqual(replaced.type === 'done' && replaced.removed, ['Tests run with npm test.']);
  await files.apply('memory', [{ action: 'remove', entry: { containing: 'SQLite' } }]);
  const { entries, chars, limit, percent } = await files.read('memory');
  assert.deepEqual(
    [entries.map(({ text }) => text), chars, limit, percent],
    [['Tests run with node --test.'], 27, 2_200, 1],
  );
});

test('M1 the two files are apart', async (t) => {
  const { files, folder } = await bench(t);
  await files.apply('user', [add('Lives in Turin.')]);
  assert.equal(saved(join(folder, 'USER.md')), 'Lives in Turin.');
  assert.deepEqual((await files.read('memory')).entries, []);
});

test('M1 an entry that is there already is success without a change', async (t) => {
  const { files, path } = await bench(t);
  await files.apply('memory', [add('one')]);
  const before = statSync(path).ino;
  const again = await files.apply('memory', [add('one ')]);
  assert.equal(again.type === 'done' && again.isChanged, false);
  assert.equal(statSync(path).ino, before);
});

test('M1 several operations are done together or not at all, and only the end has to fit', async (t) => {
  const { files } = await bench(t, { limits: { memory: 10 } });
  await files.apply('memory', [add('0123456789')]);
  const failed = await files.apply('memory', [add('new'), { action: 'remove', entry: { containing: 'nowhere' } }]);
  assert.equal(refusalOf(failed), 'not-found');
  assert.deepEqual(textsOf(failed), ['0123456789']);
  const done = await files.apply('memory', [add('new'), { action: 'remove', entry: { containing: '0123' } }]);
  assert.deepEqual(textsOf(done), ['new']);
});

test('M1 what cannot be done is refused with its reason and with what is there', async (t) => {
  const check = (text: string) => (text.includes('evil') ? { reason: 'it is evil' } : undefined);
  const { files } = await bench(t, { limits: { memory: 20 }, check });
  await files.apply('memory', [add('tea at four'), add('tea')]);
  const cases: readonly (readonly [MemoryOperation, string])[] = [
    [add('  '), 'empty'],
    [add('a\n§\nb'), 'separator'],
    [add('an evil plan'), 'blocked'],
    [add('much too long'), 'full'],
    [{ action: 'replace', entry: { containing: 'four' }, content: '' }, 'empty'],
    [{ action: 'replace', entry: { text: 'tea at five' }, content: 'x' }, 'changed'],
    [{ action: 'remove', entry: { hash: '0' } }, 'changed'],
    [{ action: 'remove', entry: { containing: 'coffee' } }, 'not-found'],
  ];
  for (const [operation, type] of cases) {
    const outcome = await files.apply('memory', [operation]);
    assert.equal(refusalOf(outcome), type);
    assert.deepEqual(textsOf(outcome), ['tea at four', 'tea']);
  }
  assert.equal(refusalOf(await files.apply('memory', [])), 'no-operation');
});

test('M1 a part of several entries is ambiguous, and a whole entry is meant before a part', async (t) => {
  const { files } = await bench(t);
  await files.apply('memory', [add('tea at four'), add('tea'), add('tea at five')]);
  const outcome = await files.apply('memory', [{ action: 'remove', entry: { containing: 'at f' } }]);
  assert.deepEqual(outcome.type === 'refused' && outcome.refusal, {
    type: 'ambiguous',
    at: 0,
    matches: ['tea at four', 'tea at five'],
  });
  const whole = await files.apply('memory', [{ action: 'remove', entry: { containing: 'tea' } }]);
  assert.deepEqual(textsOf(whole), ['tea at four', 'tea at five']);
});

test('M1 the snapshot shows both files with their usage, and nothing for nothing', async (t) => {
  const check = (text: string) => (text.includes('evil') ? { reason: 'it is evil' } : undefined);
  const { files, folder, path } = await bench(t, { limits: { memory: 100 }, check });
  assert.deepEqual(await files.snapshot(), { text: '', blocked: [] });
  await files.apply('user', [add('Lives in Turin.')]);
  writeFileSync(path, 'one\n§\nan evil plan\n§\ntwo');
  const ruler = '═'.repeat(46);
  const snapshot = await files.snapshot();
  const [hash] = snapshot.blocked.map((entry) => entry.hash);
  assert.equal(
    snapshot.text,
    [
      `${ruler}\nMEMORY (your own notes) [24% — 24/100 chars]\n${ruler}\none\n§`,
      `[BLOCKED: an entry of the file (${hash}) is not shown: it is evil. Tell the person, who can look at the file.]`,
      `§\ntwo\n\n${ruler}\nUSER (who the person is) [1% — 15/1,375 chars]\n${ruler}\nLives in Turin.`,
    ].join('\n'),
  );
  assert.ok(Object.isFrozen(snapshot));
  await files.apply('user', [add('Drinks tea.')]);
  assert.ok(!snapshot.text.includes('tea'));
  assert.ok(saved(join(folder, 'MEMORY.md')).includes('evil'));
});

test('M1 a snapshot has an end, however much a person wrote, and no giant entry', async (t) => {
  const { files, folder, path } = await bench(t);
  mkdirSync(folder);
  writeFileSync(path, `start\n${'x'.repeat(20_000)}\nend`);
  const { text } = await files.snapshot();
  assert.ok(text.length < 4_400 && text.includes('start') && text.endsWith('end'));
  assert.match(text, /16,\d{3} characters are not shown/);
  writeFileSync(path, `one\n§\n${'x'.repeat(65_537)}`);
  assert.match((await files.snapshot()).text, /one\n§\n\[BLOCKED: .*more than 65,536 characters/);
});

test('M1 a full file moves its oldest entries to the archive, word for word, where that is wished', async (t) => {
  const { files, folder } = await bench(t, { limits: { memory: 20 }, onFull: 'archive' });
  await files.apply('memory', [add('oldest "one"'), add('next')]);
  const outcome = await files.apply('memory', [add('the newest')]);
  assert.deepEqual(textsOf(outcome), ['next', 'the newest']);
  assert.deepEqual(outcome.type === 'done' && outcome.archived, ['oldest "one"']);
  const { target, text } = JSON.parse(saved(join(folder, 'ARCHIVE.jsonl')));
  assert.deepEqual([target, text], ['memory', 'oldest "one"']);
  assert.equal(refusalOf(await files.apply('memory', [add('x'.repeat(21))])), 'full');
});

test('M1 a file that a person filled beyond its limit may shrink', async (t) => {
  const { files, folder, path } = await bench(t, { limits: { memory: 10 } });
  mkdirSync(folder);
  writeFileSync(path, 'a long entry\n§\nanother one');
  assert.equal(refusalOf(await files.apply('memory', [add('x')])), 'full');
  const done = await files.apply('memory', [{ action: 'replace', entry: { containing: 'long' }, content: 'short' }]);
  assert.deepEqual(textsOf(done), ['short', 'another one']);
});

test('M2 folder and files are for their owner alone', async (t) => {
  const { files, folder, path } = await bench(t, { limits: { memory: 10 }, onFull: 'archive' });
  await files.apply('memory', [add('one')]);
  chmodSync(path, 0o644);
  await files.apply('memory', [add('two two')]);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  assert.deepEqual(readdirSync(folder).sort(), ['.MEMORY.md.recent', 'ARCHIVE.jsonl', 'MEMORY.md']);
});

test('M2 what a person wrote between two writes stays, in whatever way they saved it', async (t) => {
  const { files, path } = await bench(t);
  await files.apply('memory', [add('ours')]);
  writeFileSync(path, '\uFEFFours\r\n§\r\nby hand\r\n');
  assert.deepEqual(textsOf(await files.apply('memory', [add('second')])), ['ours', 'by hand', 'second']);
  writeFileSync(`${path}.swp`, 'ours\n§\nby hand, better\n§\nsecond');
  renameSync(`${path}.swp`, path);
  assert.deepEqual(textsOf(await files.apply('memory', [add('third')])), [
    'ours',
    'by hand, better',
    'second',
    'third',
  ]);
});

test('M2 an entry that an editor overwrote comes back, as does a replacement in its place', async (t) => {
  const { files, path } = await bench(t);
  await files.apply('memory', [add('first'), add('second')]);
  const opened = saved(path);
  await files.apply('memory', [{ action: 'replace', entry: { text: 'first' }, content: 'first, corrected' }]);
  await files.apply('memory', [add('third')]);
  writeFileSync(path, `${opened}\n§\na wish of the person`);
  assert.deepEqual(
    (await files.read('memory')).entries.map(({ text }) => text),
    ['first, corrected', 'second', 'a wish of the person', 'third'],
  );
  const outcome = await files.apply('memory', [add('fourth')]);
  assert.deepEqual(outcome.type === 'done' && outcome.returned, ['first, corrected', 'third']);
  assert.deepEqual(textsOf(outcome), ['first, corrected', 'second', 'a wish of the person', 'third', 'fourth']);
});

test('M2 an entry that a person took out or rewrote stays so', async (t) => {
  const { files, path } = await bench(t);
  const savedLater = (text: string): void => {
    writeFileSync(path, text);
    const then = new Date(Date.now() + 60_000);
    utimesSync(path, then, then);
  };
  await files.apply('memory', [add('first'), add('the person likes black tea')]);
  savedLater('first');
  assert.deepEqual(textsOf(await files.apply('memory', [add('the build takes a minute')])), [
    'first',
    'the build takes a minute',
  ]);
  savedLater('first\n§\nthe build takes two minutes');
  assert.deepEqual(textsOf(await files.apply('memory', [add('last')])), [
    'first',
    'the build takes two minutes',
    'last',
  ]);
});

test('M2 a decision about an entry is refused when that changed since', async (t) => {
  const { files, path } = await bench(t);
  const { file } = await files.apply('memory', [add('one'), add('two')]);
  const hash = file.entries[0]?.hash ?? '';
  writeFileSync(path, 'one, edited\n§\ntwo');
  const outcome = await files.apply('memory', [{ action: 'remove', entry: { hash } }]);
  assert.equal(refusalOf(outcome), 'changed');
  assert.deepEqual(textsOf(outcome), ['one, edited', 'two']);
  assert.equal(saved(path), 'one, edited\n§\ntwo');
});

test('M2 a file that cannot be read is not empty, and is never overwritten', async (t) => {
  const { files, folder, path } = await bench(t);
  mkdirSync(folder);
  const cases: readonly (() => void)[] = [
    () => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x61, 0x00])),
    () => mkdirSync(path),
    () => symlinkSync(join(folder, 'elsewhere'), path),
  ];
  for (const make of cases) {
    make();
    const before = lstatSync(path).ino;
    await assert.rejects(files.apply('memory', [add('one')]), { code: 'FILE_UNREADABLE' });
    await assert.rejects(files.read('memory'), { code: 'FILE_UNREADABLE' });
    await assert.rejects(files.snapshot(), { code: 'FILE_UNREADABLE' });
    assert.equal(lstatSync(path).ino, before);
    rmSync(path, { recursive: true });
  }
  assert.ok(!existsSync(join(folder, 'elsewhere')));
});

test('M2 a crash between the two moves leaves the file readable, and the next write puts it back', async (t) => {
  const { files, path } = await bench(t);
  await files.apply('memory', [add('one')]);
  renameSync(path, `${path}.before`);
  assert.equal((await files.read('memory')).chars, 3);
  assert.deepEqual(textsOf(await files.apply('memory', [add('two')])), ['one', 'two']);
  assert.ok(!existsSync(`${path}.before`));
});

test('M2 a crash behind the two moves leaves the file as it was written', async (t) => {
  const { files, path } = await bench(t);
  await files.apply('memory', [add('one')]);
  linkSync(path, `${path}.old`);
  await files.apply('memory', [{ action: 'remove', entry: { text: 'one' } }, add('two')]);
  renameSync(`${path}.old`, `${path}.before`);
  assert.deepEqual(textsOf(await files.apply('memory', [add('three')])), ['two', 'three']);
});

test('M2 what an editor saved in the very moment of a write that crashed is kept', async (t) => {
  const { files, path } = await bench(t);
  await files.apply('memory', [add('one')]);
  writeFileSync(`${path}.before`, 'one\n§\nby hand');
  assert.deepEqual(textsOf(await files.apply('memory', [add('two')])), ['one', 'by hand', 'two']);
});

test('M2 a lost or damaged note of the last writes costs no entry', async (t) => {
  const { files, folder, path } = await bench(t);
  await files.apply('memory', [add('one')]);
  for (const content of ['', '{', '[]', '{"from":"","to":"","entries":[],"recent":[null,{"text":1}]}']) {
    writeFileSync(join(folder, '.MEMORY.md.recent'), content);
    assert.deepEqual(textsOf(await files.apply('memory', [add('one')])), ['one']);
  }
  assert.equal(saved(path), 'one');
});

test('M1 wrong options are refused by name', () => {
  const check = () => undefined;
  const wrong: readonly unknown[] = [
    { check },
    { folder: 'x' },
    { folder: 'x', check, limits: { memory: 0 } },
    { folder: 'x', check, onFull: 'drop' },
    { folder: 'x', check, limit: 1 },
  ];
  for (const options of wrong) {
    // A program without a compiler hands over anything.
    assert.throws(() => openMemoryFiles(options as MemoryFilesOptions), { code: 'BAD_OPTION' });
  }
});
