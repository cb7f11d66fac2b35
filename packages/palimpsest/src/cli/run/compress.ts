/** `palimpsest compress` and `palimpsest sessions compress`: a conversation of a file, or of the store, made smaller. */
import {
  type CompressionResult,
  type FormatName,
  type Message,
  type Summarizer,
  type Transcript,
  writeTranscript,
} from '@palimpsest/core';
import { nowhere, refAt } from '@palimpsest/core/engine';
import { writableFormats } from '@palimpsest/core/formats';
import { parseJson } from '@palimpsest/core/settings';
import type { Session, SessionCompression } from '@palimpsest/core/store';
import { builtInEngines } from '../../plugins/choose-engine.ts';
import { visible } from '../../terminal/visible.ts';
import type { Call } from '../commands/build.ts';
import { compressedTranscript } from '../compressed-transcript.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type InputFlags, inputDocument, type LoadedConversation, loadConversation } from '../load.ts';
import { memoryBeside } from '../open-memory.ts';
import { findSession, openStoreFor, type StoreFlags, sessionTitle } from '../open-store.ts';
import { given, targetTokensOf, tokenCountOf } from '../option-values.ts';
import { outputFile } from '../output-file.ts';
import { compressLoaded, compressStored, type EngineDone, type EngineWork } from '../plugins/compress-with-engine.ts';
import { containPlugins, type EngineFlags, isBuiltIn, runEngineFor } from '../plugins/run-engine.ts';
import { compressionReport, explanation } from '../render/compression-report.ts';
import { modelDocument, summaryExplanation } from '../render/summary-report.ts';
import { counted, linesOf, type NextStep } from '../render/text.ts';
import { heardSettings } from '../settings.ts';
import * as write from '../terminal.ts';
import { belowThreshold, measureFor, sizesFor } from '../window.ts';
import { chooseWriter, modelFlags, type Typed, type WriterChoice, wantedName } from '../writer/choose-writer.ts';
import type { Writer } from '../writer/load-writer.ts';

interface CompressFlags extends InputFlags, EngineFlags {
  readonly output?: string;
  readonly force?: boolean;
  readonly to?: FormatName;
  readonly explain?: boolean;
}

export async function runCompress(call: Call<Typed<CompressFlags>>): Promise<ExitCode> {
  const { words, terminal } = call;
  const [file] = words;
  const { model: _model, ...others } = call.flags;
  const flags: CompressFlags = { ...others, ...modelFlags(call.flags) };
  const destinations = destinationsOf({ ...flags, ...terminal }, terminal.stdout.isTTY ?? false);
  if (flags.target !== undefined) targetTokensOf(flags.target);
  const { conversation } = destinations;
  const rules = { terminal, force: flags.force, inputs: flags.example ? [] : [file] };
  const output = conversation.type === 'file' ? await outputFile(conversation.path, rules) : undefined;
  const heard = await heardSettings(terminal);
  const choice = chooseWriter(flags, heard);
  const load = (): Promise<Writer | undefined> => writerFor(choice, { flags, heard, terminal });
  // A model that cannot be reached is told of before anything is read.
  const early = builtInEngines.includes(flags.engine ?? heard.engine) ? await load() : undefined;
  const loaded = await loadConversation(file, flags, { terminal });
  const { messages, format } = loaded;
  const isWritable = flags.to !== undefined || writableFormats.includes(format);
  // What a log of a tool is written as whose own format can only be read.
  const to = flags.to ?? (isWritable ? format : 'openai-chat');
  const measure = await measureFor(loaded, flags);
  using containment = containPlugins(terminal);
  const engine = await runEngineFor(flags, { heard, measure, terminal, containment });
  const writer = async (): Promise<Writer | undefined> => {
    if (!terminal.json) await write.writeNotes(terminal, choice.notes);
    return early ?? load();
  };
  const work: EngineWork = { flags, terminal, heard, writer, messages, measure, engine };
  const done = await compressLoaded(work, loaded);
  const { transcript, leftOut } = compressedTranscript(loaded.transcript, messages, done.result);
  const lost = `${counted(leftOut, 'record')} in the compressed part that are not messages (progress, snapshots) are not in the output`;
  const newNotes = linesOf(
    heard.notes,
    heard.all.notes,
    loaded.notes,
    measure.notes,
    !isWritable && `${format} can be read but not written; the output is openai-chat (choose another with --to)`,
    leftOut > 0 && to === format && lost,
    done.notes,
    fillNotes(work, done),
    engine.notices,
    done.engine.warning,
  );
  // Written before anything is said about it: the report never praises a file that could not be written.
  await output?.write(writeTranscript(transcript, to));
  await deliver({ ...done, work, loaded, destinations, transcript, to, newNotes, choice }, flags.explain ?? false);
  return exitCodeFor(done.result);
}

