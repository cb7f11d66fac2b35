/** `palimpsest trajectories compress --summarizer`: whole runs against a provider, stopped and gone on with. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type FakeProvider, promptText, type Reply, type Script, startFakeProvider } from '@palimpsest/core/testing';
import { estimateCost } from '../../packages/palimpsest/src/trajectory/model/estimate.ts';
import { resolveTrajectoryConfig } from '../../packages/palimpsest/src/trajectory/settings/config.ts';
import { entry, inFolder, type Outcome, quietEnv, runHere } from '../support/command-line.ts';
import { shareGptLines, smallConfig, smallSettings } from '../support/trajectories.ts';

const lines = shareGptLines({ records: 30 });
/** Each third of them is short enough. */
const long = 20;
const text = `${lines.join('\n')}\n`;
const summary: Reply = { text: 'The oven was mended.', usage: { inputTokens: 1_000, outputTokens: 100 } };

interface Setting {
  readonly provider: FakeProvider;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly compress: (...more: readonly string[]) => Promise<Outcome>;
  readonly out: () => readonly string[];
}

const withProvider = (use: (setting: Setting) => Promise<void>, script: Script = summary): Promise<void> =>
  inFolder({ 'in.jsonl': text }, async (cwd) => {
    await using provider = await startFakeProvider({ apiKey: 'test-key', script });
    const args = [
      ...['trajectories', 'compress', 'in.jsonl', '-o', 'out.jsonl', ...smallSettings],
      ...['--summarizer', 'm', '--base-url', provider.baseUrl('openai-chat'), '--set', 'summarization.retry_delay=0'],
    ];
    const env = { PALIMPSEST_API_KEY: 'test-key' };
    const compress = (...more: readonly string[]) => runHere([...args, ...more], { cwd, env });
    const out = () => readFileSync(join(cwd, 'out.jsonl'), 'utf8').split('\n').slice(0, -1);
    await use({ provider, cwd, args, compress, out });
  });

const idsOf = (found: readonly string[]): readonly unknown[] => found.map((line) => JSON.parse(line).id);
/** The records that a request is about, each once. */
const askedFor = (provider: FakeProvider): readonly string[] => provider.requests.map((one) => promptText(one));
const marks = (out: readonly string[]): number => out.join('').match(/\[CONTEXT SUMMARY\]: /g)?.length ?? 0;
const prices = ['--set', 'summarization.input_price=1', '--set', 'summarization.output_price=10'];

