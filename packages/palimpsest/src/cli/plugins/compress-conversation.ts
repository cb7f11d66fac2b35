/** ★ Compresses a stored conversation with the engine that was chosen, and the hooks of the configuration around it. */
import type { ContextCompression, Message } from '@palimpsest/core';
import { compressSession, type Session, type SessionCompression, type Store } from '@palimpsest/core/store';
import { interruptible } from '../interruption.ts';
import type { StoreFlags } from '../open-store.ts';
import type { Terminal } from '../terminal.ts';
import { type Measure, tokensOfAll } from '../window.ts';
import type { WriterChoice } from '../writer/choose-writer.ts';
import { summaryProgress } from '../writer/summary-progress.ts';
import { expectedTokens, type WritingFlags, writerFor } from '../writer/writer-for.ts';
import { compressStored } from './compress-stored.ts';
import type { HeardSettings } from './heard-settings.ts';
import { type HookedCompression, hooked } from './hooked-compression.ts';
import { keepForSession, keptTokens } from './kept-text.ts';
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
