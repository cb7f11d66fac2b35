/** A client, its runtime with a background, a model under the hand of the test, and a clock that stands. */
import {
  type ConversationNotice,
  type ConversationRuntime,
  conversationTokens,
  type Message,
  type PreparedContext,
} from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { answer, type RunOptions, runtimeOver, step, system, tokenizer, user } from './agent.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';
import { createWriter, type Writer } from './writer.ts';

/** The threshold in the small window, and where the background begins. */
export const threshold = 6_800;
export const early: number = threshold * 0.8;

export interface World {
  readonly store: Store;
  readonly time: VirtualTime;
  readonly writer: Writer;
  readonly runtime: ConversationRuntime;
  readonly notices: ConversationNotice[];
  readonly list: Message[];
}

export interface WorldOptions extends RunOptions {
  readonly time?: VirtualTime;
  /** Without a model for summaries. @default false */
  readonly ledgerAlone?: boolean;
  readonly writer?: Writer;
}

export const world = (
  store: Store,
  { time = virtualTime(), ledgerAlone = false, writer = createWriter(), ...options }: WorldOptions = {},
): World => {
  const notices: ConversationNotice[] = [];
  const runtime = runtimeOver(store, {
    background: true,
    clock: time.clock,
    ...(ledgerAlone ? {} : { summarizer: writer.summarizer }),
    onNotice: (notice) => notices.push(notice),
    ...options,
  });
  const list = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
  return { store, time, writer, runtime, notices, list };
};

export const textOf = (message: Message | undefined): string => {
  const [part] = message?.parts ?? [];
  return part?.type === 'text' ? part.text : '';
};

export const tokensOf = (messages: readonly Message[]): number => conversationTokens(messages, tokenizer);

/** One step of work: prepared, answered, its result in the client's list. */
export async function takeStep({ runtime, list }: World, lines = 20): Promise<PreparedContext> {
  const at = (list.length >> 1) + 1;
  const prepared = await runtime.prepare({ messages: list });
  const [called, result] = step(at, lines);
  await answer(runtime, prepared, called);
  list.push(called, result);
  return prepared;
}

/** Steps until the background begins; the clock stands. */
export async function fillUp(one: World): Promise<string> {
  for (let steps = 0; steps < 60; steps++) {
    const { sessionId } = await takeStep(one);
    if (one.runtime.background().started > 0) return sessionId;
  }
  throw new Error('the background never begins');
}
