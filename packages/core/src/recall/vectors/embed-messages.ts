/** Vectors of messages: what makes them, for whom there are none yet, and how close they are to a query. */
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import type { MessageId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { MessageVectors, SearchFilter, SimilarMessage } from '../../store/search-index.ts';
import type { Store } from '../../store/store.ts';
import type { Message } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';

/** How far the work has come: messages, of those that had no vectors at the start. */
export interface EmbeddingProgress {
  readonly done: number;
  readonly all: number;
}

/** What is heard of the work, and how it is ended. */
export interface EmbedOptions {
  /** Called after each batch. */
  readonly onProgress?: (progress: EmbeddingProgress) => void;
  /** Ends the work between two batches; what is done stays, and the next call goes on from there. */
  readonly signal?: AbortSignal;
}

/** What was made. */
export interface EmbeddedMessages {
  /** Messages that were looked at. */
  readonly messages: number;
  /** Those that got vectors; the others are of tools, or in a script that the model does not know. */
  readonly embedded: number;
}

/** Messages that are embedded and kept together: a killed process loses no more than these. */
const batchSize = 32;
/** How far back the message before may lie: calls of tools and their results stand between. */
const reach = 6;

/**
 * Makes the vectors of all messages that the model has not seen, oldest first. A call that is broken off, or killed,
 * loses a few seconds of work. Throws what the model throws, and the reason of an aborted signal.
 */
export async function embedMessages(
  store: Pick<Store, 'messages' | 'vectors'>,
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<EmbeddedMessages> {
  checkKnownOptions('embedMessages', options, { onProgress: true, signal: true });
  const { onProgress, signal } = options;
  const models = await store.vectors.models();
  const seen = models.find(({ name }) => name === embedder.name)?.messages ?? 0;
  const all = Math.max(0, (await store.messages.count()) - seen);
  let [messages, embedded] = [0, 0];
  let after: number | undefined = 0;
  while (after !== undefined) {
    signal?.throwIfAborted();
    const { ids, next } = await store.vectors.missing(embedder.name, { after, limit: batchSize });
    const rows = await vectorsOf(store, ids, { embedder, ...(signal ? { signal } : {}) });
    await store.vectors.put(embedder.name, rows);
    messages += ids.length;
    embedded += rows.filter(({ vectors }) => vectors.length > 0).length;
    if (ids.length > 0) onProgress?.({ done: messages, all: Math.max(all, messages) });
    after = next;
  }
  return { messages, embedded };
}

interface Task {
  readonly embedder: Embedder;
  readonly signal?: AbortSignal;
}

async function vectorsOf(
  store: Pick<Store, 'messages'>,
  ids: readonly MessageId[],
  { embedder, signal }: Task,
): Promise<readonly MessageVectors[]> {
  const planned = await Promise.all(ids.map((id) => textsOf(store, id, embedder)));
  const texts = planned.flat();
  const vectors = texts.length === 0 ? [] : await embedder.embed(texts, signal ? { signal } : {});
  let at = 0;
  return ids.map((messageId, i) => {
    const own = vectors.slice(at, at + (planned[i]?.length ?? 0));
    at += own.length;
    return { messageId, vectors: own.length === 0 ? [] : [mean(own)] };
  });
}

/** The texts of one message; none where it takes no part. */
async function textsOf(store: Pick<Store, 'messages'>, id: MessageId, embedder: Embedder): Promise<readonly string[]> {
  const stored = await store.messages.get(id);
  const said = stored && saidText(stored.message);
  if (!stored || said === undefined || !knowsScriptOf(embedder, said)) return [];
  const { alone, behind } = embeddedTexts(said, await saidBefore(store, stored));
  return [alone, behind].filter((text) => text !== undefined);
}

async function saidBefore(
  store: Pick<Store, 'messages'>,
  { sessionId, position }: StoredMessage,
): Promise<string | undefined> {
  if (position === 0) return undefined;
  const before = await store.messages.view(sessionId, { from: Math.max(0, position - reach), to: position });
  return before.map(({ message }) => saidText(message)).findLast((text) => text !== undefined);
}

/** The product with it is the mean of the products with each of them: they need not be kept apart. */
function mean(vectors: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = vectors;
  return first.map((_, i) => vectors.reduce((sum, vector) => sum + (vector[i] ?? 0), 0) / vectors.length);
}

// What of a message is embedded: what a person or a model said, alone and behind what was said before it. A short
// answer is understood from its question, and a question is found by its own words: measured, each alone is worth less
// than both.

/** Characters of a message that are embedded: about what small models read at once (256 tokens). */
const mostCharacters = 800;
/** Characters of what was said before, counted from its end. */
const mostBefore = 400;

/** The text of a message with its speaker; undefined for tools, instructions, and where nothing was said. */
function saidText({ role, name, parts }: Message): string | undefined {
  if (role !== 'user' && role !== 'assistant') return undefined;
  const text = messageText({ role, parts }).trim();
  if (text === '') return undefined;
  return name === undefined || name === role ? text : `${name}: ${text}`;
}

/** A message by itself where it is short, and behind the one before it. */
interface EmbeddedTexts {
  readonly alone?: string;
  readonly behind?: string;
}

/** The texts of a message that are embedded. */
function embeddedTexts(said: string, before: string | undefined): EmbeddedTexts {
  const behind = before === undefined ? undefined : `${before.slice(-mostBefore)}\n${said.slice(0, mostCharacters)}`;
  if (behind === undefined || said.length <= mostCharacters) {
    return { alone: said.slice(0, mostCharacters), ...(behind === undefined ? {} : { behind }) };
  }
  return { behind };
}

// The port to models that turn texts into vectors. Its adapters: `minilm/` on this machine, and any model of the AI
// SDK.

/** Turns texts into vectors whose scalar product is larger the closer the texts are in meaning. */
export interface Embedder {
  /** Names the model: vectors that different names made are never compared. */
  readonly name: string;
  /**
   * Scripts of the languages that it knows, as Unicode calls them, such as `Latin`. Texts in others take no part.
   * @default all
   */
  readonly scripts?: readonly string[];
  /**
   * The cosine of two texts that have nothing to do with each other: some models give 0.7 to any two texts.
   * @default 0
   */
  readonly unrelated?: number;
  /** A vector for each text, in their order, of the same size and of length 1. */
  embed(texts: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<readonly Float32Array[]>;
}

const shareOfLetters = 0.7;

/** True when a text has letters, and most of them are of a script that the model knows. */
function knowsScriptOf({ scripts }: Pick<Embedder, 'scripts'>, text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0 || !scripts) return letters > 0;
  const known = scripts.map((script) => `\\p{Script=${script}}`).join('');
  const of = text.match(new RegExp(`[${known}]`, 'gu'))?.length ?? 0;
  return of >= shareOfLetters * letters;
}

// How close messages are to a query in meaning, for the ranking.

/** One query in the space of a model. */
export interface QuerySimilarity {
  /** The most similar of the newest messages. */
  nearest(filter: SearchFilter, limit: number): Promise<readonly SimilarMessage[]>;
  /** 0 for unrelated, 1 for the same; nothing for messages without a vector. */
  of(ids: readonly MessageId[]): Promise<ReadonlyMap<MessageId, number>>;
}

/** Characters of a query that are embedded. */
const mostQuestionCharacters = 1_000;

/** The query as a vector; undefined where the model does not know its script or the store has no vectors of it. */
export async function querySimilarity(
  store: Pick<Store, 'vectors'>,
  embedder: Embedder,
  { text, signal }: { readonly text: string; readonly signal?: AbortSignal },
): Promise<QuerySimilarity | undefined> {
  if (!knowsScriptOf(embedder, text)) return undefined;
  const models = await store.vectors.models();
  const model = embedder.name;
  if (!models.some(({ name, vectors }) => name === model && vectors > 0)) return undefined;
  const [vector] = await embedder.embed([text.slice(0, mostQuestionCharacters)], signal ? { signal } : {});
  if (!vector) return undefined;
  const { unrelated = 0 } = embedder;
  const scaled = (product: number): number => Math.max(0, (product - unrelated) / (1 - unrelated));
  return {
    nearest: async (filter, limit) => {
      const found = await store.vectors.similar({ model, vector, filter, limit });
      return found.map((one) => ({ ...one, similarity: scaled(one.similarity) }));
    },
    of: async (ids) => {
      const found = await store.vectors.similarities({ model, vector }, ids);
      return new Map(found.entries().map(([id, product]) => [id, scaled(product)]));
    },
  };
}
