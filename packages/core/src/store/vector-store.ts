/**
 * The port to vectors of messages: what an embedding model makes of their texts. They are made on demand, can always be
 * made again, and belong to one model each: those of different models are never compared.
 */
import type { Instant, MessageId, SessionId } from './ids.ts';
import type { SearchFilter } from './search-index.ts';

/** What is kept of one model. */
export interface VectorModel {
  readonly name: string;
  /** Numbers in a vector. */
  readonly dimensions: number;
  /** Messages that the model has seen, also those that it has no vector for. */
  readonly messages: number;
  readonly vectors: number;
  readonly bytes: number;
}

/** The vectors of a message; none for one that takes no part, so that it is not looked at again. */
export interface MessageVectors {
  readonly messageId: MessageId;
  readonly vectors: readonly Float32Array[];
}

/** Messages without vectors, oldest first. */
export interface MissingVectors {
  readonly ids: readonly MessageId[];
  /** Where to go on from; undefined when nothing is left. */
  readonly next?: number;
}

/** A message whose vectors lie close to another vector, in the first place where the filter lets it be seen. */
export interface SimilarMessage {
  readonly id: MessageId;
  readonly sessionId: SessionId;
  readonly position: number;
  readonly time: Instant;
  /** Characters of its searchable text. */
  readonly length: number;
  /** Largest scalar product of its vectors with the other one. */
  readonly similarity: number;
}

/** Keeps vectors, a byte a number, and compares them. */
export interface VectorStore {
  /** By name. */
  models(): Promise<readonly VectorModel[]>;
  missing(model: string, options: { readonly after?: number; readonly limit: number }): Promise<MissingVectors>;
  /**
   * Keeps what a model made of messages; those that were deleted meanwhile are left out. The first vector says how many
   * numbers the model's vectors have; throws `BAD_OPTION` for one that has others.
   */
  put(model: string, rows: readonly MessageVectors[]): Promise<void>;
  /** The most similar of the newest messages, best first. */
  similar(
    query: VectorQuery & { readonly filter?: SearchFilter; readonly limit: number },
  ): Promise<readonly SimilarMessage[]>;
  /** How similar messages are; those without a vector are missing in it. */
  similarities(query: VectorQuery, ids: readonly MessageId[]): Promise<ReadonlyMap<MessageId, number>>;
  /** Forgets the vectors of a model, and tells of how many messages. */
  drop(model: string): Promise<number>;
}

/** A vector, and the model that made it. */
export interface VectorQuery {
  readonly model: string;
  readonly vector: Float32Array;
}
