/** A store with some conversations, and the tool over it. */
import assert from 'node:assert/strict';
import {
  type SearchToolParts,
  type SessionSearchOptions,
  searchToolWith,
} from '../../../packages/core/src/recall/session-search/session-search.ts';
import { defined } from '../../../packages/core/src/shared/defined.ts';
import type { Timers } from '../../../packages/core/src/shared/timers.ts';
import type { SessionId } from '../../../packages/core/src/store/ids.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import type { SessionDraft } from '../../../packages/core/src/store/session-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { assistant, user } from '../../support/conversations.ts';

export const noon: number = Date.UTC(2026, 2, 1, 12);
const minute = 60_000;

/** The messages, one said each minute from noon on. */
export const timed = (messages: readonly Message[], from: number = noon): readonly Message[] =>
  messages.map((message, i) => ({ ...message, time: new Date(from + i * minute).toISOString() }));

export const openMemory = (): Promise<Store> => openStore({ path: ':memory:', clock: { now: () => noon } });

/** A conversation of user and assistant in turn, or of messages. */
export async function keep(
  store: Store,
  said: readonly (string | Message)[],
  draft: Partial<SessionDraft> = {},
): Promise<SessionId> {
  const { startedAt = noon } = draft;
  const { id } = await store.sessions.create({ source: 'cli', startedAt, ...draft });
  await store.messages.append(id, timed(said.map(messageOf), startedAt));
  return id;
}

const messageOf = (said: string | Message, at: number): Message =>
  typeof said === 'string' ? (at % 2 === 0 ? user(said) : assistant(said)) : said;

/** Compresses a session: its last `tail` messages are carried over behind a handoff. Returns the continuation. */
export async function compressed(store: Store, id: SessionId, tail: number): Promise<SessionId> {
  const view = await store.messages.view(id);
  const kept = view.slice(view.length - tail);
  const covered = view.slice(0, view.length - tail);
  const { id: next } = await store.sessions.continue({
    sessionId: id,
    size: view.length,
    messages: [user('[CONTEXT SUMMARY]: what came before'), ...kept.map(({ message }) => message)],
    origins: [-1, ...kept.map(({ position }) => position)],
    handoff: { at: 0, covers: covered.map((one) => one.id), writtenBy: 'ledger' },
  });
  return next;
}

/** A passage of an answer. */
export interface AnswerPassage {
  readonly message_id: string;
  readonly speaker: string;
  readonly text: string;
  readonly before?: string;
  readonly after?: string;
}

/** A message of an answer. */
export interface AnswerMessage {
  readonly message_id: string;
  readonly speaker: string;
  readonly text: string;
  readonly tools?: readonly string[];
  readonly characters?: number;
  readonly next_offset?: number;
}

export interface AnswerResult {
  readonly session_id: string;
  readonly title?: string;
  readonly source: string;
  readonly messages?: number;
  readonly preview?: string;
  readonly passages: readonly AnswerPassage[];
  readonly summary?: string;
  readonly summary_by?: string;
  readonly notice?: string;
}

/** Everything that an answer of the tool may have. */
export interface Answer {
  readonly success: boolean;
  readonly mode: string;
  readonly error: string;
  readonly note?: string;
  readonly notes?: readonly string[];
  readonly results: readonly AnswerResult[];
  readonly count: number;
  readonly sessions_searched: number;
  readonly session_id: string;
  readonly message: AnswerMessage;
  readonly before: readonly AnswerMessage[];
  readonly after: readonly AnswerMessage[];
  readonly earlier_messages: number;
  readonly later_messages: number;
  readonly messages: number;
  readonly beginning: readonly AnswerMessage[];
  readonly end?: readonly AnswerMessage[];
  readonly left_out?: number;
}

export type Ask = (given: unknown) => Promise<Answer>;

/** What the tool is told, by its users and by our own doors. */
export interface AskOptions extends Omit<SessionSearchOptions, 'store'>, Pick<SearchToolParts, 'limits'> {
  readonly timers?: Timers;
}

/** Asks the tool over a store. */
export function asking(store: Store, { limits, timers, ...options }: AskOptions = {}): Ask {
  const clock = { now: () => noon, ...defined({ timers }) };
  const tool = searchToolWith({ store, ...options }, { clock, ...defined({ limits }) });
  return async (given) => {
    const text = await tool.run(given);
    assert.equal(typeof text, 'string');
    // The tool's own answer, whose members the tests look at.
    return JSON.parse(text) as Answer;
  };
}

/** The texts of all passages of an answer. */
export const passagesOf = ({ results }: Answer): readonly string[] =>
  results.flatMap(({ passages }) => passages.map(({ text }) => text));
