/** `palimpsest connect` and `disconnect`: which file, which entry of a list, and where that is another one by now. */
import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../support/command-line.ts';
import { atHome, kept, keptFile } from './client-home.ts';
import { write } from './plugin-home.ts';

const client = 'claude-code';
const file = '.claude/settings.json';
const own = '{\n  "model": "opus"\n}\n';

const models = `models:
  - name: Mine
    provider: openai
    model: own
    apiBase: https://api.openai.com/v1
  - name: Sonnet
    provider: anthropic
    model: m
`;
const continueFile = '.continue/config.yaml';
const [heading, mine, sonnet] = models.split(/^(?= {2}- )/m);

test('K2 a model whose place in the list changed gets its own address back, and none of another provider', () =>
  atHome({ [continueFile]: models }, async (home, run) => {
    await run('connect', 'continue', '--yes');
    const path = join(home, continueFile);
    const [top, ...entries] = readFileSync(path, 'utf8').split(/^(?= {2}- )/m);
    writeFileSync(path, [top, ...entries.toReversed()].join(''));
    const { code } = await run('disconnect', 'continue', '--yes');
    assert.equal(code, 0);
    const expected = `${heading}${sonnet}${mine?.replace('https://api.openai.com/v1', '"https://api.openai.com/v1"')}`;
    assert.equal(readFileSync(path, 'utf8'), expected);
    assert.deepEqual(kept(home), []);
  }));

