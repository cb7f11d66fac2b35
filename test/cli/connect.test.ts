/** `palimpsest connect` and `palimpsest disconnect`, in a home of their own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { inFolder, runHere, runProcess } from '../support/command-line.ts';
import { atHome, kept, keptFile } from './client-home.ts';
import { write } from './plugin-home.ts';

interface Sample {
  readonly client: string;
  readonly file: string;
  /** As a person wrote it, with comments. */
  readonly own: string;
  /** What stands in it once it is connected, whatever else does. */
  readonly set: RegExp;
  /** With an address of somebody else. */
  readonly other: string;
  readonly broken: string;
}

const samples: readonly Sample[] = [
  {
    client: 'claude-code',
    file: '.claude/settings.json',
    own: '{\n  "env": {\n    "ANTHROPIC_AUTH_TOKEN": "sk-ant-not-a-key"\n  },\n  "model": "opus"\n}\n',
    set: /"ANTHROPIC_BASE_URL": "http:\/\/127\.0\.0\.1:4780"/,
    other: '{"env":{"ANTHROPIC_BASE_URL":"https://me:pass-word@other.example"}}',
    broken: '{ "env": ',
  },
  {
    client: 'codex',
    file: '.codex/config.toml',
    own: '# mine\nmodel = "gpt-5.2" # fast\n\n[profiles.slow]\nmodel = "o9"\n',
    set: /^openai_base_url = "http:\/\/127\.0\.0\.1:4780\/v1"$/m,
    other: "openai_base_url = 'https://me:pass-word@other.example'\n",
    broken: 'model = "gpt\n',
  },
  {
    client: 'opencode',
    file: '.config/opencode/opencode.jsonc',
    own: '{\n  // mine\n  "provider": { "anthropic": { "options": { "timeout": 1 } } },\n  "share": "disabled",\n}\n',
    set: /"openai": [^}]*"baseURL": ?"http:\/\/127\.0\.0\.1:4780\/v1"/,
    other: '{ "provider": { "openai": { "options": { "baseURL": "https://me:pass-word@other.example" } } } }',
    broken: '{ "provider": 1 }',
  },
  {
    client: 'pi',
    file: '.pi/agent/models.json',
    own: '{\n  "providers": {\n    "ollama": { "baseUrl": "http://localhost:11434/v1" } // home\n  }\n}\n',
    set: /"anthropic": \{\s*"baseUrl": "http:\/\/127\.0\.0\.1:4780"/,
    other: '{"providers":{"anthropic":{"baseUrl":"https://me:pass-word@other.example"}}}',
    broken: '{ "providers": { "a" } }',
  },
  {
    client: 'qwen',
    file: '.qwen/settings.json',
    own: '{\n  "security": { "auth": { "selectedType": "openai" } } // key\n}\n',
    set: /"OPENAI_BASE_URL": "http:\/\/127\.0\.0\.1:4780\/v1"/,
    other: '{"env":{"OPENAI_BASE_URL":"https://me:pass-word@other.example"}}',
    broken: 'env: 1',
  },
  {
    client: 'gemini',
    file: '.gemini/.env',
    own: '# mine\nGEMINI_API_KEY=not-a-key\n',
    set: /^GOOGLE_GEMINI_BASE_URL=http:\/\/127\.0\.0\.1:4780$/m,
    other: 'GOOGLE_GEMINI_BASE_URL="https://me:pass-word@other.example"\n',
    broken: 'GOOGLE_GEMINI_BASE_URL="https://a\n',
  },
  {
    client: 'continue',
    file: '.continue/config.yaml',
    own: 'models:\n  # mine\n  - name: Sonnet\n    provider: anthropic\n    model: m\n',
    set: /^ {4}apiBase: "http:\/\/127\.0\.0\.1:4780\/v1"$/m,
    other: "models:\n  - provider: openai\n    apiBase: 'https://api.openai.com/v1' # usual\n",
    broken: 'models: [\n',
  },
];

