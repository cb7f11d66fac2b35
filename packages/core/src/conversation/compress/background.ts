/** Compressions in the background: begun and made beside the lane of their conversation, so that nobody waits, and taken later. */

import type { AheadCall } from '../../compression/compressor-pass.ts';
import { policyRules } from '../../compression/policy/reduce.ts';
import type { SummaryCallReport } from '../../compression/summarize/run-plan.ts';
import { platformTimers } from '../../shared/timers.ts';
import { newestSession } from '../../store/newest-session.ts';
import type { Ahead, ReadyAhead } from '../live/ahead.ts';
import { type BuiltIn, type LiveConversation, promptsHash } from '../live/live.ts';
import type { Snapshot } from '../live/view.ts';
import { note } from '../notices.ts';
import { passesOf } from '../passes.ts';
import type { ContextCompression } from '../request.ts';
import type { Asked, Runtime } from '../runtime.ts';
import { isClosed, placesOf, requireTip, snapshotOf } from '../snapshot.ts';
import { askStartHook } from './compression-hooks.ts';
import { goOn } from './go-on.ts';
import { holdLiveLease } from './held-lease.ts';
import { noteCalls } from './stored-conversation.ts';

/**
 * True when a compression that the engine wishes is one for the background: a model takes its time over it. The ledger
 * alone does not, and other engines have no pass without effect.
 */
export function isForBackground({ settings }: Runtime, live: LiveConversation, { prompts }: Asked): boolean {
  if (!settings.background || !settings.summarizer || !live.builtIn) return false;
  // System prompts that are not stored yet would count in the record of this process alone.
  return live.vetoed !== live.session.id && live.state.prompts === promptsHash(prompts) && isClosed(live);
}

/** Share of the threshold from which on a summary is prepared. */
const backgroundShare = 0.8;

interface Begin {
  readonly asked: Asked;
  /** Tokens of the request that is about to be sent. */
  readonly tokens: number;
}

/** Begins one where the context comes near its threshold; does nothing where one is open, or could not help. */
export function beginAhead(runtime: Runtime, live: LiveConversation, { asked, tokens }: Begin): void {
  const { builtIn } = live;
  if (!builtIn || live.ahead || passesOf(live) >= policyRules.attempts) return;
  if (!builtIn.compressor.shouldCompressAhead(tokens, backgroundShare) || !isForBackground(runtime, live, asked))
    return;
  const snapshot = snapshotOf(live, asked);
  live.ahead = opened(runtime, snapshot, { live, builtIn, tokens });
  runtime.background.started++;
}

function opened(runtime: Runtime, snapshot: Snapshot, made: Omit<Job, 'signal'>): Ahead {
  const { timers = platformTimers } = runtime.settings;
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const abort = new AbortController();
  let hasBegun = false;
  // A later turn of the event loop: the request goes out first.
  const cancel = timers.after(0, () => {
    hasBegun = true;
    void work(runtime, ahead, { ...made, signal: abort.signal }).finally(resolve);
  });
  const ahead: Ahead = {
    snapshot,
    done,
    progress: { type: 'running' },
    stop() {
      const { progress } = ahead;
      if (progress.type === 'ready') discardReady(runtime, ahead, progress);
      if (progress.type !== 'running' || abort.signal.aborted) return;
      abort.abort(new Error('The compression in the background is no longer needed.'));
      if (hasBegun) return;
      cancel();
      ahead.progress = { type: 'over' };
      runtime.background.discarded++;
      resolve();
    },
  };
  return ahead;
}

interface Job {
  readonly live: LiveConversation;
  readonly builtIn: BuiltIn;
  /** Of the whole request that it was begun at. */
  readonly tokens: number;
  readonly signal: AbortSignal;
}

/** Never throws: what fails in the background is counted, and costs nobody anything. */
async function work(runtime: Runtime, ahead: Ahead, job: Job): Promise<void> {
  const { background } = runtime;
  try {
    const made = await ready(runtime, ahead, job);
    if (made) {
      ahead.progress = { type: 'ready', ...made };
      return;
    }
    background.failed++;
  } catch (error) {
    if (job.signal.aborted) background.discarded++;
    else {
      background.failed++;
      const why = error instanceof Error ? error.message : String(error);
      tell(runtime, `A compression in the background was discarded (${why}).`);
    }
  }
  ahead.progress = { type: 'over' };
  if (job.live.ahead === ahead) job.live.ahead = undefined;
}

/** What can be taken, under a lease; undefined where nothing came of it. */
async function ready(runtime: Runtime, ahead: Ahead, job: Job): Promise<ReadyAhead | undefined> {
  job.signal.throwIfAborted();
  const { session } = ahead.snapshot;
  const lease = await holdLiveLease(runtime, session.rootId);
  // Another process is at it.
  if (!lease) return undefined;
  let made: Omit<ReadyAhead, 'lease'> | undefined;
  try {
    made = await passFor(runtime, ahead, job);
  } finally {
    // What is ready holds nobody up: it is taken under a lease of its own, if nobody has gone on until then.
    await lease.release();
  }
  return made && { ...made, lease };
}

