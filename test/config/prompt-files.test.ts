/** The files that a system prompt shows: which are found, and what lies in their place without doing harm. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type PromptFiles, readPromptFiles } from '../../packages/palimpsest/src/config/prompt-files.ts';

interface Place {
  /** A folder with a checkout in it, and a home. */
  readonly top: string;
  readonly project: string;
  /** A folder in the project. */
  readonly inner: string;
  readonly read: (folder?: string) => Promise<PromptFiles>;
  /** What is shown, by paths from `top`. */
  readonly shown: (folder?: string) => Promise<readonly (readonly [path: string, text: string])[]>;
}

function place(t: TestContext): Place {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-files-')));
  t.after(() => rmSync(top, { recursive: true, force: true }));
  const project = join(top, 'oven');
  const inner = join(project, 'door', 'hinge');
  mkdirSync(inner, { recursive: true });
  mkdirSync(join(project, '.git'));
  const read = (folder = inner): Promise<PromptFiles> =>
    readPromptFiles({ cwd: folder, env: { HOME: join(top, 'home') }, platform: 'linux' });
  const shown: Place['shown'] = async (folder) =>
    (await read(folder)).files.map(({ path, text }) => [relative(top, path), text] as const);
  return { top, project, inner, read, shown };
}

describe('Y1 files of a project', () => {
  test('Y1 are read from the root of the checkout down to the folder that is worked in', async (t) => {
    const { top, project, inner, read, shown } = place(t);
    writeFileSync(join(top, 'AGENTS.md'), 'outside');
    writeFileSync(join(project, 'AGENTS.md'), 'root');
    writeFileSync(join(project, 'door', 'CLAUDE.md'), 'door');
    writeFileSync(join(inner, 'AGENTS.md'), 'hinge');
    assert.deepEqual(await shown(), [
      ['oven/AGENTS.md', 'root'],
      ['oven/door/CLAUDE.md', 'door'],
      ['oven/door/hinge/AGENTS.md', 'hinge'],
    ]);
    assert.deepEqual(await shown(project), [['oven/AGENTS.md', 'root']]);
    assert.equal((await read()).root, project);
  });

  test('Y1 of a folder in no checkout are those of the folder alone, and a worktree has a file for its checkout', async (t) => {
    const { top, project, shown } = place(t);
    const inner = join(top, 'plain', 'inner');
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(top, 'plain', 'AGENTS.md'), 'above');
    writeFileSync(join(inner, 'AGENTS.md'), 'here');
    assert.deepEqual(await shown(inner), [['plain/inner/AGENTS.md', 'here']]);
    const tree = join(top, 'tree');
    mkdirSync(join(tree, 'inner'), { recursive: true });
    writeFileSync(join(tree, '.git'), `gitdir: ${project}/.git/worktrees/tree`);
    writeFileSync(join(tree, 'AGENTS.md'), 'tree');
    assert.deepEqual(await shown(join(tree, 'inner')), [['tree/AGENTS.md', 'tree']]);
  });

  for (const [how, make] of [
    ['only refers to the other one', (to: string) => writeFileSync(join(to, 'CLAUDE.md'), '@AGENTS.md\r\n')],
    ['is a link to it', (to: string) => symlinkSync('AGENTS.md', join(to, 'CLAUDE.md'))],
    ['says the same', (to: string) => writeFileSync(join(to, 'CLAUDE.md'), 'root')],
  ] as const) {
    test(`Y1 count once where CLAUDE.md ${how}`, async (t) => {
      const { project, read, shown } = place(t);
      writeFileSync(join(project, 'AGENTS.md'), 'root');
      make(project);
      assert.deepEqual(await shown(), [['oven/AGENTS.md', 'root']]);
      assert.deepEqual((await read()).notes, []);
    });
  }

  test('Y1 of 3 MB are read in part, in whole lines', async (t) => {
    const { project, read } = place(t);
    writeFileSync(join(project, 'AGENTS.md'), 'オーブンの規則です。\r\n'.repeat(100_000));
    const [file] = (await read()).files;
    assert.ok(file && file.text.length < 300_000);
    assert.ok(file.text.endsWith('。\r\n'));
    assert.equal(Buffer.byteLength(file.text) + (file.unreadBytes ?? 0), 3_200_000);
  });

  test('Y1 of one line that is too long are cut within no letter', async (t) => {
    const { project, read } = place(t);
    writeFileSync(join(project, 'AGENTS.md'), '規'.repeat(1_000_000));
    const [file] = (await read()).files;
    assert.match(file?.text ?? '', /^規+$/);
  });
});

