import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configDefaults, configField } from '../../packages/palimpsest/src/config/config.ts';
import {
  environmentName,
  type LoadedConfig,
  leavesOf,
  loadConfig,
  settingKey,
} from '../../packages/palimpsest/src/config/load.ts';

interface World {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: string;
}

const load = ({ files = {}, env = { HOME: '/home/me' }, platform = 'linux' }: World = {}): Promise<LoadedConfig> =>
  loadConfig({ cwd: '/project', env, platform, readFile: async (path) => files[path] });

const sourceOf = ({ settings }: LoadedConfig, key: string): unknown =>
  settings.find((setting) => setting.key === key)?.source;

describe('loading the configuration', () => {
  test('T1: without files and variables everything is a default', async () => {
    const loaded = await load();
    assert.deepEqual(loaded.config, configDefaults);
    assert.ok(loaded.settings.every((setting) => setting.source.type === 'default'));
    assert.deepEqual(loaded.notes, []);
  });

  test('T1: the environment beats the project file, that the user file, that the default', async () => {
    const loaded = await load({
      files: {
        '/home/me/.config/palimpsest/config.yaml':
          'compression:\n  threshold: 0.6\n  target_ratio: 0.3\n  protect_last_n: 10\n',
        '/project/palimpsest.yaml': 'compression:\n  threshold: 0.7\n  target_ratio: 0.4\n',
      },
      env: { HOME: '/home/me', PALIMPSEST_COMPRESSION_THRESHOLD: '0.8' },
    });
    const { threshold, targetRatio, protectLastN, protectFirstN } = loaded.config.compression;
    assert.deepEqual([threshold, targetRatio, protectLastN, protectFirstN], [0.8, 0.4, 10, 3]);
    const environment = { type: 'environment', name: 'PALIMPSEST_COMPRESSION_THRESHOLD' };
    assert.deepEqual(sourceOf(loaded, 'compression.threshold'), environment);
    const project = { type: 'file', path: '/project/palimpsest.yaml' };
    assert.deepEqual(sourceOf(loaded, 'compression.target_ratio'), project);
    const user = { type: 'file', path: '/home/me/.config/palimpsest/config.yaml' };
    assert.deepEqual(sourceOf(loaded, 'compression.protect_last_n'), user);
    assert.deepEqual(sourceOf(loaded, 'compression.protect_first_n'), { type: 'default' });
  });

  test('T1: the group of one file does not hide the group of another', async () => {
    const { config } = await load({
      files: {
        '/home/me/.config/palimpsest/config.yaml': 'compression: {summary: {max_tokens: 8000}}',
        '/project/palimpsest.yml': 'compression: {summary: {ratio: 0.1}}',
      },
    });
    assert.deepEqual([config.compression.summary.maxTokens, config.compression.summary.ratio], [8_000, 0.1]);
  });

  test('T1: a JSON file does as well, with a byte order mark too', async () => {
    const text = '\uFEFF{"compression": {"enabled": false, "model_thresholds": {"azure:gpt-5": 0.4}}}';
    const { config } = await load({ files: { '/project/palimpsest.json': text } });
    assert.equal(config.compression.enabled, false);
    assert.deepEqual(config.compression.modelThresholds, { 'azure:gpt-5': 0.4 });
  });

  test('T1: empty files and empty sections change nothing', async () => {
    for (const text of ['', '# compression:\n', 'compression:\n', 'compression:\n  summary:\n']) {
      assert.deepEqual((await load({ files: { '/project/palimpsest.yaml': text } })).config, configDefaults);
    }
  });

  const folders = [
    ['linux', { HOME: '/home/me' }, '/home/me/.config/palimpsest/config.yaml'],
    ['linux', { HOME: '/home/me', XDG_CONFIG_HOME: '/etc/me' }, '/etc/me/palimpsest/config.yaml'],
    ['linux', { HOME: '/home/me', XDG_CONFIG_HOME: 'relative' }, '/home/me/.config/palimpsest/config.yaml'],
    ['darwin', { HOME: '/Users/me' }, '/Users/me/Library/Application Support/palimpsest/config.yaml'],
    [
      'win32',
      { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' },
      'C:\\Users\\me\\AppData\\Roaming\\palimpsest\\config.yaml',
    ],
    ['win32', { USERPROFILE: 'C:\\Users\\me' }, 'C:\\Users\\me\\AppData\\Roaming\\palimpsest\\config.yaml'],
  ] as const;
  for (const [platform, env, path] of folders) {
    test(`T1: the user's file on ${platform} with ${Object.keys(env).join(' and ')} is ${path}`, async () => {
      const { config } = await load({ platform, env, files: { [path]: 'compression: {protect_last_n: 5}' } });
      assert.equal(config.compression.protectLastN, 5);
    });
  }

  test('T1: no home is no user file', async () => {
    assert.deepEqual((await load({ env: {} })).config, configDefaults);
  });
});

describe('variables', () => {
  test('T1: numbers, flags, words, null, lists and objects are read by the type of the setting', async () => {
    const { config } = await load({
      env: {
        PALIMPSEST_COMPRESSION_ENABLED: 'no',
        PALIMPSEST_COMPRESSION_PROTECT_LAST_N: '1',
        PALIMPSEST_COMPRESSION_TAIL_PRESET: 'lean',
        PALIMPSEST_COMPRESSION_THRESHOLD_TOKENS: 'null',
        PALIMPSEST_COMPRESSION_MODEL_THRESHOLDS: '{"gpt": 0.4}',
        PALIMPSEST_COMPRESSION_SUMMARY_TEMPLATE:
          '{"sections": [{"heading": "Goal", "instruction": "What is wanted."}]}',
        PALIMPSEST_CONTEXT_ENGINE: '123',
        PALIMPSEST_AUXILIARY_COMPRESSION_MODEL: 'true',
        PALIMPSEST_COMPRESSION_THRESHOLD: '',
      },
    });
    const { compression } = config;
    assert.deepEqual([compression.enabled, compression.protectLastN, compression.tailPreset], [false, 1, 'lean']);
    assert.equal(compression.thresholdTokens, null);
    assert.deepEqual(compression.modelThresholds, { gpt: 0.4 });
    assert.deepEqual(compression.summary.template, { sections: [{ heading: 'Goal', instruction: 'What is wanted.' }] });
    assert.deepEqual([config.context.engine, config.auxiliary.compression.model], ['123', 'true']);
    assert.equal(compression.threshold, 0.5);
  });

  test('T1: every setting has one key and one variable of its own', () => {
    const leaves = leavesOf(configField);
    assert.ok(leaves.length > 50);
    assert.equal(new Set(leaves.map(({ path }) => environmentName(path))).size, leaves.length);
    assert.equal(new Set(leaves.map(({ path }) => settingKey(path))).size, leaves.length);
  });

  test('T1: a mistyped variable is an error inside a section, a note outside', async () => {
    const inside = load({ env: { PALIMPSEST_COMPRESSION_TRESHOLD: '0.6' } });
    const message =
      /PALIMPSEST_COMPRESSION_TRESHOLD is not a known key; did you mean "PALIMPSEST_COMPRESSION_THRESHOLD"/;
    await assert.rejects(inside, { code: 'BAD_CONFIG', message });
    const outside = await load({
      env: { PALIMPSEST_COMPRESION_THRESHOLD: '0.6', PALIMPSEST_HOME: '/x', PATH: '/bin' },
    });
    assert.equal(outside.notes.length, 1);
    assert.match(
      outside.notes[0] ?? '',
      /COMPRESION_THRESHOLD is ignored; did you mean PALIMPSEST_COMPRESSION_THRESHOLD/,
    );
  });

  test('T1: a wrong value names its variable', async () => {
    const wrong = load({ env: { PALIMPSEST_COMPRESSION_THRESHOLD: 'half' } });
    const message = /PALIMPSEST_COMPRESSION_THRESHOLD expected a number from 0.05 to 0.95, got "half"/;
    await assert.rejects(wrong, { code: 'BAD_CONFIG', message });
  });
});

describe('what is wrong with a file', () => {
  const complain = (text: string, name = 'palimpsest.yaml'): Promise<LoadedConfig> =>
    load({ files: { [`/project/${name}`]: text } });

  test('T1: all problems of all places come in one error, each with its place', async () => {
    const loading = load({
      files: {
        '/home/me/.config/palimpsest/config.yaml': 'compresion: {enabled: true}',
        '/project/palimpsest.yaml': 'compression:\n  target_ration: 0.3\n  summary: {max_tokens: many}\n',
      },
      env: { HOME: '/home/me', PALIMPSEST_COMPRESSION_PROTECT_LAST_N: '-1' },
    });
    await assert.rejects(loading, (error: Error) => {
      const lines = error.message.split('\n').slice(1);
      assert.deepEqual(lines, [
        '  /home/me/.config/palimpsest/config.yaml: compresion is not a known key; did you mean "compression"?',
        '  /project/palimpsest.yaml: compression.target_ration is not a known key; did you mean "target_ratio"?',
        '  /project/palimpsest.yaml: compression.summary.max_tokens expected a whole number of at least 1, got "many"',
        '  PALIMPSEST_COMPRESSION_PROTECT_LAST_N expected a whole number of at least 0, got -1',
      ]);
      return true;
    });
  });

  test('T1: keys in files are snake_case only', async () => {
    await assert.rejects(complain('compression: {targetRatio: 0.3}'), { message: /did you mean "target_ratio"/ });
  });

  test('T1: numbers that contradict each other over two places are named', async () => {
    const loading = load({
      files: {
        '/home/me/.config/palimpsest/config.yaml': 'compression: {summary: {min_tokens: 9000}}',
        '/project/palimpsest.yaml': 'compression: {summary: {max_tokens: 8000}}',
      },
    });
    const message = /compression\.summary\.max_tokens is 8000; expected at least min_tokens \(9000\)/;
    await assert.rejects(loading, { code: 'BAD_CONFIG', message });
  });

  test('S7: the model that writes summaries is set in the file or in the environment, with its timeouts', async () => {
    const { config } = await load({
      files: {
        '/project/palimpsest.yaml': 'auxiliary: {compression: {provider: ollama, model: qwen3, timeout_seconds: 30}}',
      },
      env: { HOME: '/home/me', PALIMPSEST_AUXILIARY_COMPRESSION_CONTEXT_LENGTH: '32768' },
    });
    assert.deepEqual(config.auxiliary.compression, {
      provider: 'ollama',
      model: 'qwen3',
      baseUrl: null,
      contextLength: 32_768,
      timeoutSeconds: 30,
      totalTimeoutSeconds: 600,
    });
    const broken = complain('auxiliary: {compression: {timeout_seconds: 0}}');
    await assert.rejects(broken, { message: /timeout_seconds expected a whole number of at least 1, got 0/ });
  });

  test('T1: text that is no YAML or JSON says where', async () => {
    await assert.rejects(complain('a: [1'), {
      code: 'BAD_CONFIG',
      message: /palimpsest\.yaml is not valid YAML: .*line 1/s,
    });
    await assert.rejects(complain('{', 'palimpsest.json'), { code: 'BAD_CONFIG', message: /is not valid JSON/ });
    await assert.rejects(complain('- a\n'), { code: 'BAD_CONFIG', message: /expected sections .* got a list/ });
    await assert.rejects(complain('compression: 5'), { message: /compression expected an object with enabled/ });
  });

  test('T1: two files for one place are refused, because one would be ignored', async () => {
    const files = { '/project/palimpsest.yaml': '', '/project/palimpsest.json': '{}' };
    await assert.rejects(load({ files }), {
      code: 'BAD_CONFIG',
      message: /palimpsest\.yaml and .*palimpsest\.json: keep one/,
    });
  });

  test('T1: a file that cannot be read is not taken for a missing one', async () => {
    const readFile = (): Promise<string> => Promise.reject(new Error('EACCES'));
    const loading = loadConfig({ cwd: '/project', env: {}, readFile });
    await assert.rejects(loading, { code: 'FILE_UNREADABLE', message: /\/project\/palimpsest\.yaml/ });
  });

  test('T1: a value moved into its range is noted with its place', async () => {
    const { config, notes } = await complain('compression: {target_ratio: 0.95}');
    assert.equal(config.compression.targetRatio, 0.8);
    const place = '/project/palimpsest.yaml: compression.target_ratio';
    assert.deepEqual(notes, [`${place}: 0.95 is outside 0.1 to 0.8; using 0.8.`]);
  });
});
