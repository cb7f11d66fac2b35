/** How to go on after a failed call: what `recoveryFor` decides, done to this conversation. */
import { classifyFailure, type FailureSession, type ProviderFailure } from '../provider/errors/classify.ts';
import { type FailedCall, recoveryFor } from '../provider/errors/recovery.ts';
import { noRecovery, type RecoveryState } from '../provider/errors/recovery-state.ts';
import type { Part, ResultContent } from '../transcript/message.ts';
import { modelFailures } from './compress/compress-failures.ts';
import { type Shrunk, shrink } from './compress/shrink.ts';
import { forgetGuess, lowerWindow } from './fit/lower-window.ts';
import { follow } from './follow/follow.ts';
import type { LiveConversation } from './live/live.ts';
import { sharedStart } from './live/said.ts';
import { note } from './notices.ts';
import { countPass, donePassesOf, passesOf, turnOf } from './passes.ts';
import { contextFor } from './prepare.ts';
import type { ContextCompression, NextStep, PreparedContext } from './request.ts';
import type { Asked, Basis, Pending, Runtime } from './runtime.ts';
import { inTurnOrAnew } from './turns.ts';

/** What failed. */
export interface Failed {
  readonly pending: Pending;
  readonly prepared: PreparedContext;
}

/** What a door does after a failed call. */
export function recover(runtime: Runtime, failed: Failed, error: unknown): Promise<NextStep> {
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
    const { config } = runtime.settings;
    const compressed = donePassesOf(live);
    const step = recoveryFor(failure, state, { ...call, compressed, limits: { compressions: config.attempts } });
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
    ...{ messages: prepared.messages.length, tokens: prepared.size.tokens, contextLength: basis.contextLength },
    images: prepared.messages.some(({ parts }) => parts.some(isBinary)),
    compressible: settings.config.enabled,
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** True for what has many bytes and few tokens. */
const isBinary = (part: Part | ResultContent): boolean =>
  part.type === 'toolResult' ? part.content.some(isBinary) : part.type === 'image' || part.type === 'file';
