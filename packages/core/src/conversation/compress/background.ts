/** Compressions in the background: begun and made beside the lane of their conversation, so that nobody waits, and taken later. */
import { policyRules } from '../../compression/policy/reduce.ts';
import type { SummaryCallReport } from '../../compression/summarize/run-plan.ts';
import { untilAborted } from '../../compression/summarize/summarizer.ts';
import { platformTimers } from '../../shared/timers.ts';
import { newestSession } from '../../store/session-store.ts';
import { note } from '../call-hooks.ts';
import { goOn, isClosed, placesOf, requireTip, snapshotOf } from '../engine.ts';
import {
  type Ahead,
  type Asked,
  type BuiltIn,
  type LiveConversation,
  passesOf,
  promptsHash,
  type ReadyAhead,
  type Runtime,
  type Snapshot,
  type Step,
} from '../live.ts';
import { keepFor } from '../memory/propose.ts';
import { modelRest, noteModel } from '../model-wait.ts';
import { readPins } from '../pins.ts';
import type { ContextCompression } from '../request.ts';
import { besideTokens } from '../size.ts';
import { summaryPrefix } from '../summary-prefix.ts';
import { done, holdLiveLease, not, type Outcome, runCompression, underLease } from './compression.ts';
import { noteCalls } from './stored.ts';

/**
 * True when a compression that the engine wishes is one for the background: a model takes its time over it. The ledger
 * alone does not, and other engines have no pass without effect.
 */
export function isForBackground({ runtime, live, asked }: Step): boolean {
  const { config, summarizer } = runtime.settings;
  if (!config.summary.background || !summarizer || !live.builtIn || modelRest({ runtime, live }) > 0) return false;
  // System prompts that are not stored yet would count in the record of this process alone.
  return live.vetoed !== live.session.id && live.state.prompts === promptsHash(asked.prompts) && isClosed(live);
}

/** Share of the threshold from which on a summary is prepared. */
const backgroundShare = 0.8;

/** Begins one where the context comes near its threshold; does nothing where one is open, or could not help. */
export function beginAhead(step: Step, tokens: number): void {
  const { runtime, live, asked } = step;
  const { builtIn } = live;
  if (!builtIn || live.ahead || passesOf(live) >= policyRules.attempts) return;
  if (!builtIn.compressor.shouldCompressAhead(tokens, backgroundShare) || !isForBackground(step)) return;
  builtIn.compressor.useBeside(besideTokens(step, { tokens }));
  live.ahead = opened(runtime, snapshotOf(live, asked), { live, builtIn, tokens });
  runtime.background.started++;
}

interface Job {
  readonly live: LiveConversation;
  readonly builtIn: BuiltIn;
  /** Of the whole request that it was begun at. */
  readonly tokens: number;
}

