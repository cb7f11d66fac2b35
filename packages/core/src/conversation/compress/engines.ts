/** What makes a list smaller: the built-in engine, or one of others, held to everything that ours is held to. */

import { compress } from '../../compression/compress.ts';
import { badPlugin } from '../../compression/guard/bad-plugin.ts';
import { reasonOf } from '../../compression/guard/guarded.ts';
import { takeList } from '../../compression/guard/take-list.ts';
import { type CompressOptions, leastTarget } from '../../compression/options.ts';
import { type ConversationRecord, nowhere, refAt } from '../../compression/record.ts';
import type { Entry } from '../../compression/repair/parts.ts';
import { repairedEntries } from '../../compression/repair.ts';
import { totalsClause } from '../../compression/report.ts';
import type { CompressionResult, ContextShares, MessageFate, Ref } from '../../compression/result.ts';
import { defaultContextLength } from '../../compression/run.ts';
import type { SummaryProgress } from '../../compression/summarize/run-plan.ts';
import type { ContextEngine, SessionStart } from '../../context/engine.ts';
import { type CompressionConfig, compressionDefaults } from '../../context/settings.ts';
import { noun } from '../../output/text.ts';
import { defined } from '../../shared/defined.ts';
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import type { SessionId } from '../../store/ids.ts';
import { messageCounter, messageTokens } from '../../tokens/measure.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Message } from '../../transcript/message.ts';

/** A conversation that is to be made smaller. */
export interface ListWork {
  readonly messages: readonly Message[];
  readonly tokenizer: Tokenizer;
  /** The window in tokens. */
  readonly contextLength: number;
  /** Tokens of the tool definitions. @default 0 */
  readonly toolTokens?: number;
  /** For each message its place in the record of the conversation; -1 for a handoff. */
  readonly places: () => readonly number[];
  /** What is known of the conversation from before. */
  readonly record?: ConversationRecord;
  readonly compressionCount?: number;
  /** Messages of the record that a person has pinned. */
  readonly pinned?: readonly Ref[];
  /** Its session, or what a file calls itself. */
  readonly sessionId: string;
  readonly reason: SessionStart['reason'];
  /** Tokens of the window that what a hook keeps will take. */
  readonly reservedTokens: number;
  readonly keptIn?: string;
  /** Signs of life. */
  readonly onSummaryProgress?: (event: SummaryProgress) => void;
}

/** What came of it. */
export interface MadeList {
  readonly result: CompressionResult;
  /** Set by an engine that is not the built-in one. */
  readonly byOthers?: {
    /** What it was shown: the list as providers accept it, each message with its index in the one that came in. */
    readonly shown: readonly Entry[];
    /** Tells it the session that goes on with its list. */
    readonly continued: (id: SessionId) => Promise<void>;
  };
}

/** Makes a list smaller. A list that stays as it is has the status `unchanged`. */
export type ListMaker = (work: ListWork) => Promise<MadeList>;

/** How the built-in engine makes a list smaller. */
export type OwnListOptions = Omit<CompressOptions, 'record' | 'compressionCount' | 'pinned'>;

/** The built-in engine. What it makes throws what `compress` throws. */
export const ownListMaker =
  (options: OwnListOptions): ListMaker =>
  async ({ messages, record, compressionCount, pinned, keptIn, reservedTokens, onSummaryProgress }) => ({
    result: await compress(messages, {
      ...(keptIn === undefined ? {} : { keptIn }),
      ...options,
      ...roomBeside(reservedTokens, options),
      ...defined({ record, compressionCount, pinned }),
      onSummaryProgress: (event) => {
        onSummaryProgress?.(event);
        options.onSummaryProgress?.(event);
      },
    }),
  });