describe('Y1 what lies in place of a file of a project', () => {
  const cases: readonly (readonly [string, (path: string, place: Place) => void, RegExp])[] = [
    ['a folder', (path) => mkdirSync(path), /it is a folder/],
    ['a pipe', (path) => execFileSync('mkfifo', [path]), /it is not a file/],
    ['bytes that are no text', (path) => writeFileSync(path, new Uint8Array([65, 0, 66])), /it is no text/],
    ['text in another encoding', (path) => writeFileSync(path, new Uint8Array([0x67, 0xfc, 0x6e])), /not UTF-8/],
    ['a link to itself', (path) => symlinkSync('AGENTS.md', path), /a link that leads to itself/],
    ['a link to nothing', (path) => symlinkSync('nothing.md', path), /a link that leads nowhere/],
    [
      'a link out of the project',
      (path, { top }) => {
        writeFileSync(join(top, 'secret.md'), 'secret');
        symlinkSync(join(top, 'secret.md'), path);
      },
      /a link that leads out of the project/,
    ],
    [
      'a link to a file of the machine',
      (path) => symlinkSync('/etc/passwd', path),
      /a link that leads out of the project/,
    ],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path), /a link that leads out of the project/],
    ['a link to the whole project', (path) => symlinkSync('..', path), /out of the project|it is a folder/],
  ];

  for (const [name, make, reason] of cases) {
    test(`Y1 is told where it is ${name}, and the other files are shown`, async (t) => {
      const here = place(t);
      make(join(here.project, 'AGENTS.md'), here);
      writeFileSync(join(here.inner, 'AGENTS.md'), 'hinge');
      const { files, notes } = await here.read();
      assert.deepEqual(
        files.map(({ text }) => text),
        ['hinge'],
      );
      assert.equal(notes.length, 1);
      assert.match(notes[0] ?? '', reason);
      assert.match(notes[0] ?? '', /AGENTS\.md is not shown to the model: /);
    });
  }

  test('Y1 is told where the person may not read it', {
    skip: process.getuid?.() === 0 && 'root may read everything',
  }, async (t) => {
    const { project, read } = place(t);
    writeFileSync(join(project, 'AGENTS.md'), 'root');
    chmodSync(join(project, 'AGENTS.md'), 0);
    assert.match((await read()).notes[0] ?? '', /you may not read it/);
  });

  test('Y1 is nothing to be told where it is empty', async (t) => {
    const { project, read } = place(t);
    writeFileSync(join(project, 'AGENTS.md'), ' \n');
    const { files, notes } = await read();
    assert.deepEqual([files, notes], [[], []]);
  });
});

describe('Y1 SOUL.md', () => {
  test('Y1 is read from the folder of the configuration, through a link, too', async (t) => {
    const { top, read } = place(t);
    const own = join(top, 'home', '.config', 'palimpsest');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(top, 'dotfiles.md'), 'You are Marvin.');
    symlinkSync(join(top, 'dotfiles.md'), join(own, 'SOUL.md'));
    const { soul } = await read();
    assert.deepEqual(soul, { path: join(own, 'SOUL.md'), text: 'You are Marvin.' });
  });

  test('Y1 is not looked for where there is no home, and is not of a project', async (t) => {
    const { project, inner } = place(t);
    writeFileSync(join(project, 'SOUL.md'), 'You are somebody else.');
    const { soul, files, notes } = await readPromptFiles({ cwd: inner, env: {}, platform: 'linux' });
    assert.deepEqual([soul, files, notes], [undefined, [], []]);
  });
});