for (const { client, file, own, set, other, broken } of samples) {
  test(`K2 ${client}: a file with comments gets the address alone, and is put back byte for byte`, () =>
    atHome({ [file]: own }, async (home, run) => {
      chmodSync(join(home, file), 0o640);
      const { code, stdout } = await run('connect', client, '--yes');
      assert.equal(code, 0);
      const text = readFileSync(join(home, file), 'utf8');
      assert.match(text, set);
      for (const [remark] of own.matchAll(/(?:#|\/\/) .*/g)) assert.ok(text.includes(remark), remark);
      assert.equal(statSync(join(home, file)).mode & 0o777, 0o640);
      const backup = keptFile(home, 'backup');
      assert.equal(readFileSync(backup, 'utf8'), own);
      assert.equal(statSync(backup).mode & 0o777, 0o600);
      assert.ok(!/not-a-key/.test(stdout));
      assert.equal((await run('disconnect', client, '--yes')).code, 0);
      assert.equal(readFileSync(join(home, file), 'utf8'), own);
      assert.deepEqual(kept(home), []);
    }));

  test(`K2 ${client}: what is set already is left alone, and once more changes nothing`, () =>
    atHome({ [file]: own }, async (home, run) => {
      await run('connect', client, '--yes');
      const text = readFileSync(join(home, file));
      const again = await run('connect', client, '--yes');
      assert.deepEqual([again.code, /connected already/.test(again.stdout)], [0, true]);
      assert.deepEqual(readFileSync(join(home, file)), text);
      await run('disconnect', client, '--yes');
      const twice = await run('disconnect', client, '--yes');
      assert.deepEqual([twice.code, /nothing to take back/.test(twice.stdout)], [0, true]);
    }));

  test(`K2 ${client}: another address is replaced and told without its password, and comes back as it was`, () =>
    atHome({ [file]: other }, async (home, run) => {
      const { code, stdout, stderr } = await run('connect', client, '--yes');
      assert.equal(code, 0);
      assert.match(readFileSync(join(home, file), 'utf8'), /127\.0\.0\.1:4780/);
      assert.match(stderr, /make it an upstream of the gateway/);
      assert.ok(!`${stdout}${stderr}`.includes('pass-word'));
      await run('disconnect', client, '--yes');
      assert.equal(readFileSync(join(home, file), 'utf8'), other);
    }));

  test(`K2 ${client}: a file that cannot be understood is refused with its line and left alone`, () =>
    atHome({ [file]: broken }, async (home, run) => {
      const { code, stderr } = await run('connect', client, '--yes');
      assert.equal(code, 2);
      assert.match(stderr, /cannot be changed: line \d+: expected .*nothing was changed/);
      assert.equal(readFileSync(join(home, file), 'utf8'), broken);
      assert.ok(!existsSync(join(home, '.local')));
    }));

  test(`K2 ${client}: a file that is read-only is refused and left alone`, () =>
    atHome({ [file]: own }, async (home, run) => {
      chmodSync(join(home, file), 0o444);
      const { code, stderr } = await run('connect', client, '--yes');
      assert.deepEqual([code, /is read-only/.test(stderr)], [3, true]);
      assert.equal(readFileSync(join(home, file), 'utf8'), own);
    }));

  if (client !== 'continue') {
    test(`K2 ${client}: without a file one is made, and it and its folders go again`, () =>
      atHome({}, async (home, run) => {
        assert.equal((await run('connect', client, '--yes')).code, 0);
        assert.match(readFileSync(join(home, file.replace('jsonc', 'json')), 'utf8'), set);
        assert.equal((await run('disconnect', client, '--yes')).code, 0);
        assert.deepEqual(readdirSync(home), ['.local']);
      }));
  }
}

const [claude] = samples;
assert.ok(claude);
const { client, file, own } = claude;

test('K2 a link to the settings stays a link, and the file behind it is changed', () =>
  atHome({ 'dotfiles/claude.json': own }, async (home, run) => {
    const link = join(home, file);
    mkdirSync(dirname(link));
    symlinkSync('../dotfiles/claude.json', link);
    await run('connect', client, '--yes');
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.match(readFileSync(join(home, 'dotfiles/claude.json'), 'utf8'), /4780/);
    await run('disconnect', client, '--yes');
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.equal(readFileSync(link, 'utf8'), own);
  }));

test('K2 of a file that was changed since, only the address is taken out', () =>
  atHome({ [file]: own }, async (home, run) => {
    await run('connect', client, '--yes');
    const path = join(home, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"opus"', '"haiku"'));
    const { stderr } = await run('disconnect', client, '--yes');
    assert.match(stderr, /was changed since/);
    assert.equal(readFileSync(path, 'utf8'), own.replace('"opus"', '"haiku"'));
  }));

test('K2 an address that somebody else set since stays', () =>
  atHome({ [file]: own }, async (home, run) => {
    await run('connect', client, '--yes');
    const path = join(home, file);
    const changed = readFileSync(path, 'utf8').replace('http://127.0.0.1:4780', 'https://other.example');
    writeFileSync(path, changed);
    const { code, stderr } = await run('disconnect', client, '--yes');
    assert.deepEqual(
      [code, /env\.ANTHROPIC_BASE_URL was set to something else since, and stays/.test(stderr)],
      [0, true],
    );
    assert.equal(readFileSync(path, 'utf8'), changed);
  }));

test('K2 connecting to another gateway keeps what there was before the first one', () =>
  atHome({ [file]: own }, async (home, run) => {
    await run('connect', client, '--yes');
    await run('connect', client, '--yes', '--gateway', 'http://127.0.0.1:5000/');
    assert.match(readFileSync(join(home, file), 'utf8'), /"http:\/\/127\.0\.0\.1:5000"/);
    await run('disconnect', client, '--yes');
    assert.equal(readFileSync(join(home, file), 'utf8'), own);
  }));

test('K2 connecting to another gateway after the file was changed keeps the change', () =>
  atHome({ [file]: own }, async (home, run) => {
    await run('connect', client, '--yes');
    const path = join(home, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"opus"', '"haiku"'));
    await run('connect', client, '--yes', '--gateway', 'http://127.0.0.1:5000');
    await run('disconnect', client, '--yes');
    assert.equal(readFileSync(path, 'utf8'), own.replace('"opus"', '"haiku"'));
  }));

test('K2 a connection that a crash cut off before the file was written is taken back without harm', () =>
  atHome({ [file]: own }, async (home, run) => {
    await run('connect', client, '--yes');
    writeFileSync(join(home, file), own);
    assert.equal((await run('disconnect', client, '--yes')).code, 0);
    assert.equal(readFileSync(join(home, file), 'utf8'), own);
    assert.deepEqual(kept(home), []);
  }));

test('K2 a change of gateways that a crash cut off is taken back to what there was before the first one', () =>
  atHome({ [file]: own }, async (home, run) => {
    await run('connect', client, '--yes');
    const first = readFileSync(join(home, file));
    await run('connect', client, '--yes', '--gateway', 'http://127.0.0.1:5000');
    writeFileSync(join(home, file), first);
    await run('disconnect', client, '--yes');
    assert.equal(readFileSync(join(home, file), 'utf8'), own);
  }));

test('K2 a lock of a process that is gone does not stop anybody', () =>
  atHome({ [file]: own }, async (home, run) => {
    write(home, { [`.local/share/palimpsest/clients/${client}.lock`]: `${spawnSync('true').pid}\n` });
    assert.equal((await run('connect', client, '--yes')).code, 0);
    assert.deepEqual(
      kept(home).map((name) => name.replace(/-[0-9a-f]{12}\./, '.')),
      [`${client}.backup`, `${client}.json`],
    );
  }));

test('K2 two connects at once set it once, and it is taken back byte for byte', { timeout: 60_000 }, () =>
  atHome({ [file]: own }, async (home, run) => {
    const both = await Promise.all(
      ['a', 'b'].map(() => runProcess(['connect', client, '--yes', '--json'], { cwd: home })),
    );
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    );
    const states = both.map(({ stdout }) => JSON.parse(stdout).state);
    assert.ok(
      states.includes('connected') && states.every((state) => /^(?:connected|already)$/.test(state)),
      `${states}`,
    );
    assert.equal(states.filter((state) => state === 'connected').length, 1);
    await run('disconnect', client, '--yes');
    assert.equal(readFileSync(join(home, file), 'utf8'), own);
  }),
);

test('K2 a dry run shows the one change and changes nothing', () =>
  atHome({ [file]: own }, async (home, run) => {
    const { code, stdout } = await run('connect', client, '--dry-run');
    assert.equal(code, 0);
    const [path, ...lines] = stdout.trim().split('\n');
    assert.equal(path, join(home, file));
    assert.deepEqual(lines, ['+ env.ANTHROPIC_BASE_URL = "http://127.0.0.1:4780"', 'nothing was changed (--dry-run)']);
    assert.equal(readFileSync(join(home, file), 'utf8'), own);
    assert.ok(!existsSync(join(home, '.local')));
  }));

test('K2 without --yes a person is asked, and without a terminal nothing is changed', () =>
  atHome({ [file]: own }, async (home, run) => {
    const nobody = await run('connect', client);
    assert.deepEqual([nobody.code, /expected --yes/.test(nobody.stderr)], [2, true]);
    const no = await runHere(['connect', client], { cwd: home, isTerminal: true, input: 'n\n' });
    assert.match(no.stdout, /\+ env\.ANTHROPIC_BASE_URL.*nothing was changed/s);
    assert.equal(readFileSync(join(home, file), 'utf8'), own);
    const yes = await runHere(['connect', client], { cwd: home, isTerminal: true, input: 'y\n' });
    assert.match(yes.stdout, /Claude Code is connected/);
    assert.match(readFileSync(join(home, file), 'utf8'), /4780/);
  }));

test('K2 --json says what was changed, and where the file is as it was', () =>
  atHome({ [file]: own }, async (home, run) => {
    const { stdout } = await run('connect', client, '--yes', '--json');
    assert.deepEqual(JSON.parse(stdout), {
      command: 'connect',
      client,
      gateway: 'http://127.0.0.1:4780',
      state: 'connected',
      file: join(home, file),
      changes: [{ key: 'env.ANTHROPIC_BASE_URL', before: null, after: 'http://127.0.0.1:4780' }],
      backup: keptFile(home, 'backup'),
      notes: [],
    });
    const back = JSON.parse((await run('disconnect', client, '--yes', '--json')).stdout);
    assert.deepEqual(
      [back.state, back.changes],
      ['disconnected', [{ key: 'env.ANTHROPIC_BASE_URL', before: 'http://127.0.0.1:4780', after: null }]],
    );
  }));

test('K2 a client that only a person can set gets three lines to do, and exit code 2', () =>
  atHome({}, async (home, run) => {
    const { code, stderr } = await run('connect', 'cline');
    assert.equal(code, 2);
    assert.equal(stderr.trim().split('\n').length, 3);
    assert.match(stderr, /Use custom base URL.*http:\/\/127\.0\.0\.1:4780/s);
    assert.deepEqual(readdirSync(home), []);
  }));

test('K2 a client nobody knows, an address that is none and an agent are refused', () =>
  atHome({}, async (home, run) => {
    assert.match((await run('connect', 'codx')).stderr, /Did you mean codex\?/);
    const bad = await run('connect', 'codex', '--gateway', 'http://me:pass-word@127.0.0.1');
    assert.deepEqual([bad.code, bad.stderr.includes('pass-word')], [2, false]);
    const agent = await runHere(['connect', 'codex', '--yes'], { cwd: home, env: { PALIMPSEST_AGENT: '1' } });
    assert.deepEqual([agent.code, /is for the person alone/.test(agent.stderr)], [2, true]);
    assert.deepEqual(readdirSync(home), []);
  }));

test('K2 the folder that a client is told by its variable is the one that is changed', () =>
  atHome({}, async (home) => {
    const env = { CODEX_HOME: join(home, 'elsewhere') };
    assert.equal((await runHere(['connect', 'codex', '--yes'], { cwd: home, env })).code, 0);
    assert.match(readFileSync(join(home, 'elsewhere/config.toml'), 'utf8'), /4780/);
  }));

test('K2 settings that are no file, or no text, are refused', () =>
  atHome({}, async (home, run) => {
    mkdirSync(join(home, file), { recursive: true });
    assert.equal((await run('connect', client, '--yes')).code, 3);
    renameSync(join(home, file), join(home, 'aside'));
    writeFileSync(join(home, file), Uint8Array.of(0x7b, 0xff, 0x7d));
    const { code, stderr } = await run('connect', client, '--yes');
    assert.deepEqual([code, /UTF-8/.test(stderr)], [3, true]);
  }));

test('K2 the address is that of your own configuration, an option goes before it, and a line tells it', () =>
  inFolder({}, async (home) => {
    write(home, {
      '.config/palimpsest/config.yaml': 'gateway:\n  host: 0.0.0.0\n  port: 4799\n',
      'palimpsest.yaml': 'gateway:\n  host: evil.example\n',
    });
    const settings = join(home, '.claude/settings.json');
    const own = await runHere(['connect', 'claude-code', '--yes'], { cwd: home, env: { HOME: home } });
    assert.equal(own.code, 0);
    assert.match(readFileSync(settings, 'utf8'), /"ANTHROPIC_BASE_URL": "http:\/\/127\.0\.0\.1:4799"/);
    assert.match(own.stdout, /is connected to http:\/\/127\.0\.0\.1:4799/);
    const words = ['connect', 'claude-code', '--yes', '--json', '--gateway', 'http://[::1]:4801/'];
    const told = await runHere(words, { cwd: home, env: { HOME: home } });
    assert.equal(JSON.parse(told.stdout).gateway, 'http://[::1]:4801');
  }));

test('K2 a gateway with keys is told of, and one whose port is left to chance is refused', () =>
  inFolder({}, async (home) => {
    const config = '.config/palimpsest/config.yaml';
    write(home, { [config]: `gateway:\n  host: '::'\n  keys:\n    laptop: sha256:${'a'.repeat(64)}\n` });
    const keyed = await runHere(['connect', 'cline'], { cwd: home, env: { HOME: home } });
    assert.match(keyed.stderr, /http:\/\/\[::1\]:4780/);
    assert.match(keyed.stderr, /wants a key \(gateway\.keys\)/);
    write(home, { [config]: 'gateway:\n  port: 0\n' });
    const refused = await runHere(['connect', 'cline'], { cwd: home, env: { HOME: home } });
    assert.deepEqual([refused.code, /gateway\.port is 0/.test(refused.stderr)], [2, true]);
  }));
