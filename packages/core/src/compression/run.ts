/** What the stages of one compression share. */
import { type CompressionConfig, compressionDefaults } from '../context/settings.ts';
import {
  budgetsBeside,
  plannedTailShare,
  summaryTokens,
  tailCeilingRatio,
  targetBeside,
} from '../context/threshold.ts';
import { messageCounter } from '../tokens/measure.ts';
import type { Message } from '../transcript/message.ts';
import type { BoundaryOptions } from './boundaries.ts';
import { isHandoff } from './handoff-block.ts';
import type { CompressOptions } from './options.ts';
import { type ConversationRecord, createRecord, nowhere } from './record.ts';
import { repairedEntries } from './repair.ts';
import type { SummaryPrefix } from './summarize/continued.ts';

/** One compression: what came, what is made of it, and by which numbers. */
export interface Run {
  /** The list as it came, which is what comes back where nothing is done. */
  readonly given: readonly Message[];
  /** The same list with its system messages covered, where that is asked for. */
  readonly listed: readonly Message[];
  /** The same list made valid: what is cut. */
  readonly input: readonly Message[];
  /** For each message of `input` its index in the list as it came. */
  readonly origins: readonly number[];
  /** Place in the record of each message of `given` and of `input`. */
  readonly givenPlaces: readonly number[];
  readonly places: readonly number[];
  readonly options: CompressOptions;
  readonly config: CompressionConfig;
  readonly record: ConversationRecord;
  readonly sizes: Sizes;
  readonly tokensOf: (message: Message) => number;
  /** What a model wrote and verification left of it; absent while the ledger writes alone. */
  readonly summary?: string;
  /** True when a model was to write and could not: the handoff says so. */
  readonly isSubstitute?: boolean;
  /** The request behind which the model of the session may be asked for the summary. */
  readonly prefix?: SummaryPrefix;
  /** Tokens more that the configured tail would have left; where a shorter one was tried. */
  readonly usualExtraTokens?: number;
}

/** Takes the list into the record and makes it valid. */
export function startRun(given: readonly Message[], options: CompressOptions, beside = 0): Run {
  const config = options.config ?? compressionDefaults;
  const { tokenizer } = options;
  const record = options.record ?? createRecord({ count: (text) => tokenizer.count(text) });
  const givenPlaces = record.ingest(given);
  const listed = options.system === 'cover' ? coverSystem(given) : given;
  const entries = repairedEntries(listed, { unanswered: config.prune.orphanCalls });
  const tokensOf = messageCounter(tokenizer);
  const input = entries.map(({ message }) => message);
  const places = entries.map(({ at }) => givenPlaces[at] ?? nowhere);
  return {
    given,
    listed,
    input,
    givenPlaces,
    places,
    options,
    config,
    record,
    tokensOf,
    origins: entries.map(({ at }) => at),
    sizes: sizesFor(input, options, { config, tokensOf, beside }),
  };
}

/** Tokens of messages together. */
export const total = (messages: readonly Message[], { tokensOf }: Pick<Run, 'tokensOf'>): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), 0);

// Treats system prompts as part of the transcript, for logs whose system prompt belongs to another program.

/** The list with its leading system messages as notes of the host. */
function coverSystem(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex((message) => message.role !== 'system');
  if (first <= 0) return messages;
  return messages.map((message, at) => (at < first ? { ...message, role: 'user', origin: 'host' } : message));
}

// How many tokens each part of the new list may have.

export interface Sizes {
  /** What the new list is fitted to. */
  readonly targetTokens: number;
  /** What it must fit in any case. */
  readonly contextLength: number;
  /** True when the caller named the target: then the handoff takes all the room there is. */
  readonly isFixed: boolean;
  readonly boundaries: Omit<BoundaryOptions, 'tokensOf'> & {
    readonly tailTokens: number;
    readonly protectLastN: number;
  };
  /** What a handoff of so many compressed tokens may weigh, where the target does not say. */
  readonly summaryTokens: (compressedTokens: number) => number;
}