/** A target that is too small is still to be refused. */
function roomBeside(
  reservedTokens: number,
  { contextLength = defaultContextLength, targetTokens }: OwnListOptions,
): Pick<CompressOptions, 'contextLength' | 'targetTokens'> {
  if (reservedTokens === 0) return {};
  const room = { contextLength: Math.max(1, contextLength - reservedTokens) };
  if (targetTokens === undefined) return room;
  return { ...room, targetTokens: Math.max(Math.min(targetTokens, leastTarget), targetTokens - reservedTokens) };
}

/** What an engine of others is told, and its list is held to. */
export interface EngineListOptions {
  readonly model?: string;
  /** @default compressionDefaults */
  readonly config?: CompressionConfig;
  readonly focusTopic?: string;
  readonly signal?: AbortSignal;
}

/**
 * An engine of others, made for the session. What it makes throws `BAD_PLUGIN` where the engine fails, or its list is no
 * smaller, not valid, without the newest request, or larger than the window.
 */
export function engineListMaker(
  engineFor: (sessionId: string) => ContextEngine<Message>,
  options: EngineListOptions = {},
): ListMaker {
  checkKnownOptions('engineListMaker', options, { model: true, config: true, focusTopic: true, signal: true });
  return async (work) => {
    const { model, config = compressionDefaults } = options;
    const { tokenizer, contextLength } = work;
    const engine = engineFor(work.sessionId);
    const entries = repairedEntries(work.messages, { unanswered: config.prune.orphanCalls });
    const shown = entries.map(({ message }) => message);
    engine.updateModel({ model: model ?? '', contextLength });
    const named = model === undefined ? {} : { model };
    await engine.onSessionStart(work.sessionId, { reason: work.reason, ...named });
    const list = await smallerList(engine, shown, { ...options, ...work });
    const tokensOf = messageCounter(tokenizer);
    const tokens = list.reduce((sum, message) => sum + tokensOf(message), 0);
    const room = contextLength - work.reservedTokens;
    if (tokens > room) throw failed(engine, `its list has ${tokens} tokens, and the window has room for ${room}`);
    const facts = { tokenizer, contextLength, given: work.messages, places: work.places() };
    const result =
      list === shown
        ? unchangedResult(facts, {
            status: 'unchanged',
            reason: `The engine "${engine.name}" found nothing to compress.`,
          })
        : listResult({ ...facts, engine: engine.name, input: entries, list });
    const continued = (id: SessionId): Promise<void> => engine.onSessionStart(id, { reason: 'compression', ...named });
    return { result, byOthers: { shown: entries, continued } };
  };
}

async function smallerList(
  engine: ContextEngine<Message>,
  shown: readonly Message[],
  { tokenizer, toolTokens = 0, focusTopic, signal }: EngineListOptions & Pick<ListWork, 'tokenizer' | 'toolTokens'>,
): Promise<readonly Message[]> {
  if (!engine.hasContentToCompress(shown)) return shown;
  const tokensOf = messageCounter(tokenizer);
  const result = await engine.compress(shown, {
    currentTokens: shown.reduce((sum, message) => sum + tokensOf(message), toolTokens),
    force: true,
    ...defined({ signal, focusTopic }),
  });
  if (result === shown) return shown;
  // What it was shown are the messages themselves.
  const known = new Map<unknown, Message>(shown.map((message) => [message, message]));
  const original = (message: unknown): Message | undefined => known.get(message);
  try {
    return takeList({ before: shown, shown, result }, { shown: (messages) => messages, original });
  } catch (error) {
    throw failed(engine, reasonOf(error));
  }
}

const failed = ({ name }: ContextEngine<Message>, why: string): Error =>
  badPlugin(`The context engine "${name}" failed in compress (${why})`);

// The report of a compression by an engine that gives back nothing but a list.

/** What came in, and how it is counted. */
export interface GivenList {
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  /** The list that came in, and for each message its place in the record. */
  readonly given: readonly Message[];
  readonly places: readonly number[];
}

interface SmallerList extends GivenList {
  /** Name of the engine. */
  readonly engine: string;
  /** What the engine was shown, each with its index in `given`. */
  readonly input: readonly Entry[];
  /** What it gave back. */
  readonly list: readonly Message[];
}

