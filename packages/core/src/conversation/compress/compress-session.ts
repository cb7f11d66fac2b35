/**
 * ★ One compression outside of a running conversation, of a list or of a session that a store keeps: the hooks around it, an
 * engine that makes the list smaller, and for a session the lease on it and the continuation that opens with the list.
 */
import { createRecord } from '../../compression/record.ts';
import type { CompressionResult } from '../../compression/result.ts';
import { defaultContextLength } from '../../compression/run.ts';
import type { SummaryProgress } from '../../compression/summarize/run-plan.ts';
import type { Timers } from '../../shared/timers.ts';
import type { SessionId } from '../../store/ids.ts';
import { newestSession } from '../../store/newest-session.ts';
import type { Session } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { messageCounter } from '../../tokens/measure.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Message } from '../../transcript/message.ts';
import { bounded, type HookHost } from '../bounded.ts';
import type { ConversationHooks } from '../hooks.ts';
import type { HeldLease } from '../live/ahead.ts';
import { conversationDefaults, knownHooks } from '../options.ts';
import type { ConversationNotice } from '../request.ts';
import { askStartHook, tellContinued, tellEnd } from './compression-hooks.ts';
import { busyError, holdLease } from './held-lease.ts';
import { keepForSession, keptTokens, resultWithKept } from './kept.ts';
import { unchangedResult } from './list-report.ts';
import { type ListMaker, type ListWork, type MadeList, type OwnListOptions, ownListMaker } from './make-list.ts';
import {
  continued,
  continuedByOthers,
  type KnownConversation,
  noteUsage,
  restoreRecord,
} from './stored-conversation.ts';

/** Hooks around one compression. */
export interface CompressionHooks {
  /** @default none */
  readonly hooks?: ConversationHooks;
  /** How long a hook may take, in milliseconds. @default 5000 */
  readonly hookTimeoutMs?: number;
  /** @default those of the platform */
  readonly timers?: Timers;
  /** Told when a hook fails, takes too long or vetoes the compression. */
  readonly onNotice?: (notice: ConversationNotice) => void;
}

/** How a list is compressed. */
export interface CompressListOptions extends CompressionHooks {
  readonly make: ListMaker;
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  /** For whom engine and hooks work: what the list calls itself. */
  readonly name: string;
  /** Tokens of the tool definitions. @default 0 */
  readonly toolTokens?: number;
}

/** What became of a list. */
export interface ListCompression {
  readonly result: CompressionResult;
  /** Why a hook did not want it: then the list is as it was. */
  readonly veto?: string;
}

/**
 * Compresses a list between its hooks: one may veto it, or have the new list begin with a text.
 *
 * @throws what `make` throws
 */
export async function compressList(
  messages: readonly Message[],
  { make, tokenizer, contextLength, name, toolTokens = 0, ...hooks }: CompressListOptions,
): Promise<ListCompression> {
  const places = (): readonly number[] => createRecord({ count: tokenizer.count }).ingest(messages);
  const work = { messages, places, sessionId: name, reason: 'new' } as const;
  const done = await madeBetween(hooks, { work, make, tokenizer, contextLength, toolTokens });
  if (done.type === 'vetoed') return done.outcome;
  const result = resultWithKept(done.made.result, done.kept, { messages, tokenizer });
  if (result.status === 'compressed') await done.end({ to: name, result });
  return { result };
}

/** How a stored conversation is compressed: as a list is, and by whom. */
export interface CompressSessionOptions extends OwnListOptions, CompressionHooks {
  /** Who compresses, for whoever finds the conversation busy: a process, or one of its tasks. */
  readonly owner: string;
  /**
   * Milliseconds after which another process may take over when this one has died. Longer than a model may be silent.
   * @default 300_000
   */
  readonly leaseMilliseconds?: number;
  /** Another engine, as `engineListMaker` gives it. @default the built-in one, with these options */
  readonly make?: ListMaker;
}

/** What became of a stored conversation. */
export interface SessionCompression extends ListCompression {
  /** The session to go on with: the continuation, or the same one where nothing was compressed. */
  readonly session: Session;
}

const defaultLease = 300_000;

/**
 * Compresses the newest session of a conversation and opens its continuation, in one transaction: whatever happens on
 * the way, the conversation is as it was before or as it is after. Refs of the handoff count the messages of the whole
 * conversation. What was said meanwhile stands behind the new list.
 *
 * @throws ID_UNKNOWN for a session that does not exist; STORE_CONFLICT while another process compresses the
 * conversation, or when the lease was lost; and whatever `compress` or another engine throws
 */
export async function compressSession(
  store: Store,
  id: SessionId,
  options: CompressSessionOptions,
): Promise<SessionCompression> {
  const { owner, leaseMilliseconds = defaultLease } = options;
  const tip = await newestSession(store.sessions, id);
  const { rootId } = tip;
  const lease = await holdLease(store, { rootId, owner, milliseconds: leaseMilliseconds });
  if (!lease) throw await busyError(store, rootId);
  let done: Committed;
  try {
    // Whoever held the lease before may have gone on from it.
    const session = await newestSession(store.sessions, tip.id);
    const known = await restoreRecord(store, session, options.tokenizer.count);
    done = await committed(store, { ...known, session, lease }, options);
  } finally {
    await lease.release();
  }
  await done.end?.();
  return done.compression;
}

