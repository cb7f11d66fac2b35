/** What makes a list smaller: the built-in engine, or one of others, held to everything that ours is held to. */
import { compress } from '../../compression/compress.ts';
import { badPlugin } from '../../compression/guard/bad-plugin.ts';
import { reasonOf } from '../../compression/guard/guarded.ts';
import { takeList } from '../../compression/guard/take-list.ts';
import { type CompressOptions, leastTarget } from '../../compression/options.ts';
import type { ConversationRecord } from '../../compression/record.ts';
import type { Entry } from '../../compression/repair/parts.ts';
import { repairedEntries } from '../../compression/repair.ts';
import type { CompressionResult } from '../../compression/result.ts';
import { defaultContextLength } from '../../compression/sizes.ts';
import type { SummaryProgress } from '../../compression/summarize/run-plan.ts';
import type { ContextEngine, SessionStart } from '../../context/engine.ts';
import { type CompressionConfig, compressionDefaults } from '../../context/settings.ts';
import type { SessionId } from '../../store/ids.ts';
import { messageCounter } from '../../tokens/measure.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Message } from '../../transcript/message.ts';
import { listResult, unchangedResult } from './list-report.ts';

/** A conversation that is to be made smaller. */
export interface ListWork {
  readonly messages: readonly Message[];
  /** For each message its place in the record of the conversation; -1 for a handoff. */
  readonly places: () => readonly number[];
  /** What is known of the conversation from before. */
  readonly record?: ConversationRecord;
  readonly compressionCount?: number;
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
export type OwnListOptions = Omit<CompressOptions, 'record' | 'compressionCount'>;

/** The built-in engine. What it makes throws what `compress` throws. */
export const ownListMaker =
  (options: OwnListOptions): ListMaker =>
  async ({ messages, record, compressionCount, keptIn, reservedTokens, onSummaryProgress }) => ({
    result: await compress(messages, {
      ...(keptIn === undefined ? {} : { keptIn }),
      ...options,
      ...roomBeside(reservedTokens, options),
      ...(record ? { record } : {}),
      ...(compressionCount === undefined ? {} : { compressionCount }),
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
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  readonly model?: string;
  /** @default compressionDefaults */
  readonly config?: CompressionConfig;
  /** Tokens of the tool definitions. @default 0 */
  readonly toolTokens?: number;
  readonly focusTopic?: string;
  readonly signal?: AbortSignal;
}

/**
 * An engine of others, made for the session. What it makes throws `BAD_PLUGIN` where the engine fails, or its list is no
 * smaller, not valid, without the newest request, or larger than the window.
 */
export const engineListMaker =
  (engineFor: (sessionId: string) => ContextEngine<Message>, options: EngineListOptions): ListMaker =>
  async (work) => {
    const { tokenizer, model, contextLength, config = compressionDefaults } = options;
    const engine = engineFor(work.sessionId);
    const entries = repairedEntries(work.messages, { unanswered: config.prune.orphanCalls });
    const shown = entries.map(({ message }) => message);
    engine.updateModel({ model: model ?? '', contextLength });
    const named = model === undefined ? {} : { model };
    await engine.onSessionStart(work.sessionId, { reason: work.reason, ...named });
    const list = await smallerList(engine, shown, options);
    const tokensOf = messageCounter(tokenizer);
    const tokens = list.reduce((sum, message) => sum + tokensOf(message), 0);
    const room = contextLength - work.reservedTokens;
    if (tokens > room) throw failed(engine, `its list has ${tokens} tokens, and the window has room for ${room}`);
    const facts = { ...options, given: work.messages, places: work.places() };
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

async function smallerList(
  engine: ContextEngine<Message>,
  shown: readonly Message[],
  { tokenizer, toolTokens = 0, focusTopic, signal }: EngineListOptions,
): Promise<readonly Message[]> {
  if (!engine.hasContentToCompress(shown)) return shown;
  const tokensOf = messageCounter(tokenizer);
  const result = await engine.compress(shown, {
    currentTokens: shown.reduce((sum, message) => sum + tokensOf(message), toolTokens),
    force: true,
    ...(signal === undefined ? {} : { signal }),
    ...(focusTopic === undefined ? {} : { focusTopic }),
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
