/** ★ After a model call: the reply is kept and the usage counted, or the failure says how to go on. */
import { checkMessages } from '../compression/options.ts';
import { classifyFailure, type ProviderFailure } from '../provider/errors/classify.ts';
import { type FailedCall, noRecovery, type RecoveryState, recoveryFor } from '../provider/errors/recovery.ts';
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { wrongOption } from '../shared/options/known-options.ts';
import { isObject } from '../shared/options/schema.ts';
import type { Part, ResultContent } from '../transcript/message.ts';
import { type CountedTurn, countedTurn, countTurn, type Reading } from './accounting.ts';
import { note } from './call-hooks.ts';
import { modelFailures, shrink } from './compress/shrink.ts';
import { follow, followFrom, knownFor } from './follow.ts';
import { dropAllRecalled } from './give-way.ts';
import {
  type Asked,
  type Basis,
  countPass,
  donePassesOf,
  type LiveConversation,
  type Pending,
  passesOf,
  type Runtime,
  type Step,
  turnOf,
} from './live.ts';
import { saveTurn } from './memory/provider.ts';
import { noteUnsaved } from './memory/unsaved.ts';
import { noteModel } from './model-wait.ts';
import { contextFor, type Retrying } from './prepare.ts';
import { recalledTokens } from './recalled.ts';
import type { CallOutcome, NextStep, PreparedContext } from './request.ts';
import { rollingHashes, saysNothing, sharedStart } from './said.ts';
import { type Beside, saveBeside } from './save-state.ts';
import { forgetGuess, lowerWindow } from './size.ts';
import { noteEnd } from './trace-call.ts';
import { inTurnOrAnew, type Turn } from './turns.ts';

/** See `ConversationRuntime.settle`. */
export async function settle(runtime: Runtime, prepared: PreparedContext, outcome: CallOutcome): Promise<NextStep> {
  const pending = runtime.pending.get(prepared);
  if (!pending) throw notPrepared();
  checkOutcome(outcome);
  // Doors report an end more than once: after an answer, the connection closes; at times before the answer is kept.
  while (pending.settling) if (await succeeds(pending.settling)) return { type: 'done', notices: [] };
  const sent: Sent = { runtime, pending, prepared };
  const settling = settleOnce(sent, outcome);
  pending.settling = settling;
  try {
    const next = await settling;
    noteEnd(pending, outcome, next);
    return next;
  } catch (error) {
    pending.settling = undefined;
    throw error;
  }
}

/** A context whose call has ended. */
interface Sent {
  readonly runtime: Runtime;
  readonly pending: Pending;
  readonly prepared: PreparedContext;
}

function settleOnce(sent: Sent, outcome: CallOutcome): Promise<NextStep> {
  switch (outcome.type) {
    case 'answered':
      return keepAnswer(sent, outcome);
    case 'failed':
      return recover(sent, outcome);
    case 'aborted':
      return countAborted(sent, outcome);
  }
}

const outcomes: readonly unknown[] = ['answered', 'failed', 'aborted'] satisfies CallOutcome['type'][];

/** @throws BAD_OPTION for what callers without types hand in */
function checkOutcome(outcome: CallOutcome): void {
  const given: unknown = outcome;
  if (isObject(given) && outcomes.includes(given.type)) return;
  const value = isObject(given) ? given.type : given;
  throw wrongOption('outcome', `one of type ${outcomes.join(', ')}`, { value });
}

type OutcomeOf<T extends CallOutcome['type']> = Extract<CallOutcome, { type: T }>;

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const notPrepared = (): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    'expected the object that prepare returned, got another one: keep it until the request is settled',
  );

async function countAborted(
  { runtime, pending }: Sent,
  { usage, model, hasBegun = usage !== undefined }: OutcomeOf<'aborted'>,
): Promise<NextStep> {
  const { store } = runtime.settings;
  const { sessionId, isCounted } = pending;
  // Deleted meanwhile, there is nobody to count it for.
  if (hasBegun && !isCounted && (await store.sessions.get(sessionId))) {
    await store.usage.add(countedTurn(runtime, sessionId, { usage, model }));
    pending.isCounted = true;
  }
  return { type: 'done', notices: [] };
}

