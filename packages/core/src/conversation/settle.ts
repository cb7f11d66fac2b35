/** ★ After a model call: the reply is kept and the usage counted, or the failure says how to go on. */
import { checkMessages } from '../compression/options.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { Usage } from '../usage/usage.ts';
import { countedTurn, type Reading, takeUsage } from './accounting.ts';
import { checkOutcome } from './check-request.ts';
import { follow } from './follow/follow.ts';
import type { LiveConversation } from './live/live.ts';
import { rollingHashes, saysNothing, sharedStart } from './live/said.ts';
import { recover } from './recover.ts';
import type { CallOutcome, NextStep, PreparedContext } from './request.ts';
import type { Asked, Pending, Runtime } from './runtime.ts';
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
