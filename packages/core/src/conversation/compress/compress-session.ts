/** ★ One compression outside of a running conversation: of a list, or of a session that a store keeps. */
import { placesIn } from '../../compression/record.ts';
import type { CompressionResult } from '../../compression/result.ts';
import { defaultContextLength } from '../../compression/run.ts';
import type { SummaryProgress } from '../../compression/summarize/run-plan.ts';
import type { Memory } from '../../memory/entries/create-memory.ts';
import { defined } from '../../shared/defined.ts';
import { aFunction, aText, checkKnownOptions, type KnownOptions } from '../../shared/options/known-options.ts';
import type { SessionId } from '../../store/ids.ts';
import { newestSession, type Session } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { messageCounter } from '../../tokens/measure.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Message } from '../../transcript/message.ts';
import { bounded, type Host, tellEnd } from '../call-hooks.ts';
import { tellContinued } from '../engine.ts';
import type { CompressionStart, ConversationHooks } from '../hooks.ts';
import type { HeldLease } from '../live.ts';
import { commitToMemory, coveredBy, type KeepingHost } from '../memory/commit.ts';
import { proposeFor } from '../memory/propose.ts';
import { aMemory, knownHooks, type MemoryUse, memoryUse } from '../options.ts';
import { keptWithPins, pinnedRefs } from '../pins.ts';
import type { ConversationNotice } from '../request.ts';
import { busyError, done, holdLease, type Outcome, runCompression, underLease } from './compression.ts';
import { type ListMaker, type MadeList, type OwnListOptions, ownListMaker, unchangedResult } from './engines.ts';
import {
  continued,
  continuedByOthers,
  keepForSession,
  keptTokens,
  noteUsage,
  restoreRecord,
  resultWithKept,
} from './stored.ts';

/** Hooks around one compression. */
export interface CompressionHooks {
  /** @default none */
  readonly hooks?: ConversationHooks;
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

const listKnown: KnownOptions<CompressListOptions> = {
  make: true,
  tokenizer: true,
  contextLength: true,
  name: true,
  toolTokens: true,
  hooks: true,
  onNotice: aFunction,
};

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
  options: CompressListOptions,
): Promise<ListCompression> {
  checkKnownOptions('compressList', options, listKnown);
  const { make, tokenizer, contextLength, toolTokens, name: sessionId } = options;
  const places = (): readonly number[] => placesIn(messages);
  const host = hostFor(options);
  const outcome = await runCompression(host, {
    start: startOf(sessionId, messages, options),
    async make(kept) {
      const given = { messages, tokenizer, contextLength, ...defined({ toolTokens }) };
      const work = { ...given, places, sessionId, reason: 'new', reservedTokens: keptTokens(kept, tokenizer) } as const;
      return done(await make(work));
    },
    write: async (made, kept) => ({ ...made, result: resultWithKept(made.result, kept, { messages, tokenizer }) }),
    about: { cause: 'asked' },
    resultIn: ({ result }) => result,
  });
  if (outcome.type === 'not') return vetoed(outcome.detail, { ...options, given: messages, places: places() });
  const { made } = outcome;
  if (made.result.status === 'compressed') await tellDone(host, made, { from: sessionId, to: sessionId });
  return { result: made.result };
}

/** How a stored conversation is compressed: as a list is, and by whom. */
export interface CompressSessionOptions extends OwnListOptions, CompressionHooks {
  /** Who compresses, for whoever finds the conversation busy: a process, or one of its tasks. */
  readonly owner: string;
  /** Another engine, as `engineListMaker` gives it. @default the built-in one, with these options */
  readonly make?: ListMaker;
  /**
   * What is worth keeping of the covered part goes into it first, with `writer` by a model as well; a notice says what. Of a
   * conversation that was imported from a file all of it waits for the person. @default nothing is remembered
   */
  readonly memory?: Memory | MemoryUse;
}

/** What became of a stored conversation. */
export interface SessionCompression extends ListCompression {
  /** The session to go on with: the continuation, or the same one where nothing was compressed. */
  readonly session: Session;
}

/** What goes to the built-in engine is checked there. */
const sessionKnown: KnownOptions<CompressSessionOptions> = {
  tokenizer: true,
  contextLength: true,
  targetTokens: true,
  focusTopic: true,
  config: true,
  system: true,
  keptIn: true,
  signal: true,
  summarizer: true,
  onSummaryProgress: true,
  hooks: true,
  onNotice: aFunction,
  owner: { ...aText, isNeeded: true },
  memory: aMemory,
  make: aFunction,
};

/** When another process may take over after this one has died: longer than a model may be silent, and than a hook may take. */
const leastLease = 300_000;
const leaseMargin = 60_000;

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
  checkKnownOptions('compressSession', options, sessionKnown);
  const tip = await newestSession(store.sessions, id);
  const { memory } = options;
  const host = hostWith(hostFor(options), { store, memory: memory && memoryUse(memory) });
  const milliseconds = Math.max(leastLease, host.runtime.settings.hookTimeoutMs + leaseMargin);
  const held = await holdLease(store, { rootId: tip.rootId, owner: options.owner, milliseconds });
  const outcome = await underLease(held, async (lease) => {
    // Whoever held the lease before may have gone on from it.
    const session = await newestSession(store.sessions, tip.id);
    return compressLeased(store, { host, session, lease }, options);
  });
  if (outcome.type === 'not') throw await busyError(store, tip.rootId);
  const { compression, made, from } = outcome.made;
  const to = compression.session.id;
  // Told when the lease is free again.
  if (made && to !== from) await tellDone({ ...host, asked: { notices: [], call: {} } }, made, { from, to });
  return compression;
}

