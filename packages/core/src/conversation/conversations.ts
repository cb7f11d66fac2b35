/** ★ Start here: the runtime that keeps conversations inside their model's window. Its two calls have a page each. */

import { knownWindows } from '../provider/errors/known-windows.ts';
import type { SessionId } from '../store/ids.ts';
import { newestSession } from '../store/newest-session.ts';
import { createSessionIds } from '../store/session-id.ts';
import { tokenizerFor } from '../tokens/tokenizer.ts';
import { stopAhead } from './compress/take-ahead.ts';
import { compressNow } from './compress-now.ts';
import type { CompressReport, CompressRequest } from './compress-request.ts';
import { noteSessionEnd } from './engine-session.ts';
import { withKeptWindow } from './kept-window.ts';
import { createLanes } from './lanes.ts';
import { type BackgroundReport, noBackground } from './live/ahead.ts';
import { createStartIndex } from './live/said.ts';
import { parseCalibration } from './live/size.ts';
import { type ConversationOptions, type ConversationSettings, resolveSettings } from './options.ts';
import { prepare } from './prepare.ts';
import type { CallOutcome, ContextRequest, NextStep, PreparedContext } from './request.ts';
import { type Basis, calibrationKey, type Runtime } from './runtime.ts';
import { settle } from './settle.ts';
import { forget } from './turns.ts';

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

/** A runtime over a store. Throws `BAD_OPTION` and `BAD_CONFIG` for options that make no sense. */
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
    ...{ calibration, windows, contextLength: Math.min(contextLength, learnt), guess: undefined },
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
