/** `palimpsest compress`: read, compress, write, report. */
import type { CompressionConfig, CompressionResult, FormatName } from '@palimpsest/core';
import { writableFormats } from '@palimpsest/core/formats';
import { builtInEngines } from '../../plugins/choose-engine.ts';
import { compressedTranscript } from '../compressed-transcript.ts';
import { deliver } from '../deliver-compression.ts';
import { destinationsOf } from '../destinations.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type InputFlags, loadConversation } from '../load.ts';
import { outputFile } from '../output-file.ts';
import { compressLoaded } from '../plugins/compress-with-engine.ts';
import { containPlugins } from '../plugins/containment.ts';
import { heardSettings } from '../plugins/heard-settings.ts';
import {
  type EngineFacts,
  type EngineFlags,
  isBuiltIn,
  refuseUnheard,
  runEngineFor,
  warningOf,
  writerNotes,
} from '../plugins/run-engine.ts';
import { counted } from '../render/text.ts';
import { type Terminal, writeNotes } from '../terminal.ts';
import { targetTokensOf } from '../token-count.ts';
import { belowThreshold, type Measure, measureFor, sizesFor } from '../window.ts';
import { chooseWriter } from '../writer/choose-writer.ts';
import type { Writer } from '../writer/load-writer.ts';
import { modelFlags, type Typed, type WritingFlags, writerFor } from '../writer/writer-for.ts';

export interface CompressFlags extends InputFlags, WritingFlags, EngineFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly to?: FormatName;
  readonly focus?: string;
  readonly template?: 'handoff' | 'progress' | 'brief';
  readonly explain?: boolean;
}

export async function runCompress(
  file: string | undefined,
  typed: Typed<CompressFlags>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { model: _model, ...others } = typed;
  const flags: CompressFlags = { ...others, ...modelFlags(typed) };
  const destinations = destinationsOf(flags, terminal.stdout.isTTY ?? false);
  checkTarget(flags);
  const { conversation } = destinations;
  const reads = flags.example ? [] : [file];
  const output =
    conversation.type === 'file' &&
    (await outputFile(conversation.path, { terminal, force: flags.force, inputs: reads }));
  const heard = await heardSettings(terminal);
  const choice = chooseWriter(flags, { settings: heard.all, own: heard.own });
  const load = (): Promise<Writer | undefined> => writerFor(choice, { flags, settings: heard.all, terminal });
  // A model that cannot be reached is told of before anything is read.
  const early = builtInEngines.includes(flags.engine ?? heard.engine) ? await load() : undefined;
  const loaded = await loadConversation(file, flags, { terminal });
  const { to, notes: formatNotes } = targetFormat(loaded.format, flags.to);
  const measure = await measureFor(loaded, flags);
  using containment = containPlugins(terminal, flags);
  const engine = await runEngineFor(flags, { heard, measure, terminal, containment });
  refuseUnheard(flags, engine);
  const writer = async (): Promise<Writer | undefined> => {
    if (!flags.json) await writeNotes(terminal, choice.notes, flags);
    return early ?? load();
  };
  const { messages } = loaded;
  const done = await compressLoaded({ flags, terminal, heard, writer, messages, measure, engine }, loaded);
  const { result } = done;
  const { transcript, leftOut } = compressedTranscript(loaded.transcript, loaded.messages, result);
  const recordNotes = leftOut > 0 && to === loaded.format ? [leftOutNote(leftOut)] : [];
  const known = [...heard.notes, ...heard.all.notes, ...loaded.notes, ...measure.notes, ...formatNotes];
  const room = fillNotes(result, { flags, measure, engine: done.engine, config: heard.all.config.compression });
  const newNotes = [...known, ...recordNotes, ...done.notes, ...room, ...engine.notices, ...warningOf(done.engine)];
  const notes = [...writerNotes(choice, done.engine), ...newNotes];
  await deliver(
    { ...done, ...(output ? { output } : {}), flags, loaded, measure, destinations, transcript, to, notes, newNotes },
    terminal,
  );
  return exitCodeFor(result);
}

function checkTarget({ target }: CompressFlags): void {
  if (target !== undefined) targetTokensOf(target);
}

interface Filled {
  readonly flags: Pick<CompressFlags, 'target'>;
  readonly measure: Measure;
  readonly engine: EngineFacts;
  readonly config: CompressionConfig;
}

/** Where nobody said how small it is to be, and the window leaves room for nearly everything. */
export function fillNotes(
  { before }: CompressionResult,
  { flags, measure, engine, config }: Filled,
): readonly string[] {
  if (flags.target !== undefined || !isBuiltIn(engine)) return [];
  return belowThreshold(before.total + measure.toolTokens, sizesFor(measure.window, config, measure.model));
}

/** What the caller is told of a compression. */
export function exitCodeFor({ status, failure }: CompressionResult): ExitCode {
  if (failure && status === 'unchanged') return exitCodes.model;
  return status === 'refused' ? exitCodes.finding : exitCodes.fine;
}

const leftOutNote = (count: number): string =>
  `${counted(count, 'record')} in the compressed part that are not messages (progress, snapshots) are not in the output`;

/** The format to write: as asked, else the input's own, else the one that most programs read. */
function targetFormat(from: FormatName, to: FormatName | undefined): { to: FormatName; notes: readonly string[] } {
  if (to !== undefined || writableFormats.includes(from)) return { to: to ?? from, notes: [] };
  return {
    to: 'openai-chat',
    notes: [`${from} can be read but not written; the output is openai-chat (choose another with --to)`],
  };
}