describe('J2 trajectories compress with a model', () => {
  it('writes its summaries, keeps the order, and tells calls, tokens and cost', () =>
    withProvider(async ({ compress, out, cwd, provider }) => {
      const { code, stdout, stderr } = await compress(...prices);
      assert.equal(code, 0, stderr);
      assert.deepEqual(idsOf(out()), idsOf(lines));
      assert.deepEqual([marks(out()), provider.requests.length], [long, long]);
      const second = JSON.parse(out()[1] ?? '');
      const told = second.conversations.find(({ value }: { value: string }) => value.startsWith('[CONTEXT SUMMARY]: '));
      assert.deepEqual(told, { from: 'human', value: '[CONTEXT SUMMARY]: The oven was mended.' });
      assert.match(JSON.stringify(second.provenance), /"model"/);
      const { summarization } = JSON.parse(readFileSync(join(cwd, 'out_metrics.json'), 'utf8'));
      assert.deepEqual(summarization, { total_api_calls: long, total_errors: 0, success_rate: 1 });
      assert.match(
        stderr,
        /note: m will be asked about 20 times: about [\d,]+ tokens in and 4,000 out, ~\$0\.\d+ \(worked out from all/,
      );
      const used = /m: 20 calls, 0 repeated calls, 0 errors; 20,000 tokens in and 2,000 out, ~\$0\.04/;
      assert.match(stdout, used);
      assert.deepEqual(readdirSync(cwd).sort(), ['in.jsonl', 'out.jsonl', 'out_metrics.json']);
    }));

  it('asks for many records at once, of every worker, never more than may', async () => {
    let [now, most] = [0, 0];
    const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
    await withProvider(
      async ({ compress, out }) => {
        const more = ['--workers', '2', '--set', 'processing.max_concurrent_requests=8'];
        assert.equal((await compress(...more)).code, 0);
        assert.deepEqual([most, idsOf(out())], [8, idsOf(lines)]);
      },
      async () => {
        most = Math.max(most, ++now);
        // Nobody is answered before all are here: one after the other would wait for ever.
        if (now === 8) isFull();
        await full;
        now--;
        return summary;
      },
    );
  });

  it('lets the ledger write what could not be had, and counts it', () =>
    withProvider(
      async ({ compress, out, cwd }) => {
        const { code, stderr, stdout } = await compress();
        assert.equal(code, 0);
        assert.match(stderr, /note: 2 summaries could not be had from .*m and are written from extracted facts/);
        assert.match(stdout, /21 calls, 1 repeated call, 2 errors/);
        assert.match(out().join('\n'), /ledger after the model failed/);
        const { summarization } = JSON.parse(readFileSync(join(cwd, 'out_metrics.json'), 'utf8'));
        assert.deepEqual([summarization.total_api_calls, summarization.total_errors], [21, 2]);
      },
      ({ number }) => {
        if (number <= 2) return { error: { status: 400, message: 'messages.0.role: unknown variant' } };
        return number === 3 ? { error: { status: 500 } } : summary;
      },
    ));

  it('sends no part of a credential, also of one that is cut where a long turn is, and has its mark once', () =>
    withProvider(
      async ({ compress, out, cwd, provider }) => {
        const key = `sk-proj-${'a1B2c3D4e5F6'.repeat(4)}`;
        const value = `${'oven '.repeat(700)}OPENAI_API_KEY=${key}\n${'door '.repeat(95)}`;
        const turns = Array.from({ length: 12 }, (_, at) => ({ from: at % 2 === 0 ? 'gpt' : 'tool', value }));
        const record = { conversations: [{ from: 'human', value: 'Mend it.' }, ...turns] };
        writeFileSync(join(cwd, 'in.jsonl'), `${JSON.stringify(record)}\n`);
        assert.equal((await compress('--target-tokens', '9000')).code, 0);
        const sent = askedFor(provider).join('');
        assert.match(sent, /\.\.\.\[cut\]\.\.\./);
        for (let at = 8; at + 12 <= key.length; at += 4)
          assert.ok(!sent.includes(key.slice(at, at + 12)), key.slice(at));
        assert.equal(marks(out()), 1);
      },
      { text: '[CONTEXT SUMMARY]: [CONTEXT SUMMARY]: Mended.' },
    ));

  it('cuts a summary that is longer than there is room for, so that the target is met', () =>
    withProvider(
      async ({ compress, cwd }) => {
        const { code } = await compress('--mode', 'value');
        assert.equal(code, 0);
        const metrics = JSON.parse(readFileSync(join(cwd, 'out_metrics.json'), 'utf8'));
        assert.equal(metrics.summary.trajectories_still_over_limit, 0);
        assert.ok(metrics.summarization.total_api_calls >= long);
      },
      { text: 'The fuse of the oven was mended again. '.repeat(400) },
    ));
});

describe('J2 a run with a model that was stopped', () => {
  it('at the cap goes on with a higher one, and asks for nothing twice', () =>
    withProvider(async ({ compress, out, provider, cwd }) => {
      const few = ['--set', 'processing.max_concurrent_requests=2'];
      const stopped = await compress(...prices, '--max-cost', '0.015', ...few);
      assert.equal(stopped.code, 5, stopped.stderr);
      assert.match(stopped.stderr, /would cost more than the cap allows \(\$0\.015, --max-cost\)/);
      assert.equal(existsSync(join(cwd, 'out.jsonl')), false);
      const before = provider.requests.length;
      assert.ok(before >= 5 && before <= 7, `${before} calls`);
      const again = await compress(...prices, '--max-cost', '0.015', ...few, '--resume');
      assert.deepEqual([again.code, provider.requests.length], [5, before]);
      const done = await compress(...prices, '--max-cost', '1', '--resume');
      assert.equal(done.code, 0, done.stderr);
      assert.match(done.stdout, /20 calls, 0 repeated calls, 0 errors; 20,000 tokens in/);
      assert.deepEqual([new Set(askedFor(provider)).size, provider.requests.length, marks(out())], [long, long, long]);
      assert.deepEqual(idsOf(out()), idsOf(lines));
    }));

  it('at the cap has the rest written by the ledger where that is wanted', () =>
    withProvider(async ({ compress, out, provider, cwd }) => {
      const { code, stderr } = await compress(...prices, '--max-cost', '0.015', '--on-cap', 'ledger');
      assert.equal(code, 0);
      assert.match(
        stderr,
        /note: the cap on the cost was reached: the other summaries are written from extracted facts/,
      );
      const { summarization } = JSON.parse(readFileSync(join(cwd, 'out_metrics.json'), 'utf8'));
      assert.deepEqual(summarization, { total_api_calls: provider.requests.length, total_errors: 0, success_rate: 1 });
      assert.ok(provider.requests.length < long);
      assert.equal(marks(out()), long);
    }));

  it('by a refused key keeps what is paid for', () =>
    withProvider(
      async ({ compress, out, provider }) => {
        const stopped = await compress('--set', 'processing.max_concurrent_requests=1');
        assert.equal(stopped.code, 5);
        assert.match(stopped.stderr, /refused the key \(401\).*go on with --resume/s);
        assert.equal(provider.requests.length, 6);
        assert.equal((await compress('--resume')).code, 0);
        // The sixth was not answered.
        assert.deepEqual(
          [new Set(askedFor(provider)).size, provider.requests.length, marks(out())],
          [long, long + 1, long],
        );
      },
      ({ number }) => (number === 6 ? { error: { status: 401 } } : summary),
    ));

  it('by kill -9 asks again only for what was under way', () =>
    withProvider(
      async ({ args, cwd, provider, compress, out }) => {
        const env = { ...quietEnv, HOME: cwd, PALIMPSEST_API_KEY: 'test-key' };
        const few = ['--set', 'processing.max_concurrent_requests=4'];
        const running = spawn(process.execPath, [entry, ...args, ...few], { cwd, env, stdio: 'ignore' });
        const ended = once(running, 'exit');
        // Twelve were answered; the next four never are.
        await provider.received(16);
        const answers = join(cwd, 'out.jsonl.partial.answers');
        const written = (): number => readFileSync(answers, 'utf8').split('\n').length - 1;
        for (let looks = 0; written() < 12 && looks < 1e5; looks++) await new Promise(setImmediate);
        running.kill('SIGKILL');
        await ended;
        assert.ok(statSync(answers).size > 0);
        assert.equal((await compress('--resume')).code, 0);
        assert.deepEqual(
          [new Set(askedFor(provider)).size, provider.requests.length, marks(out())],
          [long, long + 4, long],
        );
        assert.deepEqual(idsOf(out()), idsOf(lines));
      },
      ({ number }) => (number > 12 && number <= 16 ? { hang: true } : summary),
    ));

  it('refuses another model, and takes another address, other prices and more retries', () =>
    withProvider(
      async ({ compress }) => {
        assert.equal((await compress()).code, 5);
        const other = await compress('--summarizer', 'other', '--resume');
        assert.equal(other.code, 2);
        assert.match(other.stderr, /summarization\.model was "m" and is "other" now/);
        const more = ['--set', 'summarization.max_retries=5', '--set', 'processing.max_concurrent_requests=3'];
        assert.equal((await compress('--resume', ...prices, ...more)).code, 0);
      },
      ({ number }) => (number === 1 ? { error: { status: 401 } } : summary),
    ));
});

describe('J2 what the summaries of a run will cost', () => {
  it('is told by a dry run, which asks nobody', () =>
    withProvider(async ({ compress, provider }) => {
      const { code, stdout } = await compress(...prices, '--dry-run');
      assert.equal(code, 0);
      assert.match(stdout, /m would be asked 20 times: about [\d,]+ tokens in and 4,000 out, ~\$0\.\d+/);
      assert.equal(provider.requests.length, 0);
    }));

  it('is worked out from the first records of a large input', () =>
    inFolder({ 'in.jsonl': text.repeat(60) }, async (cwd) => {
      const path = join(cwd, 'in.jsonl');
      const { size } = statSync(path);
      const summarization = { model: 'm', inputPrice: 1, outputPrice: 1 };
      const config = resolveTrajectoryConfig({ ...smallConfig, summarization });
      const estimate = await estimateCost(config, [{ name: 'in.jsonl', path, size, output: 'out.jsonl' }]);
      assert.ok(estimate && estimate.lookedAtBytes < size / 1.1);
      assert.ok(Math.abs(estimate.calls / (60 * long) - 1) < 0.05, `${estimate.calls} calls`);
      assert.ok(Math.abs((estimate.costUsd ?? 0) * 1e6 - estimate.inputTokens - estimate.outputTokens) < 10);
      assert.equal(
        await estimateCost(config, [{ name: '-', path: undefined, size: undefined, output: 'o' }]),
        undefined,
      );
    }));

  it('an unknown price with a cap, a missing key and flags that exclude each other are refused before anything is made', () =>
    withProvider(async ({ compress, cwd }) => {
      const capped = await compress('--max-cost', '5');
      assert.equal(capped.code, 2);
      assert.match(
        capped.stderr,
        /price of .*m is not known, so that its cost cannot be capped: set summarization\.input_price/,
      );
      const keyless = await runHere(
        ['trajectories', 'compress', 'in.jsonl', '-o', 'out.jsonl', '--summarizer', 'openai/gpt-5-mini'],
        { cwd },
      );
      assert.deepEqual([keyless.code, /OPENAI_API_KEY/.test(keyless.stderr)], [5, true]);
      assert.equal((await compress('--max-cost', 'much')).code, 2);
      assert.deepEqual(readdirSync(cwd), ['in.jsonl']);
    }));
});