async function keepAnswer({ runtime, pending, prepared }: Sent, outcome: OutcomeOf<'answered'>): Promise<NextStep> {
  requireReply(outcome);
  const reading: Reading = { pending, size: prepared.size, usage: outcome.usage, model: outcome.model };
  return inTurnOrAnew(runtime, withReply(pending, outcome), async (turn) => {
    let counted: CountedTurn | undefined;
    const step = await keep(turn, (one) => {
      counted = countTurn(one, reading);
      return counted.beside;
    });
    noteUnsaved(step, outcome.reply);
    await saveTurn(step, outcome.reply);
    return { type: 'done', ...defined({ usage: counted?.usage }), notices: [...step.asked.notices] };
  });
}

/** Callers without types hand in anything. */
function requireReply({ reply }: OutcomeOf<'answered'>): void {
  checkMessages([reply]);
  if (reply.role === 'assistant') return;
  throw new PalimpsestError(
    'BAD_MESSAGES',
    `expected a message of the assistant as reply, got one of the role ${reply.role}`,
  );
}

/** What the client will send next, as far as it is known. */
function withReply({ asked, sessionId }: Pending, { reply }: OutcomeOf<'answered'>): Asked {
  const { prompts, tools } = asked;
  const base = { prompts, tools, sessionId, call: {}, notices: [] };
  if (saysNothing(reply)) return { ...base, said: asked.said, hashes: asked.hashes };
  // In a list: a single one is asked what it is, and each message of the other list is copied by itself.
  const said = asked.said.concat([reply]);
  return { ...base, said, hashes: rollingHashes(said, { hashes: asked.hashes, size: asked.hashes.length }) };
}

/** The conversation with the reply in it, and what is counted with it; a client may have sent it back before this, here or to another process. */
async function keep(turn: Turn, count: (step: Step) => Beside): Promise<Step> {
  const { runtime, basis, asked } = turn;
  const known = await knownFor(turn);
  const hasAll = known && sharedStart(known.hashes, asked.hashes) === asked.hashes.length;
  if (!hasAll) return followFrom(turn, known, count);
  const step = { runtime, basis, asked, live: known };
  await saveBeside(step, count(step));
  return step;
}

// How to go on after a failed call: what `recoveryFor` decides, done to this conversation.

function recover(sent: Sent, { error }: OutcomeOf<'failed'>): Promise<NextStep> {
  const { asked, sessionId } = sent.pending;
  return inTurnOrAnew(sent.runtime, { ...asked, sessionId, notices: [] }, async (turn) => {
    if (hasGoneOn(turn)) return { type: 'give_up', error, advice: 'Its client continued without an answer.' };
    const step = await follow(turn);
    const { basis } = step;
    const { contextLength, tokens: promptTokens, messages, maxTokens } = callOf(sent, basis);
    const session = { contextLength, promptTokens, messages, ...defined({ maxTokens }) };
    const failure = classifyFailure(error, session);
    if (failure.limits.contextLength !== undefined && !failure.guessedWindow) forgetGuess(basis);
    return nextStep(step, sent, { failure, error });
  });
}

/** True when more has been said since the request. */
function hasGoneOn({ owner, asked: { hashes } }: Turn): boolean {
  if (!owner || owner.hashes.length <= hashes.length) return false;
  return sharedStart(owner.hashes, hashes) === hashes.length;
}

interface Trouble {
  readonly failure: ProviderFailure;
  readonly error: unknown;
}

