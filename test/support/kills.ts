/** Writers that share a store while one of them is killed again and again, and what must be true afterwards. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Session } from '../../packages/core/src/store/session-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { type Acknowledged, leaseMilliseconds } from '../store/workers/restless-writer.ts';
import { sessionOf } from './store-contract/store-bench.ts';

export interface KillOptions {
  readonly path: string;
  /** Writers that live from the first kill to the last. */
  readonly writers: number;
  readonly sessions: number;
  /** How often a further writer is started and killed. */
  readonly rounds: number;
  readonly seed: number;
}

/** What was done while processes were killed. */
export interface KillReport {
  readonly rounds: number;
  /** Kills of a writer that had acknowledged something already. */
  readonly midWork: number;
  readonly messages: number;
  readonly compressions: number;
}

/** The latest instants of a kill: after the start of a writer, and after its first acknowledged write. */
const startMs = 600;
const workMs = 80;

/** Runs the rounds, then looks at everything that was acknowledged. Throws when anything of it is missing. */
export async function surviveKills(options: KillOptions): Promise<KillReport> {
  {
    await using store = await openStore({ path: options.path });
    for (let i = 0; i < options.sessions; i++) await sessionOf(store, [`session ${i}`]);
  }
  const writers = Array.from({ length: options.writers }, (_, i) => startWriter(options.path, options.seed + i));
  const killed: Writer[] = [];
  let state = options.seed;
  for (let round = 0; round < options.rounds; round++) {
    const victim = startWriter(options.path, options.seed + 1_000 + round);
    state = (state * 48_271) % 2_147_483_647;
    // One in four is hit while it starts, or opens the store; the others in the middle of their work.
    if (round % 4 > 0) await victim.atWork;
    await delay(state % (round % 4 > 0 ? workMs : startMs));
    victim.child.kill('SIGKILL');
    await victim.ended;
    killed.push(victim);
  }
  for (const { child } of writers) child.stdin?.end();
  for (const { ended } of writers) assert.deepEqual(await ended, [0, null], 'a writer that was not killed failed');
  const all = [...writers, ...killed].flatMap(({ acknowledged }) => acknowledged);
  await requireKept(options.path, all);
  return {
    rounds: killed.length,
    midWork: killed.filter(({ acknowledged }) => acknowledged.length > 0).length,
    messages: all.reduce((sum, one) => sum + (one.type === 'appended' ? one.texts.length : 0), 0),
    compressions: all.filter(({ type }) => type === 'compressed').length,
  };
}

interface Writer {
  readonly child: ChildProcess;
  readonly acknowledged: Acknowledged[];
  /** Its first write, or its end. */
  readonly atWork: Promise<unknown>;
  /** Exit code and signal. */
  readonly ended: Promise<unknown>;
}

function startWriter(path: string, seed: number): Writer {
  const worker = join(import.meta.dirname, '..', 'store', 'workers', 'restless-writer.ts');
  const child = spawn(process.execPath, [worker, path, String(seed)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const acknowledged: Acknowledged[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    // A line that a kill cut in two acknowledges nothing.
    if (line.endsWith('}')) acknowledged.push(JSON.parse(line) as Acknowledged);
  });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(([exit]) => exit);
  return { child, acknowledged, atWork: Promise.race([once(lines, 'line'), ended]), ended };
}

async function requireKept(path: string, all: readonly Acknowledged[]): Promise<void> {
  // Leases of killed writers have lapsed by now.
  await using store = await openStore({ path, clock: { now: () => Date.now() + leaseMilliseconds } });
  const report = await store.care.check();
  assert.ok(report.ok, JSON.stringify(report.findings));
  assert.deepEqual(await store.leases.held(), []);
  const sessions = await allSessions(store);
  const views = new Map<string, readonly string[]>();
  for (const { id } of sessions.values()) views.set(id, await textsOf(store, id));
  for (const one of all) {
    if (one.type === 'appended') requireInOrder(views.get(one.sessionId) ?? [], one.texts);
    if (one.type === 'compressed') assert.equal(sessions.get(one.next)?.parentId, one.sessionId);
    if (one.type === 'saved') assert.ok((await store.outputs.read(one.id)).text === one.text);
  }
  const counted = all.filter(({ type }) => type === 'counted').length;
  assert.ok((await store.usage.totals()).calls >= counted);
  for (const session of sessions.values()) await requireBeforeOrAfter(store, session, sessions);
}

/** What was appended at once stands together, once. */
function requireInOrder(view: readonly string[], texts: readonly string[]): void {
  const at = view.indexOf(texts[0] ?? '');
  assert.ok(at >= 0, `an acknowledged message is missing: ${texts[0]}`);
  assert.deepEqual(view.slice(at, at + texts.length), texts);
  assert.equal(view.indexOf(texts[0] ?? '', at + 1), -1, `an acknowledged message is shown twice: ${texts[0]}`);
}

/** A session goes on as it was, or it has ended and exactly one continuation has all of it. */
async function requireBeforeOrAfter(
  store: Store,
  session: Session,
  sessions: ReadonlyMap<string, Session>,
): Promise<void> {
  const next = [...sessions.values()].filter(({ parentId }) => parentId === session.id);
  assert.equal(next.length, session.endedAt === undefined ? 0 : 1);
  const child = next[0];
  if (!child) return;
  const [handoff = '', ...rest] = await store.messages.viewIds(child.id);
  const reached = new Set([...(await store.messages.coveredBy(handoff)), ...rest]);
  const lost = (await store.messages.viewIds(session.id)).filter((id) => !reached.has(id));
  assert.deepEqual(lost, [], 'a compression lost messages');
}

async function allSessions(store: Store): Promise<ReadonlyMap<string, Session>> {
  const sessions = new Map<string, Session>();
  for (const { root } of await store.sessions.list({ limit: 10_000 })) {
    for (let id: string | undefined = root.id; id !== undefined; ) {
      const chain = await store.sessions.chain(id);
      const last = chain.at(-1)?.id;
      for (const session of chain) sessions.set(session.id, session);
      id = last === id ? undefined : last;
    }
  }
  return sessions;
}

async function textsOf(store: Store, id: string): Promise<readonly string[]> {
  const view = await store.messages.view(id);
  return view.flatMap(({ message }) => message.parts.map((part) => (part.type === 'text' ? part.text : '')));
}