interface Leased extends KnownConversation {
  readonly session: Session;
  readonly lease: HeldLease;
}

interface Committed {
  readonly compression: SessionCompression;
  /** Tells the hooks. */
  readonly end?: () => Promise<void>;
}

async function committed(
  store: Store,
  { session, lease, ...known }: Leased,
  options: CompressSessionOptions,
): Promise<Committed> {
  const { entries, places, ids, record, compressions } = known;
  const { tokenizer, contextLength = defaultContextLength, make = ownListMaker(ownOptions(options)) } = options;
  const work = {
    messages: entries.map(({ message }) => message),
    places: () => places,
    record,
    compressionCount: compressions,
    sessionId: session.id,
    reason: 'resume',
    ...(store.name === undefined ? {} : { keptIn: `session ${session.rootId} of ${store.name}` }),
    onSummaryProgress: renewing(lease),
  } as const;
  const done = await madeBetween(options, { work, make, tokenizer, contextLength, toolTokens: 0 });
  if (done.type === 'vetoed') return { compression: { session, ...done.outcome } };
  const { result, byOthers } = done.made;
  await noteUsage(store, session.id, result);
  if (result.status !== 'compressed') return { compression: { session, result } };
  const made = { session, lease: lease.current(), list: result.messages, view: entries };
  const shownAt = new Map(byOthers?.shown.map(({ message, at }) => [message, at]));
  const next = byOthers
    ? await continuedByOthers(store, { ...made, shownAt, firstIds: places.map((place) => ids[place]) })
    : await continued(store, { ...made, ...known, result });
  await keepForSession(store, session.rootId, done.kept);
  const told = { session: next, result };
  return { compression: told, end: () => done.end({ to: next.id, result }) };
}

function ownOptions({
  owner: _owner,
  leaseMilliseconds: _lease,
  make: _make,
  hooks: _hooks,
  hookTimeoutMs: _limit,
  timers: _timers,
  onNotice: _onNotice,
  ...options
}: CompressSessionOptions): OwnListOptions {
  return options;
}

/** Pieces of text come many times a second. */
const textsPerRenewal = 200;

/** Gives a lease a new end while a model shows signs of life. */
function renewing(lease: HeldLease): (event: SummaryProgress) => void {
  let texts = 0;
  return ({ type }) => {
    if (type !== 'text' || ++texts % textsPerRenewal === 0) void lease.renew();
  };
}

interface Making {
  readonly work: Omit<ListWork, 'reservedTokens'>;
  readonly make: ListMaker;
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  readonly toolTokens: number;
}

type Between =
  | { readonly type: 'vetoed'; readonly outcome: ListCompression }
  | {
      readonly type: 'made';
      readonly made: MadeList;
      /** What a hook wants the new context to begin with. */
      readonly kept: string | null;
      /** Tells the engine and the hooks what it has come to, once it is written down. */
      readonly end: (done: { readonly to: string; readonly result: CompressionResult }) => Promise<void>;
    };

/** What an engine makes of a list, unless a hook is against it. */
async function madeBetween(
  options: CompressionHooks & { readonly signal?: AbortSignal },
  { work, make, tokenizer, contextLength, toolTokens }: Making,
): Promise<Between> {
  const { hooks, signal, hookTimeoutMs = conversationDefaults.hookTimeoutMs } = options;
  const host: HookHost = { settings: { ...options, hooks: knownHooks(hooks ?? {}), hookTimeoutMs } };
  const { messages, sessionId } = work;
  const tokensOf = messageCounter(tokenizer);
  const tokens = messages.reduce((sum, message) => sum + tokensOf(message), toolTokens);
  const start = { sessionId, tokens, isForced: false, inBackground: false };
  const { veto, kept } = await askStartHook(host, { notices: [], signal }, start);
  if (veto !== undefined) {
    const given = { tokenizer, contextLength, given: messages, places: work.places() };
    const reason = `A hook vetoed the compression: ${veto}`;
    return { type: 'vetoed', outcome: { result: unchangedResult(given, { status: 'refused', reason }), veto } };
  }
  const made = await make({ ...work, reservedTokens: keptTokens(kept, tokenizer) });
  return {
    type: 'made',
    made,
    kept,
    async end({ to, result }) {
      const asking = { notices: [], signal: undefined };
      const sizes = { from: sessionId, to, tokensBefore: result.before.total, tokensAfter: result.after.total };
      if (to !== sessionId) {
        const engineStarts = (): unknown => made.byOthers?.continued(to);
        await bounded(host, asking, { name: 'onSessionStart of the engine', work: engineStarts });
        await tellContinued(host, asking, { from: sessionId, to });
      }
      await tellEnd(host, asking, made.byOthers ? sizes : { ...sizes, result });
    },
  };
}