async function nextStep(step: Step, sent: Sent, { failure, error }: Trouble): Promise<NextStep> {
  const { live } = step;
  const call = callOf(sent, step.basis);
  for (let state = triedIn(live); ; ) {
    const decision = recoveryFor(failure, state, { ...call, compressed: donePassesOf(live) });
    const { recovery } = decision;
    state = decision.state;
    live.recovery = { turn: turnOf(live), state };
    const retry = async (waitMs: number, compression?: Retrying['compression']): Promise<NextStep> => {
      const { span } = sent.pending;
      const prepared = await contextFor(step, { recovery: state, span, ...defined({ compression }) });
      return { type: 'retry', waitMs, prepared };
    };
    switch (recovery.type) {
      case 'compress': {
        if (recovery.window) await lowerWindow(step, recovery.window, call.tokens);
        if (await isOtherNow(step, sent)) return retry(recovery.pauseMs);
        if (await recallGivesWay(step, call.tokens)) return retry(recovery.pauseMs);
        const compression = await forced(step, sent, call.tokens);
        // Without one the next decision is another one.
        if (!compression) continue;
        return retry(recovery.pauseMs, compression);
      }
      case 'lower_output':
      case 'strip':
        return retry(0);
      case 'wait':
        note(step, { type: 'waiting', level: 'warn', message: waitLine(failure, recovery.ms) });
        return retry(recovery.ms);
      case 'fall_back':
      case 'give_up':
        if (isTooLong(failure) && (await recallGivesWay(step, call.tokens))) return retry(0);
        return { type: 'give_up', error, advice: recovery.type === 'give_up' ? recovery.advice : failure.advice };
    }
  }
}

/** A request that was refused for its length is smaller by more than what two counts of one text differ by without it. */
const worthShare = 0.02;

/**
 * Takes recalled text away where a request was refused for its length and that makes it clearly shorter: it costs no message, and
 * a compression may not be needed then, or be used up.
 */
async function recallGivesWay(step: Step, tokens: number): Promise<boolean> {
  return recalledTokens(step) >= tokens * worthShare && (await dropAllRecalled(step));
}

const isTooLong = ({ reason }: ProviderFailure): boolean =>
  reason === 'context_overflow' || reason === 'payload_too_large';

/** Why nothing comes for a while. */
function waitLine({ said, status }: ProviderFailure, ms: number): string {
  const why = [status === undefined ? '' : String(status), said === '' ? '' : `"${said}"`].filter((one) => one !== '');
  const told = why.length === 0 ? '' : ` (${why.join(', ')})`;
  return `The call failed${told} and is sent again in ${Math.ceil(ms / 1_000)} s.`;
}

/** What was tried in this turn; its compressions are those of all reasons together. */
function triedIn(live: LiveConversation): RecoveryState {
  const { turn, state } = live.recovery;
  return { ...(turn === turnOf(live) ? state : noRecovery), compressions: passesOf(live) };
}

/** True when what was refused was compressed since, by another process or another request: that is tried first. */
async function isOtherNow({ runtime, live }: Step, { pending: { sessionId } }: Sent): Promise<boolean> {
  // One that was deleted meanwhile began anew, and nobody has compressed it.
  return live.session.id !== sessionId && (await runtime.settings.store.sessions.get(sessionId)) !== undefined;
}

/** The provider has refused the prompt, so that nothing counts that would hold a compression back. */
async function forced(step: Step, { prepared }: Sent, tokensBefore: number): Promise<Retrying['compression']> {
  const { live } = step;
  const from = live.session.id;
  let isDone = false;
  try {
    const outcome = await shrink(step, { size: prepared.size, cause: 'window' });
    isDone = outcome.type === 'done';
    noteModel(step, outcome.type === 'done' ? outcome.made.result : outcome.result);
    for (const notice of modelFailures(outcome)) note(step, notice);
    return outcome.type === 'done' ? { ...outcome.made, from, to: live.session.id, tokensBefore } : undefined;
  } finally {
    countPass(live, { isDone });
  }
}

function callOf({ runtime, prepared, pending }: Sent, { contextLength }: Basis): FailedCall {
  const { messages, size } = prepared;
  return {
    messages: messages.length,
    tokens: size.tokens,
    contextLength,
    images: messages.some(({ parts }) => parts.some(isBinary)),
    compressible: runtime.settings.config.enabled,
    ...defined({ maxTokens: prepared.maxTokens ?? pending.asked.call.maxTokens }),
  };
}

/** True for what has many bytes and few tokens. */
const isBinary = (part: Part | ResultContent): boolean =>
  part.type === 'toolResult' ? part.content.some(isBinary) : part.type === 'image' || part.type === 'file';
