/** ★ Start here: the runtime that keeps conversations inside their model's window. Its two calls have a page each. */

import { isOverflow, namedWindow, type Summarizer } from '../compression/summarize/summarizer.ts';
import { budgetsFor } from '../context/threshold.ts';
import { type KnownWindows, knownWindows } from '../provider/errors/recovery.ts';
import type { TurnRecallReport } from '../recall/turn/options.ts';
import { defined } from '../shared/defined.ts';
import { createSessionIds, type SessionId } from '../store/ids.ts';
import { newestSession } from '../store/session-store.ts';
import { tokenizerFor } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import { type BranchReport, type BranchRequest, branch } from './branch.ts';
import { stopAhead } from './compress/background.ts';
import { compressNow, keepSaid, transcript } from './compress-now.ts';
import { noteSessionEnd } from './engine.ts';
import { writeEpisode } from './episodes.ts';
import { type Basis, type Runtime, turnOf } from './live.ts';
import { idleCuratorFor } from './memory/idle.ts';
import { type ConversationProvider, endProvider, providerFor, stopProviders } from './memory/provider.ts';
import { type ConversationWriter, writerFor } from './memory/writer.ts';
import { type ConversationOptions, type ConversationSettings, type RuntimeParts, resolveSettings } from './options.ts';
import {
  listPins,
  type PinList,
  type PinReport,
  type PinRequest,
  type PinRoom,
  pinMessage,
  type UnpinReport,
  unpinMessage,
} from './pins.ts';
import { prepare } from './prepare.ts';
import type {
  BackgroundReport,
  CallOutcome,
  CompressReport,
  CompressRequest,
  ContextRequest,
  KeepRequest,
  NextStep,
  PreparedContext,
} from './request.ts';
import { createStartIndex } from './said.ts';
import { settle } from './settle.ts';
import { calibrationKey, parseCalibration } from './size.ts';
import { forget } from './turns.ts';
import { type UndoReport, type UndoRequest, undo } from './undo.ts';
import { type CompressTool, compressToolFor } from './wish.ts';

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
   * Everything that was said in a conversation, compressed or not, without its system prompts: what a client that goes on with it,
   * in another process or after a crash, sends before the next request.
   *
   * @throws ID_UNKNOWN for a session that does not exist
   */
  transcript(sessionId: SessionId): Promise<readonly Message[]>;
  /**
   * A conversation has really ended: a person leaves or begins anew. Its client may still go on with it.
   *
   * @throws ID_UNKNOWN for a session that does not exist
   */
  end(sessionId: SessionId, reason?: string): Promise<void>;
  /**
   * Who writes to the memory in a conversation, for its tools (`createMemoryTool` over `memory.files(writer)`, and
   * `createRememberTool`): every text is judged by all that was said in it, so that words of others wait for the person. To be
   * asked for with each call. Without a session, everything waits.
   *
   * @throws ID_UNKNOWN for a session that does not exist
   */
  writer(sessionId?: SessionId): Promise<ConversationWriter>;
  /**
   * The memory provider as it serves a conversation, for its tools: those that work now, and the answers to calls of them. What
   * it says of a text that waits for the person is the answer, and nothing is saved. Undefined without a provider, and for a
   * conversation that this runtime has not prepared a request of.
   *
   * @throws ID_UNKNOWN for a session that does not exist
   */
  memoryProvider(sessionId: SessionId): Promise<ConversationProvider | undefined>;
  /**
   * Why something was recalled for the newest turn of a conversation, or was not: what was looked for, and what became of each
   * candidate. Undefined where this process recalled nothing from a memory for it, such as where the program has its own `recall`.
   */
  explainRecall(sessionId: SessionId): TurnRecallReport | undefined;
  /**
   * Keeps what was said since the last call, where no other call follows: results of tools, when a person stops the work. No model
   * is asked and nothing is compressed. Gives the session to go on with.
   *
   * @throws BAD_MESSAGES, BAD_OPTION for what is no request; ID_UNKNOWN for a session that does not exist
   */
  keep(request: KeepRequest): Promise<SessionId>;
  /**
   * Pins a message because a person asks for it: what they or the assistant said in it stays word for word in every later
   * context of the conversation, within the budget of `config.pinRatio`. What cannot be pinned is refused with the reason. No
   * tool and no answer of a model may lead here by itself.
   *
   * @throws ID_UNKNOWN for a session or a message that does not exist there; BAD_OPTION for what names not one message
   */
  pin(request: PinRequest): Promise<PinReport>;
  /**
   * Takes a pin away.
   *
   * @throws ID_UNKNOWN for a session or a message that does not exist there; BAD_OPTION for what names not one message
   */
  unpin(request: PinRequest): Promise<UnpinReport>;
  /** What is pinned in a conversation. @throws ID_UNKNOWN for a session that does not exist */
  pins(request: { readonly sessionId: SessionId }): Promise<PinList>;
  /**
   * Takes the last turn of a person back: the next request goes on before it, in this process and in others, for a client that
   * drops it from its list and names the session, or begins with what is left. Nothing is lost: `expand` and a search find it, marked.
   * Refused where the turn was compressed. To be asked for when no call of the conversation is under way: its answer would bring
   * the turn back.
   *
   * @throws ID_UNKNOWN for a session that does not exist; STORE_CONFLICT when other processes are faster again and again
   */
  undo(request: UndoRequest): Promise<UndoReport>;
  /**
   * A session of its own that shows what a conversation shows, up to a message, under the same numbers and with its pins. The
   * conversation itself stays as it is. Name the session of the branch with each request.
   *
   * @throws ID_UNKNOWN for a session or a message that does not exist; BAD_OPTION for what names not one message, or one that was
   *   taken back
   */
  branch(request: BranchRequest): Promise<BranchReport>;
  /**
   * The tool by which the model of a conversation asks for a compression at a good moment, made before its next request: at most
   * three times a turn, where it helps, and never at the cost of the newest request, a rule or a pin. Refusals are answers.
   */
  compressTool(sessionId: SessionId): CompressTool;
  /** What compressions in the background came to since this runtime was made. */
  background(): BackgroundReport;
  /**
   * Stops what runs in the background, and memory providers once they have saved what waits, within their limits; to be called
   * before the store is closed. The runtime can be used again.
   */
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
  return createRuntime(options);
}

