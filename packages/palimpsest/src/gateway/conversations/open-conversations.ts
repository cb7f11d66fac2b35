/**
 * ★ Start here: what stands in the middle of the gateway. Each request is recognised as a turn of a conversation, kept, and sent as
 * it came while it fits; where it does not, older messages give way to a handoff, and only their bytes change.
 *
 *     received ─► readRequest ─► prepare ─► as it came, or spliced ─► upstream ─► watchAnswer ─► settle
 *                     │                                                  │
 *                     └─► pass: nothing is known of it                   └─► recover: too long, or refused as malformed
 */
import {
  type CompressionOptions,
  type ContextRequest,
  type ConversationNotice,
  type ConversationOptions,
  createConversations,
  estimateTextTokens,
  modelInfo,
  PalimpsestError,
  type Summarizer,
} from '@palimpsest/core';
import type { Timers } from '@palimpsest/core/settings';
import type { Store } from '@palimpsest/core/store';
import { overflowFailure } from '@palimpsest/core/wire';
import type { GatewayDialect } from '../../config/gateway.ts';
import type { HeaderList, LocalAnswer, Middle, Prepared, Received } from '../middle.ts';
import { beginningOf, type Call, type Shared, type Turn } from './call.ts';
import { openClientNames } from './client-names.ts';
import { counted } from './count.ts';
import { type Doing, type DoneAt, headersFor, toldOf } from './doing.ts';
import { openFullness } from './fullness.ts';
import { atOnce, openLater } from './later.ts';
import { openPlaces, type PlacesOptions } from './places.ts';
import { readRequest } from './read-request.ts';
import { recoverSummary } from './recover.ts';
import { nameOf, openRuntimes } from './runtimes.ts';
import { sent } from './sent.ts';
import { openViews } from './views.ts';
import { readFirst, wentBefore } from './went-before.ts';
import { openWholeSizes } from './whole-below.ts';

/** How conversations are kept inside their windows. */
export interface ConversationsOptions {
  /** Where they are kept; it stays the caller's, who closes it. */
  readonly store: Store;
  /** The window of every model. @default the model's own, else 200,000 tokens */
  readonly contextLength?: number;
  /** A model that writes the summaries. @default the ledger alone */
  readonly summarizer?: Summarizer;
  /** @default that of the library, with a threshold of 85 % */
  readonly config?: CompressionOptions;
  /** True where nothing is changed, and headers tell what would be. */
  readonly isDryRun?: boolean;
  /** A line for a person. Holds no credential and nothing that was said. */
  readonly note?: (line: string) => void;
  /** Set where answers are kept once no request needs the process. @default at once */
  readonly later?: Timers;
  /** @default that of the platform */
  readonly clock?: NonNullable<ConversationOptions['clock']>;
}

/** A middle that keeps conversations inside their windows. */
export interface ConversationsMiddle extends Middle {
  /** Keeps the answers that have ended, and ends what runs in the background; to be called before the store is closed. */
  stop(): Promise<void>;
}

/** Where a conversation is compressed: late, for a client may do it by itself before. */
const threshold = 0.85;

/** Seconds that a model which writes no summary is left alone: a client waits each time. */
const failureWaits = [300, 900, 2_700] as const;

/** What somebody should know who runs a gateway; how full a window is, is told to those who talk in it. */
const told: ReadonlySet<ConversationNotice['type']> = new Set([
  'summary_failed',
  'held_back',
  'window',
  'refused',
  'hook',
]);

/** Opens the middle over a store. */
export function openConversations(options: ConversationsOptions): ConversationsMiddle {
  const { store, contextLength, summarizer, config, clock, isDryRun = false, note = () => undefined } = options;
  const later = options.later ? openLater(options.later) : atOnce;
  const { now = Date.now } = clock ?? {};
  const windowOf = (dialect: GatewayDialect, model: string): number =>
    contextLength ?? modelInfo(nameOf(dialect, model))?.contextWindow ?? usualWindow;
  const onNotice = ({ type, level, message }: ConversationNotice): void => {
    if (level !== 'log' && told.has(type)) note(message);
  };
  const names = openClientNames(store);
  const fullness = openFullness(note);
  const sizes = openWholeSizes(store, now);
  const open: PlacesOptions<Shared>['open'] = (place, health) => {
    const { runtimeFor, stop } = openRuntimes((model) =>
      createConversations({
        store: place,
        model,
        source: 'gateway',
        onNotice,
        config: { threshold, ...config },
        ...(clock === undefined ? {} : { clock }),
        ...(contextLength === undefined ? {} : { contextLength }),
        // What is in memory for a while is not worth a model's work.
        ...(summarizer && health ? { summarizer, failureWaits } : {}),
      }),
    );
    const { hasTools, noteTools } = names;
    const own = health ? names : { ...openClientNames(place), hasTools, noteTools };
    const onTheWay = new Set<Promise<unknown>>();
    return {
      value: {
        health,
        isDryRun,
        note,
        fullness,
        // A dry run tells of each request, and what goes on in memory for a while is not to be relied on.
        wholeSizes: isDryRun || !health ? undefined : sizes,
        names: own,
        views: openViews(),
        onTheWay,
        later,
        runtimeFor,
        windowOf,
      },
      stop: async () => {
        while (onTheWay.size > 0) {
          later.beginAll();
          await Promise.all(onTheWay);
        }
        await stop();
      },
    };
  };
  const places = openPlaces({ store, open, now, note });
  return {
    prepare: (received) => places.within((shared) => prepare(shared, received)),
    stop: () => places.stop(),
  };
}

