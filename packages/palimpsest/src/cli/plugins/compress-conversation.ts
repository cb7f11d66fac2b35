/** ★ Compresses a stored conversation with the engine that was chosen, and the hooks of the configuration around it. */
import type { ContextCompression, Message } from '@palimpsest/core';
import { nowhere, reasonOf } from '@palimpsest/core/engine';
import {
  busyError,
  compressSession,
  type Lease,
  type MessageId,
  newestSession,
  restoreRecord,
  type Session,
  type SessionCompression,
  type Store,
  type StoredMessage,
} from '@palimpsest/core/store';
import { interruptible } from '../interruption.ts';
import type { StoreFlags } from '../open-store.ts';
import type { Terminal } from '../terminal.ts';
import { type Measure, tokensOfAll } from '../window.ts';
import type { WriterChoice } from '../writer/choose-writer.ts';
import { summaryProgress } from '../writer/summary-progress.ts';
import { expectedTokens, type WritingFlags, writerFor } from '../writer/writer-for.ts';
import { type EngineList, type EngineWork, engineList } from './engine-list.ts';
import type { HeardSettings } from './heard-settings.ts';
import { type HookedCompression, hooked } from './hooked-compression.ts';
import { keepForSession, keptTokens } from './kept-text.ts';
import { keptResult, listResult } from './list-result.ts';
import { type EngineMaker, isBuiltIn, type MadeBy, madeBy, type RunEngine, roomFor } from './run-engine.ts';

/** What a compression is made of. */
export interface ConversationWork {
  readonly store: Store;
  /** Its newest session. */
  readonly before: Session;
  readonly flags: StoreFlags & WritingFlags & { readonly focus?: string; readonly template?: string };
  readonly terminal: Terminal;
  readonly heard: HeardSettings;
  readonly choice: WriterChoice;
  readonly messages: readonly Message[];
  readonly measure: Measure;
  readonly engine: RunEngine;
}

const owner = 'palimpsest sessions compress';

/** Throws what the engine throws that was typed, and what `compressSession` throws. */
export function compressConversation(work: ConversationWork): Promise<HookedCompression<MadeBy<SessionCompression>>> {
  const { before, terminal, heard, messages, measure } = work;
  return hooked(terminal, {
    ...{ heard, sessionId: before.id, tokens: tokensOfAll(messages, measure) },
    work: (kept) => madeFor(work, kept),
    endOf: (done) => endOf(done, before),
  });
}

/** The compression, and what a hook keeps through it. */
async function madeFor(work: ConversationWork, kept: string | null): Promise<MadeBy<SessionCompression>> {
  const { store, before, heard, measure, terminal, flags, engine } = work;
  const reservedTokens = keptTokens(kept, measure);
  const theirs = (make: EngineMaker): Promise<SessionCompression> =>
    compressStored(make, {
      ...{ store, before, owner, engine, measure, terminal, flags, reservedTokens },
      config: heard.all.config.compression,
      focusTopic: flags.focus,
    });
  const done = await madeBy(engine, { theirs, ours: () => byOurs(work, reservedTokens) });
  if (done.made.session.id !== before.id) await keepForSession(store, before.rootId, kept);
  return done;
}

async function byOurs(
  { store, before, flags, terminal, heard, choice, messages, measure }: ConversationWork,
  reservedTokens: number,
): Promise<SessionCompression> {
  const settings = heard.all;
  const writer = await writerFor(choice, { flags, settings, terminal });
  const progress = writer
    ? summaryProgress(terminal, {
        flags,
        addresses: writer.addresses,
        outputTokens: expectedTokens(messages, { flags, settings, measure }),
      })
    : undefined;
  try {
    return await interruptible(terminal, (signal) =>
      compressSession(store, before.id, {
        ...roomFor(measure, { target: flags.target, reservedTokens }),
        ...{ tokenizer: measure.tokenizer, config: settings.config.compression, owner, signal },
        ...(flags.focus ? { focusTopic: flags.focus } : {}),
        ...(flags.template ? { template: flags.template } : {}),
        ...(writer ? { summarizer: writer.first } : {}),
        ...(writer?.fallback ? { fallbackSummarizer: writer.fallback } : {}),
        ...(progress ? { onSummaryProgress: progress.hear } : {}),
      }),
    );
  } finally {
    progress?.end();
  }
}