async function passFor(
  runtime: Runtime,
  { snapshot }: Ahead,
  { live, builtIn, tokens, signal }: Job,
): Promise<Omit<ReadyAhead, 'lease'> | undefined> {
  const { store } = runtime.settings;
  const { id } = snapshot.session;
  // Whoever held the lease before may have gone on from the session.
  if ((await newestSession(store.sessions, id)).id !== id) return undefined;
  const start = { sessionId: id, tokens, isForced: false, inBackground: true };
  const { veto, kept } = await askStartHook(runtime, { notices: [], signal }, start);
  if (veto !== undefined) {
    live.vetoed = id;
    return undefined;
  }
  const places = placesOf(builtIn, snapshot);
  const calls: SummaryCallReport[] = [];
  const call: AheadCall = { currentTokens: tokens, signal, onCall: (report) => calls.push(report) };
  let made: Omit<ReadyAhead, 'lease'> | undefined;
  try {
    const pass = await builtIn.compressor.compressAhead(snapshot.list, call);
    signal.throwIfAborted();
    if (pass.type === 'ready') made = { pass, places, kept, calls };
    const { failure } = pass.result;
    if (!made && failure) tell(runtime, `No summary could be prepared in the background: ${failure.message}`);
    return made;
  } finally {
    if (!made) countLost(runtime, calls);
    // They are paid, whatever comes of them.
    if (calls.length > 0) await noteCalls(store, id, calls);
  }
}

/** A pass that waited in vain: its summary is paid, and its conversation goes another way. */
function discardReady(runtime: Runtime, ahead: Ahead, { calls, lease }: ReadyAhead): void {
  ahead.progress = { type: 'over' };
  runtime.background.discarded++;
  countLost(runtime, calls);
  const tokens = calls.reduce((sum, call) => sum + inputOf(call) + call.outputTokens, 0);
  tell(runtime, `A summary that was prepared in the background was not used: ${tokens} tokens were spent on it.`);
  // Where the store is closed by now, the lease went with it.
  lease.release().catch(() => undefined);
}

function countLost({ background }: Runtime, calls: readonly SummaryCallReport[]): void {
  for (const call of calls) {
    background.lostInputTokens += inputOf(call);
    background.lostOutputTokens += call.outputTokens;
  }
}

const inputOf = ({ usage, inputTokens }: SummaryCallReport): number => usage?.inputTokens ?? inputTokens;

/** Only who listens all the time hears of it: no request asked for it. */
const tell = (runtime: Runtime, message: string): void =>
  note(runtime, { notices: [] }, { type: 'background', level: 'log', message });

// Takes what was prepared, if it still is the beginning of the conversation.

/** What became of it. */
type Taken = Pick<ContextCompression, 'result' | 'inBackground'> | undefined;

/**
 * The conversation goes on with the summary that waits for it; undefined where there is none, or none that fits.
 *
 * @throws STORE_CONFLICT when another process was faster
 */
export async function takeAhead(runtime: Runtime, live: LiveConversation, asked: Asked): Promise<Taken> {
  const { ahead } = live;
  if (ahead?.progress.type !== 'ready') return undefined;
  live.ahead = undefined;
  const { pass, places, kept, lease } = ahead.progress;
  const held = isStillStart(live, ahead, asked) ? await lease.resumed() : undefined;
  if (!held) {
    ahead.stop();
    return undefined;
  }
  try {
    await requireTip(runtime, live);
    const { snapshot } = ahead;
    const smaller = pass.take();
    await goOn(runtime, live, { asked, kept, snapshot, smaller, places, result: pass.result, lease: held });
  } catch (error) {
    ahead.stop();
    throw error;
  }
  ahead.progress = { type: 'over' };
  runtime.background.taken++;
  await lease.release();
  return { result: pass.result, inBackground: true };
}

/** What was said since stands behind it, and the client has not changed its system prompts. */
function isStillStart({ session, view }: LiveConversation, { snapshot }: Ahead, { prompts }: Asked): boolean {
  if (session.id !== snapshot.session.id || promptsHash(prompts) !== snapshot.promptsHash) return false;
  return view.length >= snapshot.view.length && snapshot.view.every(({ id }, at) => view[at]?.id === id);
}

/** Stops a compression in the background, and waits until it is over. */
export async function stopAhead(live: LiveConversation): Promise<void> {
  const { ahead } = live;
  live.ahead = undefined;
  ahead?.stop();
  await ahead?.done;
}

/** Waits for a compression in the background, because there is no room for anything else, as long as the request does. */
export async function aheadDone({ ahead }: LiveConversation, signal: AbortSignal | undefined): Promise<void> {
  if (!ahead) return;
  if (!signal) return ahead.done;
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([ahead.done, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
