/** ★ Start here: the runtime that keeps conversations inside their model's window. Its two calls have a page each. */

import { isOverflow, namedWindow } from '../compression/summarize/learnt-window.ts';
import type { Summarizer } from '../compression/summarize/summarizer.ts';
import { type KnownWindows, knownWindows } from '../provider/errors/known-windows.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { SessionId } from '../store/ids.ts';
import { createSessionIds } from '../store/ids.ts';
import { newestSession } from '../store/newest-session.ts';
import { tokenizerFor } from '../tokens/tokenizer.ts';
import { checkRequest } from './check-request.ts';
import { stopAhead } from './compress/background.ts';
import { failuresOf } from './compress/compress-failures.ts';
import { type Shrunk, shrink } from './compress/shrink.ts';
import type { CompressReport, CompressRequest } from './compress-request.ts';
import { noteSessionEnd, useWindow } from './engine-session.ts';
import { noteCompression, sizeOf } from './fit/fit.ts';
import { askedFor } from './follow/ask.ts';
import { follow, readBack } from './follow/follow.ts';
import { createLanes } from './lanes.ts';
import { type BackgroundReport, noBackground } from './live/ahead.ts';
import type { LiveConversation } from './live/live.ts';
import { createStartIndex } from './live/said.ts';
import { parseCalibration } from './live/size.ts';
import { type ConversationOptions, type ConversationSettings, resolveSettings } from './options.ts';
import { prepare } from './prepare.ts';
import type {
  CallOutcome,
  ContextCompression,
  ContextRequest,
  ContextSize,
  NextStep,
  PreparedContext,
} from './request.ts';
import { type Asked, type Basis, calibrationKey, type Runtime } from './runtime.ts';
import { saveState } from './save-state.ts';
import { settle } from './settle.ts';
import { forget, inTurn, type Turn } from './turns.ts';

/** Keeps conversations inside their model's window. */
export interface ConversationRuntime {
  /**
   * What to send for a request: the conversation is recognised by its messages and stored, and compressed where it must
   * be. Requests of one conversation are worked on one after another.
   *
   * @throws CONTEXT_OVERFLOW when not even the newest request fits the window; BAD_MESSAGES for what is no list of
   *   messages, or has nothing to answer; BAD_OPTION for what goes with them and makes no sense; ID_UNKNOWN for a session that does not exist; whatever the store throws
   */
  prepare(request: ContextRequest): Promise<PreparedContext>;
  /**
   * Takes what became of a request: keeps the reply and counts the usage, or says how to go on after a failure.
   *
   * @throws BAD_OPTION for a context that this runtime did not prepare, and for no outcome; BAD_MESSAGES for a reply that is none; whatever
   *   the store throws
   */
  settle(prepared: PreparedContext, outcome: CallOutcome): Promise<NextStep>;
  /**
   * Compresses a conversation now because a person asks for it: waits and blocks of automatic compression do not count,
   * and what is under way in the background is given up. Nothing that goes wrong is silent: it is in the report.
   *
   * @throws BAD_OPTION without messages and session; ID_UNKNOWN for a session that does not exist; STORE_CONFLICT when
   *   other processes are faster again and again; the signal's reason; whatever the engine throws
   */
  compress(request: CompressRequest): Promise<CompressReport>;
  /**
   * A conversation has really ended: a person leaves or begins anew. Its client may still go on with it.
   *
   * @throws ID_UNKNOWN for a session that does not exist
   */
  end(sessionId: SessionId, reason?: string): Promise<void>;
  /** What compressions in the background came to since this runtime was made. */
  background(): BackgroundReport;
  /** Stops what runs in the background; to be called before the store is closed. The runtime can be used again. */
  stop(): Promise<void>;
}

/**
 * A runtime over a store. Throws `BAD_OPTION` and `BAD_CONFIG` for options that make no sense.
 *
 * @example
 * import { createConversations } from '@palimpsest/core';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * const conversations = createConversations({ store, model: 'claude-sonnet-4-5' });
 */
export function createConversations(options: ConversationOptions): ConversationRuntime {
  const settings = resolveSettings(options);
  const runtime: Runtime = {
    settings,
    basis: onceDone(() => readBasis(settings)),
    starts: createStartIndex(),
    followed: new Set(),
    live: new Map(),
    openers: new Map(),
    lanes: createLanes(),
    newSessionId: createSessionIds(settings.now),
    background: noBackground(),
    pending: new WeakMap(),
  };
  return {
    prepare: (request) => prepare(runtime, request),
    settle: (prepared, outcome) => settle(runtime, prepared, outcome),
    compress: (request) => compressNow(runtime, request),
    end: (sessionId, reason = 'ended') => end(runtime, sessionId, reason),
    background: () => backgroundReport(runtime),
    stop: async () => {
      await Promise.all([...runtime.followed].map(stopAhead));
    },
  };
}

function backgroundReport({ background }: Runtime): BackgroundReport {
  const { started, taken, discarded, failed } = background;
  return { ...background, open: started - taken - discarded - failed };
}

async function end(runtime: Runtime, sessionId: SessionId, reason: string): Promise<void> {
  const { sessions } = runtime.settings.store;
  const { id } = await newestSession(sessions, sessionId);
  const live = runtime.live.get(id);
  if (!live) return sessions.end(id, reason);
  await live.lane.run(async () => {
    await stopAhead(live);
    await noteSessionEnd(runtime, live, reason);
    await sessions.end(live.session.id, reason);
    forget(runtime, live);
  });
}

