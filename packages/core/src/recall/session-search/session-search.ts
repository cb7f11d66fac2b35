/** ★ `session_search`: the tool by which a model finds again, and reads, everything that was ever said. */
import type { Summarizer } from '../../compression/summarize/summarizer.ts';
import { defined } from '../../shared/defined.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { aFunction, checkKnownOptions, type KnownOptions } from '../../shared/options/known-options.ts';
import { type Clock, platformTimers, type Timers } from '../../shared/timers.ts';
import type { SessionId } from '../../store/ids.ts';
import { sessionNamed } from '../read/named.ts';
import { readAround, readConversation } from '../read/read.ts';
import type { QueryExpander } from '../search/expansion.ts';
import { requireSearchable } from '../search/options.ts';
import type { SearchableStore } from '../search/search.ts';
import type { Embedder } from '../vectors/embed-messages.ts';
import * as answers from './answers.ts';
import {
  type ReadArguments,
  readArguments,
  type SearchScope,
  type ToolRequest,
  toolDescription,
  toolName,
  toolParameters,
} from './arguments.ts';
import { type Discovery, discover, type FoundGroup, recentConversations } from './discover.ts';
import { type SummaryLimits, summariesWithin, summaryLimits } from './summarize-groups.ts';

/** What the tool works on, and how. */
export interface SessionSearchOptions {
  /** Where conversations are kept. */
  readonly store: SearchableStore;
  /**
   * The session that the model is in, any of its conversation: what it sees of it now is not searched, what was
   * compressed away is. A function where the session changes while the tool lives. @default none
   */
  readonly currentSessionId?: SessionId | (() => SessionId | undefined);
  /** Writes a summary of each conversation that was found. @default none: passages alone */
  readonly summarizer?: Summarizer;
  /** The model whose vectors take part in the ranking; `embedMessages` makes them. @default words alone */
  readonly vectors?: Embedder;
  /**
   * Names other words for a query, where its own find little; `modelExpander` asks a model.
   * @default other forms of its words, and words that stand together with them in the record
   */
  readonly expander?: QueryExpander;
  /**
   * Most characters of a message that is brought back in full; those beside it, and those of a conversation that is read, get
   * a part of that each. @default 20000
   */
  readonly pageChars?: number;
}

/** What our own doors and tests say beside the options. */
export interface SearchToolParts {
  readonly limits?: Partial<SummaryLimits>;
  /** What "yesterday" and `2w` are counted from, and the clock of waits and timeouts. */
  readonly clock?: Clock | undefined;
}

/** A tool for any SDK: a definition in JSON Schema, and what runs it. */
export interface SessionSearchTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /**
   * The answer as JSON text, whatever a model sends: what it cannot use is explained in the answer. Rejects only with
   * the reason of an abort.
   */
  run(given: unknown, options?: { readonly signal?: AbortSignal }): Promise<string>;
}

const known: KnownOptions<SessionSearchOptions> = {
  store: true,
  currentSessionId: true,
  summarizer: true,
  vectors: true,
  expander: aFunction,
  pageChars: {
    expected: 'a number of characters of at least 100',
    holds: (value) => Number.isFinite(value) && Number(value) >= 100,
  },
};

/** The tool over a store. Throws `BAD_OPTION` for options that are none, and without a store. */
export function sessionSearchTool(options: SessionSearchOptions): SessionSearchTool {
  return searchToolWith(options, {});
}

/** The same for our own doors, and for tests that need other parts. */
export function searchToolWith(options: SessionSearchOptions, parts: SearchToolParts): SessionSearchTool {
  checkKnownOptions('sessionSearchTool', options, known);
  requireSearchable(options.store);
  const limits = { ...summaryLimits, ...parts.limits };
  const { now = Date.now, timers = platformTimers } = parts.clock ?? {};
  return {
    name: toolName,
    description: toolDescription,
    parameters: toolParameters,
    async run(given, { signal } = {}) {
      signal?.throwIfAborted();
      return JSON.stringify(await answer(given, { ...options, limits, now, timers, signal }));
    },
  };
}

interface Task extends SessionSearchOptions {
  readonly limits: SummaryLimits;
  readonly now: () => number;
  readonly timers: Timers;
  readonly signal: AbortSignal | undefined;
}

