/** ★ Compresses with the engine that was chosen, and the hooks of the configuration around it: a conversation of a file, or a stored one. */
import { basename } from 'node:path';
import type { CompressionConfig, ConversationHooks, Message } from '@palimpsest/core';
import {
  compressList,
  engineListMaker,
  type ListCompression,
  type ListMaker,
  ownListMaker,
  reasonOf,
} from '@palimpsest/core/engine';
import { compressSession, type Session, type SessionCompression, type Store } from '@palimpsest/core/store';
import { hooksFromConfig, hookTimeLimit } from '../../hooks/hooks-from-config.ts';
import { interruptible } from '../interruption.ts';
import type { LoadedConversation } from '../load.ts';
import { progressWait } from '../progress.ts';
import type { GlobalFlags, Terminal } from '../terminal.ts';
import { targetTokensOf } from '../token-count.ts';
import type { Measure } from '../window.ts';
import type { Writer } from '../writer/load-writer.ts';
import { summaryProgress } from '../writer/summary-progress.ts';
import { expectedTokens, type WritingFlags } from '../writer/writer-for.ts';
import type { HeardSettings } from './heard-settings.ts';
import { type EngineFacts, type EngineMaker, engineFacts, madeBy, type RunEngine } from './run-engine.ts';

/** What a compression is made of. */
export interface EngineWork {
  readonly flags: GlobalFlags &
    WritingFlags & {
      readonly focus?: string;
      readonly template?: 'handoff' | 'progress' | 'brief';
      readonly json?: boolean;
    };
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
  loaded: LoadedConversation,
): Promise<ListCompression & EngineDone> {
  const { tokenizer, window, toolTokens } = work.measure;
  const { transcript, path, label } = loaded;
  const { make, done } = makerFor(work, path === undefined ? {} : { keptIn: basename(path) });
  const { hooks, ...limits } = hooksFor(work, done.notes);
  const place = { file: path ?? label };
  const about: ConversationHooks = {
    onCompressionStart: (start, call) => hooks.onCompressionStart?.({ ...start, ...place }, call),
    onCompressionEnd: (report, call) => hooks.onCompressionEnd?.({ ...report, ...place }, call),
  };
  const name = transcript.id ?? place.file;
  const sizes = { tokenizer, contextLength: window.tokens, toolTokens };
  const outcome = await compressList(work.messages, { make, name, ...sizes, hooks: about, ...limits });
  return { ...outcome, ...done };
}

/** The same for the conversation of a stored session; throws what `compressSession` throws. */
export async function compressStored(
  work: EngineWork,
  { store, session }: { readonly store: Store; readonly session: Session },
): Promise<SessionCompression & EngineDone> {
  const { engine, measure } = work;
  const { make, done } = makerFor(work, { isStored: true });
  const outcome = await compressSession(store, session.id, {
    owner: 'palimpsest sessions compress',
    leaseMilliseconds: Math.max(leastLeaseMs, engine.limitMs + marginMs),
    make,
    tokenizer: measure.tokenizer,
    contextLength: measure.window.tokens,
    ...hooksFor(work, done.notes),
  });
  return { ...outcome, ...done };
}

/** As long as a model may be silent; what is left for the store when another engine has taken all its time. */
const leastLeaseMs = 300_000;
const marginMs = 60_000;

/** The hook commands, with time for all of them and for an engine that is told of its new session. */
function hooksFor({ terminal: { cwd, env }, heard, engine }: EngineWork, notes: string[]) {
  const hooks = hooksFromConfig(heard.hooks, { cwd, env, onNotice: (notice) => void notes.push(notice) });
  return { hooks, hookTimeoutMs: Math.max(hookTimeLimit(heard.hooks), engine.limitMs) };
}

interface Place {
  readonly keptIn?: string;
  readonly isStored?: boolean;
}

/** The engine as a maker of lists, which leaves in `done` which one has done the work. */
function makerFor(work: EngineWork, place: Place) {
  const done: { engine: EngineFacts; readonly notes: string[] } = { engine: engineFacts(work.engine), notes: [] };
  const make: ListMaker = async (list) => {
    const theirs = (engine: EngineMaker): ReturnType<ListMaker> => byTheirs(engine, work)(list);
    const { made, engine } = await madeBy(work.engine, { theirs, ours: () => byOurs(work, place)(list) });
    done.engine = engine;
    return made;
  };
  return { make, done };
}

/** With the engine of a plugin, whose code is contained. */
function byTheirs(make: EngineMaker, { flags, terminal, heard, measure, engine }: EngineWork): ListMaker {
  const { containment, limitMs, notices } = engine;
  const { name } = engine.chosen;
  const { model, window, tokenizer, toolTokens } = measure;
  const contained = <T>(run: () => Promise<T>): Promise<T> => containment.run({ name, limitMs }, run);
  const options = {
    ...(model === undefined ? {} : { model }),
    tokenizer,
    toolTokens,
    contextLength: window.tokens,
    config: heard.all.config.compression,
    ...(flags.focus === undefined ? {} : { focusTopic: flags.focus }),
  };
  return async (list) => {
    const end = progressWait(terminal, `the engine "${name}" compresses`, flags);
    try {
      const made = await interruptible(
        terminal,
        (signal) => contained(() => engineListMaker(make, { ...options, signal })(list)),
        'interrupted: nothing was changed',
      );
      const { byOthers } = made;
      if (!byOthers) return made;
      // The session goes on all the same.
      const continued = (id: string): Promise<void> =>
        contained(() => byOthers.continued(id)).catch((error: unknown) => void notices.push(reasonOf(error)));
      return { ...made, byOthers: { ...byOthers, continued } };
    } finally {
      end();
    }
  };
}

/** With ours, and the model that was chosen to write. */
function byOurs(work: EngineWork, { keptIn, isStored = false }: Place): ListMaker {
  const { flags, terminal, heard, measure, messages, writer: load } = work;
  const { compression } = heard.all.config;
  const summary = { ...compression.summary, ...(flags.template ? { template: flags.template } : {}) };
  const config: CompressionConfig = { ...compression, summary };
  const options = {
    tokenizer: measure.tokenizer,
    contextLength: measure.window.tokens,
    config,
    ...(flags.target === undefined ? {} : { targetTokens: targetTokensOf(flags.target) }),
    ...(flags.focus ? { focusTopic: flags.focus } : {}),
    ...(keptIn === undefined ? {} : { keptIn }),
  };
  return async (list) => {
    const writer = await load();
    // The ledger alone does not wait for anything: Ctrl-C ends the process, unless a lease is to be given back.
    if (!writer && !isStored) return ownListMaker(options)(list);
    const outputTokens = expectedTokens(messages, { flags, settings: heard.all, measure });
    const progress = writer && summaryProgress(terminal, { flags, addresses: writer.addresses, outputTokens });
    const model = {
      ...(writer
        ? { summarizer: writer.fallback ? { ...writer.first, fallback: writer.fallback } : writer.first }
        : {}),
      ...(progress ? { onSummaryProgress: progress.hear } : {}),
    };
    try {
      return await interruptible(terminal, (signal) => ownListMaker({ ...options, ...model, signal })(list));
    } finally {
      progress?.end();
    }
  };
}