/** The same over a store, with the memory that goes with it. */
function hostWith(
  { asked, runtime }: Host,
  known: { readonly store: Store; readonly memory: MemoryUse | undefined },
): KeepingHost {
  return { asked, runtime: { settings: { ...runtime.settings, ...defined(known) } } };
}

interface Leased {
  readonly host: KeepingHost;
  readonly session: Session;
  readonly lease: HeldLease;
}

interface Committed {
  readonly from: SessionId;
  readonly compression: SessionCompression;
  /** Unless a hook was against it. */
  readonly made?: MadeList;
}

async function compressLeased(
  store: Store,
  { host, session, lease }: Leased,
  options: CompressSessionOptions,
): Promise<Outcome<Committed>> {
  const { tokenizer, contextLength = defaultContextLength, make = ownListMaker(ownOptions(options)) } = options;
  const known = await restoreRecord(store, session, tokenizer.count);
  const { entries, places, ids, record, compressions: compressionCount } = known;
  const { id: from, rootId } = session;
  const messages = entries.map(({ message }) => message);
  const keptIn = store.name === undefined ? undefined : `session ${rootId} of ${store.name}`;
  const given = { messages, tokenizer, contextLength };
  const pinned = await pinnedRefs(store, from, ids);
  const about = { record, compressionCount, pinned, sessionId: from, reason: 'resume' } as const;
  const work = { ...given, ...about, places: () => places };
  const signs = { ...defined({ keptIn }), onSummaryProgress: renewing(lease) };
  const outcome = await runCompression(host, {
    start: startOf(from, messages, { tokenizer }),
    make: async (kept) => done(await make({ ...work, ...signs, reservedTokens: keptTokens(kept, tokenizer) })),
    async write(made, kept): Promise<Committed> {
      const { result, byOthers } = made;
      await noteUsage(store, from, result);
      if (result.status !== 'compressed') return { from, made, compression: { session, result } };
      const covered = coveredBy(messages, result.messages);
      const proposed = await proposeFor(host, { session, covered });
      await commitToMemory(host, { session, covered, proposed });
      const base = { session, lease: lease.current() };
      const shownAt = new Map(byOthers?.shown.map(({ message, at }) => [message, at]));
      const firstIds = places.map((place) => ids[place]);
      const next = byOthers
        ? await continuedByOthers(store, { ...base, list: result.messages, view: entries, shownAt, firstIds })
        : await continued(store, { ...base, ...known, result });
      const beside = byOthers ? await keptWithPins(store, from, { list: result.messages, kept }) : kept;
      await keepForSession(store, rootId, beside);
      return { from, made, compression: { session: next, result } };
    },
    about: { cause: 'asked', conversationId: rootId },
    resultIn: ({ compression }) => compression.result,
  });
  if (outcome.type === 'done') return outcome;
  const refused = vetoed(outcome.detail, { tokenizer, contextLength, given: messages, places });
  return done({ from, compression: { session, ...refused } });
}

/** What the built-in engine is told of them. */
function ownOptions(options: CompressSessionOptions): OwnListOptions {
  const { owner: _o, make: _m, memory: _memory, hooks: _h, onNotice: _n, ...own } = options;
  return own;
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

function hostFor({ signal, hooks = {}, onNotice }: CompressionHooks & { readonly signal?: AbortSignal }): Host {
  const settings = { ...defined({ onNotice }), ...knownHooks(hooks) };
  return { runtime: { settings }, asked: { notices: [], call: defined({ signal }) } };
}

function startOf(
  sessionId: string,
  messages: readonly Message[],
  { tokenizer, toolTokens = 0 }: Pick<CompressListOptions, 'tokenizer' | 'toolTokens'>,
): CompressionStart {
  const tokensOf = messageCounter(tokenizer);
  const tokens = messages.reduce((sum, message) => sum + tokensOf(message), toolTokens);
  return { sessionId, tokens, isForced: false, inBackground: false };
}

function vetoed(veto = '', given: Parameters<typeof unchangedResult>[0]): ListCompression {
  const reason = `A hook vetoed the compression: ${veto}`;
  return { result: unchangedResult(given, { status: 'refused', reason }), veto };
}

/** Tells the engine and the hooks what it has come to, once it is written down. */
async function tellDone(
  host: Host,
  { result, byOthers }: MadeList,
  { from, to }: { readonly from: SessionId; readonly to: SessionId },
): Promise<void> {
  if (to !== from) {
    const work = (): unknown => byOthers?.continued(to);
    await bounded(host, { name: 'onSessionStart of the engine', work });
    await tellContinued(host, from, to);
  }
  const sizes = { from, to, tokensBefore: result.before.total, tokensAfter: result.after.total };
  await tellEnd(host, byOthers ? sizes : { ...sizes, result });
}
