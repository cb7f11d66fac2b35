/** Where the time of a run goes: the functions that were on top of the stack, by the CPU profiler of Node. */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './options.ts';

export interface HotSpot {
  /** Such as `merge (src/tokens/merge.ts:12)`. */
  readonly where: string;
  /** Share of the samples, 0 to 1, without what it called. */
  readonly self: number;
  /** The same with what it called. */
  readonly total: number;
}

/** Runs `run` under the profiler; the hottest functions first. */
export async function hotSpots(run: () => Promise<unknown>): Promise<readonly HotSpot[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  await run();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return spotsOf(profile.nodes, profile.samples ?? []);
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[] | undefined;
}

function spotsOf(nodes: readonly ProfileNode[], samples: readonly number[]): readonly HotSpot[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)));
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  for (const [id, ticks] of countsOf(samples)) {
    const seen = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const node = byId.get(at);
      if (!node) continue;
      const where = nameOf(node);
      if (at === id) self.set(where, (self.get(where) ?? 0) + ticks);
      // A function that calls itself counts once.
      if (!seen.has(where)) total.set(where, (total.get(where) ?? 0) + ticks);
      seen.add(where);
    }
  }
  const share = (ticks: number | undefined): number => (ticks ?? 0) / Math.max(1, samples.length);
  return [...total]
    .map(([where, ticks]) => ({ where, self: share(self.get(where)), total: share(ticks) }))
    .toSorted((a, b) => b.self - a.self);
}

function countsOf(samples: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const id of samples) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const name = functionName || '(anonymous)';
  if (!url.startsWith('file:')) return name;
  return `${name} (${relative(root, fileURLToPath(url))}:${lineNumber + 1})`;
}