async function readBasis(settings: ConversationSettings): Promise<Basis> {
  const { store, model, tokenizer, contextLength, summarizer, fallbackSummarizer } = settings;
  const calibration = parseCalibration(await store.meta.get(calibrationKey(model)));
  const windows = knownWindows(store.meta);
  const learnt = (await windows.get(model)) ?? contextLength;
  return {
    calibration,
    windows,
    contextLength: Math.min(contextLength, learnt),
    guess: undefined,
    tokenizer: tokenizer ?? (await tokenizerFor(model)),
    ...(summarizer ? { summarizer: await withKeptWindow(summarizer, windows) } : {}),
    ...(fallbackSummarizer ? { fallbackSummarizer: await withKeptWindow(fallbackSummarizer, windows) } : {}),
  };
}

/** The same promise for everybody; a failed one is tried again. */
function onceDone<T>(work: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= work().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

// The windows of models that write summaries, where they refused a prompt and named one: kept for every process.

/** The summarizer with the window that is known of it, and that keeps what a refusal names. */
async function withKeptWindow(summarizer: Summarizer, windows: KnownWindows): Promise<Summarizer> {
  const { name, timeoutMs } = summarizer;
  const known = [summarizer.contextLength, await windows.get(name)].filter((tokens) => tokens !== undefined);
  return {
    name,
    ...(known.length === 0 ? {} : { contextLength: Math.min(...known) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    async write(call) {
      try {
        return await summarizer.write(call);
      } catch (error) {
        const tokens = isOverflow(error) ? namedWindow(error) : undefined;
        // What the model said is told in any case; the window is learnt again where the store could not take it.
        if (tokens !== undefined) await windows.learn(name, { tokens, source: 'stated' }).catch(() => false);
        throw error;
      }
    },
  };
}

// A person asks for a compression: done at once, whatever holds automatic ones back, and reported with every failure
// (F5).

/** See `ConversationRuntime.compress`. */
async function compressNow(runtime: Runtime, request: CompressRequest): Promise<CompressReport> {
  const asked = await wanted(runtime, request);
  return inTurn(runtime, asked, async (turn) => {
    const { live, said } = await conversationFor(runtime, asked, turn);
    const basis = await runtime.basis();
    useWindow(runtime, live, basis.contextLength);
    const from = live.session.id;
    const before = sizeOf(basis, live, said);
    const messages = live.view.length;
    const shrunk = await shrink(runtime, live, { asked: said, size: before, cause: 'person' });
    const after = shrunk.type === 'done' ? sizeOf(basis, live, said) : before;
    await saveState(runtime, live);
    const compression = compressionOf(shrunk, { from, to: live.session.id, before, after });
    if (compression) await noteCompression(runtime, said, compression);
    const sizes = { before, after, messages: [messages, live.view.length] as const };
    return {
      status: compression ? 'compressed' : 'unchanged',
      sessionId: live.session.id,
      before,
      after,
      headline: headlineOf(shrunk, sizes),
      ...(compression ? { compression } : {}),
      failures: await failuresOf(runtime, live, shrunk),
      notices: [...asked.notices],
    };
  });
}

/** The request, or one that says nothing but the newest session of a stored conversation. */
async function wanted(runtime: Runtime, request: CompressRequest): Promise<Asked> {
  checkRequest(request);
  const { messages, sessionId, tools = [], focusTopic, signal } = request;
  const call = {
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(signal === undefined ? {} : { signal }),
  };
  if (messages)
    return askedFor(runtime, { messages, tools, ...(sessionId === undefined ? {} : { sessionId }), ...call });
  if (sessionId === undefined) {
    throw new PalimpsestError('BAD_OPTION', 'expected messages or a sessionId to compress, got neither');
  }
  const { id } = await newestSession(runtime.settings.store.sessions, sessionId);
  return { prompts: [], said: [], hashes: [], tools, sessionId: id, call, notices: [] };
}

interface Found {
  readonly live: LiveConversation;
  /** The request with everything that was said in it. */
  readonly said: Asked;
}

async function conversationFor(runtime: Runtime, asked: Asked, turn: Turn): Promise<Found> {
  if (asked.said.length > 0) return { live: await follow(runtime, asked, turn), said: asked };
  const { sessionId = '' } = asked;
  const live = turn.owner ?? (await readBack(runtime, sessionId, { turn, asked }));
  const { said, hashes, prompts } = live;
  return { live, said: { ...asked, said, hashes, prompts: prompts.map(({ message }) => message) } };
}

interface Ends {
  readonly from: string;
  readonly to: string;
  readonly before: ContextSize;
  readonly after: ContextSize;
}

function compressionOf(shrunk: Shrunk, { from, to, before, after }: Ends): ContextCompression | undefined {
  if (shrunk.type !== 'done') return undefined;
  return { ...shrunk.made, from, to, tokensBefore: before.tokens, tokensAfter: after.tokens };
}

interface CompressionSizes {
  readonly before: ContextSize;
  readonly after: ContextSize;
  /** Before and after. */
  readonly messages: readonly [number, number];
}

function headlineOf({ type }: Shrunk, { before, after, messages: [had, has] }: CompressionSizes): string {
  if (type === 'not') return `Nothing was changed: ${number(had)} messages, about ${number(before.tokens)} tokens.`;
  return `Compressed from ${number(had)} to ${number(has)} messages, from about ${number(before.tokens)} to about ${number(after.tokens)} tokens.`;
}

const number = (value: number): string => value.toLocaleString('en-US');
