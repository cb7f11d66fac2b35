/**
 * The port to the index of all messages. It finds candidates quickly; what they are worth is decided above it, so that
 * every adapter gives the same ranking. Terms are those of `terms/`: stems, whole names, characters and pairs of them.
 */
import type { Role } from '../transcript/message.ts';
import type { Instant, SessionId } from './ids.ts';

/** Which messages are looked at; all of what is set must hold. */
export interface SearchFilter {
  /** Who said it: results are a tool's and notes of programs the system's, also in messages with role `user`. */
  readonly roles?: readonly Role[];
  readonly sources?: readonly string[];
  /** The folder the agent worked in, or one above it. */
  readonly project?: string;
  /** Sessions, with the whole conversations that they belong to. */
  readonly sessions?: readonly SessionId[];
  /** Conversations left out, by any of their sessions. */
  readonly without?: readonly SessionId[];
  /** Said at or after, and before. */
  readonly since?: Instant;
  readonly until?: Instant;
}

/** A message with some of the terms, in the first place where the filter lets it be seen. */
export interface Candidate {
  readonly sessionId: SessionId;
  /** The first session of the conversation. */
  readonly rootId: SessionId;
  readonly position: number;
  /** Characters of its searchable text. */
  readonly length: number;
  /** Which of the wanted terms are known to occur, by their places in it; very common ones may be missing. */
  readonly matched: readonly number[];
  /** Sum of how rare those are (BM25's inverse document frequency). */
  readonly score: number;
}

/** What candidates are asked for. */
export interface CandidateQuery {
  /** Any of them may occur. */
  readonly wanted: readonly string[];
  /** Each of these groups must have a term that occurs. @default none */
  readonly all?: readonly (readonly string[])[];
  /** None of them may occur. @default none */
  readonly none?: readonly string[];
  readonly filter?: SearchFilter;
  /** How many candidates at most. */
  readonly limit: number;
}

/** In how many messages terms occur. */
export interface TermFrequencies {
  /** Messages in the index. */
  readonly messages: number;
  /** In the order of the terms; estimated from the newest messages for terms that very many have. */
  readonly counts: readonly number[];
}

/** Finds candidates among all messages. */
export interface SearchIndex {
  frequencies(terms: readonly string[]): Promise<TermFrequencies>;
  /** Terms that begin with a text, the most frequent first. */
  completions(prefix: string, limit: number): Promise<readonly string[]>;
  /** Messages with the terms, those with the rarest first, then the newest. */
  candidates(query: CandidateQuery): Promise<readonly Candidate[]>;
}