function endOf({ made, engine }: MadeBy<SessionCompression>, before: Session): ContextCompression | undefined {
  const { session, result } = made;
  if (session.id === before.id) return undefined;
  const [tokensBefore, tokensAfter] = [result.before.total, result.after.total];
  const sizes = { from: before.id, to: session.id, tokensBefore, tokensAfter };
  return isBuiltIn(engine) ? { ...sizes, result } : sizes;
}

// Compresses a stored conversation with an engine of others: its session ends, and its continuation opens with the
// list.

/** Which conversation, and how it is compressed. */
interface StoredWork extends Omit<EngineWork, 'sessionId' | 'reason'> {
  readonly store: Store;
  /** Any session of it. */
  readonly before: Session;
  /** Who compresses, for whoever finds the conversation busy. */
  readonly owner: string;
}

/** What is left for the store when the engine has taken all its time. */
const marginMs = 60_000;

/**
 * As `compressSession`, in one transaction. Throws `STORE_CONFLICT` while another process compresses the conversation or
 * when it was faster, and what `engineList` throws; then nothing was changed.
 */
async function compressStored(make: EngineMaker, work: StoredWork): Promise<SessionCompression> {
  const { store, before, owner, engine } = work;
  const name = `compress:${before.rootId}`;
  const lease = await store.leases.acquire(name, owner, engine.limitMs + marginMs);
  if (!lease) throw await busyError(store, name);
  try {
    return await compressed(make, { ...work, lease });
  } finally {
    await store.leases.release(lease);
  }
}

async function compressed(
  make: EngineMaker,
  { lease, ...work }: StoredWork & { readonly lease: Lease },
): Promise<SessionCompression> {
  const { store, measure, engine } = work;
  // Whoever held the lease before may have gone on from it.
  const session = await newestSession(store.sessions, work.before.id);
  const { entries, places } = await restoreRecord(store, session, measure.tokenizer.count);
  const given = entries.map(({ message }) => message);
  const made = await engineList(make, given, { ...work, sessionId: session.id, reason: 'resume' });
  const { name } = engine.chosen;
  const facts = { engine: name, measure, given, places };
  if (!made.isChanged) {
    const reason = `The engine "${name}" found nothing to compress.`;
    return { session, result: keptResult(facts, { status: 'unchanged', reason }) };
  }
  const result = listResult({ ...facts, ...made, engine: name });
  const next = await continuation(store, made, { session, entries, lease });
  const told = engine.containment.run({ name, limitMs: engine.limitMs }, () =>
    made.engine.onSessionStart(next.id, { reason: 'compression' }),
  );
  // The session goes on all the same.
  await told.catch((error: unknown) => engine.notices.push(reasonOf(error)));
  return { session: next, result };
}

interface Stored {
  readonly session: Session;
  readonly entries: readonly StoredMessage[];
  readonly lease: Lease;
}

/** The first message that the engine wrote stands for everything that is not shown any more. */
async function continuation(
  store: Store,
  { input, list }: EngineList,
  { session, entries, lease }: Stored,
): Promise<Session> {
  const places = new Map(input.map(({ message, at }) => [message, at]));
  const origins = list.map((message) => places.get(message) ?? nowhere);
  const shown = new Set(origins);
  const at = list.findIndex((message, index) => origins[index] === nowhere && message.role !== 'system');
  const gone = entries.filter(({ message }, index) => !shown.has(index) && message.role !== 'system');
  const covers = await coveredBy(store, gone);
  return store.sessions.continue({
    ...{ sessionId: session.id, size: entries.length, messages: list, origins, lease },
    ...(at >= 0 && covers.length > 0 ? { handoff: { at, covers, writtenBy: 'model' } } : {}),
  });
}

/** The messages, and in place of an earlier handoff what that stands for. */
async function coveredBy(store: Store, gone: readonly StoredMessage[]): Promise<readonly MessageId[]> {
  const ids: MessageId[] = [];
  for (const { id, origin } of gone) {
    const covered = origin === nowhere ? await store.messages.coveredBy(id) : [];
    ids.push(...(covered.length > 0 ? covered : [id]));
  }
  return [...new Set(ids)];
}
