/** ★ Compresses with the engine that was chosen, and the hooks of the configuration around it: a conversation of a file, or a stored one. */
import { basename } from 'node:path';
import type { ConversationHooks, MemoryUse, Message } from '@palimpsest/core';
import {
  budgetsFor,
  type CompressionConfig,
  compressList,
  engineListMaker,
  type ListCompression,
  type ListMaker,
  ownListMaker,
  reasonOf,
  summaryModelShare,
  summaryTokens,
} from '@palimpsest/core/engine';
import { compressSession, type Session, type SessionCompression, type Store } from '@palimpsest/core/store';
import { type CommandHooks, hooksFromConfig } from '../../hooks/hooks-from-config.ts';
import type { ChosenEngine } from '../../plugins/choose-engine.ts';
import type { LoadedConversation } from '../load.ts';
import { given, targetTokensOf } from '../option-values.ts';
import { interruptible, withClock } from '../progress.ts';
import { summaryProgress } from '../render/summary-report.ts';
import type { HeardSettings } from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import { type Measure, tokensOfAll } from '../window.ts';
import type { Writer } from '../writer/load-writer.ts';
import { type EngineFacts, type EngineFlags, insteadOfFailed, type RunEngine } from './run-engine.ts';

export interface EngineWork {
  readonly flags: EngineFlags;
  readonly terminal: Terminal;
  readonly heard: HeardSettings;
  /** Loads the model that was chosen; called where the built-in engine works. */
  readonly writer: () => Promise<Writer | undefined>;
  readonly messages: readonly Message[];
  readonly measure: Measure;
  readonly engine: RunEngine;
}

/** Beside the outcome: which engine has done the work, and what the hooks had to say. */
export interface EngineDone {
  readonly engine: EngineFacts;
  readonly notes: readonly string[];
}

/** Throws what the engine throws that was typed, and what `compress` throws. */
export async function compressLoaded(
  work: EngineWork,
  { transcript, path, label }: LoadedConversation,
): Promise<ListCompression & EngineDone> {
  const { tokenizer, window, toolTokens } = work.measure;
  const { make, done } = makerFor(work, given({ keptIn: path && basename(path) }));
  const hooks = hooksFor(work, done.notes);
  const place = { file: path ?? label };
  const about: ConversationHooks = {
    timeoutMs: hooks.timeoutMs,
    onCompressionStart: (start, call) => hooks.onCompressionStart?.({ ...start, ...place }, call),
    onCompressionEnd: (report, call) => hooks.onCompressionEnd?.({ ...report, ...place }, call),
  };
  const list = { make, name: transcript.id ?? place.file, tokenizer, contextLength: window.tokens, toolTokens };
  const outcome = await compressList(work.messages, { ...list, hooks: about });
  return { ...outcome, ...done };
}

/** A stored conversation, and the memory that keeps what is worth it before the compression. */
interface StoredWork {
  readonly store: Store;
  readonly session: Session;
  readonly memory: MemoryUse | undefined;
}

/** The same for the conversation of a stored session; throws what `compressSession` throws. */
export async function compressStored(
  work: EngineWork,
  { store, session, memory }: StoredWork,
): Promise<SessionCompression & EngineDone> {
  const { make, done } = makerFor(work, { isStored: true });
  const outcome = await compressSession(store, session.id, {
    owner: 'palimpsest sessions compress',
    make,
    tokenizer: work.measure.tokenizer,
    contextLength: work.measure.window.tokens,
    hooks: hooksFor(work, done.notes),
    onNotice: ({ type, message }) => void (type === 'memory' && done.notes.push(message)),
    ...given({ memory }),
  });
  return { ...outcome, ...done };
}

/** The hook commands, with time for all of them and for an engine that is told of its new session. */
function hooksFor({ terminal: { cwd, env }, heard, engine }: EngineWork, notes: string[]): CommandHooks {
  const hooks = hooksFromConfig(heard.hooks, { cwd, env, onNotice: (notice) => void notes.push(notice) });
  return { ...hooks, timeoutMs: Math.max(hooks.timeoutMs, engine.limitMs) };
}

