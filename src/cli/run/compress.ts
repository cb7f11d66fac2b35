/** `palimpsest compress`: read, compress, write, report. */
import { resolve } from 'node:path';
import { compress } from '../../compression/compress.ts';
import type { CompressOptions } from '../../compression/options.ts';
import type { CompressionResult } from '../../compression/result.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { budgetsFor, summaryTokens } from '../../context/threshold.ts';
import { modelInfo, parseTokenCount } from '../../tokens/models.ts';
import { writableFormats } from '../../transcript/formats/registry.ts';
import type { FormatName } from '../../transcript/message.ts';
import { compressedTranscript } from '../compressed-transcript.ts';
import { deliver } from '../deliver-compression.ts';
import { destinationsOf } from '../destinations.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { loadOwnSettings, loadSettings } from '../load-settings.ts';
import { guardInput } from '../output-file.ts';
import { counted } from '../render/text.ts';
import { type Terminal, writeNotes } from '../terminal.ts';
import { type Measure, type ModelFlags, measureFor, tokensOfAll } from '../window.ts';
import { chooseWriter, namesWriter, type WriterChoice, type WriterFlags } from '../writer/choose-writer.ts';
import type { Writer } from '../writer/load-writer.ts';
import { summaryProgress } from '../writer/summary-progress.ts';

export interface CompressFlags extends InputFlags, WriterFlags, Omit<ModelFlags, 'model'> {
  readonly output?: string;
  readonly force?: boolean;
  readonly to?: FormatName;
  readonly target?: string;
  readonly focus?: string;
  readonly template?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** What a compression is made of. */
interface Work {
  readonly flags: CompressFlags;
  readonly terminal: Terminal;
  readonly settings: LoadedConfig;
  readonly loaded: LoadedConversation;
  readonly measure: Measure;
  readonly writer: Writer | undefined;
}

export async function runCompress(
  file: string | undefined,
  flags: CompressFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const destinations = destinationsOf(flags, terminal.stdout.isTTY ?? false);
  checkTarget(flags);
  const settings = await loadSettings(terminal);
  const choice = chooseWriter(flags, { settings, own: await loadOwnSettings(terminal) });
  const writer = await writerFor(choice, { flags, settings, terminal });
  const loaded = await loadConversation(file, flags, { terminal });
  if (destinations.conversation.type === 'file') {
    await guardInput(resolve(terminal.cwd, destinations.conversation.path), loaded.path, flags.force ?? false);
  }
  const { to, notes: formatNotes } = targetFormat(loaded.format, flags.to);
  const measure = await measureFor(loaded, countedBy(flags));
  if (!flags.json) await writeNotes(terminal, choice.notes, flags);
  const result = await compressed({ flags, terminal, settings, loaded, measure, writer });
  const { transcript, leftOut } = compressedTranscript(loaded.transcript, loaded.messages, result);
  const recordNotes = leftOut > 0 && to === loaded.format ? [leftOutNote(leftOut)] : [];
  const newNotes = [...settings.notes, ...loaded.notes, ...measure.notes, ...formatNotes, ...recordNotes];
  const notes = [...choice.notes, ...newNotes];
  await deliver({ flags, loaded, measure, result, transcript, to, notes, newNotes, destinations }, terminal);
  return exitCodeFor(result);
}

function checkTarget({ target }: CompressFlags): void {
  if (target !== undefined) parseTokenCount(target);
}

interface Setting {
  readonly flags: CompressFlags;
  readonly settings: LoadedConfig;
  readonly terminal: Terminal;
}

async function writerFor(choice: WriterChoice, { flags, settings, terminal }: Setting): Promise<Writer | undefined> {
  if (choice.type === 'ledger') return undefined;
  // Only who wants a model waits for what reaches one.
  const { loadWriter } = await import('../writer/load-writer.ts');
  return loadWriter(choice, {
    env: terminal.env,
    timeouts: settings.config.auxiliary.compression,
    ...(flags.contextLength === undefined ? {} : { contextLength: parseTokenCount(flags.contextLength) }),
  });
}

/**
 * The model whose tokens are counted: the one that was named. Of a name that nobody knows, such as that of a model on
 * one's own server, neither tokenizer nor window can be told: then the model that the file names counts.
 */
function countedBy(flags: CompressFlags): ModelFlags {
  const { model, contextLength } = flags;
  const window = contextLength === undefined ? {} : { contextLength };
  if (model === false || model === undefined) return window;
  return namesWriter(flags) && modelInfo(model) === undefined ? window : { model, ...window };
}

async function compressed(work: Work): Promise<CompressionResult> {
  const { flags, terminal, settings, loaded, measure, writer } = work;
  const { compression } = settings.config;
  const options: CompressOptions = {
    tokenizer: measure.tokenizer,
    contextLength: measure.window.tokens,
    config: compression,
    force: true,
    ...(flags.target === undefined ? {} : { targetTokens: parseTokenCount(flags.target) }),
    ...(flags.focus ? { focusTopic: flags.focus } : {}),
    ...(flags.template ? { template: flags.template } : {}),
  };
  if (!writer) return compress(loaded.messages, options);
  const { first, fallback, addresses } = writer;
  const progress = summaryProgress(terminal, { flags, addresses, outputTokens: expectedTokens(work) });
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

/** About what the model will be told to write; the handoff, of which it fills a share, is not cut out yet. */
function expectedTokens({ flags, settings, measure, loaded }: Work): number {
  const { compression } = settings.config;
  const target = flags.target === undefined ? undefined : parseTokenCount(flags.target);
  const all = tokensOfAll(loaded.messages, measure);
  const budgets = budgetsFor(measure.window.tokens, compression);
  const handoff = target ?? summaryTokens(all, compression, budgets);
  return Math.floor(handoff * compression.summary.modelShare);
}

function exitCodeFor({ status, failure }: CompressionResult): ExitCode {
  if (failure && status === 'unchanged') return exitCodes.model;
  return status === 'refused' ? exitCodes.finding : exitCodes.fine;
}

const leftOutNote = (count: number): string =>
  `${counted(count, 'record')} of the compressed stretch that are no messages (progress, snapshots) are not in the output`;

/** The format to write: as asked, else the input's own, else the one that most programs read. */
function targetFormat(from: FormatName, to: FormatName | undefined): { to: FormatName; notes: readonly string[] } {
  if (to !== undefined || writableFormats.includes(from)) return { to: to ?? from, notes: [] };
  return {
    to: 'openai-chat',
    notes: [`${from} can be read but not written; the output is openai-chat (--to chooses)`],
  };
}