test('K2 a model that is not found again stays as it is, is told, and is still known', () =>
  atHome({ [continueFile]: models }, async (home, run) => {
    await run('connect', 'continue', '--yes');
    const path = join(home, continueFile);
    writeFileSync(path, readFileSync(path, 'utf8').replace('model: own', 'model: newer'));
    const connected = readFileSync(path, 'utf8');
    const { code, stdout, stderr } = await run('disconnect', 'continue', '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /entry of models with provider "openai", name "Mine", model "own" is not there once/);
    assert.match(stdout, /disconnected but for what stays/);
    const text = readFileSync(path, 'utf8');
    assert.equal(text, connected.replace(/( {4}model: m\n) {4}apiBase: .*\n/, '$1'));
    const other = ['--gateway', 'http://127.0.0.1:5000'];
    assert.match((await run('connect', 'continue', '--yes', ...other)).stderr, /model "own" is not there once.* stays/);
    writeFileSync(path, readFileSync(path, 'utf8').replace('model: newer', 'model: own'));
    await run('disconnect', 'continue', '--yes');
    assert.match(readFileSync(path, 'utf8'), /model: own\n {4}apiBase: "https:\/\/api\.openai\.com\/v1"\n/);
  }));

test('K2 a model that is not found again is still known after any number of connections', () =>
  atHome({ [continueFile]: models }, async (home, run) => {
    await run('connect', 'continue', '--yes');
    const path = join(home, continueFile);
    writeFileSync(path, readFileSync(path, 'utf8').replace('model: own', 'model: newer'));
    for (const port of [5000, 5001, 5002])
      await run('connect', 'continue', '--yes', '--gateway', `http://127.0.0.1:${port}`);
    const { code, stderr } = await run('disconnect', 'continue', '--yes');
    assert.equal(code, 1);
    assert.match(stderr, /model "own" is not there once.*Set it by hand/);
    writeFileSync(path, readFileSync(path, 'utf8').replace('model: newer', 'model: own'));
    await run('disconnect', 'continue', '--yes');
    assert.match(readFileSync(path, 'utf8'), /model: own\n {4}apiBase: "https:\/\/api\.openai\.com\/v1"\n/);
    assert.deepEqual(kept(home), []);
  }));

test('K2 a model that the person removed is nothing that stays to be taken back', () =>
  atHome({ [continueFile]: models }, async (home, run) => {
    await run('connect', 'continue', '--yes');
    const path = join(home, continueFile);
    const [top, , other] = readFileSync(path, 'utf8').split(/^(?= {2}- )/m);
    writeFileSync(path, `${top}${other}`);
    assert.equal((await run('disconnect', 'continue', '--yes')).code, 0);
    assert.equal(readFileSync(path, 'utf8'), `${heading}${sonnet}`);
    assert.deepEqual(kept(home), []);
  }));

test('K2 models of Continue go on to another gateway, and come back from it', () =>
  atHome({ [continueFile]: models }, async (home, run) => {
    await run('connect', 'continue', '--yes');
    assert.equal((await run('connect', 'continue', '--yes', '--gateway', 'http://127.0.0.1:5000')).code, 0);
    const text = readFileSync(join(home, continueFile), 'utf8');
    assert.deepEqual([text.match(/:5000/g)?.length, /4780/.test(text)], [2, false]);
    await run('disconnect', 'continue', '--yes');
    assert.equal(readFileSync(join(home, continueFile), 'utf8'), models);
  }));

test('K2 each folder that a variable names is connected and taken back for itself', () =>
  atHome({ 'a/config.toml': '# a\n', 'b/config.toml': '# b\n' }, async (home) => {
    const at = (folder: string, ...words: readonly string[]) =>
      runHere([...words, '--yes'], { cwd: home, env: { HOME: home, CODEX_HOME: folder } });
    for (const folder of ['a', join(home, 'b')]) assert.equal((await at(folder, 'connect', 'codex')).code, 0);
    const elsewhere = await at('c', 'disconnect', 'codex');
    assert.deepEqual([elsewhere.code, elsewhere.stderr.includes(join(home, 'a/config.toml'))], [2, true]);
    const first = await at(join(home, 'a'), 'disconnect', 'codex');
    assert.match(first.stderr, /b\/config\.toml is connected, too, and stays so/);
    assert.equal(readFileSync(join(home, 'a/config.toml'), 'utf8'), '# a\n');
    assert.match(readFileSync(join(home, 'b/config.toml'), 'utf8'), /4780/);
    await at('b', 'disconnect', 'codex');
    assert.equal(readFileSync(join(home, 'b/config.toml'), 'utf8'), '# b\n');
    assert.deepEqual(kept(home), []);
  }));

test('K2 a record from when a client had one alone is found, and becomes one of the file', () =>
  atHome({ [file]: own }, async (home, run) => {
    await run('connect', client, '--yes');
    const old = (): void => {
      for (const kind of ['json', 'backup'] as const)
        renameSync(keptFile(home, kind), join(home, `.local/share/palimpsest/clients/${client}.${kind}`));
    };
    old();
    await run('connect', client, '--yes', '--gateway', 'http://127.0.0.1:5000');
    assert.ok(!kept(home).includes(`${client}.json`));
    old();
    const record = join(home, `.local/share/palimpsest/clients/${client}.json`);
    writeFileSync(record, readFileSync(record, 'utf8').replace(join(home, file), file));
    await run('connect', client, '--yes', '--gateway', 'http://127.0.0.1:5001');
    assert.equal(kept(home).length, 2);
    old();
    writeFileSync(record, readFileSync(record, 'utf8').replace(join(home, file), file));
    await run('disconnect', client, '--yes');
    assert.equal(readFileSync(join(home, file), 'utf8'), own);
    assert.deepEqual(kept(home), []);
  }));

test('K2 disconnect shows no password of the address that comes back, in JSON or otherwise', () =>
  atHome({ [file]: '{"env":{"ANTHROPIC_BASE_URL":"https://me:pass-word@other.example"}}' }, async (_, run) => {
    await run('connect', client, '--yes');
    for (const words of [['--dry-run'], ['--dry-run', '--json'], ['--yes', '--json']]) {
      const { stdout, stderr } = await run('disconnect', client, ...words);
      assert.match(stdout, /other\.example/);
      assert.ok(!`${stdout}${stderr}`.includes('pass-word'));
    }
  }));

const gemini = 'GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:4780\n';

test('K2 Gemini CLI, which reads one .env alone, is connected in the one that it reads', () =>
  atHome({ '.env': 'GEMINI_API_KEY=not-a-key\n' }, async (home, run) => {
    const { stderr } = await run('connect', 'gemini', '--yes');
    assert.match(stderr, /not trusted/);
    assert.equal(readFileSync(join(home, '.env'), 'utf8'), `GEMINI_API_KEY=not-a-key\n${gemini}`);
    write(home, { '.gemini/.env': '# mine\n' });
    await run('disconnect', 'gemini', '--yes');
    assert.equal(readFileSync(join(home, '.env'), 'utf8'), 'GEMINI_API_KEY=not-a-key\n');
    await run('connect', 'gemini', '--yes');
    assert.equal(readFileSync(join(home, '.gemini/.env'), 'utf8'), `# mine\n${gemini}`);
  }));

test('K2 of two files of opencode the one that goes before the other is connected', () =>
  atHome({ '.config/opencode/opencode.json': '{}', '.config/opencode/opencode.jsonc': '{}' }, async (home, run) => {
    await run('connect', 'opencode', '--yes');
    assert.equal(readFileSync(join(home, '.config/opencode/opencode.json'), 'utf8'), '{}');
    assert.match(readFileSync(join(home, '.config/opencode/opencode.jsonc'), 'utf8'), /4780/);
  }));

const qwenModels = (...addresses: readonly string[]): string => {
  const entries = addresses.map((address, at) => `    { "id": "m${at}", "baseUrl": "${address}" }`);
  return `{\n  "modelProviders": { "openai": [\n${entries.join(',\n')}\n  ] }\n}\n`;
};

test('K2 models of Qwen Code with an address of OpenAI get ours, in any order, and it is taken back', () => {
  const settings = '.qwen/settings.json';
  const before = qwenModels('https://api.openai.com/v1', 'https://api.openai.com/v1/');
  return atHome({ [settings]: before }, async (home, run) => {
    const read = (): string => readFileSync(join(home, settings), 'utf8');
    await run('connect', 'qwen', '--yes');
    await run('connect', 'qwen', '--yes', '--gateway', 'http://127.0.0.1:5000');
    assert.deepEqual([read().match(/:5000\/v1"/g)?.length, /openai\.com|4780/.test(read())], [3, false]);
    writeFileSync(join(home, settings), read().replace('"m0"', '"m"').replace('"m1"', '"m0"').replace('"m"', '"m1"'));
    await run('disconnect', 'qwen', '--yes');
    assert.equal(
      read().replace('"m0"', '"m"').replace('"m1"', '"m0"').replace('"m"', '"m1"'),
      qwenModels('https://api.openai.com/v1/', 'https://api.openai.com/v1'),
    );
  });
});

test('K2 a model of Qwen Code on another server is refused with its line, and nothing is changed', () =>
  atHome({ '.qwen/settings.json': qwenModels('https://router.example/v1') }, async (home, run) => {
    const { code, stderr } = await run('connect', 'qwen', '--yes');
    assert.equal(code, 2);
    assert.match(stderr, /line 3: expected modelProviders\.openai\.0\.baseUrl .*--upstream openai-chat=/);
    assert.equal(readFileSync(join(home, '.qwen/settings.json'), 'utf8'), qwenModels('https://router.example/v1'));
  }));

test('K2 a proxy of the environment is told of, and an address with an empty query is none', () =>
  atHome({}, async (home) => {
    const env = { HOME: home, HTTPS_PROXY: 'http://proxy.example:3128' };
    const { stderr } = await runHere(['connect', 'codex', '--yes'], { cwd: home, env });
    assert.match(stderr, /HTTPS_PROXY is set: add 127\.0\.0\.1 to NO_PROXY/);
    assert.match(stderr, /chatgpt-account-id/);
    for (const address of ['http://127.0.0.1:1?', 'http://127.0.0.1:1/#'])
      assert.equal((await runHere(['connect', 'codex', '--gateway', address], { cwd: home })).code, 2);
  }));
