/** Files that nobody named: whatever lies in a folder, no command hangs, slows or stops for it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runHere } from '../support/command-line.ts';
import { takesAtMost } from '../support/growth.ts';
import { atHome, configFile, own, plugin } from './plugin-home.ts';

const projectFile = 'palimpsest.yaml';
const laughs = Array.from({ length: 9 }, (_, i) =>
  i === 0
    ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
    : `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
).join('\n');

/** What a file may hold, and what is said of it. */
const contents: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['5 MB of brackets', '['.repeat(5_000_000), /larger than 64 KB/],
  ['60 KB of brackets', '['.repeat(60_000), /nested more than 64 deep/],
  ['60 KB of closing brackets', ']'.repeat(60_000), /more than 4000 brackets/],
  ['lists in lists on one line', `compression: ${'- '.repeat(1_000)}`, /not valid YAML|nested more than 64 deep/],
  ['lists in lists', '- '.repeat(1_000), /nested more than 64 deep/],
  [
    'sections in sections',
    Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    /nested more than 64 deep/,
  ],
  ['aliases of aliases', laughs, /alias count|keys and members/],
  [
    'thousands of keys',
    Array.from({ length: 9_000 }, (_, i) => `k${i}:`).join('\n'),
    /more than (?:4000 brackets|5000 keys)/,
  ],
  ['quotes that are never closed', '"'.repeat(60_000), /more than 4000 brackets/],
  ['bytes that are no text', new Uint8Array([0x63, 0x3a, 0xff, 0xfe, 0x80]), /not UTF-8/],
  ['half a letter at its end', new Uint8Array([0x63, 0x3a, 0x20, 0xe2, 0x82]), /not UTF-8/],
  ['an unknown setting', 'compresion: {}', /compresion/],
  ['a wrong value', 'compression:\n  threshold: often', /threshold/],
  ['a list', '- a', /sections such as "compression:"/],
  ['broken YAML', 'a: [', /not valid YAML/],
];

/** Far more than a file of 64 KB can cost a command, and far less than one that is read however large it is. */
const times = 10;

describe('a project’s configuration, where the project is not trusted', () => {
  for (const [name, content, reason] of contents) {
    it(`E3 stops and slows no command with ${name}; a note names the file and the reason`, () =>
      atHome({}, async (home, run) => {
        await atHome({}, async (_, plainRun) => {
          writeFileSync(join(home, projectFile), content);
          for (const args of [['config', 'show', '--changed'], ['status'], ['plugins']] as const) {
            const work = async (): Promise<void> => {
              const { code, stderr } = await run(...args);
              assert.equal(code, 0, stderr);
              assert.match(stderr, /palimpsest\.yaml/);
              assert.match(stderr, /is\s+ignored\s+because\s+the\s+project\s+is\s+not\s+trusted/);
              assert.match(stderr.replace(/\s+/g, ' '), reason);
            };
            await takesAtMost(times, { of: () => plainRun(...args), work });
          }
        });
      }));

    it(`E3 stops with the same reason, and as fast, where the person’s own configuration has ${name}`, () =>
      atHome({ [configFile]: '' }, async (home, run) => {
        const plainly = async (): Promise<void> => {
          writeFileSync(join(home, configFile), '');
          assert.equal((await run('config', 'show')).code, 0);
        };
        const work = async (): Promise<void> => {
          writeFileSync(join(home, configFile), content);
          const { code, stderr } = await run('config', 'show');
          assert.ok(code === 2 || code === 3, stderr);
          assert.match(stderr, /config\.yaml/);
          assert.match(stderr.replace(/\s+/g, ' '), reason);
        };
        await takesAtMost(times, { of: plainly, work });
      }));
  }

  const things: readonly (readonly [string, (path: string) => void])[] = [
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a device that never ends', (path) => symlinkSync('/dev/zero', path)],
    ['a link to itself', (path) => symlinkSync(projectFile, path)],
  ];
  for (const [name, put] of things) {
    it(`E3 hangs in no command where ${name} stands in its place`, { skip: process.platform === 'win32' }, () =>
      atHome({}, async (home, run) => {
        put(join(home, projectFile));
        const { code, stderr } = await run('config', 'show', '--changed');
        assert.equal(code, 0, stderr);
        assert.match(stderr, /is ignored.*palimpsest\.yaml/s);
      }),
    );
  }

  it('E3 hangs in no command where a socket stands in its place', { skip: process.platform === 'win32' }, () =>
    atHome({}, async (home, run) => {
      const server = createServer();
      await new Promise<void>((done) => server.listen(join(home, projectFile), done));
      const { code, stderr } = await run('status');
      server.close();
      assert.equal(code, 0, stderr);
      assert.match(stderr, /is ignored/);
    }),
  );

  it('E3 stops where the project is trusted and its file is wrong', () =>
    atHome({ [projectFile]: 'compresion: {}' }, async (_, run) => {
      assert.equal((await run('plugins', 'trust')).code, 0);
      const { code, stderr } = await run('config', 'show');
      assert.equal(code, 2);
      assert.match(stderr, /compresion/);
    }));
});

