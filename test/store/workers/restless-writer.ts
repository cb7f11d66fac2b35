/**
 * Appends to and compresses shared sessions until it is killed or its input ends, and acknowledges each write on its
 * output after the store has: `node restless-writer.ts PATH SEED`.
 */
import { writeSync } from 'node:fs';
import { PalimpsestError } from '../../../packages/core/src/shared/errors.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import type { Session } from '../../../packages/core/src/store/session-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { said } from '../../support/store-contract/store-bench.ts';

/** What a writer says that it did. */
export type Acknowledged =
  | { readonly type: 'appended'; readonly sessionId: string; readonly texts: readonly string[] }
  | { readonly type: 'compressed'; readonly sessionId: string; readonly next: string }
  | { readonly type: 'counted'; readonly sessionId: string }
  | { readonly type: 'saved'; readonly id: string; readonly text: string };

/** How long a lease lasts that a killed writer leaves behind. */
export const leaseMilliseconds = 2_000;

const acknowledge = (what: Acknowledged): void => {
  writeSync(1, `${JSON.stringify(what)}\n`);
};

async function main(path: string, seed: number): Promise<void> {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  let running = true;
  process.stdin.on('end', () => {
    running = false;
  });
  process.stdin.resume();
  const store = await openStore({ path, busyMilliseconds: 60_000 });
  const roots = await store.sessions.list({ limit: 1_000 });
  let count = 0;
  while (running) {
    const root = roots[random(roots.length)]?.root;
    if (!root) throw new Error('The store has no sessions to write to.');
    const name = `${process.pid}-${seed}-${count++}`;
    const tip = await store.sessions.tip(root.id);
    await orConflict(async () => {
      const kind = random(10);
      if (kind < 6) await append(store, tip, { name, size: 1 + random(12) });
      else if (kind < 8) await compress(store, tip, name);
      else if (kind < 9) await spend(store, tip);
      else await save(store, tip, `${name}\n`.repeat(1 + random(5_000)));
    });
  }
  await store.close();
}

async function append(store: Store, tip: Session, { name, size }: { name: string; size: number }): Promise<void> {
  const texts = Array.from({ length: size }, (_, i) => `message ${name}-${i} about src/file-${i}.ts`);
  await store.messages.append(
    tip.id,
    texts.map((text) => said(text)),
  );
  acknowledge({ type: 'appended', sessionId: tip.id, texts });
}

async function compress(store: Store, tip: Session, name: string): Promise<void> {
  const lease = await store.leases.acquire(`compress:${tip.rootId}`, name, leaseMilliseconds);
  if (!lease) return;
  try {
    const view = await store.messages.view(tip.id);
    const kept = view.slice(-2);
    const next = await store.sessions.continue({
      sessionId: tip.id,
      size: view.length,
      messages: [said(`<handoff> ${name}`), ...kept.map(({ message }) => message)],
      origins: [-1, ...kept.map(({ position }) => position)],
      handoff: { at: 0, covers: view.slice(0, -2).map(({ id }) => id), writtenBy: 'ledger' },
      lease,
    });
    acknowledge({ type: 'compressed', sessionId: tip.id, next: next.id });
  } finally {
    await store.leases.release(lease);
  }
}

async function spend(store: Store, tip: Session): Promise<void> {
  const tokens = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1, reasoningTokens: 1 };
  await store.usage.add({ sessionId: tip.id, model: 'a/b', task: 'turn', ...tokens, costUsd: 0.5 });
  acknowledge({ type: 'counted', sessionId: tip.id });
}

async function save(store: Store, tip: Session, text: string): Promise<void> {
  const { id } = await store.outputs.save(text, { tool: 'bash', sessionId: tip.id });
  acknowledge({ type: 'saved', id, text });
}

/** Another writer may have compressed the session since its tip was looked up. */
async function orConflict(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== 'STORE_CONFLICT') throw error;
  }
}

if (import.meta.main) await main(process.argv[2] ?? '', Number(process.argv[3] ?? 1));