/** The writer that was chosen; undefined where the ledger writes. */
async function writerFor(
  { first, ...choice }: WriterChoice,
  { flags, heard, terminal }: Pick<EngineWork, 'flags' | 'heard' | 'terminal'>,
): Promise<Writer | undefined> {
  if (!first) return undefined;
  // Only who wants a model waits for what reaches one.
  const { loadWriter } = await import('../writer/load-writer.ts');
  const { summarizerContextLength: text } = flags;
  const setting = { env: terminal.env, timeouts: heard.all.config.auxiliary.compression };
  const known = text === undefined ? {} : { contextLength: tokenCountOf('--summarizer-context-length', text) };
  return loadWriter({ first, ...choice }, { ...setting, ...known });
}

/** Where nobody said how small it is to be, and the window leaves room for nearly everything. */
function fillNotes({ flags, measure, heard }: EngineWork, { result, engine }: Done): readonly string[] {
  if (flags.target !== undefined || !isBuiltIn(engine)) return [];
  const sizes = sizesFor(measure.window, heard.all.config.compression, measure.model);
  return belowThreshold(result.before.total + measure.toolTokens, sizes);
}

/** What is said about the model that is to write: another engine than ours has none of it. */
function writerNotes({ first, notes }: WriterChoice, { engine }: EngineDone): readonly string[] {
  if (isBuiltIn(engine)) return notes;
  const unused = `No model writes the summary: the engine "${engine.name}" does not use the configured one.`;
  return first ? [unused] : [];
}

/** What the caller is told of it. */
function exitCodeFor({ status, failure }: CompressionResult): ExitCode {
  if (failure && status === 'unchanged') return exitCodes.model;
  return status === 'refused' ? exitCodes.finding : exitCodes.fine;
}

interface Done extends EngineDone {
  readonly result: CompressionResult;
  /** Why a hook did not want it. */
  readonly veto?: string;
}

interface Delivery extends Done {
  readonly work: EngineWork;
  readonly loaded: LoadedConversation;
  readonly destinations: Destinations;
  readonly transcript: Transcript;
  readonly to: FormatName;
  /** What a person has not read yet. */
  readonly newNotes: readonly string[];
  readonly choice: WriterChoice;
}

/** Puts a finished compression where it belongs: the conversation, the notes, and the report or the JSON document. */
async function deliver(done: Delivery, isExplained: boolean): Promise<void> {
  const { result, work, loaded, destinations, transcript, to } = done;
  const { terminal } = work;
  const { conversation, report } = destinations;
  if (report === 'json') return write.writeJson(terminal, documentOf(done));
  await write.writeNotes(terminal, done.newNotes);
  if (conversation.type === 'stdout') await write.writePieces(terminal.stdout, writeTranscript(transcript, to));
  if (report === 'nowhere') {
    // What kept the conversation from being compressed is an error, which nobody wants to be kept quiet.
    const { failure, status } = result;
    if (failure && status === 'unchanged') await write.writeErrorLine(terminal, failure.message);
    return;
  }
  const screen = write.screenAt(terminal, report);
  const facts = factsFor(done, { title: loaded.title, next: nextAfter(done, isExplained) });
  // A row needs more room than a narrow screen has; in a file or a pipe lines may be long.
  const wide = write.hasScreen(terminal, report) ? screen : { ...screen, columns: 200 };
  const changed = isExplained ? summaryExplanation(result, wide) : [];
  const lines = linesOf(
    compressionReport(facts, screen),
    changed.length > 0 && ['', ...changed],
    isExplained && ['', ...explanation(facts, wide)],
  );
  await write.writeReport(terminal, lines, report);
}