/** A window nobody named. */
export const defaultContextLength = 200_000;

/**
 * Of a target, the newest messages get this share as they are: a small verbatim tail and a large handoff keep more of
 * what an agent needs than the other way round (docs/decisions/0006-relevance.md).
 */
const tailShare = 0.06;
/** Below this target even the first messages are too dear to be kept as they are. */
const smallTarget = 32_000;

interface Basis {
  readonly config: CompressionConfig;
  readonly tokensOf: (message: Message) => number;
  /** Tokens that a request has beside the messages. @default 0 */
  readonly beside?: number;
}

export function sizesFor(messages: readonly Message[], options: CompressOptions, basis: Basis): Sizes {
  const { config, tokensOf, beside = 0 } = basis;
  const contextLength = options.contextLength ?? defaultContextLength;
  const fixed = beside === 0 ? 0 : beside + systemTokens(messages, tokensOf);
  const budgets = budgetsBeside(fixed, { contextLength, config });
  const decayed = (options.compressionCount ?? 0) > 0 || messages.some(isHandoff);
  const limits = {
    minTailMessages: 3,
    protectLastN: config.protectLastN,
    ceilingRatio: tailCeilingRatio,
    force: true,
  };
  const summary = (compressed: number): number => summaryTokens(compressed, config, budgets);
  if (options.targetTokens !== undefined) {
    const target = Math.floor(Math.min(options.targetTokens, contextLength));
    const room = Math.max(1, target - systemTokens(messages, tokensOf));
    const headMessages = decayed || target < smallTarget ? 0 : config.protectFirstN;
    const tailTokens = Math.ceil(room * tailShare);
    const boundaries = { ...limits, headMessages, headTokens: tailTokens, tailTokens };
    return { targetTokens: target, contextLength, isFixed: true, boundaries, summaryTokens: summary };
  }
  const { tailTokens, headTokens } = budgets;
  const headMessages = decayed ? 0 : config.protectFirstN;
  const boundaries = { ...limits, headMessages, tailTokens, ...(headTokens === null ? {} : { headTokens }) };
  const targetTokens = targetBeside(beside, { contextLength, thresholdTokens: budgets.thresholdTokens });
  return { targetTokens, contextLength, isFixed: false, boundaries, summaryTokens: summary };
}

/** The same with no more kept than must be, for a context that does not fit otherwise. */
export function tightened(sizes: Sizes): Sizes {
  const { tailTokens } = sizes.boundaries;
  const least = { headMessages: 0, headTokens: 0, minTailMessages: 1, protectLastN: 0, force: true, refold: true };
  const tail = Math.max(1, Math.min(tailTokens, Math.floor(sizes.targetTokens * tailShare)));
  return { ...sizes, boundaries: { ...least, tailTokens: tail } };
}

/** The same with nothing kept but the last group and what is said again. */
export const leastOf = (sizes: Sizes): Sizes => ({ ...sizes, boundaries: { ...sizes.boundaries, tailTokens: 0 } });

/** The same with the last group alone, shortened, and a handoff that tells what is gone of it: of a single turn there is no other. */
export function retelling(sizes: Sizes): Sizes {
  const boundaries = { ...tightened(sizes).boundaries, tailTokens: 0, retells: true };
  return { ...sizes, boundaries };
}

/** The same with half the tail: what a planned compression leaves is carried for long. */
export function withHalfTail(sizes: Sizes): Sizes {
  const tailTokens = Math.max(1, Math.floor(sizes.boundaries.tailTokens * plannedTailShare));
  return { ...sizes, boundaries: { ...sizes.boundaries, tailTokens } };
}

function systemTokens(messages: readonly Message[], tokensOf: (message: Message) => number): number {
  let tokens = 0;
  for (const message of messages) {
    if (message.role !== 'system') break;
    tokens += tokensOf(message);
  }
  return tokens;
}
