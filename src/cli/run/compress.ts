/** `palimpsest compress`: read, compress, write, report. */
import { resolve } from 'node:path';
import { compress } from '../../compression/compress.ts';
import type { CompressOptions } from '../../compression/options.ts';
import type { CompressionResult } from '../../compression/result.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { parseTokenCount } from '../../tokens/models.ts';
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
import { type Measure, type ModelFlags, measureFor } from '../window.ts';
import { chooseWriter, type WriterFlags } from '../writer/choose-writer.ts';
import type { Writer } from '../writer/load-writer.ts';
import { summaryProgress } from '../writer/summary-progress.ts';
import { countedBy, expectedTokens, writerFor } from '../writer/writer-for.ts';

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
  const progress = summaryProgress(terminal, { flags, addresses, outputTokens: expectedTokens(loaded.messages, work) });
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

/** What the caller is told of a compression. */
export function exitCodeFor({ status, failure }: CompressionResult): ExitCode {
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
