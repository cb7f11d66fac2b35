/** `palimpsest compress`: read, compress, write, report. */
import { resolve } from 'node:path';
import { compress } from '../../compression/compress.ts';
import type { CompressionResult } from '../../compression/result.ts';
import { parseJson } from '../../shared/json.ts';
import { parseTokenCount } from '../../tokens/models.ts';
import { writableFormats } from '../../transcript/formats/registry.ts';
import type { FormatName, Transcript } from '../../transcript/message.ts';
import { writeTranscript } from '../../transcript/write.ts';
import { compressedTranscript } from '../compressed-transcript.ts';
import { type Destinations, destinationsOf } from '../destinations.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { loadSettings } from '../load-settings.ts';
import { guardInput, writeWhole } from '../output-file.ts';
import { type CompressionReport, compressionReport, explanation } from '../render/compression-report.ts';
import { counted } from '../render/text.ts';
import {
  stderrScreen,
  stdoutScreen,
  type Terminal,
  writeJson,
  writeLines,
  writeNotes,
  writePieces,
} from '../terminal.ts';
import { type Measure, type ModelFlags, measureFor } from '../window.ts';

export interface CompressFlags extends InputFlags, ModelFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly to?: FormatName;
  readonly target?: string;
  readonly focus?: string;
  readonly template?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
}

/** Everything that is known once the compression is done. */
interface Compressed {
  readonly flags: CompressFlags;
  readonly loaded: LoadedConversation;
  readonly measure: Measure;
  readonly result: CompressionResult;
  /** The conversation to write. */
  readonly transcript: Transcript;
  readonly to: FormatName;
  readonly notes: readonly string[];
  readonly destinations: Destinations;
}

export async function runCompress(
  file: string | undefined,
  flags: CompressFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const destinations = destinationsOf(flags, terminal.stdout.isTTY ?? false);
  const targetTokens = flags.target === undefined ? undefined : parseTokenCount(flags.target);
  const settings = await loadSettings(terminal);
  const loaded = await loadConversation(file, flags, { terminal });
  if (destinations.conversation.type === 'file') {
    await guardInput(resolve(terminal.cwd, destinations.conversation.path), loaded.path, flags.force ?? false);
  }
  const { to, notes: formatNotes } = targetFormat(loaded.format, flags.to);
  const measure = await measureFor(loaded, flags);
  const config = settings.config.compression;
  const result = await compress(loaded.messages, {
    tokenizer: measure.tokenizer,
    contextLength: measure.window.tokens,
    config,
    force: true,
    ...(targetTokens === undefined ? {} : { targetTokens }),
    ...(flags.focus ? { focusTopic: flags.focus } : {}),
    ...(flags.template ? { template: flags.template } : {}),
  });
  const { transcript, leftOut } = compressedTranscript(loaded.transcript, loaded.messages, result);
  const recordNotes = leftOut > 0 && to === loaded.format ? [leftOutNote(leftOut)] : [];
  const notes = [...settings.notes, ...loaded.notes, ...measure.notes, ...formatNotes, ...recordNotes];
  const done: Compressed = { flags, loaded, measure, result, transcript, to, notes, destinations };
  await deliver(done, terminal);
  return result.status === 'refused' ? exitCodes.finding : exitCodes.fine;
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

async function deliver(done: Compressed, terminal: Terminal): Promise<void> {
  const { destinations, flags } = done;
  const { conversation, report } = destinations;
  // Written before anything is said about it: the report never praises a file that could not be written.
  if (conversation.type === 'file') await writeWhole(resolve(terminal.cwd, conversation.path), written(done));
  if (report === 'json') {
    await writeJson(terminal.stdout, jsonOf(done));
    return;
  }
  await writeNotes(terminal, done.notes, flags);
  if (conversation.type === 'stdout') await writePieces(terminal.stdout, written(done));
  if (report === 'nowhere') return;
  const screen = report === 'stdout' ? stdoutScreen(terminal, flags) : stderrScreen(terminal, flags);
  const facts = reportOf(done);
  const lines = [...compressionReport(facts, screen)];
  // A row needs more room than a narrow screen has; where lines may be long, they are.
  const wide = terminal[report].isTTY ? screen : { ...screen, columns: 200 };
  if (flags.explain) lines.push('', ...explanation(facts, wide));
  await writeLines(terminal[report], lines);
}

const written = ({ transcript, to }: Compressed): Iterable<string> => writeTranscript(transcript, to);

function reportOf({ loaded, measure, result, flags, destinations }: Compressed): CompressionReport {
  const { again, messages, title } = loaded;
  const covered = result.handoff?.covers[0] ?? result.fates.find((entry) => entry.fate === 'stubbed')?.ref;
  const output = destinations.conversation;
  const next: (readonly [string, string])[] = [
    ...(covered ? [[`palimpsest expand ${again} ${covered}`, 'the original of a message'] as const] : []),
    ...(flags.explain || result.status !== 'compressed'
      ? []
      : [[`palimpsest compress ${again} --explain`, 'what became of every message'] as const]),
    ...(output.type === 'nowhere' && !flags.explain && result.status === 'compressed'
      ? [[`palimpsest compress ${again} -o FILE`, 'write the compressed conversation'] as const]
      : []),
  ];
  return { result, messages, title, window: measure.window, toolTokens: measure.toolTokens, next };
}

/** The document of `--json`; docs/guide/compress.md describes it. */
function jsonOf(done: Compressed): unknown {
  const { loaded, measure, result, to, notes, destinations } = done;
  const { messages: _messages, handoff, ...outcome } = result;
  const output = destinations.conversation;
  return {
    command: 'compress',
    input: {
      file: loaded.label,
      format: loaded.format,
      conversation: loaded.index + 1,
      conversations: loaded.transcripts.length,
      id: loaded.transcript.id ?? null,
      messages: loaded.messages.length,
    },
    model: measure.model ?? null,
    window: measure.window,
    toolTokens: measure.toolTokens,
    ...outcome,
    handoff: handoff ?? null,
    notes,
    findings: loaded.findings,
    output: {
      format: to,
      file: output.type === 'file' ? output.path : null,
      messages: result.messages.length,
      ...(output.type === 'json' ? { conversation: asValue(written(done)) } : {}),
    },
  };
}

/** A document as its value, lines as a list of values. */
function asValue(pieces: Iterable<string>): unknown {
  const text = [...pieces].join('');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 1 ? parseJson(text) : (parseJson(text) ?? lines.map((line) => parseJson(line) ?? line));
}
