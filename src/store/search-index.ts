/**
 * The port to the index of all messages. It finds candidates quickly; what they are worth is decided above it, so that
 * every adapter gives the same ranking.
 */
import type { Role } from '../transcript/message.ts';
import type { Instant, MessageId, SessionId } from './ids.ts';

/** Which messages are looked at; all of what is set must hold. */
export interface SearchFilter {
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

/** A message with some of the terms. */
export interface Candidate {
  readonly id: MessageId;
  readonly sessionId: SessionId;
  /** The first session of the conversation. */
  readonly rootId: SessionId;
  readonly position: number;
  /** Relevance to the terms as the index sees it, larger is better; comparable within one answer only. */
  readonly score: number;
}

/** Terms as the index keeps them: stems, character pairs, names and their pieces. */
export interface CandidateQuery {
  /** Any of them may occur. */
  readonly any: readonly string[];
  /** Each of these groups must have a term that occurs. */
  readonly all: readonly (readonly string[])[];
  /** None of them may occur. */
  readonly none: readonly string[];
  readonly filter?: SearchFilter;
  /** How many candidates at most. */
  readonly limit: number;
}

export interface SearchIndex {
  /** How many messages are indexed, and in how many of them each term occurs. */
  frequencies(terms: readonly string[]): Promise<{ readonly messages: number; readonly counts: readonly number[] }>;
  /** Terms of the index that begin with a text, the most frequent first. */
  completions(prefix: string, limit: number): Promise<readonly string[]>;
  /** Terms of the index that differ from one by a slip of the fingers, the most frequent first. */
  similar(term: string, limit: number): Promise<readonly string[]>;
  /** Messages with the terms, best first. */
  candidates(query: CandidateQuery): Promise<readonly Candidate[]>;
}
