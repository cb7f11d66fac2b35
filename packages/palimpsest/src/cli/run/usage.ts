/** `palimpsest usage`: what one conversation used and cost. */

import { type CompressionConfig, type Message, PalimpsestError, redact } from '@palimpsest/core';
import {
  type Instant,
  newestSession,
  type Session,
  type SessionUsage,
  type Store,
  sumUsage,
} from '@palimpsest/core/store';
import { costOf, savingsOf } from '@palimpsest/core/usage';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findSession, sessionTitle } from '../find-session.ts';
import { loadSettings } from '../load-settings.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { timeStamp } from '../render/text.ts';
import { type ContextNow, type UsageFacts, usageReport } from '../render/usage-report.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import { measureFor, sizesFor, tokensOfAll, windowFor } from '../window.ts';

export interface UsageFlags extends StoreFlags {
  readonly contextLength?: string;
}

export async function runUsage(wanted: string | undefined, flags: UsageFlags, terminal: Terminal): Promise<ExitCode> {
  const settings = await loadSettings(terminal);
  const { store, notes: ofStore } = await openStoreFor(flags, terminal);
  await using opened = store;
  const tip = await tipFor(opened, wanted);
  const facts = await factsOf(opened, tip, { flags, config: settings.config.compression });
  const notes = [...settings.notes, ...ofStore];
  const json = (): object => ({ command: 'usage', ...usageJson(facts) });
  await writeResult({ json, notes, lines: (screen) => usageReport(facts, screen) }, flags, terminal);
  return exitCodes.fine;
}

/** The conversation that was named, else the one that was active last. */
async function tipFor(store: Store, wanted: string | undefined): Promise<Session> {
  if (wanted !== undefined) return newestSession(store.sessions, (await findSession(store, wanted)).id);
  const [newest] = await store.sessions.list({ limit: 1 });
  if (newest) return newest.tip;
  throw new PalimpsestError(
    'ID_UNKNOWN',
    'there is no conversation in the store yet: add some with `palimpsest import PATH`',
  );
}

interface Asked {
  readonly flags: UsageFlags;
  readonly config: CompressionConfig;
}

async function factsOf(store: Store, tip: Session, asked: Asked): Promise<UsageFacts> {
  const chain = await store.sessions.chain(tip.id);
  const calls = await store.usage.ofConversation(tip.id);
  return {
    tip,
    chain,
    calls,
    title: await sessionTitle(store, tip.id),
    totals: sumUsage(calls),
    context: await contextNow(store, { tip, calls }, asked),
  };
}

interface Used {
  readonly tip: Session;
  readonly calls: readonly SessionUsage[];
}

/** The provider's count of the last call, with what was said since; without one, the count or estimate of what is in view. */
async function contextNow(store: Store, { tip, calls }: Used, { flags, config }: Asked): Promise<ContextNow> {
  const last = calls
    .filter(({ sessionId, task, lastPromptTokens }) => sessionId === tip.id && task === 'turn' && lastPromptTokens > 0)
    .toSorted((a, b) => b.lastAt - a.lastAt)[0];
  const model = last?.model ?? tip.model;
  const messages = last
    ? await saidSince(store, tip, last.lastAt)
    : (await store.messages.view(tip.id)).map(({ message }) => message);
  const transcript = model === undefined ? {} : { model };
  const measure = await measureFor({ messages, transcript }, flags);
  const added = tokensOfAll(messages, measure);
  const window = windowFor(flags, model);
  return {
    ...(last ? { reportedTokens: last.lastPromptTokens } : {}),
    addedTokens: added,
    promptTokens: (last?.lastPromptTokens ?? 0) + added,
    isCount: measure.tokenizer.exact,
    window,
    thresholdTokens: sizesFor(window, config, model).thresholdTokens,
    isOn: config.enabled,
  };
}

/** How many messages are in memory at once. */
const pageSize = 200;

/** What was said after a call, page by page from the end; the answer of the call itself is not. */
async function saidSince(store: Store, { id, messages: size }: Session, time: Instant): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (let to = size; to > 0; to -= pageSize) {
    const page = await store.messages.view(id, { from: Math.max(0, to - pageSize), to });
    const later = page.filter((stored) => stored.time > time);
    found.unshift(...later.flatMap(({ message }) => (message.role === 'assistant' ? [] : [message])));
    if (later.length < page.length) break;
  }
  return found;
}

function usageJson({ tip, chain, title, totals, calls, context }: UsageFacts): Record<string, unknown> {
  return {
    session: {
      id: tip.id,
      rootId: tip.rootId,
      title: title || null,
      source: tip.source,
      project: redactOptional(tip.project),
    },
    sessions: chain.map(({ id }) => id),
    totals,
    cost: costOf(totals),
    savings: savingsOf(totals) ?? null,
    calls: calls.map(({ lastAt, ...row }) => ({ ...row, cost: costOf(row), lastAt: timeStamp(lastAt) })),
    context,
  };
}

const redactOptional = (text: string | undefined): string | null => (text === undefined ? null : redact(text));
