/** Puts a finished compression where it belongs: the conversation, the notes, and the report or the JSON document. */
import {
  type CompressionResult,
  type FormatName,
  type MessageFate,
  type Transcript,
  writeTranscript,
} from '@palimpsest/core';
import { nowhere, refAt } from '@palimpsest/core/engine';
import { parseJson } from '@palimpsest/core/settings';
import type { Destinations } from './destinations.ts';
import type { LoadedConversation } from './load.ts';
import type { OutputFile } from './output-file.ts';
import { type EngineFacts, engineDocument } from './plugins/run-engine.ts';
import { type CompressionReport, compressionReport, explanation } from './render/compression-report.ts';
import { summaryExplanation } from './render/summary-report.ts';
import {
  type GlobalFlags,
  hasScreen,
  stderrScreen,
  stdoutScreen,
  type Terminal,
  writeErrorLine,
  writeJson,
  writeNotes,
  writePieces,
  writeReport,
} from './terminal.ts';
import type { Measure } from './window.ts';
import { modelDocument } from './writer/summary-facts.ts';

/** Everything that is known once the compression is done. */
export interface Compressed {
  readonly flags: GlobalFlags & { readonly explain?: boolean };
  readonly loaded: LoadedConversation;
  readonly measure: Measure;
  readonly result: CompressionResult;
  readonly engine: EngineFacts;
  /** Why a hook did not want it. */
  readonly veto?: string;
  /** The conversation to write. */
  readonly transcript: Transcript;
  readonly to: FormatName;
  readonly notes: readonly string[];
  /** Those of the notes that a person has not read yet. */
  readonly newNotes: readonly string[];
  readonly destinations: Destinations;
  /** Where the conversation goes to a file. */
  readonly output?: OutputFile;
}

export async function deliver(done: Compressed, terminal: Terminal): Promise<void> {
  const { destinations, flags, result } = done;
  const { conversation, report } = destinations;
  // Written before anything is said about it: the report never praises a file that could not be written.
  await done.output?.write(written(done));
  if (report === 'json') {
    await writeJson(terminal.stdout, jsonOf(done));
    return;
  }
  await writeNotes(terminal, done.newNotes, flags);
  if (conversation.type === 'stdout') await writePieces(terminal.stdout, written(done));
  if (report === 'nowhere') {
    // What kept the conversation from being compressed is an error, which nobody wants to be kept quiet.
    if (result.failure && result.status === 'unchanged') await writeErrorLine(terminal, result.failure.message, flags);
    return;
  }
  const screen = report === 'stdout' ? stdoutScreen(terminal, flags) : stderrScreen(terminal, flags);
  const facts = reportOf(done);
  const lines = [...compressionReport(facts, screen)];
  // A row needs more room than a narrow screen has; in a file or a pipe lines may be long.
  const wide = hasScreen(terminal, report) ? screen : { ...screen, columns: 200 };
  const changed = flags.explain ? summaryExplanation(done.result, wide) : [];
  if (changed.length > 0) lines.push('', ...changed);
  if (flags.explain) lines.push('', ...explanation(facts, wide));
  await writeReport(terminal, lines, { ...flags, place: report });
}

const written = ({ transcript, to }: Compressed): Iterable<string> => writeTranscript(transcript, to);

function reportOf({ loaded, measure, result, engine, flags, destinations }: Compressed): CompressionReport {
  const { again, messages, title } = loaded;
  const gone = ({ fate, ref }: MessageFate): boolean =>
    ref !== refAt(nowhere) && (fate === 'stubbed' || fate === 'summarised');
  const covered = result.handoff?.covers[0] ?? result.fates.find(gone)?.ref;
  const output = destinations.conversation;
  const next: (readonly [string, string])[] = [
    ...(covered ? [[`palimpsest expand ${again} ${covered}`, 'show the original of a message'] as const] : []),
    ...(flags.explain || result.status !== 'compressed'
      ? []
      : [[`palimpsest compress ${again} --explain`, 'show what happened to each message'] as const]),
    ...(output.type === 'nowhere' && !flags.explain && result.status === 'compressed'
      ? [[`palimpsest compress ${again} -o FILE`, 'write the compressed conversation'] as const]
      : []),
  ];
  const { window, toolTokens } = measure;
  return { result, messages, title, window, toolTokens, engine: engine.name, next };
}

/** The document of `--json`; docs/guide/compress.md describes it. */
function jsonOf(done: Compressed): unknown {
  const { loaded, measure, result, engine, veto, to, notes, destinations } = done;
  const { messages: _messages, handoff, summary: _summary, failure: _failure, ...outcome } = result;
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
    engine: engineDocument(engine),
    model: measure.model ?? null,
    window: measure.window,
    toolTokens: measure.toolTokens,
    ...outcome,
    ...(veto === undefined ? {} : { status: 'held_back' }),
    handoff: handoff ?? null,
    ...modelDocument(result),
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
