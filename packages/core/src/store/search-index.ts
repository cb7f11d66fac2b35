/**
 * The port to the index of all messages. It finds candidates quickly; what they are worth is decided above it, so that
 * every adapter gives the same ranking. Terms are those of `terms/`: stems, whole names, characters and pairs of them.
 */
import type { Role } from '../transcript/message.ts';
import type { Instant, MessageId, SessionId } from './ids.ts';

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

// What lies in a folder, by the paths of projects alone: logs of any machine are read on any other.

export interface ProjectFolder {
  /** Without a slash at its end, but for a root. */
  readonly folder: string;
  /** How the path of everything below begins: with one slash or the other, and for a root with its own. */
  readonly below: readonly [string, string];
}

/** A folder as a person writes it, with or without slashes behind it. */
export function projectFolder(project: string): ProjectFolder {
  const folder = project.replace(/[\\/]+$/, '');
  const [root = ''] = project;
  return { folder: folder || root, below: folder === '' ? [root, root] : [`${folder}/`, `${folder}\\`] };
}

/**
 * True for a folder that lies in a project, or is it, by its path alone.
 *
 * @example
 * import { isInProject } from '@palimpsest/core/store';
 * isInProject('ovens/tall/src', 'ovens/tall'); // true
 */
export function isInProject(path: string, project: string): boolean {
  const { folder, below } = projectFolder(project);
  return path === folder || below.some((start) => path.startsWith(start));
}

// Vectors of messages: what an embedding model makes of their texts. They are made on demand, can always be made again, and
// belong to one model each: those of different models are never compared.

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
