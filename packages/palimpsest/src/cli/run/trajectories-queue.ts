/** `palimpsest trajectories work` and `queue`: the work of runs in a queue, and which runs there are. */
import { hostname } from 'node:os';
import { PalimpsestError } from '@palimpsest/core';
import { requireQueueUrl } from '../../trajectory/queue/connection.ts';
import { openQueue, type Queue, type QueuedRunReport } from '../../trajectory/queue/queue.ts';
import { queueDefaults, type TrajectoryQueueOptions } from '../../trajectory/queue/queue-options.ts';
import { shortestLeaseSeconds, workOnQueue } from '../../trajectory/queue/queue-worker.ts';
import type { Call } from '../commands/build.ts';
import { badOption, given, numberOf } from '../option-values.ts';
import { interruptible, movingLine } from '../progress.ts';
import { copied, gives, right, tableOf } from '../render/table.ts';
import { oneLine, thousands } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeNotes, writeReport } from '../terminal.ts';

/** Options of `compress` that belong to a queue. */
export interface QueueFlags {
  readonly queue?: string;
  readonly local?: boolean;
  readonly inFlight?: string;
  readonly leaseSeconds?: string;
  readonly retries?: string;
  readonly patienceSeconds?: string;
}

/** The queue that was asked for. Throws `BAD_OPTION`, also for an option that says nothing without one. */
export function queueFor(flags: QueueFlags, terminal: Terminal): TrajectoryQueueOptions | undefined {
  const { queue: url, local, inFlight, leaseSeconds, retries, patienceSeconds } = flags;
  if (url === undefined) {
    const words = { '--no-local': local === false, '--in-flight': inFlight, '--lease-seconds': leaseSeconds };
    const all = { ...words, '--retries': retries, '--patience-seconds': patienceSeconds };
    for (const [word, value] of Object.entries(all))
      if (value) throw badOption(`expected --queue with ${word}, got ${word} alone`);
    return undefined;
  }
  requireQueueUrl(url);
  const lease = { option: '--lease-seconds', from: shortestLeaseSeconds, to: 3_600 };
  return {
    url,
    ...given({
      local,
      inFlight: inFlight === undefined ? undefined : numberOf(inFlight, { option: '--in-flight', from: 1, to: 10_000 }),
      leaseSeconds: leaseSeconds === undefined ? undefined : numberOf(leaseSeconds, lease),
      retries: retries === undefined ? undefined : numberOf(retries, { option: '--retries', from: 0, to: 1_000 }),
      patienceSeconds: patienceOf(patienceSeconds),
    }),
    onNotice: (message) => void writeNotes(terminal, [message]),
  };
}

const patienceOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : numberOf(text, { option: '--patience-seconds', from: 0, to: 86_400 });

interface WorkFlags {
  readonly queue?: string;
  readonly workers?: string;
  readonly idleSeconds?: string;
  readonly patienceSeconds?: string;
}

export async function runTrajectoriesWork({ flags, terminal }: Call<WorkFlags>): Promise<void> {
  const { idleSeconds } = flags;
  const workers =
    flags.workers === undefined
      ? navigator.hardwareConcurrency
      : numberOf(flags.workers, { option: '--workers', from: 1, to: 256 });
  const idle = { option: '--idle-seconds', from: 0, to: 86_400 };
  const idleMs = idleSeconds === undefined ? undefined : numberOf(idleSeconds, idle) * 1_000;
  const line = movingLine(terminal);
  const report = await withQueue(flags, (queue) =>
    interruptible(terminal, (signal) =>
      workOnQueue({
        queue,
        workers,
        name: `${hostname()}:${process.pid}`,
        ...given({ idleMs }),
        signal,
        onNotice: (message) => void writeNotes(terminal, [message]),
        onBatch: (batches) => line.show(() => `${batchesText(batches)} done (Ctrl-C stops)`),
      }),
    ),
  ).finally(line.erase);
  if (terminal.json) return writeJson(terminal, { command: 'trajectories work', ...report });
  const failed = report.failed > 0 ? `, and could not do ${thousands(report.failed)}` : '';
  await writeReport(terminal, [`did ${batchesText(report.batches)}${failed}`]);
}

const batchesText = (count: number): string => (count === 1 ? '1 batch' : `${thousands(count)} batches`);

interface ListFlags {
  readonly queue?: string;
  readonly clean?: string;
  readonly patienceSeconds?: string;
}

export async function runTrajectoriesQueue({ flags, terminal }: Call<ListFlags>): Promise<void> {
  await withQueue(flags, async (queue) => {
    if (flags.clean !== undefined) return cleanRun(queue, flags.clean, terminal);
    const runs = await queue.reports();
    if (terminal.json) return writeJson(terminal, { command: 'trajectories queue', runs });
    await writeReport(
      terminal,
      runs.length === 0 ? ['no runs'] : tableOf(runs, columns, { screen: stdoutScreen(terminal) }),
    );
  });
}

const columns: Parameters<typeof tableOf<QueuedRunReport>>[1] = [
  ['run', ({ id }) => id, copied],
  ['output', ({ title }) => oneLine(title), gives],
  ['started', ({ startedAt }) => startedAt.slice(0, 16).replace('T', ' ')],
  ['last heard of', ({ silentSeconds }) => `${thousands(silentSeconds)} s ago`, right],
  ['waiting', ({ waiting }) => thousands(waiting), right],
  ['done', ({ done }) => thousands(done), right],
  ['version', ({ version }) => version],
];

async function cleanRun(queue: Queue, id: string, terminal: Terminal): Promise<void> {
  const runs = await queue.reports();
  if (!(await queue.removeRun(id))) {
    const known = runs.length === 0 ? 'there are none' : `there are ${runs.map((run) => run.id).join(', ')}`;
    throw new PalimpsestError('ID_UNKNOWN', `there is no run ${oneLine(id.slice(0, 40))}: ${known}`);
  }
  if (terminal.json) return writeJson(terminal, { command: 'trajectories queue', removed: id });
  await writeReport(terminal, [`removed run ${oneLine(id)} with its batches`]);
}

async function withQueue<T>(
  { queue: url, patienceSeconds }: Pick<QueueFlags, 'queue' | 'patienceSeconds'>,
  use: (queue: Queue) => Promise<T>,
): Promise<T> {
  if (url === undefined) throw badOption('expected --queue postgres://user@host:5432/database, got none');
  requireQueueUrl(url);
  const queue = await openQueue(url, { patienceSeconds: patienceOf(patienceSeconds) ?? queueDefaults.patienceSeconds });
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}