const factsFor = (
  { result, work, engine }: Done & { readonly work: EngineWork },
  about: { readonly title: string; readonly next: readonly NextStep[] },
) => {
  const { window, toolTokens } = work.measure;
  return { ...about, result, messages: work.messages, window, toolTokens, engine: engine.name };
};

function nextAfter({ result, loaded: { again }, destinations }: Delivery, isExplained: boolean): readonly NextStep[] {
  const gone = result.fates.find(
    ({ fate, ref }) => ref !== refAt(nowhere) && (fate === 'stubbed' || fate === 'summarised'),
  );
  const covered = result.handoff?.covers[0] ?? gone?.ref;
  const hasMore = !isExplained && result.status === 'compressed';
  const steps: NextStep[] = [];
  if (covered) steps.push([`palimpsest expand ${again} ${covered}`, 'show the original of a message']);
  if (hasMore) steps.push([`palimpsest compress ${again} --explain`, 'show what happened to each message']);
  if (hasMore && destinations.conversation.type === 'nowhere')
    steps.push([`palimpsest compress ${again} -o FILE`, 'write the compressed conversation']);
  return steps;
}

/** The document of `--json`; docs/guide/compress.md describes it. */
function documentOf(done: Delivery): object {
  const { loaded, result, to, destinations, choice, newNotes, transcript } = done;
  const output = destinations.conversation;
  const written = output.type === 'json' && { conversation: asValue(writeTranscript(transcript, to)) };
  return {
    command: 'compress',
    input: {
      ...inputDocument(loaded),
      conversations: loaded.transcripts.length,
      id: loaded.transcript.id ?? null,
      messages: loaded.messages.length,
    },
    ...outcomeDocument(done),
    notes: [...writerNotes(choice, done), ...newNotes],
    findings: loaded.findings,
    output: {
      format: to,
      file: output.type === 'file' ? output.path : null,
      messages: result.messages.length,
      ...written,
    },
  };
}

function outcomeDocument({ result, engine, veto, work: { measure } }: Done & { readonly work: EngineWork }): object {
  const { messages: _messages, handoff, summary: _summary, failure: _failure, ...outcome } = result;
  const { name, from, asked, warning } = engine;
  return {
    engine: { name, from, asked, warning: warning ?? null },
    model: measure.model ?? null,
    window: measure.window,
    toolTokens: measure.toolTokens,
    ...outcome,
    ...(veto === undefined ? {} : { status: 'held_back' }),
    overTarget: outcome.overTarget ?? null,
    handoff: handoff ?? null,
    ...modelDocument(result),
  };
}

/** A document as its value, lines as a list of values. */
function asValue(pieces: Iterable<string>): unknown {
  const text = [...pieces].join('');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length === 1 ? parseJson(text) : (parseJson(text) ?? lines.map((line) => parseJson(line) ?? line));
}

interface DestinationFlags extends write.GlobalFlags {
  readonly output?: string;
  readonly explain?: boolean;
  readonly example?: boolean;
}

export interface Destinations {
  readonly conversation:
    | { readonly type: 'file'; readonly path: string }
    /** On standard output, inside the JSON document, or nowhere. */
    | { readonly type: 'stdout' | 'json' | 'nowhere' };
  readonly report: 'stdout' | 'stderr' | 'json' | 'nowhere';
}

/**
 * The conversation goes where `-o` says, else to a pipe. The report goes to standard output unless the conversation is
 * there. Whoever asks for an explanation or the example wants to read: then only `-o` writes a conversation.
 */
