/** Checks a plugin where it can do no harm to the command: in a worker, which is ended when it does not come back. */
import { parentPort, workerData } from 'node:worker_threads';
import { tokenizerFor } from '@palimpsest/core';
import type { JsonObject } from '@palimpsest/core/engine';
import { type ContractFinding, checkEngine } from '@palimpsest/core/testing';
import { createPluginRegistry, engineFrom, type OpenRegistry } from '../../plugins/engine-host.ts';
import { loadPlugin, readPlugin } from '../../plugins/load-plugin.ts';

export interface CheckOrder {
  readonly folder: string;
  /** `plugins.options`. */
  readonly options: Readonly<Record<string, JsonObject>>;
  /** How long loading and each promise may take, in milliseconds. */
  readonly timeoutMs: number;
}

export type CheckNews =
  /** Said before any of its code runs. */
  | { readonly type: 'manifest'; readonly name: string; readonly version: string }
  | { readonly type: 'loaded'; readonly engines: readonly string[] }
  | { readonly type: 'finding'; readonly engine: string; readonly finding: ContractFinding }
  | { readonly type: 'broken'; readonly problem: string }
  | { readonly type: 'done' };

async function check({ folder, options, timeoutMs }: CheckOrder, tell: (news: CheckNews) => void): Promise<void> {
  const plugin = await readPlugin(folder, { name: folder, from: folder });
  if (!plugin.manifest) return tell({ type: 'broken', problem: plugin.problem ?? 'it has no manifest' });
  const { name, version } = plugin.manifest;
  tell({ type: 'manifest', name, version });
  const registry = createPluginRegistry();
  await loadPlugin(plugin, registry, timeoutMs);
  tell({ type: 'loaded', engines: registry.names() });
  for (const engine of registry.names()) await checkOne(registry, engine, { options, timeoutMs, tell });
  tell({ type: 'done' });
}

interface Checking extends Pick<CheckOrder, 'options' | 'timeoutMs'> {
  readonly tell: (news: CheckNews) => void;
}

async function checkOne(registry: OpenRegistry, name: string, { options, timeoutMs, tell }: Checking): Promise<void> {
  const factory = registry.find(name);
  if (!factory) return;
  const tokenizer = await tokenizerFor('');
  const basis = { sessionId: 'check', model: 'some-model', contextLength: 32_000, tokenizer };
  await checkEngine(() => engineFrom(factory, { ...basis, options: options[name] ?? {} }), {
    timeoutMs,
    onFinding: (finding) => tell({ type: 'finding', engine: name, finding }),
  });
}

const port = parentPort;
if (port) {
  const tell = (news: CheckNews): void => port.postMessage(news);
  // Only `checkInWorker` starts this file, with such an order.
  check(workerData as CheckOrder, tell).catch((error: unknown) =>
    tell({ type: 'broken', problem: error instanceof Error ? error.message : String(error) }),
  );
}