describe('palimpsest config show', () => {
  const wishes =
    'context:\n  engine: theirs\nhooks:\n  session_start: [{ command: touch ran }]\nstore:\n  path: /theirs.db\n' +
    'plugins:\n  timeout_seconds: 7\nauxiliary:\n  compression:\n    base_url: http://127.0.0.1:1/v1\n' +
    'model:\n  name: theirs\n  provider: openai\n  base_url: http://127.0.0.1:1/v1\n  cache_ttl: 1h\n' +
    'compression:\n  threshold: 0.6\n';
  const models = ['model.base_url', 'model.name', 'model.provider'];
  interface Row {
    readonly key: string;
    readonly value: unknown;
    readonly inEffect?: boolean;
    readonly used?: unknown;
  }
  const rowsOf = (stdout: string): readonly Row[] => JSON.parse(stdout).settings;
  const unheard = (rows: readonly Row[]): readonly string[] =>
    rows.filter(({ inEffect }) => inEffect === false).map(({ key }) => key);

  it('E3 marks what a project wishes and does not get, with what is used instead', () =>
    atHome({ [projectFile]: wishes }, async (_, run) => {
      const rows = rowsOf((await run('config', 'show', '--changed', '--json')).stdout);
      const guarded = ['auxiliary.compression.base_url', 'context.engine', 'hooks.session_start'];
      assert.deepEqual([...unheard(rows)].sort(), [...guarded, ...models, 'plugins.timeout_seconds', 'store.path']);
      assert.equal(rows.find(({ key }) => key === 'context.engine')?.used, 'compressor');
      const { stdout } = await run('config', 'show', '--changed');
      assert.match(stdout, /context\.engine +theirs +ignored \(compressor is used\): /);
      assert.match(stdout, /compression\.threshold +0\.6 +\S*palimpsest\.yaml$/m);
    }));

  it('E3 marks of a trusted project only what is the person’s alone to name', () =>
    atHome({ [projectFile]: wishes }, async (_, run) => {
      await run('plugins', 'trust');
      const rows = rowsOf((await run('config', 'show', '--changed', '--json')).stdout);
      assert.deepEqual([...unheard(rows)].sort(), ['auxiliary.compression.base_url', ...models, 'store.path']);
    }));
});

describe('trust', () => {
  const theirs = plugin('theirs', undefined, '.palimpsest/plugins/context_engine');
  const files = (folder: string): Record<string, string> => ({
    [`${folder}/${projectFile}`]: 'context:\n  engine: theirs\n',
    ...Object.fromEntries(Object.entries(theirs).map(([path, text]) => [`${folder}/${path}`, text])),
  });

  it('E3 is of the real folder: of a link that led to it, and not of what stands in its place later', () =>
    atHome({ ...files('good'), ...files('evil') }, async (home, run) => {
      symlinkSync('good', join(home, 'link'));
      await run('plugins', 'trust', 'link');
      const isTrusted = async (folder: string): Promise<boolean> =>
        JSON.parse((await runHere(['plugins', '--json'], { cwd: join(home, folder), env: { HOME: home } })).stdout)
          .trusted;
      assert.match(readFileSync(join(home, configFile), 'utf8'), /\/good/);
      assert.equal(await isTrusted('good'), true);
      assert.equal(await isTrusted('link'), true);
      assert.equal(await isTrusted('evil'), false);
      // The link is turned round: what it leads to now was never trusted.
      rmSync(join(home, 'link'));
      symlinkSync('evil', join(home, 'link'));
      assert.equal(await isTrusted('link'), false);
      // The trusted folder itself becomes a link to another one.
      renameSync(join(home, 'good'), join(home, 'moved'));
      symlinkSync('evil', join(home, 'good'));
      assert.equal(await isTrusted('good'), false);
      assert.equal(await isTrusted('evil'), false);
    }));
});

describe('manifests of plugins', () => {
  for (const [name, content, reason] of [
    ['5 MB of brackets', '['.repeat(5_000_000), /larger than 64 KB/],
    ['lists in lists', `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`, /nested more than 64 deep/],
    ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0x7d]), /not UTF-8/],
  ] as const) {
    it(`E3 a plugin with ${name} is listed as broken with the reason, and the others are there`, () =>
      atHome({ ...plugin('tidy'), ...plugin('bad') }, async (home, run) => {
        writeFileSync(join(home, own, 'bad', 'plugin.json'), content);
        const { code, stdout } = await run('plugins');
        assert.equal(code, 0);
        assert.match(stdout, /tidy +context engine/);
        assert.match(stdout, /bad +unknown +your plugins +broken/);
        assert.match(stdout.replace(/\s+/g, ' '), reason);
      }));
  }

  it('E3 a package with a manifest that cannot be read is broken, and no command stops for it', () =>
    atHome({ [configFile]: 'plugins:\n  packages: [pack]\n' }, async (home, run) => {
      const folder = join(home, '.local/share/palimpsest/plugins/node_modules/pack');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'plugin.json'), 'x'.repeat(100_000));
      const { code, stdout } = await run('plugins');
      assert.equal(code, 0);
      assert.match(stdout.replace(/\s+/g, ' '), /pack.*larger than 64 KB/);
    }));
});
