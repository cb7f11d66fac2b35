/** What a command is told to write never takes the place of a file that somebody needs, by whatever name it is given. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { entry, inFolder, type Outcome, quietEnv, runHere } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

const chat = chatFile(20);
const summary = 'The parser accepts an empty row.\n';

/** The words of every command that writes a file, with the name of the file. */
const commands: Readonly<Record<string, (output: string, store: string) => readonly string[]>> = {
  compress: (output) => ['compress', 'chat.json', '--target', '3000', '-o', output],
  'compress --json': (output) => ['compress', 'chat.json', '--json', '-o', output],
  verify: (output) => ['verify', 'sum.md', 'chat.json', '--fix', '-o', output],
  'sessions export': (output, store) => ['sessions', 'export', 'Rows', '--store', store, '-o', output],
  insights: (output, store) => ['insights', '--store', store, '--html', output],
  backup: (output, store) => ['backup', output, '--store', store],
};
/** A backup is always a new file. */
const isForced = (name: string): boolean => name !== 'backup';

/** A folder with a transcript, a summary, and the store that is configured, which another process has open. */
async function withStore(use: (cwd: string, store: string) => Promise<void>): Promise<void> {
  await inFolder({ 'chat.json': chat, 'sum.md': summary, 'old.txt': 'a letter' }, async (cwd) => {
    const store = join(cwd, 'store.db');
    mkdirSync(join(cwd, '.config/palimpsest'), { recursive: true });
    writeFileSync(join(cwd, '.config/palimpsest/config.yaml'), `store:\n  path: ${store}\n`);
    assert.equal((await runHere(['import', 'chat.json', '--title', 'Rows'], { cwd })).code, 0);
    await using open = await openStore({ path: store });
    await open.sessions.create({ source: 'cli' });
    await use(cwd, store);
  });
}

const sizes = (cwd: string): string =>
  readdirSync(cwd)
    .filter((name) => /^(?:store|chat|sum|old)/.test(name) && !name.endsWith('-shm'))
    .map((name) => `${name} ${statSync(join(cwd, name)).ino} ${readFileSync(join(cwd, name)).toString('base64')}`)
    .join('\n');

/** Every way to name a file that is not the plain one. */
function namesOf(cwd: string, file: string): Readonly<Record<string, string>> {
  const at = join(cwd, file);
  mkdirSync(join(cwd, 'inner'), { recursive: true });
  const made = (name: string, make: (path: string) => void): string => {
    if (!existsSync(join(cwd, name))) make(join(cwd, name));
    return name;
  };
  return {
    'its name': file,
    'a relative path': `inner/../${file}`,
    'an absolute path': at,
    'a link': made(`link-${file}`, (path) => symlinkSync(at, path)),
    'a link to a link': made(`link2-${file}`, (path) => symlinkSync(`link-${file}`, path)),
    'a folder that is a link': `${made('again', (path) => symlinkSync('.', path))}/${file}`,
    'a hard link': made(`hard-${file}`, (path) => linkSync(at, path)),
    'its address': pathToFileURL(at).href,
    'a short address': `file:${file}`,
  };
}

