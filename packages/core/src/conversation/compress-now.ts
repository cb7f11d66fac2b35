/** A person asks for a compression: done at once, whatever holds automatic ones back, and reported with every failure (F5). */
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { checkValues, type OptionRule } from '../shared/options/known-options.ts';
import { isObject } from '../shared/options/schema.ts';
import type { SessionId } from '../store/ids.ts';
import { newestSession } from '../store/session-store.ts';
import type { Message } from '../transcript/message.ts';
import { askedFor, checkRequest } from './ask.ts';
import type { Outcome } from './compress/compression.ts';
import { failuresOf, type Made, shrink } from './compress/shrink.ts';
import { useWindow } from './engine.ts';
import { noteCompression } from './fit.ts';
import { follow, readBack } from './follow.ts';
import type { Asked, Runtime, Step } from './live.ts';
import { serveSession } from './memory/provider.ts';
import type { CompressReport, CompressRequest, ContextSize, KeepRequest } from './request.ts';
import { saveState } from './save-state.ts';
import { sizeOf } from './size.ts';
import { inTurn, type Turn } from './turns.ts';

/** See `ConversationRuntime.compress`. */
export async function compressNow(runtime: Runtime, request: CompressRequest): Promise<CompressReport> {
  return inTurn(runtime, await askedNow(runtime, request), async (turn) => {
    const step = await stepFor(turn);
    await serveSession(step);
    const { live, basis } = step;
    const { nextModel } = request;
    useWindow(step, (nextModel ?? basis).contextLength, nextModel?.name);
    const [from, had, before] = [live.session.id, live.view.length, sizeOf(step)];
    const outcome = await shrink(step, { size: before, cause: 'person', nextModel });
    useWindow(step, basis.contextLength);
    const isDone = outcome.type === 'done';
    const after = isDone ? sizeOf(step) : before;
    if (isDone) live.state = { ...live.state, leftTokens: after.tokens, wish: null };
    const to = live.session.id;
    await saveState(step);
    const sizes = { from, to, tokensBefore: before.tokens, tokensAfter: after.tokens };
    const compression = isDone ? { ...outcome.made, ...sizes } : undefined;
    if (compression) await noteCompression(step, compression);
    return {
      status: isDone ? 'compressed' : 'unchanged',
      sessionId: to,
      before,
      after,
      messages: { before: had, after: live.view.length },
      headline: isDone ? doneLine([had, live.view.length], before, after) : nothingLine(had, before),
      ...defined({ compression, ...whyOf(outcome) }),
      failures: await failuresOf(step, outcome),
      notices: [...turn.asked.notices],
    };
  });
}

/** What of an outcome a program may look at. */
function whyOf(outcome: Outcome<Made>): Pick<CompressReport, 'why' | 'result'> {
  if (outcome.type === 'done') return defined({ result: outcome.made.result });
  const { why, result } = outcome;
  const isOfEngine = why === 'nothing' && result !== undefined;
  if (isOfEngine && result.failure) return { why: 'model_failed', result };
  if (isOfEngine && result.status === 'refused') return { why: 'would_grow', result };
  return { why, ...defined({ result }) };
}

/** The request, or one that says nothing but the newest session of a stored conversation. */
export async function askedNow(runtime: Runtime, request: CompressRequest): Promise<Asked> {
  checkRequest(request);
  checkValues(request, { nextModel: aNextModel });
  const { messages, sessionId, tools = [], focusTopic, signal } = request;
  const call = defined({ focusTopic, signal });
  if (messages) return askedFor(runtime, { messages, tools, ...defined({ sessionId }), ...call });
  if (sessionId === undefined) {
    throw new PalimpsestError('BAD_OPTION', 'expected messages or a sessionId to compress, got neither');
  }
  const { id } = await newestSession(runtime.settings.store.sessions, sessionId);
  return { prompts: [], said: [], hashes: [], tools, sessionId: id, call, notices: [] };
}

const aNextModel: OptionRule = {
  expected: 'an object with name and contextLength',
  holds: (model) => isObject(model) && typeof model.name === 'string' && Number(model.contextLength) >= 1,
};

/** See `ConversationRuntime.keep`. */
export async function keepSaid(runtime: Runtime, request: KeepRequest): Promise<SessionId> {
  return inTurn(runtime, askedFor(runtime, request), async (turn) => {
    const step = await follow(turn);
    await saveState(step);
    return step.live.session.id;
  });
}

/** See `ConversationRuntime.transcript`. */
export async function transcript(runtime: Runtime, sessionId: SessionId): Promise<readonly Message[]> {
  return inTurn(runtime, await askedNow(runtime, { sessionId }), async (turn) => (await stepFor(turn)).asked.said);
}

/** The conversation, and a request with everything that was said in it. */
export async function stepFor(turn: Turn): Promise<Step> {
  const { runtime, basis, asked } = turn;
  if (asked.said.length > 0) return follow(turn);
  const live = turn.owner ?? (await readBack(turn, asked.sessionId ?? ''));
  const { said, hashes, lastTools } = live;
  const prompts = live.prompts.map(({ message }) => message);
  const tools = asked.tools.length > 0 ? asked.tools : lastTools;
  return { runtime, basis, live, asked: { ...asked, said, hashes, prompts, tools } };
}

const nothingLine = (messages: number, { tokens }: ContextSize): string =>
  `Nothing was changed: ${number(messages)} messages, about ${number(tokens)} tokens.`;

const doneLine = ([had, has]: readonly [number, number], before: ContextSize, after: ContextSize): string =>
  `Compressed from ${number(had)} to ${number(has)} messages, from about ${number(before.tokens)} to about ${number(after.tokens)} tokens.`;

const number = (value: number): string => value.toLocaleString('en-US');
