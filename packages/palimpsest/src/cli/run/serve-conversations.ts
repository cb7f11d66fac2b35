/** What `palimpsest serve` keeps, as its relay sees it: a worker, and what a person is told of it. */
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { platformTimers } from '@palimpsest/core/settings';
import { openWorkerMiddle, type WorkerMiddle } from '../../gateway/worker/worker-middle.ts';
import { bothGiven } from '../option-values.ts';
import type { Surroundings } from '../terminal.ts';
import type { WriterFlags } from '../writer/choose-writer.ts';
import type { ServeSettings } from './serve-settings.ts';

export interface KeepFlags extends WriterFlags {
  readonly store?: string;
  readonly contextLength?: string;
  readonly dryRun?: boolean;
  readonly relay?: boolean;
}

/** What the worker is started with. */
export interface ServeOrder {
  readonly flags: KeepFlags;
  readonly surroundings: Surroundings;
}

/** What the worker says of itself, and what it read for its relay. */
export interface AboutKept extends ServeSettings {
  /** The file of the store; undefined for a dry run, which keeps nothing. */
  readonly path: string | undefined;
  /** The model that writes the summaries; undefined for the ledger. */
  readonly writer: string | undefined;
}

export type Kept = WorkerMiddle<AboutKept>;

/** Undefined for a gateway that passes everything on. */
export async function openKept(
  flags: KeepFlags,
  { surroundings, note }: { readonly surroundings: Surroundings; readonly note: (line: string) => void },
): Promise<Kept | undefined> {
  if (flags.relay === true && flags.dryRun === true) throw bothGiven('--relay', '--dry-run');
  if (flags.relay === true) return undefined;
  const { env, cwd, platform } = surroundings;
  const order: ServeOrder = { flags: { ...flags }, surroundings: { env: { ...env }, cwd, platform } };
  return openWorkerMiddle<AboutKept>({ start: () => startWorker(order), timers: platformTimers, note });
}

function startWorker(order: ServeOrder): Worker {
  return new Worker(new URL(import.meta.resolve('#serve-worker')), {
    workerData: order,
    // An SDK that this process was begun with, by either way, stays here, where the spans are made.
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
    resourceLimits: {
      // As much as this process may have. Without a limit of its own, a worker that needs more would end the process.
      maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 1_048_576),
      maxYoungGenerationSizeMb,
    },
  });
}

/** Room for what a few turns leave behind; Node takes several times as much, and gives none of it back. */
const maxYoungGenerationSizeMb = 48;

/** What a person is told of it at the start. */
export function keptLine(about: AboutKept | undefined): string {
  if (!about) return 'Passes everything on; keeps nothing, compresses nothing.';
  if (about.path === undefined)
    return 'A dry run: changes and keeps nothing; headers of the answers tell what it would do.';
  const writer = about.writer === undefined ? '' : `; ${about.writer} writes the summaries`;
  return `Keeps conversations in ${about.path}, and compresses those that would not fit${writer}.`;
}