interface Place {
  readonly keptIn?: string;
  readonly isStored?: boolean;
}

/** The engine as a maker of lists, which leaves in `done` which one has done the work. */
function makerFor(work: EngineWork, place: Place) {
  const { asked, chosen } = work.engine;
  const { name, from, warning, engine } = chosen;
  const facts: EngineFacts = { name, from, asked, ...given({ warning }) };
  const done: { engine: EngineFacts; readonly notes: string[] } = { engine: facts, notes: [] };
  const make: ListMaker = async (list) => {
    if (!engine) return byOurs(work, place)(list);
    try {
      return await byTheirs(engine, work)(list);
    } catch (error) {
      const instead = insteadOfFailed(work.engine, error);
      const made = await byOurs(work, place)(list);
      done.engine = instead;
      return made;
    }
  };
  return { make, done };
}

/** With the engine of a plugin, whose code is contained. */
function byTheirs(make: NonNullable<ChosenEngine['engine']>, work: EngineWork): ListMaker {
  const { flags, terminal, heard, measure, engine } = work;
  const { containment, limitMs, notices } = engine;
  const { name } = engine.chosen;
  const { model, toolTokens } = measure;
  const contained = <T>(run: () => Promise<T>): Promise<T> => containment.run({ name, limitMs }, run);
  const config = heard.all.config.compression;
  const known = given({ model, focusTopic: flags.focus });
  const options = { ...known, config };
  return async (list) => {
    const run = (signal: AbortSignal) =>
      contained(() => engineListMaker(make, { ...options, signal })({ ...list, toolTokens }));
    const made = await withClock(terminal, `the engine "${name}" compresses`, () =>
      interruptible(terminal, run, 'interrupted: nothing was changed'),
    );
    const { byOthers } = made;
    if (!byOthers) return made;
    // The session goes on all the same.
    const continued = (id: string): Promise<void> =>
      contained(() => byOthers.continued(id)).catch((error: unknown) => void notices.push(reasonOf(error)));
    return { ...made, byOthers: { ...byOthers, continued } };
  };
}

/** With ours, and the model that was chosen to write. */
function byOurs(work: EngineWork, { keptIn, isStored = false }: Place): ListMaker {
  const { flags, terminal, heard, measure, writer: load } = work;
  const { target, focus, template } = flags;
  const { compression } = heard.all.config;
  const summary = { ...compression.summary, ...given({ template }) };
  const config: CompressionConfig = { ...compression, summary };
  const options = {
    tokenizer: measure.tokenizer,
    contextLength: measure.window.tokens,
    config,
    ...given({
      targetTokens: target === undefined ? undefined : targetTokensOf(target),
      focusTopic: focus || undefined,
      keptIn,
    }),
  };
  return async (list) => {
    const writer = await load();
    // The ledger alone does not wait for anything: Ctrl-C ends the process, unless a lease is to be given back.
    if (!writer && !isStored) return ownListMaker(options)(list);
    const { first, fallback, addresses = new Map() } = writer ?? {};
    const progress = writer && summaryProgress(terminal, { addresses, outputTokens: expectedTokens(work) });
    const model = given({
      summarizer: first && { ...first, ...given({ fallback }) },
      onSummaryProgress: progress?.hear,
    });
    try {
      return await interruptible(terminal, (signal) => ownListMaker({ ...options, ...model, signal })(list));
    } finally {
      progress?.end();
    }
  };
}

/** About what the model will be told to write; the handoff, of which it fills a share, is not cut out yet. */
function expectedTokens({ messages, flags, heard, measure }: EngineWork): number {
  const { compression } = heard.all.config;
  const budgets = budgetsFor(measure.window.tokens, compression);
  const handoff =
    flags.target === undefined
      ? summaryTokens(tokensOfAll(messages, measure), compression, budgets)
      : targetTokensOf(flags.target);
  return Math.floor(handoff * summaryModelShare);
}
