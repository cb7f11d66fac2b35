/** What the built-in engine is told. */
import type { CompressionOptions } from '../context/settings.ts';
import { checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { PolicyState } from './policy/state.ts';
import type { ConversationRecord } from './record.ts';
import type { Summarizer } from './summarize/summarizer.ts';

/** What the built-in engine is told once; everything has a default. */
export interface CompressorOptions {
  /** The model's id: decides how tokens are counted and which threshold applies. @default an unknown model */
  readonly model?: string;
  readonly provider?: string;
  /** The model's window in tokens. @default 200_000 */
  readonly contextLength?: number;
  /** Output tokens that every request reserves inside the window. @default 0 */
  readonly reservedOutputTokens?: number;
  /** Any part of the compression configuration; unknown keys are an error. */
  readonly config?: CompressionOptions;
  /** @default the tokenizer of the model */
  readonly tokenizer?: Tokenizer;
  /** Milliseconds since 1970; waits between passes are measured by it. @default Date.now */
  readonly now?: () => number;
  /** The policy's state from an earlier process. @default armed */
  readonly policy?: PolicyState;
  /** What is known of the conversation from an earlier process, and how often it was compressed. @default a new one, 0 */
  readonly record?: ConversationRecord;
  readonly compressionCount?: number;
  /** Where the originals are kept, as `keptIn` of `compress`. @default not said */
  readonly keptIn?: string;
  /** A model that writes the summaries; they are verified and completed from the record. @default the ledger alone */
  readonly summarizer?: Summarizer;
  /** Asked once when `summarizer` fails. */
  readonly fallbackSummarizer?: Summarizer;
}

const known: KnownOptions<CompressorOptions> = {
  model: true,
  provider: true,
  contextLength: true,
  reservedOutputTokens: true,
  config: true,
  tokenizer: true,
  now: true,
  policy: true,
  record: true,
  compressionCount: true,
  keptIn: true,
  summarizer: true,
  fallbackSummarizer: true,
};

/** @throws BAD_OPTION for an option that nobody knows */
export function checkCompressorOptions(owner: string, options: CompressorOptions): void {
  checkKnownOptions(owner, options, known);
}