/** The same for our own doors, and for tests that need other parts. */
export function createRuntime(options: ConversationOptions, parts: Partial<RuntimeParts> = {}): ConversationRuntime {
  const settings = resolveSettings(options, parts);
  const runtime: Runtime = {
    settings,
    basis: onceDone(() => readBasis(settings)),
    starts: createStartIndex(),
    followed: new Set(),
    live: new Map(),
    openers: new Map(),
    lanes: new Map(),
    newSessionId: createSessionIds(settings.now),
    background: { started: 0, taken: 0, discarded: 0, failed: 0, lostInputTokens: 0, lostOutputTokens: 0 },
    pending: new WeakMap(),
    hosted: new Map(),
    leaving: new Set(),
  };
  const curator = idleCuratorFor(settings);
  return {
    prepare(request) {
      curator?.touch();
      return prepare(runtime, request);
    },
    settle(prepared, outcome) {
      curator?.touch();
      return settle(runtime, prepared, outcome);
    },
    compress(request) {
      curator?.touch();
      return compressNow(runtime, request);
    },
    keep: (request) => keepSaid(runtime, request),
    transcript: (sessionId) => transcript(runtime, sessionId),
    end: (sessionId, reason = 'ended') => end(runtime, sessionId, reason),
    writer: (sessionId) => writerFor(runtime, sessionId),
    memoryProvider: (sessionId) => providerFor(runtime, sessionId),
    explainRecall(sessionId) {
      const live = runtime.live.get(sessionId);
      return live?.explained?.turn === (live && turnOf(live)) ? live?.explained?.report : undefined;
    },
    undo: (request) => undo(runtime, request),
    branch: (request) => branch(runtime, request),
    compressTool: (sessionId) => compressToolFor(runtime, sessionId),
    pin: async (request) => pinMessage(settings.store, request, await pinRoom(runtime)),
    unpin: async (request) => unpinMessage(settings.store, request, await pinRoom(runtime)),
    pins: async ({ sessionId }) => listPins(settings.store, sessionId, await pinRoom(runtime)),
    background: () => backgroundReport(runtime),
    stop: async () => {
      await Promise.all([...[...runtime.followed].map(stopAhead), stopProviders(runtime), curator?.stop()]);
    },
  };
}

async function pinRoom({ settings, basis }: Runtime): Promise<PinRoom> {
  const { tokenizer, contextLength } = await basis();
  const { config, model, reservedOutputTokens } = settings;
  const { pinTokens } = budgetsFor(contextLength, config, { model: { id: model }, reservedOutputTokens });
  return { tokenizer, mostTokens: pinTokens };
}

function backgroundReport({ background }: Runtime): BackgroundReport {
  const { started, taken, discarded, failed } = background;
  return { ...background, open: started - taken - discarded - failed };
}

async function end(runtime: Runtime, sessionId: SessionId, reason: string): Promise<void> {
  const { sessions } = runtime.settings.store;
  const session = await newestSession(sessions, sessionId);
  const { id } = session;
  const live = runtime.live.get(id);
  if (!live) {
    await endProvider(runtime, session);
    await sessions.end(id, reason);
    await writeEpisode(runtime.settings.store, id).catch(() => undefined);
    return;
  }
  await live.lane.run(async () => {
    await stopAhead(live);
    await noteSessionEnd(runtime, live, reason);
    await endProvider(runtime, live.session);
    await sessions.end(live.session.id, reason);
    await writeEpisode(runtime.settings.store, live.session.id).catch(() => undefined);
    forget(runtime, live);
  });
}

async function readBasis(settings: ConversationSettings): Promise<Basis> {
  const { store, model, tokenizer, contextLength, summarizer } = settings;
  const calibration = parseCalibration(await store.meta.get(calibrationKey(model)));
  const windows = knownWindows(store.meta);
  const learnt = (await windows.get(model)) ?? contextLength;
  return {
    calibration,
    windows,
    contextLength: Math.min(contextLength, learnt),
    guess: undefined,
    tokenizer: tokenizer ?? (await tokenizerFor(model)),
    ...defined({
      summarizer: summarizer && (await withKeptWindow(summarizer, windows)),
    }),
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
  const { name, timeoutMs, fallback } = summarizer;
  const known = [summarizer.contextLength, await windows.get(name)].filter((tokens) => tokens !== undefined);
  return {
    name,
    ...(known.length === 0 ? {} : { contextLength: Math.min(...known) }),
    ...defined({ timeoutMs, fallback: fallback && (await withKeptWindow(fallback, windows)) }),
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
