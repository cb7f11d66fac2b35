/** ★ After a model call: the reply is kept and the usage counted, or the failure says how to go on. */
import { checkMessages } from '../compression/options.ts';
import { classifyFailure, type FailureSession, type ProviderFailure } from '../provider/errors/classify.ts';
import { type FailedCall, recoveryFor } from '../provider/errors/recovery.ts';
import { noRecovery, type RecoveryState } from '../provider/errors/recovery-state.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { Part, ResultContent } from '../transcript/message.ts';
import type { Usage } from '../usage/usage.ts';
import { countedTurn, type Reading, takeUsage } from './accounting.ts';
import { checkOutcome } from './check-request.ts';
import { modelFailures } from './compress/compress-failures.ts';
import { type Shrunk, shrink } from './compress/shrink.ts';
import { forgetGuess, lowerWindow } from './fit/lower-window.ts';
import { follow } from './follow/follow.ts';
import type { LiveConversation } from './live/live.ts';
import { rollingHashes, saysNothing, sharedStart } from './live/said.ts';
import { note } from './notices.ts';
import { countPass, donePassesOf, passesOf, turnOf } from './passes.ts';
import { contextFor } from './prepare.ts';
import type { CallOutcome, ContextCompression, NextStep, PreparedContext } from './request.ts';
import type { Asked, Basis, Pending, Runtime } from './runtime.ts';
import { saveState } from './save-state.ts';
import { inTurnOrAnew, type Turn } from './turns.ts';

