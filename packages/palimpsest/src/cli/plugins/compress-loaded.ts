/** ★ Compresses a conversation of a file with the engine that was chosen, and the hooks of the configuration around it. */
import { basename } from 'node:path';
import {
  type CompressionResult,
  type CompressOptions,
  type ContextCompression,
  compress,
  createRecord,
  redact,
} from '@palimpsest/core';
import { interruptible } from '../interruption.ts';
import type { LoadedConversation } from '../load.ts';
import { oneLine } from '../render/text.ts';
import { type GlobalFlags, type Terminal, writeNotes } from '../terminal.ts';
import { type Measure, tokensOfAll } from '../window.ts';
import type { WriterChoice } from '../writer/choose-writer.ts';
import type { Writer } from '../writer/load-writer.ts';
import { summaryProgress } from '../writer/summary-progress.ts';
import { expectedTokens, type WritingFlags } from '../writer/writer-for.ts';
import { engineList } from './engine-list.ts';
import type { HeardSettings } from './heard-settings.ts';
import { hooked } from './hooked-compression.ts';
import { keptTokens, resultWithKept } from './kept-text.ts';
import { keptResult, listResult } from './list-result.ts';
import {
  type EngineFacts,
  type EngineMaker,
  engineFacts,
  isBuiltIn,
  type MadeBy,
  madeBy,
  type RunEngine,
  roomFor,
} from './run-engine.ts';

/** What a compression is made of. */
export interface LoadedWork {
  readonly flags: GlobalFlags &
    WritingFlags & { readonly focus?: string; readonly template?: string; readonly json?: boolean };
  readonly terminal: Terminal;
  readonly heard: HeardSettings;
  readonly choice: WriterChoice;
  /** Loads the model that was chosen. */
  readonly writer: () => Promise<Writer | undefined>;
  readonly loaded: LoadedConversation;
  readonly measure: Measure;
  readonly engine: RunEngine;
}

/** What came of it. */
export interface LoadedCompression {
  readonly result: CompressionResult;
  readonly engine: EngineFacts;
  /** By a hook. */
  readonly isHeldBack: boolean;
  readonly notes: readonly string[];
}

/** Throws what the engine throws that was typed, and what `compress` throws. */
export async function compressLoaded(work: LoadedWork): Promise<LoadedCompression> {
  const { terminal, heard, loaded, measure, engine } = work;
  const given = loaded.messages;
  const id = idOf(loaded);
  const {
    done,
    veto = '',
    notes,
  } = await hooked(terminal, {
    ...{ heard, sessionId: id, file: loaded.path ?? loaded.label },
    tokens: tokensOfAll(given, measure) + measure.toolTokens,
    work: async (kept): Promise<MadeBy<CompressionResult>> => {
      const reservedTokens = keptTokens(kept, measure);
      const theirs = (make: EngineMaker): Promise<CompressionResult> => byTheirs(make, work, reservedTokens);
      const done = await madeBy(engine, { theirs, ours: () => byOurs(work, reservedTokens) });
      return { ...done, made: resultWithKept(done.made, kept, { given, measure }) };
    },
    endOf: ({ made, engine: facts }) => endOf(made, facts, id),
  });
  if (done) return { result: done.made, engine: done.engine, isHeldBack: false, notes };
  const reason = `A hook vetoed the compression: ${redact(oneLine(veto))}`;
  const result = keptResult({ given, places: placesOf(loaded, measure), measure }, { status: 'refused', reason });
  return { result, engine: engineFacts(engine), isHeldBack: true, notes };
}

/** With the engine of a plugin; nothing is changed where it fails. */
async function byTheirs(make: EngineMaker, work: LoadedWork, reservedTokens: number): Promise<CompressionResult> {
  const { flags, terminal, heard, loaded, measure, engine } = work;
  const given = loaded.messages;
  const made = await engineList(make, given, {
    ...{ engine, measure, terminal, flags, reservedTokens },
    sessionId: idOf(loaded),
    reason: 'new',
    config: heard.all.config.compression,
    focusTopic: flags.focus,
  });
  const { name } = engine.chosen;
  const facts = { engine: name, measure, given, places: placesOf(loaded, measure) };
  if (made.isChanged) return listResult({ ...facts, ...made, engine: name });
  return keptResult(facts, { status: 'unchanged', reason: `The engine "${name}" found nothing to compress.` });
}

async function byOurs(work: LoadedWork, reservedTokens: number): Promise<CompressionResult> {
  const { flags, terminal, heard, choice, writer: load, loaded, measure } = work;
  const settings = heard.all;
  const options: CompressOptions = {
    ...{ tokenizer: measure.tokenizer, config: settings.config.compression, force: true },
    ...roomFor(measure, { target: flags.target, reservedTokens }),
    ...(flags.focus ? { focusTopic: flags.focus } : {}),
    ...(flags.template ? { template: flags.template } : {}),
    ...(loaded.path === undefined ? {} : { keptIn: basename(loaded.path) }),
  };
  if (!flags.json) await writeNotes(terminal, choice.notes, flags);
  const writer = await load();
  if (!writer) return compress(loaded.messages, options);
  const { first, fallback, addresses } = writer;
  const outputTokens = expectedTokens(loaded.messages, { flags, settings, measure });
  const progress = summaryProgress(terminal, { flags, addresses, outputTokens });
  try {
    return await interruptible(terminal, (signal) =>
      compress(loaded.messages, {
        ...options,
        signal,
        summarizer: first,
        ...(fallback ? { fallbackSummarizer: fallback } : {}),
        onSummaryProgress: progress.hear,
      }),
    );
  } finally {
    progress.end();
  }
}

/** For whom an engine and hooks work: what the transcript calls itself, or where it lies. */
const idOf = ({ transcript, path, label }: LoadedConversation): string => transcript.id ?? path ?? label;

/** The places that refs count, as `palimpsest expand` counts them. */
const placesOf = ({ messages }: LoadedConversation, { tokenizer }: Measure): readonly number[] =>
  createRecord({ count: tokenizer.count }).ingest(messages);

/** What the hooks are told of it; undefined where nothing was compressed. */
function endOf(result: CompressionResult, facts: EngineFacts, id: string): ContextCompression | undefined {
  if (result.status !== 'compressed') return undefined;
  const sizes = { from: id, to: id, tokensBefore: result.before.total, tokensAfter: result.after.total };
  return isBuiltIn(facts) ? { ...sizes, result } : sizes;
}