describe('A6 what a command writes', () => {
  for (const [name, words] of Object.entries(commands)) {
    it(`${name} leaves a file alone that exists, without --force`, () =>
      withStore(async (cwd, store) => {
        const before = sizes(cwd);
        const { code, stderr } = await runHere(words('old.txt', store), { cwd });
        assert.equal(code, 2, stderr);
        assert.match(stderr, /old\.txt already exists/);
        assert.equal(sizes(cwd), before);
      }));

    it(`${name} never writes over the store or what lies beside it, by any name, with --force too`, () =>
      withStore(async (cwd, store) => {
        const before = sizes(cwd);
        for (const file of ['store.db', 'store.db-wal', 'store.db-shm']) {
          for (const [how, output] of Object.entries(namesOf(cwd, file))) {
            for (const force of isForced(name) ? [[], ['--force']] : [[]]) {
              const { code, stderr } = await runHere([...words(output, store), ...force], { cwd });
              assert.equal(code, 2, `${file} by ${how}: ${stderr}`);
            }
          }
        }
        const journal = await runHere([...words('store.db-journal', store)], { cwd });
        assert.equal(journal.code, 2, journal.stderr);
        assert.equal(sizes(cwd).replaceAll(/^(?:link|hard).*$/gm, ''), before);
        await using open = await openStore({ path: store });
        assert.equal((await open.care.check()).ok, true);
      }));

    it(`${name} writes nothing through a link that leads nowhere, nor into a folder`, () =>
      withStore(async (cwd, store) => {
        symlinkSync('later.db', join(cwd, 'dangling'));
        for (const output of ['dangling', '.config']) {
          const { code, stderr } = await runHere(words(output, store), { cwd });
          assert.ok(code === 2 || code === 3, `${output}: ${code} ${stderr}`);
        }
        assert.equal(existsSync(join(cwd, 'later.db')), false);
      }));

    if (!isForced(name)) continue;
    it(`${name} replaces another file with --force, and leaves nothing else behind`, () =>
      withStore(async (cwd, store) => {
        chmodSync(join(cwd, 'old.txt'), 0o640);
        const names = readdirSync(cwd);
        const { code, stderr } = await runHere([...words('old.txt', store), '--force'], { cwd });
        assert.ok(code === 0 || code === 1, stderr);
        assert.notEqual(readFileSync(join(cwd, 'old.txt'), 'utf8'), 'a letter');
        assert.equal(statSync(join(cwd, 'old.txt')).mode & 0o777, 0o640);
        assert.deepEqual(readdirSync(cwd), names);
      }));

    it(`${name} never writes over what it reads, by any name, with --force too`, () =>
      withStore(async (cwd, store) => {
        const read = words('', store).filter((word) => ['chat.json', 'sum.md'].includes(word));
        const before = sizes(cwd);
        for (const file of read) {
          for (const [how, output] of Object.entries(namesOf(cwd, file))) {
            const { code, stderr } = await runHere([...words(output, store), '--force'], { cwd });
            assert.equal(code, 2, `${file} by ${how}: ${stderr}`);
          }
        }
        assert.equal(sizes(cwd), before);
      }));
  }

  it('a store that is not configured, and every other database, is never written over either', () =>
    withStore(async (cwd) => {
      const other = join(cwd, 'other');
      {
        await using store = await openStore({ path: other });
        await store.sessions.create({ source: 'cli' });
      }
      const before = readFileSync(other);
      for (const output of ['other', 'other-wal', 'other-journal']) {
        const { code, stderr } = await runHere(['compress', 'chat.json', '-o', output, '--force'], { cwd });
        assert.equal(code, 2, stderr);
        assert.match(stderr, /belongs to a database, which is never overwritten/);
      }
      assert.ok(before.equals(readFileSync(other)));
      assert.equal(existsSync(join(cwd, 'other-wal')), false);
    }));

  it('the place of a store that is not there yet is kept free', () =>
    inFolder({ 'chat.json': chat }, async (cwd) => {
      mkdirSync(join(cwd, '.local/share/palimpsest'), { recursive: true });
      const { code, stderr } = await runHere(['compress', 'chat.json', '-o', '.local/share/palimpsest/palimpsest.db'], {
        cwd,
      });
      assert.equal(code, 2, stderr);
      assert.deepEqual(readdirSync(join(cwd, '.local/share/palimpsest')), []);
    }));

  it('the file that the shell gave to standard input is an input', () =>
    inFolder({ 'chat.json': chat }, async (cwd) => {
      const { code, stderr } = await piped(['compress', '-', '-o', 'chat.json', '--force'], cwd);
      assert.equal(code, 2, stderr);
      assert.match(stderr, /chat\.json is the input/);
      assert.equal(readFileSync(join(cwd, 'chat.json'), 'utf8'), chat);
    }));

  it('a descriptor of the process is no way round', { skip: !existsSync('/proc/self/fd') && 'needs /proc' }, () =>
    withStore(async (cwd, store) => {
      const file = openSync(store, 'r');
      const before = sizes(cwd);
      for (const path of [`/proc/self/fd/${file}`, `/proc/${process.pid}/fd/${file}`, `/dev/fd/${file}`]) {
        for (const [name, words] of Object.entries(commands)) {
          const { code, stderr } = await runHere([...words(path, store), ...(isForced(name) ? ['--force'] : [])], {
            cwd,
          });
          assert.equal(code, 2, `${name} ${path}: ${stderr}`);
        }
      }
      closeSync(file);
      assert.equal(sizes(cwd), before);
    }),
  );

  it('a device is written to', { skip: !existsSync('/dev/null') && 'needs /dev/null' }, () =>
    withStore(async (cwd, store) => {
      const { code, stderr } = await runHere(['sessions', 'export', 'Rows', '--store', store, '-o', '/dev/null'], {
        cwd,
      });
      assert.equal(code, 0, stderr);
    }),
  );

  it('"-" is standard output for every command that can be piped, and no file of that name is made', () =>
    withStore(async (cwd, store) => {
      for (const [name, words] of Object.entries(commands)) {
        const { code, stdout, stderr } = await runHere(words('-', store), { cwd });
        assert.equal(code, name === 'backup' ? 2 : 0, stderr);
        assert.equal(stdout === '', name === 'backup', name);
      }
      assert.equal(existsSync(join(cwd, '-')), false);
    }));

  it('a file that was made while the command worked is kept', () =>
    withStore(async (cwd) => {
      // The summary comes through a pipe: when it has come, the place was looked at.
      const child = spawn(process.execPath, [entry, 'verify', '-', 'chat.json', '--fix', '-o', 'new.md'], {
        cwd,
        env: { ...quietEnv, HOME: cwd },
      });
      const err: Buffer[] = [];
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      const ended = new Promise((resolve) => child.on('close', resolve));
      // More than a pipe holds, and less than a summary may have: once it is taken, the command reads.
      child.stdin.write(`${summary}${' '.repeat(100_000)}`, () => {
        writeFileSync(join(cwd, 'new.md'), 'a letter');
        child.stdin.end();
      });
      assert.equal(await ended, 2);
      assert.match(Buffer.concat(err).toString(), /new\.md already exists/);
      assert.equal(readFileSync(join(cwd, 'new.md'), 'utf8'), 'a letter');
    }));
});