/** See `ConversationRuntime.settle`. */
export async function settle(runtime: Runtime, prepared: PreparedContext, outcome: CallOutcome): Promise<NextStep> {
  const pending = runtime.pending.get(prepared);
  if (!pending) throw stranger();
  checkOutcome(outcome);
  // Doors report an end more than once: after an answer, the connection closes; at times before the answer is kept.
  while (pending.settling) if (await succeeds(pending.settling)) return { type: 'done', notices: [] };
  const settling = settled(runtime, { pending, prepared }, outcome);
  pending.settling = settling;
  try {
    return await settling;
  } catch (error) {
    pending.settling = undefined;
    throw error;
  }
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

interface Settling {
  readonly pending: Pending;
  readonly prepared: PreparedContext;
}

function settled(runtime: Runtime, { pending, prepared }: Settling, outcome: CallOutcome): Promise<NextStep> {
  switch (outcome.type) {
    case 'answered':
      return answered(runtime, { pending, prepared }, outcome);
    case 'failed':
      return recover(runtime, { pending, prepared }, outcome.error);
    case 'aborted':
      return aborted(runtime, pending, outcome);
  }
}

async function aborted(
  runtime: Runtime,
  { sessionId }: Pending,
  { usage, model, hasBegun = usage !== undefined }: Extract<CallOutcome, { type: 'aborted' }>,
): Promise<NextStep> {
  // Deleted meanwhile, there is nobody to count it for.
  if (hasBegun && (await runtime.settings.store.sessions.get(sessionId)))
    await runtime.settings.store.usage.add(countedTurn(runtime, sessionId, { usage, model }));
  return { type: 'done', notices: [] };
}

type Answer = Extract<CallOutcome, { type: 'answered' }>;

async function answered(runtime: Runtime, { pending, prepared }: Settling, outcome: Answer): Promise<NextStep> {
  requireReply(outcome);
  return inTurnOrAnew(runtime, withReply(pending, outcome), async (asked, turn) => {
    const live = await kept(runtime, asked, turn);
    const reading: Reading = { pending, size: prepared.size, usage: outcome.usage, model: outcome.model };
    const usage = await takeUsage(runtime, live, { ...reading, asked });
    const lastCall = { at: runtime.settings.now(), cachedTokens: cachedIn(usage) };
    live.state = { ...live.state, lastCall };
    await saveState(runtime, live, { entry: countedTurn(runtime, live.session.id, reading) });
    return { type: 'done', ...(usage ? { usage } : {}), notices: [...asked.notices] };
  });
}

/** What of a prompt a cache holds; null where nothing is known of caches. */
function cachedIn({ cacheReadTokens, cacheWriteTokens }: Usage = {}): number | null {
  if (cacheReadTokens === undefined && cacheWriteTokens === undefined) return null;
  return (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
}

/** Callers without types hand in anything. */
function requireReply({ reply }: Answer): void {
  checkMessages([reply]);
  if (reply.role === 'assistant') return;
  throw new PalimpsestError(
    'BAD_MESSAGES',
    `expected a message of the assistant as reply, got one of the role ${reply.role}`,
  );
}

/** What the client will send next, as far as it is known. */
function withReply({ asked, sessionId }: Pending, { reply }: Answer): Asked {
  const { prompts, tools } = asked;
  const base = { prompts, tools, sessionId, call: {}, notices: [] };
  if (saysNothing(reply)) return { ...base, said: asked.said, hashes: asked.hashes };
  // In a list: a single one is asked what it is, and each message of the other list is copied by itself.
  const said = asked.said.concat([reply]);
  return { ...base, said, hashes: rollingHashes(said, { hashes: asked.hashes, size: asked.hashes.length }) };
}

/** The conversation with the reply in it; a client may have sent it back before this. */
async function kept(runtime: Runtime, asked: Asked, turn: Turn): Promise<LiveConversation> {
  const { owner } = turn;
  const isKnown = owner && sharedStart(owner.hashes, asked.hashes) === asked.hashes.length;
  return isKnown ? owner : follow(runtime, asked, turn);
}

const stranger = (): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    'expected the object that prepare returned, got another one: keep it until the request is settled',
  );

// How to go on after a failed call: what `recoveryFor` decides, done to this conversation.

/** What failed. */
interface Failed {
  readonly pending: Pending;
  readonly prepared: PreparedContext;
}

/** What a door does after a failed call. */
function recover(runtime: Runtime, failed: Failed, error: unknown): Promise<NextStep> {
  const { asked: first, sessionId } = failed.pending;
  return inTurnOrAnew(runtime, { ...first, sessionId, notices: [] }, async (asked, turn) => {
    if (hasGoneOn(turn.owner, asked))
      return { type: 'give_up', error, advice: 'Its client continued without an answer.' };
    const live = await follow(runtime, asked, turn);
    const basis = await runtime.basis();
    const failure = classifyFailure(error, sessionOf(callOf(runtime, { failed, basis })));
    if (failure.limits.contextLength !== undefined && !failure.guessedWindow) forgetGuess(basis);
    return nextStep(runtime, live, { asked, failed, call: callOf(runtime, { failed, basis }), failure, error });
  });
}

function sessionOf({ contextLength, tokens, messages, maxTokens }: FailedCall): FailureSession {
  return { contextLength, promptTokens: tokens, messages, ...(maxTokens === undefined ? {} : { maxTokens }) };
}

/** True when more has been said since the request. */
function hasGoneOn(owner: LiveConversation | undefined, { hashes }: Asked): boolean {
  if (!owner || owner.hashes.length <= hashes.length) return false;
  return sharedStart(owner.hashes, hashes) === hashes.length;
}

interface Trouble {
  readonly asked: Asked;
  readonly failed: Failed;
  readonly call: FailedCall;
  readonly failure: ProviderFailure;
  readonly error: unknown;
}

async function nextStep(runtime: Runtime, live: LiveConversation, trouble: Trouble): Promise<NextStep> {
  const { asked, call, failure, error } = trouble;
  for (let state = triedIn(live); ; ) {
    const compressed = donePassesOf(live);
    const step = recoveryFor(failure, state, { ...call, compressed });
    const { recovery } = step;
    state = step.state;
    live.recovery = { turn: turnOf(live), state };
    switch (recovery.type) {
      case 'compress': {
        if (recovery.window) {
          const { tokens: refusedTokens } = call;
          await lowerWindow(runtime, live, { asked, refusedTokens, window: recovery.window });
        }
        if (await isOtherNow(runtime, live, trouble.failed))
          return retry(runtime, live, { asked, state, waitMs: recovery.pauseMs });
        const compression = await forced(runtime, live, trouble);
        // Without one the next decision is another one.
        if (!compression) continue;
        return retry(runtime, live, { asked, state, compression, waitMs: recovery.pauseMs });
      }
      case 'lower_output':
      case 'strip':
        return retry(runtime, live, { asked, state, waitMs: 0 });
      case 'wait':
        return retry(runtime, live, { asked, state, waitMs: recovery.ms });
      case 'fall_back':
      case 'give_up':
        return { type: 'give_up', error, advice: recovery.type === 'give_up' ? recovery.advice : failure.advice };
    }
  }
}

/** What was tried in this turn; its compressions are those of all reasons together. */
function triedIn(live: LiveConversation): RecoveryState {
  const { turn, state } = live.recovery;
  return { ...(turn === turnOf(live) ? state : noRecovery), compressions: passesOf(live) };
}

interface Retry {
  readonly asked: Asked;
  readonly state: RecoveryState;
  readonly compression?: Omit<ContextCompression, 'tokensAfter'>;
  readonly waitMs: number;
}

async function retry(runtime: Runtime, live: LiveConversation, { waitMs, state, ...wished }: Retry): Promise<NextStep> {
  return { type: 'retry', waitMs, prepared: await contextFor(runtime, live, { ...wished, recovery: state }) };
}

/** True when what was refused was compressed since, by another process or another request: that is tried first. */
async function isOtherNow(runtime: Runtime, live: LiveConversation, { pending }: Failed): Promise<boolean> {
  const { sessionId } = pending;
  // One that was deleted meanwhile began anew, and nobody has compressed it.
  return live.session.id !== sessionId && (await runtime.settings.store.sessions.get(sessionId)) !== undefined;
}

/** The provider has refused the prompt, so that nothing counts that would hold a compression back. */
async function forced(
  runtime: Runtime,
  live: LiveConversation,
  { asked, failed, call }: Trouble,
): Promise<Omit<ContextCompression, 'tokensAfter'> | undefined> {
  const from = live.session.id;
  const { size } = failed.prepared;
  let shrunk: Shrunk | undefined;
  try {
    shrunk = await shrink(runtime, live, { asked, size, cause: 'window' });
  } finally {
    countPass(live, { isDone: shrunk?.type === 'done' });
  }
  for (const notice of modelFailures(shrunk)) note(runtime, asked, notice);
  return shrunk.type === 'done' ? { ...shrunk.made, from, to: live.session.id, tokensBefore: call.tokens } : undefined;
}

function callOf(
  { settings }: Runtime,
  { failed, basis }: { readonly failed: Failed; readonly basis: Basis },
): FailedCall {
  const { prepared, pending } = failed;
  const maxTokens = prepared.maxTokens ?? pending.asked.call.maxTokens;
  return {
    messages: prepared.messages.length,
    tokens: prepared.size.tokens,
    contextLength: basis.contextLength,
    images: prepared.messages.some(({ parts }) => parts.some(isBinary)),
    compressible: settings.config.enabled,
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** True for what has many bytes and few tokens. */
const isBinary = (part: Part | ResultContent): boolean =>
  part.type === 'toolResult' ? part.content.some(isBinary) : part.type === 'image' || part.type === 'file';