/** The window of a model that nobody knows. */
const usualWindow = 200_000;

async function prepare(shared: Shared, received: Received): Promise<Prepared> {
  if (received.act === 'count') return counted(shared, received);
  const startedAt = Date.now();
  const request = readRequest(received, (clientId) => shared.names.hasTools(clientId));
  if (request.type === 'pass') return asItCame(received, { type: 'passed', why: request.why }, request);
  const { model } = request;
  const runtime = shared.runtimeFor(received.dialect, request.model);
  const call: Call = { shared, received, request, runtime };
  if (request.isSummary && mayFit(call)) return ownSummary(call);
  if (request.isProviders) return keepOnly(shared, received, request);
  if (request.clientId !== undefined && request.body.tools.length > 0) shared.names.noteTools(request.clientId);
  shared.later.begin(beginningOf(request));
  try {
    const prepared = await runtime.prepare(await contextOf(call));
    shared.health?.kept();
    const next = sent(call, prepared, { startedAt, isRecovery: false });
    return received.isSent && next.body !== received.body ? wentBefore(call, prepared, next) : next;
  } catch (error) {
    received.signal.throwIfAborted();
    if (shared.health?.failed(error)) throw error;
    const tooLong = overflowAnswer(received.dialect, error);
    if (tooLong && received.isSent)
      return { ...asItCame(received, { type: 'passed', why: 'sent' }, { model }), wholeBelow: readFirst(call) };
    if (tooLong && !shared.isDryRun)
      return { body: received.body, answer: tooLong, told: { action: 'refused', reason: 'too-long', model } };
    if (!PalimpsestError.isInstance(error)) throw error;
    shared.note(`A request was sent as it came: ${error.code}.`);
    return asItCame(received, { type: 'passed', why: 'unreadable' }, { model });
  }
}

async function contextOf({ shared, received, request }: Call): Promise<ContextRequest> {
  const { body, said, clientId } = request;
  const follows = clientId === undefined ? undefined : await shared.names.sessionOf(clientId);
  return {
    messages: said.messages,
    tools: body.tools.map(({ value }) => value),
    signal: received.signal,
    ...(body.maxTokens === undefined ? {} : { maxTokens: body.maxTokens }),
    ...(follows === undefined ? {} : { follows }),
  };
}

/** A summary of the client's own is left alone while the window may hold what it is made of. */
const mayFit = ({ shared: { windowOf }, received: { dialect }, request: { body, model } }: Call): boolean =>
  estimateTextTokens(body.text) < windowOf(dialect, model);

/** As it came, and as a turn of the conversation where its upstream finds it too long. */
const ownSummary = (call: Call): Prepared => ({
  ...asItCame(call.received, { type: 'passed', why: 'own-summary' }, call.request),
  settle: (outcome) =>
    recoverSummary(call, {
      outcome,
      context: () => contextOf(call),
      again: (prepared, startedAt) => sent(call, prepared, { startedAt, isRecovery: true }),
    }),
});

function asItCame({ body }: Received, doing: Doing, { model }: Pick<DoneAt, 'model'>): Prepared {
  return { body, responseHeaders: headersFor(doing), told: toldOf(doing, model === undefined ? {} : { model }) };
}

/** The provider compacts this conversation: what was said is kept, and nothing is changed. */
async function keepOnly(shared: Shared, received: Received, request: Turn): Promise<Prepared> {
  const { messages } = request.said;
  const { model } = request;
  const sessionId = await shared.runtimeFor(received.dialect, model).keep({ messages });
  shared.health?.kept();
  return asItCame(received, { type: 'kept', sessionId: shared.health && sessionId }, { model });
}

/** What a client is told where not even a compression helps, in words that it understands. */
function overflowAnswer(dialect: GatewayDialect, error: unknown): LocalAnswer | undefined {
  if (!PalimpsestError.isInstance(error) || error.code !== 'CONTEXT_OVERFLOW') return undefined;
  const { tokens, room, contextLength: limit = room } = error.evidence;
  if (typeof tokens !== 'number' || typeof limit !== 'number') return undefined;
  const { status, body } = overflowFailure(dialect, { tokens, limit });
  const headers: HeaderList = [
    ['content-type', 'application/json'],
    ['x-palimpsest-error', 'context-overflow'],
  ];
  return { status, headers, body: Buffer.from(JSON.stringify(body)) };
}
