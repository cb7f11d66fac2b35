/** How a run uses a queue. */
import { PalimpsestError } from '@palimpsest/core';
import { checkKnownOptions } from '@palimpsest/core/settings';
import { requireQueueUrl } from './connection.ts';
import { shortestLeaseSeconds } from './queue-worker.ts';

/** A queue in a PostgreSQL database, and how a run uses it. */
export interface TrajectoryQueueOptions {
  /** `postgres://user@host:5432/database`; a password may stand in the environment variable `PGPASSWORD`. */
  readonly url: string;
  /** False leaves all the work to other machines. @default true */
  readonly local?: boolean;
  /** Batches that are in the queue at a time. @default 64 */
  readonly inFlight?: number;
  /** Seconds after which the batch of a worker that is not heard of goes to another; at least 10. @default 60 */
  readonly leaseSeconds?: number;
  /** How often a batch is tried again before its records stay as they are. @default 4 */
  readonly retries?: number;
  /** Seconds that the database may be gone before the run stops. @default 30 */
  readonly patienceSeconds?: number;
  /** Hears what a person should know while the run goes on. */
  readonly onNotice?: (message: string) => void;
}

/** Every default of a queue. */
export const queueDefaults = {
  local: true,
  inFlight: 64,
  leaseSeconds: 60,
  retries: 4,
  patienceSeconds: 30,
  onNotice: (_message: string): void => undefined,
} as const;

/** With all defaults. Throws `BAD_OPTION`. */
export function resolveQueueOptions(given: TrajectoryQueueOptions): Required<TrajectoryQueueOptions> {
  checkKnownOptions<TrajectoryQueueOptions>('queue', given, known);
  requireQueueUrl(given.url);
  const all = { ...queueDefaults, ...given };
  requireWhole('inFlight', all.inFlight, [1, 10_000]);
  requireWhole('leaseSeconds', all.leaseSeconds, [shortestLeaseSeconds, 3_600]);
  requireWhole('retries', all.retries, [0, 1_000]);
  requireWhole('patienceSeconds', all.patienceSeconds, [0, 86_400]);
  return all;
}

const known = {
  url: true,
  local: true,
  inFlight: true,
  leaseSeconds: true,
  retries: true,
  patienceSeconds: true,
  onNotice: true,
} as const;

function requireWhole(name: string, value: number, [from, to]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= from && value <= to) return;
  const message = `expected queue.${name} to be a whole number from ${from} to ${to}, got ${value}`;
  throw new PalimpsestError('BAD_OPTION', message);
}
