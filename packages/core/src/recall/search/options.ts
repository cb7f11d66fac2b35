/** How a search may be narrowed, and what it gives back. */
import { PalimpsestError } from '../../shared/errors.ts';
import { checkKnownOptions, type KnownOptions } from '../../shared/options/known-options.ts';
import { describe, isObject } from '../../shared/options/schema.ts';
import type { Instant, MessageId, SessionId } from '../../store/ids.ts';
import type { SearchFilter } from '../../store/search-index.ts';
import type { Session } from '../../store/session-store.ts';
import type { Role } from '../../transcript/message.ts';
import type { Embedder } from '../vectors/embed-messages.ts';
import type { QueryExpander } from './expansion.ts';
import type { Passage } from './passage.ts';

/** Which messages are searched, and how much is shown of them. */
export interface SearchOptions extends SearchFilter {
  /** Most hits, 1 to 1000. @default 20 */
  readonly limit?: number;
  /** Characters of a passage, 40 to 20,000. @default 240 */
  readonly passageCharacters?: number;
  /** Passages as they were said. @default false: recognised credentials are masked */
  readonly raw?: boolean;
  /** The model whose vectors take part in the ranking; `embedMessages` makes them. @default words alone */
  readonly vectors?: Embedder;
  /**
   * Look for other words as well where the query's own find less than `limit`: other forms of them, words that stand together
   * with them in the record, and with a function those that it names (`modelExpander` asks a model). What only they find comes
   * last. Not for queries with phrases, AND or NOT. @default false
   */
  readonly expand?: boolean | QueryExpander;
  /** Tell what each score is made of. @default false */
  readonly explain?: boolean;
}

export const searchDefaults = { limit: 20, passageCharacters: 240 } as const;

const known: KnownOptions<SearchOptions> = {
  roles: true,
  sources: true,
  project: true,
  sessions: true,
  without: true,
  since: true,
  until: true,
  limit: true,
  passageCharacters: true,
  raw: true,
  vectors: true,
  expand: true,
  explain: true,
};

/** Options with their names and every number checked. Throws `BAD_OPTION`. */
export function resolveSearchOptions(
  options: SearchOptions,
): Required<Pick<SearchOptions, 'limit' | 'passageCharacters'>> {
  checkKnownOptions('search', options, known);
  const { limit = searchDefaults.limit, passageCharacters = searchDefaults.passageCharacters } = options;
  requireWhole('limit', limit, [1, 1000]);
  requireWhole('passageCharacters', passageCharacters, [40, 20_000]);
  for (const name of ['since', 'until'] as const) requireInstant(name, options[name]);
  return { limit, passageCharacters };
}

/** Throws `BAD_OPTION` for what is no store. */
export function requireSearchable(store: unknown): void {
  if (isObject(store) && isObject(store.index) && isObject(store.messages)) return;
  const message = `expected a store to search, as openStore gives it, got ${describe(store)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: 'store' } });
}

/** Throws `BAD_OPTION` for what is no query. */
export function requireQuery(text: unknown): void {
  if (typeof text === 'string') return;
  throw new PalimpsestError('BAD_OPTION', `expected a query as a text, got ${describe(text)}`, {
    evidence: { option: 'query' },
  });
}

/** Throws `BAD_OPTION` for what is no whole number of the range. */
export function requireWhole(option: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const message = `expected ${option} to be a whole number from ${least} to ${most}, got ${String(value)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option, value: String(value) } });
}

function requireInstant(option: string, value: Instant | undefined): void {
  if (value === undefined || Number.isFinite(value)) return;
  const message = `expected ${option} to be milliseconds since 1970, got ${String(value)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option, value: String(value) } });
}

// What a search gives back.

/** A message that was found. Its ids serve `expand` (the message), `scroll` (around it) and `read` (its session). */
export interface SearchHit {
  readonly messageId: MessageId;
  readonly sessionId: SessionId;
  /** Its place in the view of the session, from 0. */
  readonly position: number;
  readonly time: Instant;
  /** Who said the passage: in a message with role `user`, a result is a tool's, and what a program wrote the system's. */
  readonly role: Role;
  /** Who spoke, where the message tells. */
  readonly name?: string;
  /** The tools that it calls, or whose results it carries. */
  readonly tools?: readonly string[];
  /** Where the match stands in it; recognised credentials are masked, unless the search was `raw`. */
  readonly passage: Passage;
  /** Larger is better; comparable within one answer only. */
  readonly score: number;
  /** What the score is made of, when asked for. */
  readonly parts?: Readonly<Record<string, number>>;
}

/** The hits of one conversation. */
export interface FoundConversation {
  readonly root: Session;
  /** The session to go on with. */
  readonly tip: Session;
  readonly title?: string;
  /** Best first. */
  readonly hits: readonly SearchHit[];
}

/** What a search gives back: hits, and the same by conversation. */
export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** The same hits by conversation, in the order of their best ones. */
  readonly conversations: readonly FoundConversation[];
  /** Spellings that were tried because a word of the query is nowhere. */
  readonly corrected?: readonly { readonly from: string; readonly to: string }[];
  /** Terms that were looked for as well, with `expand`; what only they find comes last. */
  readonly expanded?: readonly string[];
  /** True when no message has what the query demands (a phrase, AND), and these are the nearest instead. */
  readonly relaxed?: boolean;
}
