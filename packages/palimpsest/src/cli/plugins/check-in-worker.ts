/** Has a plugin checked in a worker, and ends it when it does not come back. */
import { Worker } from 'node:worker_threads';
import { reasonOf } from '@palimpsest/core/engine';
import { type ContractFinding, contractRules } from '@palimpsest/core/testing';
import type { CheckNews, CheckOrder } from './check-worker.ts';

export interface CheckedEngine {
  readonly name: string;
  readonly findings: readonly ContractFinding[];
}

export interface PluginCheck {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly engines: readonly CheckedEngine[];
  /** Why the plugin cannot be used, or not be checked to its end. */
  readonly problem: string | undefined;
}

/** What a worker on a busy machine needs beside the time of the plugin itself. */
const marginMs = 5_000;

/** Never throws for what the plugin does: it may end its thread, fill its memory, or never let go. */
export function checkInWorker(order: CheckOrder): Promise<PluginCheck> {
  const worker = new Worker(new URL(import.meta.resolve('#check-worker')), {
    workerData: order,
    // What it prints is not what the command prints.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return heard(worker, order.timeoutMs);
}

function heard(worker: Worker, timeoutMs: number): Promise<PluginCheck> {
  const engines = new Map<string, ContractFinding[]>();
  let plugin: { readonly name: string; readonly version: string } | undefined;
  let isLoaded = false;
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const finish = (problem?: string): void => {
      clearTimeout(timer);
      const found = [...engines].map(([name, findings]) => ({ name, findings }));
      resolve({ name: plugin?.name, version: plugin?.version, engines: found, problem });
      void worker.terminate();
    };
    const where = (): string => (isLoaded ? promiseIn(engines) : ' while it was loading');
    // Everything that is waited for in the worker is given up there sooner. Until it has read the manifest, it runs our code only.
    const watch = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => finish(`it blocked the process${where()}`), timeoutMs + marginMs);
    };
    let failure: string | undefined;
    worker.on('message', (news: CheckNews) => {
      if (news.type === 'manifest') plugin = news;
      if (news.type === 'loaded') {
        isLoaded = true;
        for (const name of news.engines) engines.set(name, []);
      }
      watch();
      if (news.type === 'finding') engines.get(news.engine)?.push(news.finding);
      if (news.type === 'broken') finish(news.problem);
      if (news.type === 'done') finish();
    });
    // Its end is told behind all that it has said; the failure that ended it may come before.
    worker.on('error', (error) => {
      failure = `it failed outside any call (${reasonOf(error)})`;
    });
    worker.on('exit', () => finish(`${failure ?? 'it ended its process'}${where()}`));
  });
}

/** The promise that was being checked. */
function promiseIn(engines: ReadonlyMap<string, readonly unknown[]>): string {
  const [name, findings] = [...engines].find(([, found]) => found.length < contractRules.length) ?? [];
  const rule = findings && contractRules[findings.length];
  return rule ? `, while checking "${name}": ${rule.promise}` : '';
}
