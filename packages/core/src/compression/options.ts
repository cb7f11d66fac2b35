/** How one compression is done, and the check of what a caller hands over: it may come from untyped code. */
import type { CompressionConfig } from '../context/settings.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json.ts';
import { checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import { resolveTemplate } from './ledger/templates.ts';
import type { ConversationRecord } from './record.ts';
import type { Ref } from './ref.ts';
import type { SummaryProgress } from './summarize/run-plan.ts';
import { longestSummaryTimeoutMs, type Summarizer } from './summarize/summarizer.ts';

/** How one compression is done; only the tokenizer is needed. */
export interface CompressOptions {
  /** Counts tokens; see `tokenizerFor(model)`. */
  readonly tokenizer: Tokenizer;
  /** The model's window in tokens. @default 200_000 */
  readonly contextLength?: number;
  /**
   * Tokens that the new list may have, everything included; more than the window means the window. Where the newest request
   * leaves no room the list is larger, and the result says why (`overTarget`).
   * @default what the configuration gives for the window
   */
  readonly targetTokens?: number;
  /** A topic that gets most of the handoff. */
  readonly focusTopic?: string;
  /** @default compressionDefaults */
  readonly config?: CompressionConfig;
  /**
   * `keep` leaves leading system messages as they are; `cover` treats them as part of the transcript, for logs whose
   * system prompt belongs to another program. @default 'keep'
   */
  readonly system?: 'keep' | 'cover';
  /** How often this conversation was compressed before. @default 0 */
  readonly compressionCount?: number;
  /** What is known of the conversation from before; a new record knows only the list. */
  readonly record?: ConversationRecord;
  /**
   * Where the messages are kept, such as `session.jsonl`: the handoff says it to whoever has the new list and not the
   * record, and asks for one of its messages. @default not said
   */
  readonly keptIn?: string;
  /**
   * Messages of the record that a person has pinned: what the user or the assistant said in them stays word for word, in the
   * list or in the handoff. @default none
   */
  readonly pinned?: readonly Ref[];
  readonly signal?: AbortSignal;
  /** A model that writes the summary; it is verified and completed from the record. @default the ledger writes alone */
  readonly summarizer?: Summarizer;
  /** Told what the model does: calls, pieces of text, answers with what they cost, failures. */
  readonly onSummaryProgress?: (event: SummaryProgress) => void;
}

/** The smallest target that makes sense: the frame of a handoff and a few words. */
export const leastTarget = 300;

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const isSummarizer = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'write' in value &&
  typeof value.write === 'function' &&
  'name' in value &&
  (!('timeoutMs' in value) || value.timeoutMs === undefined || isTimeout(value.timeoutMs)) &&
  (!('fallback' in value) || value.fallback === undefined || isSummarizer(value.fallback));

const isTimeout = (value: unknown): boolean => Number(value) >= 0 && Number(value) <= longestSummaryTimeoutMs;

const aSummarizer = `a summarizer: an object with a name, a function write, and timeoutMs, if at all, from 0 (no limit) to ${longestSummaryTimeoutMs}`;

const known: KnownOptions<CompressOptions> = {
  tokenizer: {
    expected: 'an object with a function count, such as tokenizerFor(model) gives',
    holds: (value) => isJsonObject(value) && typeof value.count === 'function',
    isNeeded: true,
  },
  contextLength: {
    expected: 'the window as a number of tokens above 0',
    holds: (value) => Number.isFinite(value) && Number(value) > 0,
  },
  targetTokens: {
    expected: `a target of at least ${leastTarget} tokens: a handoff needs at least that much`,
    holds: (value) => Number.isFinite(value) && Number(value) >= leastTarget,
  },
  focusTopic: { expected: 'a topic as text', holds: (value) => typeof value === 'string' },
  config: { expected: 'a configuration, as resolveCompressionConfig gives it', holds: isObject },
  system: { expected: "'keep' or 'cover'", holds: (value) => value === 'keep' || value === 'cover' },
  compressionCount: { expected: 'how often it was compressed before, from 0', holds: isCount },
  record: { expected: 'a record of the conversation', holds: isObject },
  keptIn: { expected: 'the name of a file or a session', holds: (value) => typeof value === 'string' },
  pinned: {
    expected: 'a list of refs, such as m12',
    holds: (value) => Array.isArray(value) && value.every((ref) => /^m\d+$/.test(ref)),
  },
  signal: { expected: 'an AbortSignal', holds: (value) => value instanceof AbortSignal },
  summarizer: { expected: aSummarizer, holds: isSummarizer },
  onSummaryProgress: { expected: 'a function', holds: (value) => typeof value === 'function' },
};

/** @throws BAD_OPTION for an option that makes no sense or that nobody knows */
export function checkOptions(options: CompressOptions): void {
  checkKnownOptions('compress', options, known);
  resolveTemplate(options.config?.summary?.template);
}

/** Short, and without what stands in an object. */
const described = (value: unknown): string =>
  typeof value === 'object' || typeof value === 'function'
    ? value === null
      ? 'null'
      : `an ${typeof value}`
    : String(value);

/** @throws BAD_MESSAGES for what is no list of messages at all; what providers would reject is mended later */
export function checkMessages(messages: readonly Message[]): void {
  const list: unknown = messages;
  const at = Array.isArray(list) ? list.findIndex((message) => !isMessage(message)) : -1;
  if (Array.isArray(list) && at === -1) return;
  const came = Array.isArray(list) ? `something else at index ${at}` : described(list);
  const fix = 'read the messages with readTranscripts or fromOpenAiChat first';
  const message = `expected a list of messages, each with a role and a list of typed parts, got ${came}: ${fix}`;
  throw new PalimpsestError('BAD_MESSAGES', message, { evidence: { at } });
}

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

const isMessage = (value: unknown): boolean =>
  isJsonObject(value) && roles.has(value.role) && Array.isArray(value.parts) && value.parts.every(isPart);

function isPart(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  switch (value.type) {
    case 'text':
    case 'reasoning':
      return typeof value.text === 'string';
    case 'toolCall':
      return typeof value.callId === 'string' && typeof value.name === 'string' && typeof value.input === 'string';
    case 'toolResult':
      return typeof value.callId === 'string' && Array.isArray(value.content) && value.content.every(isPart);
    case 'image':
    case 'file':
    case 'other':
      return true;
    default:
      return false;
  }
}
