import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
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
import { gzipSync } from 'node:zlib';
import { leastNode } from '../../packages/palimpsest/src/cli/node-version.ts';
import { outputFile } from '../../packages/palimpsest/src/cli/output-file.ts';
import { removeUnfinished } from '../../packages/palimpsest/src/cli/unfinished-files.ts';
import { entry, inFolder, made, quietEnv, runHere, runProcess } from '../support/command-line.ts';
import { chatFile } from '../support/small-session.ts';

describe('input that cannot be read', () => {
  const cases: readonly (readonly [string, string, string | Uint8Array, RegExp])[] = [
    ['an empty file', 'empty.json', '', /the format of empty\.json was not recognised.*empty/],
    ['HTML', 'page.json', '<html></html>', /HTML/],
    ['other JSON', 'other.json', '{"name":"x"}', /Known formats: openai-chat/],
    ['a binary file', 'image.json', Buffer.from([0x89, 0x50, 0, 1, 2, 3]), /binary/],
    ['damaged gzip', 'bad.gz', damaged(), /gzip data is damaged/],
  ];
  for (const [title, name, content, expected] of cases) {
    it(`says what came for ${title}, with exit code 3`, () =>
      inFolder({ [name]: content }, async (cwd) => {
        const { code, stderr, stdout } = await runHere(['inspect', name], { cwd });
        assert.equal(code, 3, stderr);
        assert.equal(stdout, '');
        assert.match(stderr, /^palimpsest: /);
        assert.match(stderr, expected);
      }));
  }

  it('names the nearest file for one that is not there', () =>
    inFolder({ 'session.jsonl': '' }, async (cwd) => {
      const { code, stderr } = await runHere(['inspect', 'sesion.jsonl'], { cwd });
      assert.equal(code, 3);
      assert.match(stderr, /there is no file sesion\.jsonl: did you mean session\.jsonl\?/);
    }));

  it('L6 tells a link that leads nowhere from a name that was mistyped', { skip: process.platform === 'win32' }, () =>
    inFolder({}, async (cwd) => {
      symlinkSync('gone.jsonl', join(cwd, 'session.jsonl'));
      const { code, stderr } = await runHere(['inspect', 'session.jsonl'], { cwd });
      assert.equal(code, 3);
      assert.match(stderr, /session\.jsonl is a link to gone\.jsonl, which does not exist/);
    }),
  );

  it('L1 names the nearest backup for one that is not there, and makes no store', () =>
    inFolder({ 'backup.db': '' }, async (cwd) => {
      const { code, stderr } = await runHere(['restore', 'bakup.db', '--store', 's.db'], { cwd });
      assert.equal(code, 3);
      assert.match(stderr, /there is no file bakup\.db: did you mean backup\.db\?/);
      assert.deepEqual(readdirSync(cwd), ['backup.db']);
    }));

  for (const [option, words] of [
    ['--target', ['compress', 'chat.json', '--target', '12']],
    ['--target', ['compress', 'chat.json', '--target', 'some']],
    ['--context-length', ['inspect', 'chat.json', '--context-length', '0']],
    ['--context-length', ['simulate', 'chat.json', '--context-length', '1.5']],
    ['--budget', ['ledger', 'chat.json', '--budget', 'k']],
  ] as const) {
    it(`B2 names the option whose size is none: ${words.join(' ')}`, () =>
      inFolder({ 'chat.json': chatFile(3) }, async (cwd) => {
        const { code, stdout, stderr } = await runHere(words, { cwd });
        assert.deepEqual([code, stdout], [2, '']);
        assert.ok(stderr.startsWith(`palimpsest: expected ${option} to be a number of tokens of at least `), stderr);
      }));
  }

  it('tells a folder from a file', () =>
    inFolder({}, async (cwd) => {
      const { code, stderr } = await runHere(['inspect', '.'], { cwd });
      assert.equal(code, 3);
      assert.match(stderr, /is a folder/);
    }));

  it('asks for a file when nothing is piped in', async () => {
    const { code, stderr } = await runHere(['inspect'], { isTerminal: true });
    assert.equal(code, 2);
    assert.match(stderr, /expected a transcript FILE, or "-"/);
  });

  it('keeps what came before the end of a cut gzip file, and says so', () =>
    inFolder({ 'cut.gz': gzipSync(jsonl(400)).subarray(0, -300) }, async (cwd) => {
      const { code, stdout, stderr } = await runHere(['inspect', 'cut.gz'], { cwd });
      assert.equal(code, 0, stderr);
      assert.match(stderr, /note: the gzip data is cut off/);
      assert.match(stdout, /messages/);
    }));
});

/** Lines that do not repeat, so that a packed file ends in the middle of some. */
function jsonl(count: number): string {
  const line = (at: number): string =>
    JSON.stringify({ role: at % 2 ? 'assistant' : 'user', content: `${at} ${(at * 7919) % 10_007}` });
  return Array.from({ length: count }, (_, at) => line(at)).join('\n');
}

function damaged(): Uint8Array {
  const bytes = gzipSync(jsonl(400));
  bytes.fill(0xaa, 200, 260);
  return bytes;
}

