/** Settings of a run: a file with the names of the Python compressor, single settings, and options over both. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readNamedConfig } from '../../packages/palimpsest/src/config/files.ts';
import {
  resolveTrajectoryConfig,
  trajectoryConfigDefaults,
} from '../../packages/palimpsest/src/trajectory/settings/config.ts';
import { inFolder, runHere } from '../support/command-line.ts';
import { shareGptLines } from '../support/trajectories.ts';

/** As configurations for the Python compressor are written. */
const others = `
tokenizer:
  name: "moonshotai/Kimi-K2-Thinking"
  trust_remote_code: true
compression:
  target_max_tokens: 1500
  summary_target_tokens: 200
protected_turns:
  first_system: true
  first_human: true
  first_gpt: true
  first_tool: true
  last_n_turns: 4
summarization:
  model: "google/gemini-3-flash-preview"
  base_url: "https://openrouter.ai/api/v1"
  api_key_env: "OPENROUTER_API_KEY"
  temperature: 0.3
  max_retries: 3
  retry_delay: 2
output:
  add_summary_notice: true
  summary_notice_text: "Earlier turns are summarised."
  output_suffix: "_compressed"
processing:
  num_workers: 1
  max_concurrent_requests: 50
  skip_under_target: true
  save_over_limit: true
  per_trajectory_timeout: 300
metrics:
  enabled: true
  per_trajectory: true
  output_file: "compression_metrics.json"
`;

const text = `${shareGptLines({ records: 9 }).join('\n')}\n`;

describe('J2 the settings of trajectories', () => {
  it('are printed as a file that gives the defaults back', async () => {
    const { code, stdout } = await runHere(['trajectories', 'config']);
    assert.equal(code, 0);
    const read = await readNamedConfig(async () => stdout, 'printed.yaml');
    assert.deepEqual(resolveTrajectoryConfig(read, { keys: 'snake_case' }), trajectoryConfigDefaults);
    assert.ok(stdout.split('\n').every((line) => line.length <= 160));
    const json = await runHere(['trajectories', 'config', '--json']);
    assert.deepEqual(JSON.parse(json.stdout), read);
  });

  it('take every key of the Python compressor, and options over them', () =>
    inFolder({ 'in.jsonl': text, 'theirs.yaml': others }, async (cwd) => {
      const args = ['trajectories', 'compress', 'in.jsonl', '-o', 'out.jsonl', '--config', 'theirs.yaml'];
      const keyless = await runHere(args, { cwd });
      assert.equal(keyless.code, 2);
      assert.match(keyless.stderr, /summarization\.api_key_env names OPENROUTER_API_KEY, which is not set/);
      const { code, stderr } = await runHere([...args, '--mode', 'greedy', '--no-summarizer'], { cwd });
      assert.equal(code, 0, stderr);
      const second = JSON.parse(readFileSync(join(cwd, 'out.jsonl'), 'utf8').split('\n')[1] ?? '');
      assert.match(second.conversations[0].value, /Earlier turns are summarised\.$/);
      const over = await runHere(
        [...args, '--force', '--no-summarizer', '--target-tokens', '100k', '--set', 'metrics.enabled=false', '--json'],
        { cwd },
      );
      assert.equal(JSON.parse(over.stdout).metrics.summary.trajectories_compressed, 0);
    }));

  it('name the nearest key for one that nobody knows, in a file and on the command line', () =>
    inFolder(
      { 'in.jsonl': text, 'bad.yaml': 'compression:\n  target_max_token: 8000\nprocesing:\n  seed: 1\n' },
      async (cwd) => {
        const compress = (...more: readonly string[]) =>
          runHere(['trajectories', 'compress', 'in.jsonl', '-o', 'out.jsonl', ...more], { cwd });
        const file = await compress('--config', 'bad.yaml');
        assert.equal(file.code, 2);
        assert.match(file.stderr, /compression\.target_max_token.*did you mean "target_max_tokens"\?/);
        assert.match(file.stderr, /procesing.*did you mean "processing"\?/);
        const word = await compress('--set', 'processing.seeds=1');
        assert.match(word.stderr, /processing\.seeds.*did you mean "seed"\?/);
        for (const [args, expected] of [
          [['--set', 'seed'], /expected --set as section\.key=value/],
          [['--sample-percent', '0'], /expected --sample-percent to be a number above 0 and up to 100/],
          [['--workers', 'many'], /expected --workers to be a whole number from 1 to 256/],
          [['--config', 'none.yaml'], /There is no file .*none\.yaml/],
          [['-o', '-'], /expected -o as a file or a folder/],
        ] as const) {
          const { code, stderr } = await compress(...args);
          assert.ok(code === 2 || code === 3, stderr);
          assert.match(stderr, expected);
        }
      },
    ));
});