function opened(runtime: Runtime, snapshot: Snapshot, job: Job): Ahead {
  const { timers = platformTimers } = runtime.settings;
  const { promise, resolve } = Promise.withResolvers<void>();
  const abort = new AbortController();
  let hasBegun = false;
  // A later turn of the event loop: the request goes out first.
  const cancel = timers.after(0, () => {
    hasBegun = true;
    void work(runtime, ahead, { ...job, signal: abort.signal }).finally(resolve);
  });
  const ahead: Ahead = {
    snapshot,
    done: promise,
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

type Running = Job & { readonly signal: AbortSignal };

/** Never throws: what fails in the background is counted, and costs nobody anything. */
async function work(runtime: Runtime, ahead: Ahead, job: Running): Promise<void> {
  const { background } = runtime;
  try {
    const outcome = await preparedPass(runtime, ahead.snapshot, job);
    if (outcome.type === 'done') {
      ahead.progress = { type: 'ready', ...outcome.made };
      return;
    }
    if (outcome.why === 'vetoed') job.live.vetoed = ahead.snapshot.session.id;
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

/** What can be taken. It holds nobody up: it is taken under a lease of its own, if nobody has gone on until then. */
async function preparedPass(runtime: Runtime, snapshot: Snapshot, job: Running): Promise<Outcome<ReadyAhead>> {
  const { tokens, signal } = job;
  const { id: sessionId, rootId } = snapshot.session;
  signal.throwIfAborted();
  return underLease(await holdLiveLease(runtime, rootId), async (lease) => {
    // Whoever held the lease before may have gone on from the session.
    if ((await newestSession(runtime.settings.store.sessions, sessionId)).id !== sessionId) return not('nothing');
    const host = { runtime, live: job.live, asked: { notices: [], call: { signal } } };
    return runCompression(host, {
      start: { sessionId, tokens, isForced: false, inBackground: true },
      about: { cause: 'background', conversationId: rootId },
      make: () => passFor(runtime, snapshot, job),
      write: async (made, kept) => {
        const { messages } = made.pass.result;
        return { ...made, ...(await keepFor(host, { snapshot, smaller: messages, kept })), lease };
      },
      resultIn: ({ pass }) => pass.result,
    });
  });
}

async function passFor(
  runtime: Runtime,
  snapshot: Snapshot,
  { live, builtIn, tokens, signal }: Running,
): Promise<Outcome<Omit<ReadyAhead, 'kept' | 'proposed' | 'lease'>>> {
  const places = placesOf(builtIn, snapshot);
  const pinned = await readPins(runtime.settings.store, snapshot.session.id, builtIn);
  const calls: SummaryCallReport[] = [];
  const onCall = (report: SummaryCallReport): unknown => calls.push(report);
  let isReady = false;
  builtIn.compressor.usePrefix(summaryPrefix({ runtime, live, basis: await runtime.basis() }, snapshot));
  try {
    const pass = await builtIn.compressor.compressAhead(snapshot.list, { currentTokens: tokens, signal, onCall });
    signal.throwIfAborted();
    isReady = pass.type === 'ready';
    if (pass.type === 'ready') return done({ pass, places, pinned, calls });
    const { failure } = pass.result;
    noteModel({ runtime, live }, pass.result);
    if (failure) tell(runtime, `No summary could be prepared in the background: ${failure.message}`);
    return not('nothing');
  } finally {
    if (!isReady) countLost(runtime, calls);
    // They are paid, whatever comes of them.
    if (calls.length > 0) await noteCalls(runtime.settings.store, snapshot.session.id, calls);
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
  note({ runtime, asked: { notices: [], call: {} } }, { type: 'background', level: 'log', message });

// Takes what was prepared, if it still is the beginning of the conversation.

/**
 * The conversation goes on with the summary that waits for it; undefined where there is none, or none that fits.
 *
 * @throws STORE_CONFLICT when another process was faster
 */
export async function takeAhead(step: Step): Promise<Pick<ContextCompression, 'result' | 'inBackground'> | undefined> {
  const { runtime, live, asked } = step;
  const { ahead } = live;
  if (ahead?.progress.type !== 'ready') return undefined;
  live.ahead = undefined;
  const { pass, places, kept, proposed, lease } = ahead.progress;
  const isFit = isStillStart(live, ahead, asked) && (await hasSamePins(step, ahead.progress));
  const held = isFit ? await lease.resumed() : undefined;
  if (!held) {
    ahead.stop();
    return undefined;
  }
  const { result } = pass;
  try {
    await requireTip(step);
    await goOn(step, { snapshot: ahead.snapshot, list: pass.take(), places, result, kept, proposed, lease: held });
  } catch (error) {
    ahead.stop();
    throw error;
  }
  ahead.progress = { type: 'over' };
  runtime.background.taken++;
  await lease.release();
  return { result, inBackground: true };
}

/** A person may have pinned something since, which it does not keep. */
async function hasSamePins({ runtime, live }: Step, { pinned }: ReadyAhead): Promise<boolean> {
  if (!live.builtIn) return true;
  const now = await readPins(runtime.settings.store, live.session.id, live.builtIn);
  return now.length === pinned.length && now.every((ref, at) => ref === pinned[at]);
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
export const aheadDone = async ({ ahead }: LiveConversation, signal: AbortSignal | undefined): Promise<void> =>
  ahead && untilAborted(ahead.done, signal);
