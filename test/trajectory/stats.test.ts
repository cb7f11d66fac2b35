/** `palimpsest trajectories stats`: figures that are those of a plain count. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { exactTokenizer, loadEncoding } from '../../packages/core/src/index.ts';
import {
  addStats,
  percentileOf,
  sumStats,
  type TrajectoryLineStats,
  trajectoryStats,
} from '../../packages/core/src/trajectories.ts';
import { addHistograms, histogramOf, octavesOf } from '../../packages/core/src/trajectory/histogram.ts';
import { inFolder, runHere } from '../support/command-line.ts';
import { shareGptLines } from '../support/trajectories.ts';

const lines = shareGptLines({ records: 90, turns: 40, chars: 300, brokenEvery: 13 });
const text = `${lines.join('\n')}\n`;
const tokenizer = exactTokenizer(await loadEncoding('o200k_base'));

const stats = (cwd: string, args: readonly string[], more: object = {}) =>
  runHere(['trajectories', 'stats', '--workers', '1', ...args], { cwd, ...more });

const whole = lines.filter((_, at) => at % 13 !== 12);
const tokensOf = (line: string): readonly (readonly [from: string, tokens: number])[] =>
  JSON.parse(line).conversations.map(({ from, value }: { from: string; value: string }) => [
    from,
    tokenizer.count(value),
  ]);
const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

describe('J2 trajectories stats', () => {
  it('counts what a plain count of all turns gives', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const args = ['in.jsonl', '--target-tokens', '1k', '--target-tokens', '50', '--json', '--errors', 'bad.jsonl'];
      const { code, stdout } = await stats(cwd, args);
      assert.equal(code, 1);
      const found = JSON.parse(stdout);
      const lengths = whole.map((line) => total(tokensOf(line).map(([, tokens]) => tokens)));
      const all = whole.flatMap(tokensOf);
      const of = (name: string): number => total(all.flatMap(([from, tokens]) => (from === name ? [tokens] : [])));
      assert.deepEqual(
        [found.trajectories, found.tokens.total, found.tokens.max, found.turns.total, found.broken],
        [whole.length, total(lengths), Math.max(...lengths), all.length, 6],
      );
      assert.deepEqual(found.tokens.by_speaker, {
        system: of('system'),
        human: of('human'),
        gpt: of('gpt'),
        tool: of('tool'),
      });
      const over = lengths.filter((tokens) => tokens > 1_000);
      assert.deepEqual(
        found.limits.map((one: { limit: number; over: number }) => [one.limit, one.over]),
        [
          [50, lengths.filter((tokens) => tokens > 50).length],
          [1_000, over.length],
        ],
      );
      assert.equal(found.limits[1].estimated_tokens_after, total(lengths) - total(over) + 1_000 * over.length);
      assert.equal(found.limits[0].cannot_fit, found.limits[0].over);
      const bad = readFileSync(join(cwd, 'bad.jsonl'), 'utf8').split('\n').slice(0, -1);
      assert.deepEqual(
        bad.map((line) => JSON.parse(line).line),
        [13, 26, 39, 52, 65, 78],
      );
      assert.deepEqual(found.broken_lines.length, 6);
    }));

  it('gives the same with any number of workers, and for one input or two', () =>
    inFolder({ 'in.jsonl': text }, async (cwd) => {
      const half = lines.slice(0, 40);
      writeFileSync(join(cwd, 'a.jsonl'), half.join('\n'));
      writeFileSync(join(cwd, 'b.jsonl'), lines.slice(40).join('\n'));
      const figures = async (...args: readonly string[]): Promise<unknown> => {
        const { stdout } = await stats(cwd, [...args, '--json']);
        const { seconds: _, files: _files, broken_lines: _lines, ...rest } = JSON.parse(stdout);
        return rest;
      };
      const one = await figures('in.jsonl');
      assert.deepEqual(await figures('in.jsonl', '--workers', '2'), one);
      assert.deepEqual(await figures('a.jsonl', 'b.jsonl'), one);
    }));

  it('tells which tools are called, how often, and how often they fail', () => {
    const call = (name: string): string =>
      `<tool_call>\n{"name": "${name}", "arguments": {"command": "npm test"}}\n</tool_call>`;
    const answer = (said: string): string => `<tool_response>\n${said}\n</tool_response>`;
    const record = {
      conversations: [
        { from: 'human', value: 'Test it.' },
        { from: 'gpt', value: `${call('terminal')}\n${call('look')}` },
        { from: 'tool', value: `${answer('{"output": "1 failing", "exit_code": 1}')}\n${answer('fine')}` },
        { from: 'gpt', value: call('terminal') },
        { from: 'tool', value: answer('{"output": "ok", "exit_code": 0}') },
      ],
    };
    const { tools } = trajectoryStats(JSON.stringify(record), { tokenizer });
    assert.deepEqual(Object.fromEntries(tools), {
      terminal: { calls: 2, failures: 1 },
      look: { calls: 1, failures: 0 },
    });
  });

  it('draws bars on 80 columns, in ASCII where the locale has nothing else', () =>
    inFolder({ 'in.jsonl': whole.join('\n') }, async (cwd) => {
      const shown = await stats(cwd, ['in.jsonl'], { isTerminal: true, columns: 80, env: { NO_COLOR: '1' } });
      assert.equal(shown.code, 0);
      assert.match(shown.stdout, /length in tokens\n {3}0–512 {2}█+ +\d+ +\d+ %\n/);
      const ascii = await stats(cwd, ['in.jsonl'], {
        isTerminal: true,
        columns: 80,
        env: { NO_COLOR: '1', LANG: 'C' },
      });
      assert.match(ascii.stdout, /length in tokens\n {3}0-512 {2}#+ +\d+ +\d+ %\n/);
      for (const line of [...shown.stdout.split('\n'), ...ascii.stdout.split('\n')]) assert.ok(line.length <= 80, line);
    }));

  it('reads standard input, and says that nothing was in it', () =>
    inFolder({}, async (cwd) => {
      const { code, stdout } = await stats(cwd, ['-'], { input: '' });
      assert.equal(code, 0);
      assert.match(stdout, /^0 trajectories in 1 file, [\d.]+ s\n$/);
    }));
});

describe('J2 a sum of figures', () => {
  const one = fc.record({ tokens: fc.nat(3_000_000), protectedTokens: fc.nat(2_000), turns: fc.nat(400) });
  const line = one.map(
    ({ tokens, protectedTokens, turns }): TrajectoryLineStats => ({
      format: 'sharegpt',
      tokens,
      protectedTokens,
      turns: { system: 1, human: 1, gpt: turns, tool: 0 },
      turnTokens: { system: 0, human: 0, gpt: tokens, tool: 0 },
      tools: new Map([[`tool-${turns % 7}`, { calls: turns, failures: turns % 3 }]]),
    }),
  );

  it('is the same however the records are shared out', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.nat(40), (all, cut) => {
        const limits = [1_000, 100_000];
        const parts = addStats(sumStats(all.slice(0, cut), limits), sumStats(all.slice(cut), limits));
        assert.deepEqual(parts, sumStats(all, limits));
      }),
    );
  });

  it('has percentiles that are the value or at most one per cent above it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(5_000_000), { minLength: 1, maxLength: 60 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (values, share) => {
          const exact = values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;
          const all = addHistograms(histogramOf(values.slice(0, 7)), histogramOf(values.slice(7)));
          const found = percentileOf(all, share);
          assert.ok(found >= exact && found <= exact * 1.01, `${found} for ${exact}`);
          const most = Math.max(...values);
          assert.ok(percentileOf(all, share, most) <= most, 'a reader would take it for a mistake');
        },
      ),
    );
  });

  it('has every value in the range of powers of two that it lies in', () => {
    for (const value of [0, 511, 512, 1_023, 1_024, 65_535, 65_536, 1_048_576]) {
      const [range, ...more] = octavesOf(histogramOf([value]));
      assert.deepEqual([range?.count, more.length], [1, 0]);
      assert.ok(range && value >= range.from && value < range.below, `${value} in ${JSON.stringify(range)}`);
    }
  });
});