export function destinationsOf(flags: DestinationFlags, isTerminal: boolean): Destinations {
  const { output, json, quiet, explain, example } = flags;
  const file = output === undefined || output === '-' ? undefined : ({ type: 'file', path: output } as const);
  if (json) return { conversation: file ?? { type: 'json' }, report: 'json' };
  const report = (place: 'stdout' | 'stderr'): Destinations['report'] => (quiet ? 'nowhere' : place);
  if (file) return { conversation: file, report: report('stdout') };
  const wantsToRead = explain || example || isTerminal;
  if (output === '-' || !wantsToRead) return { conversation: { type: 'stdout' }, report: report('stderr') };
  return { conversation: { type: 'nowhere' }, report: report('stdout') };
}

// `palimpsest sessions compress`: a conversation of the store goes on in a smaller session.

export async function runSessionsCompress(call: Call<Typed<EngineFlags & StoreFlags>>): Promise<ExitCode> {
  const { words, terminal } = call;
  const { model: _model, ...others } = call.flags;
  const flags: EngineFlags & StoreFlags = { ...others, ...modelFlags(call.flags) };
  const { store, path, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const before = await findSession(opened, words[0] ?? '');
  const heard = await heardSettings(terminal);
  const choice = chooseWriter(flags, heard);
  const messages = (await opened.messages.view(before.id)).map(({ message }): Message => message);
  const measure = await measureFor({ messages, transcript: before }, flags);
  using containment = containPlugins(terminal);
  const engine = await runEngineFor(flags, { heard, measure, terminal, containment });
  let loading: Promise<Writer | undefined> | undefined;
  const writer = (): Promise<Writer | undefined> => {
    loading ??= writerFor(choice, { flags, heard, terminal });
    return loading;
  };
  const work: EngineWork = { flags, terminal, heard, writer, messages, measure, engine };
  const kept = await memoryBeside({ store: opened, path }, { flags, project: before.project, terminal });
  const memory = kept.memory && { memory: kept.memory, ...given({ writer: noteWriter(choice, writer) }) };
  const done = await compressStored(work, { store: opened, session: before, memory });
  const title = await sessionTitle(opened, done.session.id);
  const made = done.veto === undefined && [...writerNotes(choice, done), ...fillNotes(work, done)];
  const settings = [...heard.notes, ...heard.all.notes];
  const said = linesOf(
    notes,
    kept.notes,
    settings,
    measure.notes,
    done.notes,
    engine.notices,
    made,
    done.engine.warning,
  );
  if (terminal.json) {
    const session = sessionDocument(done, before, title);
    const outcome = outcomeDocument({ ...done, work });
    await write.writeJson(terminal, { command: 'sessions compress', session, ...outcome, notes: said });
    return exitCodeFor(done.result);
  }
  await write.writeNotes(terminal, said);
  const { id } = done.session;
  const facts = factsFor({ ...done, work }, { title: title || id, next: id === before.id ? [] : nextInStore(id) });
  const isHeld = done.veto !== undefined;
  const screen = write.stdoutScreen(terminal);
  await write.writeReport(terminal, isHeld ? [visible(done.result.reason)] : compressionReport(facts, screen));
  return exitCodeFor(done.result);
}

/** The model that writes the summary, asked what is worth keeping; it is loaded when it is needed. */
function noteWriter({ first }: WriterChoice, load: () => Promise<Writer | undefined>): Summarizer | undefined {
  if (!first) return undefined;
  return {
    name: wantedName(first),
    async write(call) {
      const writer = await load();
      if (!writer) throw new Error('no model was chosen');
      return writer.first.write(call);
    },
  };
}

const sessionDocument = ({ session }: SessionCompression, before: Session, title: string): object => ({
  id: session.id,
  rootId: session.rootId,
  parentId: session.parentId ?? null,
  before: before.id,
  title: title || null,
});

const nextInStore = (id: string): readonly NextStep[] => [
  [`palimpsest sessions show ${id} --messages`, 'show what the model sees now'],
  [`palimpsest sessions export ${id} --view`, 'write the smaller conversation, to continue with'],
  [`palimpsest sessions export ${id}`, 'everything that was said'],
];