describe('A6 backup and restore', () => {
  it('touch no file whose name is near that of their own', () =>
    withStore(async (cwd, store) => {
      for (const name of ['copy.db.partial', 'store.db.restoring']) writeFileSync(join(cwd, name), 'a letter');
      assert.equal((await runHere(['backup', 'copy.db', '--store', store], { cwd })).code, 0);
      assert.equal((await runHere(['restore', 'copy.db', '--store', 'second.db'], { cwd })).code, 0);
      for (const name of ['copy.db.partial', 'store.db.restoring'])
        assert.equal(readFileSync(join(cwd, name), 'utf8'), 'a letter');
    }));

  it('keep the store that has the name of a copy that was broken off', () =>
    withStore(async (cwd, store) => {
      assert.equal((await runHere(['backup', 'copy.db.partial', '--store', store], { cwd })).code, 0);
      assert.equal((await runHere(['backup', 'copy.db', '--store', 'copy.db.partial'], { cwd })).code, 0);
      assert.ok(existsSync(join(cwd, 'copy.db.partial')));
      assert.equal((await runHere(['backup', 'next.db.restoring', '--store', store], { cwd })).code, 0);
      const restored = await runHere(['restore', 'next.db.restoring', '--store', 'next.db'], { cwd });
      assert.equal(restored.code, 0, restored.stderr);
      assert.ok(existsSync(join(cwd, 'next.db.restoring')));
    }));

  it('know the store behind a link: what another process has open is not put aside, and the link stays', () =>
    inFolder({ 'chat.json': chat }, async (cwd) => {
      const run = (...args: string[]): Promise<Outcome> => runHere([...args, '--store', 'link.db'], { cwd });
      symlinkSync('real.db', join(cwd, 'link.db'));
      assert.equal((await runHere(['import', 'chat.json', '--store', 'real.db'], { cwd })).code, 0);
      assert.equal((await run('backup', 'copy.db')).code, 0);
      {
        await using open = await openStore({ path: join(cwd, 'real.db') });
        await open.sessions.create({ source: 'cli' });
        assert.equal((await run('restore', 'copy.db', '--force')).code, 3);
      }
      for (const itself of ['link.db', 'real.db']) assert.equal((await run('restore', itself, '--force')).code, 2);
      assert.equal((await run('restore', 'copy.db', '--force')).code, 0);
      await using store = await openStore({ path: join(cwd, 'link.db') });
      assert.equal((await store.sessions.list()).length, 1);
      assert.ok(existsSync(join(cwd, 'real.db.before-restore')));
    }));
});

describe('A6 a store', () => {
  it('is not named by an address, in the library nor on the command line', () =>
    inFolder({ 'chat.json': chat }, async (cwd) => {
      const address = pathToFileURL(join(cwd, 'store.db')).href;
      await assert.rejects(openStore({ path: address }), { code: 'BAD_OPTION', message: /not the address file:/ });
      const { code, stderr } = await runHere(['import', 'chat.json', '--store', address], { cwd });
      assert.equal(code, 2, stderr);
      assert.match(stderr, /expected the path of a file, got the URL file:.*use \/.*store\.db/);
      await using store = await openStore({ path: ':memory:' });
      await assert.rejects(store.care.backup(address), { code: 'BAD_OPTION' });
      assert.deepEqual(readdirSync(cwd), ['chat.json']);
    }));
});

/** A command with a file as its standard input. */
async function piped(args: readonly string[], cwd: string): Promise<{ code: unknown; stderr: string }> {
  const input = openSync(join(cwd, 'chat.json'), 'r');
  const child = spawn(process.execPath, [entry, ...args], {
    cwd,
    env: { ...quietEnv, HOME: cwd },
    stdio: [input, 'ignore', 'pipe'],
  });
  closeSync(input);
  const err: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, stderr: Buffer.concat(err).toString() };
}
