/** Jobs: the same result wherever they are done; a record that blocks or fills its worker is passed by. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TrajectorySummarizer } from '@palimpsest/core/trajectories';
import { noTotals } from '../../packages/palimpsest/src/trajectory/model/spending.ts';
import type { SummaryDesk } from '../../packages/palimpsest/src/trajectory/model/summary-desk.ts';
import { resolveTrajectoryConfig } from '../../packages/palimpsest/src/trajectory/settings/config.ts';
import { jobSpecOf } from '../../packages/palimpsest/src/trajectory/settings/job-spec.ts';
import { type JobSpec, runJob, type TrajectoryJob } from '../../packages/palimpsest/src/trajectory/work/job.ts';
import { isSampled } from '../../packages/palimpsest/src/trajectory/work/sample.ts';
import { tokenizerOf } from '../../packages/palimpsest/src/trajectory/work/tokenizer.ts';
import { startPool } from '../../packages/palimpsest/src/trajectory/work/worker-pool.ts';
import { shareGptLines, shareGptRecord, smallConfig } from '../support/trajectories.ts';

const spec = jobSpecOf(resolveTrajectoryConfig(smallConfig));
const lines = shareGptLines({ records: 9 });

const jobOf = (records: readonly string[], first = 1): TrajectoryJob => ({
  bytes: Uint8Array.from(Buffer.from(records.map((line) => `${line}\n`).join(''))),
  first,
  framing: 'lines',
  packing: 'plain',
});

const lineAt = (bytes: Uint8Array, at: number): string | undefined => Buffer.from(bytes).toString().split('\n')[at];

describe('J2 a job', () => {
  it('has the same result in a worker as here', async () => {
    const tokenizer = await tokenizerOf(spec.tokenizer);
    const runner = startPool(spec, { workers: 2, workerMegabytes: 256 });
    const [here, there] = [await runJob(jobOf(lines, 7), { spec, tokenizer }), await runner.run(jobOf(lines, 7))];
    await runner.close();
    assert.deepEqual(there, here);
    assert.deepEqual([here.read, here.written, here.sum.compressed], [9, 9, 6]);
  });

  it('leaves what it does not understand as it is, with the blanks around it', async () => {
    const tokenizer = await tokenizerOf(spec.tokenizer);
    const cut = ['  {"conversations": [{"from": "human", "value": "The kiln  ', 'no JSON\t', '{"id": "none"} \r'];
    const { bytes, broken } = await runJob(jobOf(cut), { spec, tokenizer });
    assert.equal(broken.length, 3);
    assert.equal(Buffer.from(bytes).toString(), `${cut.join('\n').replace('\r', '')}\n`);
  });

  it('passes a record by that blocks its worker while others wait there for a model', async () => {
    const slow = shareGptRecord(1, 40_000, 600);
    const short: JobSpec = { ...spec, options: { ...spec.options, mode: 'value' }, timeoutMs: 10 };
    const desk: SummaryDesk = {
      ask: async () => ({ type: 'text', text: 'Mended.', calls: 1, usedMs: 0 }),
      stopped: new AbortController().signal,
      use: () => ({ ...noTotals, model: 'm', isPriced: true }),
      close: async () => undefined,
    };
    const asking = { desk, limits: { records: 4, bytes: 64 * 1_048_576 } };
    const runner = startPool(short, { workers: 1, workerMegabytes: 1_024, asking });
    const jobs = [jobOf([lines[1] ?? '', slow, lines[2] ?? '']), jobOf(lines, 4)];
    const [first, second] = await Promise.all(jobs.map((job) => runner.run(job)));
    await runner.close();
    assert.deepEqual(
      first?.broken.map(({ number, code }) => [number, code]),
      [[2, 'CALL_TIMEOUT']],
    );
    assert.equal(lineAt(first?.bytes ?? new Uint8Array(0), 1), slow);
    assert.deepEqual([first?.sum.compressed, second?.sum.compressed, second?.broken], [2, 6, []]);
  });

  it('passes a record by that takes too long for the clock of its worker, and does the others', async () => {
    const slow = shareGptRecord(1, 40_000, 600);
    const short: JobSpec = { ...spec, options: { ...spec.options, mode: 'value' }, timeoutMs: 10 };
    const runner = startPool(short, { workers: 1, workerMegabytes: 1_024 });
    const records = [lines[0] ?? '', slow, lines[3] ?? ''];
    const { broken, bytes, written } = await runner.run(jobOf(records, 5));
    await runner.close();
    assert.deepEqual(
      broken.map(({ number, code }) => [number, code]),
      [[6, 'CALL_TIMEOUT']],
    );
    assert.match(broken[0]?.message ?? '', /expected to be done within 0\.01 s/);
    assert.equal(written, 3);
    assert.equal(lineAt(bytes, 1), slow);
    assert.equal(lineAt(bytes, 2), lines[3]);
  });

  it('passes a record by whose summary does not come in time, and goes on with the next', async () => {
    const tokenizer = await tokenizerOf(spec.tokenizer);
    let calls = 0;
    const summarizer: TrajectorySummarizer = ({ signal }) => {
      if (++calls > 1) return Promise.resolve({ text: 'Ovens were mended.', calls: 1 });
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    const job = jobOf([lines[1] ?? '', lines[2] ?? '']);
    const { broken, bytes, sum } = await runJob(job, {
      spec: { ...spec, timeoutMs: 30 },
      tokenizer,
      summarizer: () => summarizer,
    });
    assert.deepEqual(
      broken.map(({ number, code }) => [number, code]),
      [[1, 'CALL_TIMEOUT']],
    );
    assert.equal(lineAt(bytes, 0), lines[1]);
    assert.match(lineAt(bytes, 1) ?? '', /Ovens were mended/);
    assert.equal(sum.summarizationApiCalls, 1);
  });

  it('passes a record by that no worker can hold in memory', async () => {
    const large = JSON.stringify({ conversations: [], more: Array.from({ length: 900_000 }, (_, at) => ({ at })) });
    const runner = startPool(spec, { workers: 1, workerMegabytes: 48 });
    const { broken, bytes } = await runner.run(jobOf([lines[0] ?? '', large, lines[3] ?? '']));
    await runner.close();
    assert.deepEqual(
      broken.map(({ number }) => number),
      [2],
    );
    assert.match(broken[0]?.message ?? '', /expected a record that a worker can hold in memory/);
    assert.equal(lineAt(bytes, 1), large);
  });
});

describe('J2 a sample', () => {
  it('takes about its share of the records, each by its number and the seed alone', () => {
    for (const share of [0.01, 0.3, 0.9]) {
      const numbers = Array.from({ length: 20_000 }, (_, at) => at + 1);
      const taken = numbers.filter((number) => isSampled({ number }, { share, seed: 42 })).length;
      assert.ok(Math.abs(taken / 20_000 - share) < 0.02, `${taken} of 20000 for ${share}`);
    }
    assert.equal(isSampled({ number: 1 }, undefined), true);
  });
});