describe('configuration', () => {
  const wrong = 'compression:\n  treshold: 0.4\n';
  it('of the person is refused as a whole when it is wrong, with exit code 2', () =>
    inFolder({}, async (cwd) => {
      const folder = join(cwd, '.config', 'palimpsest');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'config.yaml'), wrong);
      const { code, stderr } = await runHere(['config', 'show'], { cwd });
      assert.equal(code, 2);
      assert.match(stderr, /treshold.*did you mean "threshold"\?/s);
    }));

  it('of a project that nobody trusts is left out as a whole when it is wrong, with a note', () =>
    inFolder({ 'palimpsest.yaml': `${wrong}  target_ratio: 0.3\n` }, async (cwd) => {
      const { code, stdout, stderr } = await runHere(['config', 'show', '--changed'], { cwd });
      assert.equal(code, 0);
      assert.match(stdout, /all settings have their defaults/);
      assert.match(stderr, /is ignored.*treshold.*did you mean "threshold"\?/s);
    }));
});

describe('output', () => {
  it('says why a file cannot be written and leaves nothing behind', () =>
    inFolder({ 'chat.json': chatFile(20) }, async (cwd) => {
      const { code, stderr } = await runHere(['compress', 'chat.json', '-o', 'no/where.json'], { cwd });
      assert.equal(code, 3);
      assert.match(stderr, /no\/where\.json cannot be written: its folder does not exist/);
      assert.deepEqual(readdirSync(cwd), ['chat.json']);
    }));

  it('keeps the old file when writing breaks in the middle', () =>
    inFolder({ 'old.json': 'old' }, async (cwd) => {
      function* broken(): Generator<string> {
        yield 'half';
        throw new Error('the writer broke');
      }
      const { write } = await outputFile('old.json', { terminal: made({ cwd }).terminal, force: true });
      await assert.rejects(write(broken()), /the writer broke/);
      assert.deepEqual(readdirSync(cwd), ['old.json']);
      assert.equal(readFileSync(join(cwd, 'old.json'), 'utf8'), 'old');
      removeUnfinished();
    }));

  it('keeps the permissions of the file that it replaces', () =>
    inFolder({ 'chat.json': chatFile(20), 'short.json': '' }, async (cwd) => {
      chmodSync(join(cwd, 'short.json'), 0o600);
      assert.equal((await runHere(['compress', 'chat.json', '-o', 'short.json', '--force'], { cwd })).code, 0);
      assert.equal(statSync(join(cwd, 'short.json')).mode & 0o777, 0o600);
    }));

  it('refuses a folder as output', () =>
    inFolder({ 'chat.json': chatFile(20) }, async (cwd) => {
      mkdirSync(join(cwd, 'folder'));
      const { code, stderr } = await runHere(['compress', 'chat.json', '-o', 'folder'], { cwd });
      assert.equal(code, 3);
      assert.match(stderr, /it is a folder/);
    }));
});

describe('signals', () => {
  it('is quiet when the reader of a pipe has seen enough', () =>
    inFolder({ 'chat.json': chatFile(400) }, async (cwd) => {
      const child = spawn(process.execPath, [entry, 'expand', 'chat.json', 'm1-m2400', '--quiet'], {
        cwd,
        env: quietEnv,
      });
      const err: Buffer[] = [];
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      child.stdout.once('data', () => child.stdout.destroy());
      const code = await new Promise((resolve) => child.on('close', resolve));
      assert.equal(code, 0);
      assert.equal(Buffer.concat(err).toString(), '');
    }));

  it('A6 says that standard output is full, with exit code 3', {
    skip: !existsSync('/dev/full') && 'needs /dev/full',
  }, async () => {
    const child = spawn(process.execPath, [entry, 'formats'], {
      env: quietEnv,
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    });
    const err: Buffer[] = [];
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), 3);
    assert.match(Buffer.concat(err).toString(), /^palimpsest: standard output cannot be written: ENOSPC/);
  });

  it(
    'ends with 130 and nothing half-written on Ctrl-C',
    { skip: process.platform === 'win32' && 'needs POSIX signals' },
    () =>
      inFolder({}, async (cwd) => {
        const child = spawn(process.execPath, [entry, 'compress', '-', '-o', 'short.json'], { cwd, env: quietEnv });
        child.stderr.on('data', () => undefined);
        const ended = new Promise((resolve) => child.on('close', (code) => resolve(code)));
        // More than a pipe holds: once it is taken, the process runs and listens to signals.
        const opening = `[{"role":"user","content":"${'x'.repeat(1 << 20)}`;
        child.stdin.write(opening, () => child.kill('SIGINT'));
        assert.equal(await ended, 130);
        assert.deepEqual(readdirSync(cwd), []);
      }),
  );
});

describe('the process', () => {
  it('says which Node it needs where that is too old', async () => {
    const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '22.9.0' } })`;
    const child = spawn(process.execPath, ['--import', older, entry, 'formats'], { env: quietEnv });
    const err: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), 2);
    assert.match(Buffer.concat(err).toString(), /^palimpsest: expected Node 24 or newer, got Node 22\.9\.0: install/);
    const { engines } = JSON.parse(
      readFileSync(new URL('../../packages/palimpsest/package.json', import.meta.url), 'utf8'),
    );
    assert.equal(engines.node, `>=${leastNode}`);
  });

  it('runs with standard input closed', async () => {
    const { code, stdout } = await runProcess(['formats']);
    assert.equal(code, 0);
    assert.match(stdout, /openai-chat +yes +yes/);
  });
});
