import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inFolder, runHere } from '../support/command-line.ts';
import { assertGolden } from '../support/golden.ts';
import { chatFile } from '../support/small-session.ts';

describe('T1: palimpsest config show', () => {
  it('prints every setting, where it came from, and the sizes for 200K', () =>
    inFolder({}, async (cwd) => {
      const { code, stdout } = await runHere(['config', 'show', '--context-length', '200k'], { cwd });
      assert.equal(code, 0);
      assert.match(stdout, /^ {2}setting +value +from\n/);
      assert.match(stdout, /^ {2}context\.engine +compressor +default$/m);
      for (const size of ['100,000', '20,000', '10,000']) assert.ok(stdout.includes(size), size);
    }));

  it('names the file and the variable that a value came from', () =>
    inFolder({ 'palimpsest.yaml': 'compression:\n  target_ratio: 0.3\n' }, async (cwd) => {
      const env = { PALIMPSEST_COMPRESSION_THRESHOLD: '0.6' };
      const { stdout } = await runHere(['config', 'show', '--changed', '--json'], { cwd, env });
      const { settings, sizes } = JSON.parse(stdout);
      assert.deepEqual(settings, [
        {
          key: 'compression.threshold',
          value: 0.6,
          source: { type: 'environment', name: 'PALIMPSEST_COMPRESSION_THRESHOLD' },
        },
        { key: 'compression.target_ratio', value: 0.3, source: { type: 'file', path: `${cwd}/palimpsest.yaml` } },
      ]);
      assert.equal(sizes.thresholdTokens, 120_000);
      assert.equal(sizes.tailTokens, 36_000);
    }));

  it('O4: has the model of conversations, its address and its window', () =>
    inFolder({}, async (cwd) => {
      const env = {
        PALIMPSEST_MODEL_NAME: 'mill',
        PALIMPSEST_MODEL_BASE_URL: 'http://localhost:8000/v1',
        PALIMPSEST_MODEL_CONTEXT_LENGTH: '32768',
      };
      const { stdout } = await runHere(['config', 'show', '--changed', '--json'], { cwd, env });
      const values = JSON.parse(stdout).settings.map(({ key, value }: { key: string; value: unknown }) => [key, value]);
      assert.deepEqual(values, [
        ['model.name', 'mill'],
        ['model.base_url', 'http://localhost:8000/v1'],
        ['model.context_length', 32_768],
      ]);
    }));

  it('says when nothing was changed', () =>
    inFolder({}, async (cwd) => {
      assert.match(
        (await runHere(['config', 'show', '--changed'], { cwd })).stdout,
        /all settings have their defaults/,
      );
    }));
});

describe('T1: palimpsest status', () => {
  it('prints the sizes for a window', () =>
    inFolder({}, async (cwd) => {
      const { stdout } = await runHere(['status', '--context-length', '200k'], { cwd });
      assertGolden('cli/golden/status.txt', stdout);
    }));

  it('says whether the conversation of a file would be compressed', () =>
    inFolder({ 'chat.json': chatFile(30) }, async (cwd) => {
      const below = JSON.parse((await runHere(['status', 'chat.json', '--json'], { cwd })).stdout);
      assert.equal(below.file.wouldCompress, false);
      const over = JSON.parse(
        (await runHere(['status', 'chat.json', '--context-length', '8k', '--json'], { cwd })).stdout,
      );
      assert.equal(over.file.wouldCompress, true);
      assert.equal(over.file.promptTokens, below.file.promptTokens);
      const off = { PALIMPSEST_COMPRESSION_ENABLED: 'false' };
      const { stdout } = await runHere(['status', 'chat.json', '--context-length', '8k'], { cwd, env: off });
      assert.match(stdout, /automatic compression is off/);
    }));

  it('refuses a window that is none', async () => {
    const { code, stderr } = await runHere(['status', '--context-length', 'many']);
    assert.equal(code, 2);
    assert.match(stderr, /^palimpsest: .*many/);
  });
});
