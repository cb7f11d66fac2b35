/** What the stages of one compression share. */
import { type CompressionConfig, compressionDefaults } from '../context/settings.ts';
import { messageCounter } from '../tokens/measure.ts';
import type { Message } from '../transcript/message.ts';
import type { CompressOptions } from './options.ts';
import { type ConversationRecord, createRecord, nowhere } from './record.ts';
import { repairedEntries } from './repair.ts';
import { type Sizes, sizesFor } from './sizes.ts';

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
  /** Tokens more that the configured tail would have left; where a shorter one was tried. */
  readonly usualExtraTokens?: number;
}

/** Takes the list into the record and makes it valid. */
export function startRun(given: readonly Message[], options: CompressOptions): Run {
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
    sizes: sizesFor(input, options, { config, tokensOf }),
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