async function answer(given: unknown, task: Task): Promise<JsonObject> {
  const notes: string[] = [];
  try {
    const read = readArguments(given, task.now());
    notes.push(...read.notes);
    return await answerTo(read, task);
  } catch (error) {
    task.signal?.throwIfAborted();
    return answers.failureAnswer(error instanceof Error ? error.message : String(error), notes);
  }
}

function answerTo({ request, notes }: ReadArguments, task: Task): Promise<JsonObject> {
  switch (request.type) {
    case 'search':
      return searched(request, notes, task);
    case 'recent':
      return recent(request, notes, task);
    case 'message':
      return message(request, notes, task);
    case 'conversation':
      return conversation(request.session, notes, task);
  }
}

/** Characters of a passage. */
const passageCharacters = 400;

async function searched(
  { query, ...asked }: Extract<ToolRequest, { type: 'search' }>,
  notes: readonly string[],
  task: Task,
): Promise<JsonObject> {
  const { store, summarizer, vectors, expander, signal, now = Date.now } = task;
  const scope = await withSession(asked, task);
  const current = currentOf(task);
  const discovery = await discover(store, {
    query,
    scope,
    passageCharacters,
    now: now(),
    ...defined({ vectors, expander, signal }),
    ...(current === undefined ? {} : { currentSessionId: current }),
  });
  const summaries = summarizer ? await summaryOf(discovery, { query, summarizer, task }) : [];
  const beside = await Promise.all(discovery.groups.map((group) => besideOf(group, task)));
  return answers.foundAnswer({ query, discovery, summaries, beside, model: summarizer?.name, notes });
}

function summaryOf(
  { groups }: Discovery,
  { query, summarizer, task }: { readonly query: string; readonly summarizer: Summarizer; readonly task: Task },
): ReturnType<typeof summariesWithin> {
  const { store, limits, signal, timers = platformTimers } = task;
  return summariesWithin(store, groups, { query, summarizer, limits, timers, signal });
}

/** The messages on both sides of the best passage. */
async function besideOf({ hits, tip }: FoundGroup, { store }: Task): Promise<answers.Beside> {
  const [best] = hits;
  const around = best && (await readAround(store, best.stored.id, { window: 1, sessionId: tip.id }));
  return around ?? { before: [], after: [] };
}

async function recent(scope: SearchScope, notes: readonly string[], task: Task): Promise<JsonObject> {
  return answers.recentAnswer(await recentConversations(task.store, scope, currentOf(task)), notes);
}

async function message(
  { id, session, window, offset }: Extract<ToolRequest, { type: 'message' }>,
  notes: readonly string[],
  task: Task,
): Promise<JsonObject> {
  const place = session === undefined ? {} : { sessionId: await sessionNamed(task.store, session) };
  const around =
    (await readAround(task.store, id, { window, ...place })) ??
    (await readAround(task.store, await wholeId(task.store, id), { window, ...place }));
  if (around) return answers.messageAnswer(around, { offset, notes, pageChars: task.pageChars });
  const where = session === undefined ? '' : ' in that conversation';
  throw new PalimpsestError(
    'ID_UNKNOWN',
    `There is no message ${JSON.stringify(id.slice(0, 60))}${where}: take a message_id from a search, as it is.`,
  );
}

/** The id that begins so, as recalled text names messages; the text itself where none or several do. */
async function wholeId({ messages }: Task['store'], beginning: string): Promise<string> {
  const found = beginning.length < shortestBeginning ? [] : await messages.find(beginning, 2);
  return found.length === 1 ? (found[0] ?? beginning) : beginning;
}

/** Fewer digits are no name but a guess. */
const shortestBeginning = 8;

async function conversation(session: string, notes: readonly string[], task: Task): Promise<JsonObject> {
  const read = await readConversation(task.store, await sessionNamed(task.store, session));
  return answers.conversationAnswer(read, { notes, pageChars: task.pageChars });
}

async function withSession(scope: SearchScope, task: Task): Promise<SearchScope> {
  return scope.session === undefined ? scope : { ...scope, session: await sessionNamed(task.store, scope.session) };
}

function currentOf({ currentSessionId }: Task): SessionId | undefined {
  return typeof currentSessionId === 'function' ? currentSessionId() : currentSessionId;
}