/** The report of a list that is smaller than the one that came in. */
export function listResult(work: SmallerList): CompressionResult {
  const { engine, given, input, list, tokenizer } = work;
  const shown = new Set(input.map(({ message }) => message));
  const written = list.filter((message) => !shown.has(message));
  const fates = fatesOf(work, written);
  const before = sharesOf(given, { tokenizer, written: new Set() });
  const after = sharesOf(list, { tokenizer, written: new Set(written) });
  const gone = fates.filter(({ fate }) => fate === 'summarised').length;
  const wrote = written.length > 0 ? ` and wrote ${written.length} in their place` : '';
  const reason = `The engine "${engine}" removed ${noun(gone, 'message')}${wrote}: ${totalsClause(before, after)}.`;
  return { status: 'compressed', reason, messages: list, fates, before, after, ...common(work) };
}

/** The report of a list that stays as it is. */
export function unchangedResult(
  { given, places, ...known }: GivenList,
  { status, reason }: Pick<CompressionResult, 'status' | 'reason'>,
): CompressionResult {
  const shares = sharesOf(given, { ...known, written: new Set() });
  const fates = given.map((message, at): MessageFate => {
    const tokens = messageTokens(message, known.tokenizer);
    return {
      ...fateAt(places, at),
      fate: 'kept',
      tokensBefore: tokens,
      tokensAfter: tokens,
      why: 'nothing was changed',
    };
  });
  return { status, reason, messages: given, fates, before: shares, after: shares, ...common(known) };
}

const fateAt = (places: readonly number[], at: number): Pick<MessageFate, 'ref' | 'at' | 'handoffLines'> => ({
  ref: refAt(places[at] ?? nowhere),
  at,
  handoffLines: 0,
});

function common({
  contextLength,
  tokenizer,
}: Pick<GivenList, 'contextLength' | 'tokenizer'>): Pick<CompressionResult, 'targetTokens' | 'tokenizer'> {
  const { name, exact } = tokenizer;
  return { targetTokens: contextLength, tokenizer: { name, exact } };
}

function fatesOf(
  { engine, tokenizer, given, places, input, list }: SmallerList,
  written: readonly Message[],
): MessageFate[] {
  const left = new Set(list);
  const rows = Map.groupBy(input, ({ at }) => at);
  const instead = written.length > 0 ? `, which wrote ${noun(written.length, 'message')} instead` : '';
  return given.map((message, at) => {
    const shown = (rows.get(at) ?? []).map((row) => row.message);
    const kept = shown.filter((one) => left.has(one));
    const known = { ...fateAt(places, at), tokensBefore: messageTokens(message, tokenizer) };
    if (shown.length === 0) return { ...known, fate: 'removed', tokensAfter: 0, why: 'no provider accepts it' };
    if (kept.length === 0)
      return { ...known, fate: 'summarised', tokensAfter: 0, why: `removed by the engine "${engine}"${instead}` };
    const tokensAfter = kept.reduce((sum, one) => sum + messageTokens(one, tokenizer), 0);
    const why = `kept by the engine "${engine}"${kept.includes(message) ? '' : ', repaired for providers'}`;
    return { ...known, fate: 'kept', tokensAfter, why };
  });
}

interface Sharing {
  readonly tokenizer: Tokenizer;
  readonly written: ReadonlySet<Message>;
}

/** What the engine wrote is the summary; what stands before it the head. */
function sharesOf(messages: readonly Message[], { tokenizer, written }: Sharing): ContextShares {
  const shares = { system: 0, head: 0, summary: 0, tail: 0, total: 0 };
  const firstWritten = messages.findIndex((message) => written.has(message));
  let isOpening = true;
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'system') isOpening = false;
    const tokens = messageTokens(message, tokenizer);
    const share = written.has(message) ? 'summary' : isOpening ? 'system' : at < firstWritten ? 'head' : 'tail';
    shares[share] += tokens;
    shares.total += tokens;
  }
  return shares;
}
