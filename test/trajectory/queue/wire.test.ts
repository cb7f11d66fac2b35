/** What goes through a database and comes back is what went in, or it is refused. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { emptySum } from '@palimpsest/core/trajectories';
import {
  packBatch,
  packResult,
  unpackBatch,
  unpackResult,
} from '../../../packages/palimpsest/src/trajectory/queue/wire.ts';
import { resolveTrajectoryConfig } from '../../../packages/palimpsest/src/trajectory/settings/config.ts';
import { jobSpecOf } from '../../../packages/palimpsest/src/trajectory/settings/job-spec.ts';
import { runJob, type TrajectoryJob } from '../../../packages/palimpsest/src/trajectory/work/job.ts';
import { tokenizerOf } from '../../../packages/palimpsest/src/trajectory/work/tokenizer.ts';
import { shareGptLines, smallConfig } from '../../support/trajectories.ts';

const spec = jobSpecOf(resolveTrajectoryConfig(smallConfig));
const lines = shareGptLines({ records: 7, brokenEvery: 5 });
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text));
const listText = lines.filter((_, at) => at !== 4).join(',\n');
/** Where each element ends. */
const listEnds = Uint32Array.from([...listText.matchAll(/,\n|$/g)], ({ index }) => index);

const jobs: readonly TrajectoryJob[] = [
  { bytes: bytesOf(`${lines.join('\n')}\n\n`), first: 12, salt: 77, framing: 'lines', packing: 'plain' },
  { bytes: bytesOf(`${lines.join('\n')}\n`), first: 1, framing: 'lines', packing: 'gzip' },
  { bytes: bytesOf(listText), ends: listEnds, first: 1, framing: 'list', packing: 'zstd' },
  { bytes: bytesOf(listText), ends: listEnds, first: 3, framing: 'list', packing: 'plain' },
  { bytes: bytesOf('[no\n JSON]'), ends: Uint32Array.of(10), first: 1, framing: 'lines', packing: 'plain' },
];

describe('J2 what a queue carries', () => {
  it('comes back as it went in: batches and results of every form', async () => {
    const tokenizer = await tokenizerOf(spec.tokenizer);
    for (const job of jobs) {
      const packed = await packBatch(job);
      assert.deepEqual(unpackBatch({ ...packed }), job);
      const result = await runJob(job, { spec, tokenizer });
      assert.deepEqual(unpackResult({ ...(await packResult(result, job)) }, job, spec), result);
    }
  });

  it('is refused where a byte of a batch is another', async () => {
    for (const job of jobs) {
      const packed = await packBatch(job);
      const others = [
        { ...packed, bytes: zstdCompressSync(Buffer.from('{}\n')) },
        { ...packed, bytes: Uint8Array.of(0) },
        { ...packed, form: packed.form.replace('"first":', '"first":1') },
        { ...packed, ends: Uint8Array.of(1, 0, 0, 0) },
      ];
      for (const other of others)
        assert.throws(() => unpackBatch(other), {
          code: 'TRAJECTORY_BROKEN',
          message: /expected a batch as it was stored/,
        });
    }
  });

  it('is refused where a result has other lines than it says, or than its batch has', async () => {
    const tokenizer = await tokenizerOf(spec.tokenizer);
    for (const job of jobs) {
      const right = await runJob(job, { spec, tokenizer });
      const more = { ...right, read: right.read + 1, written: right.written + 1 };
      const fewer = { ...right, bytes: new Uint8Array(0) };
      const foreign = { ...right, broken: [{ number: 99, code: 'INTERNAL', message: '' }] };
      const empty = { ...right, bytes: new Uint8Array(0), read: 0, written: 0, dropped: 0, sum: emptySum, broken: [] };
      for (const wrong of [more, fewer, foreign, empty]) {
        const packed = await packResult(wrong, job);
        assert.throws(() => unpackResult({ ...packed }, job, spec), { code: 'TRAJECTORY_BROKEN' });
      }
    }
  });
});
