/** From what was typed to a conversation: open, read, choose. What every command that takes a FILE begins with. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type FormatName,
  type Message,
  PalimpsestError,
  type ReadFinding,
  readTranscripts,
  type Transcript,
} from '@palimpsest/core';
import { isTitle, isTitleStart, transcriptTitle } from '@palimpsest/core/search';
import { packageFolder } from '../config/package.ts';
import { openInput } from './input.ts';
import { badOption, given, quoted } from './option-values.ts';
import { movingLine, readText } from './progress.ts';
import { counted, firstOf, linesOf, oneLine, shellWord } from './render/text.ts';
import type { Terminal } from './terminal.ts';

export interface InputFlags {
  readonly from?: FormatName;
  /** Which conversation of the file. */
  readonly session?: string;
  /** How that was written once. */
  readonly conversation?: string;
  readonly sinceLastCompression?: boolean;
  readonly example?: boolean;
}

interface LoadedFile {
  /** As typed; `-` for standard input, `--example` for the example. */
  readonly label: string;
  /** For the headline of a report: the name without its folders. */
  readonly title: string;
  readonly path?: string;
  readonly format: FormatName;
  readonly transcripts: readonly Transcript[];
  readonly findings: readonly ReadFinding[];
  readonly notes: readonly string[];
}

/** One conversation of a file, as a command sees it. */
export interface LoadedConversation extends LoadedFile {
  readonly transcript: Transcript;
  readonly index: number;
  /** The messages that the command is about; refs count them from m1. */
  readonly messages: readonly Message[];
  /** The words to repeat on the command line so that another command sees the same messages under the same refs. */
  readonly again: string;
}

interface LoadOptions {
  /** Hears the bytes as they come. */
  readonly tee?: (chunk: Uint8Array) => void;
  /** The command is about earlier compressions too. */
  readonly meansWhole?: boolean;
}

async function loadFile(
  file: string | undefined,
  { example, from }: InputFlags,
  { terminal, tee }: LoadOptions & { readonly terminal: Terminal },
): Promise<LoadedFile> {
  if (example && file !== undefined) throw fileAndExample(file);
  const label = example ? '--example' : (file ?? '-');
  const line = movingLine(terminal);
  const onBytes = (bytes: number, size: number | undefined): void => line.show(() => readText(label, bytes, size));
  try {
    const { bytes, path, notes } = await openInput(example ? await examplePath() : file, terminal, onBytes);
    const name = label === '-' ? 'standard input' : label;
    const read = await readTranscripts(tee ? teed(bytes, tee) : bytes, given({ format: from, name }));
    const title = example ? 'the recorded example' : path === undefined ? 'standard input' : basename(path);
    return { ...read, label, title, ...given({ path }), notes };
  } finally {
    line.erase();
  }
}

/** Two conversations where one is meant. */
export function fileAndExample(file: string): PalimpsestError {
  const message = `expected FILE or --example, got both: omit --example to read ${quoted(file, 200)}`;
  return badOption(message, { option: '--example' });
}

/** Reads a file and chooses the conversation. */
export async function loadConversation(
  file: string | undefined,
  flags: InputFlags,
  options: LoadOptions & { readonly terminal: Terminal },
): Promise<LoadedConversation> {
  const loaded = await loadFile(file, flags, options);
  const { transcript, index, note } = chooseConversation(loaded.transcripts, chosen(flags));
  const { sinceLastCompression: isCut } = flags;
  const messages = isCut ? sinceLastCompression(transcript) : transcript.messages;
  const compressed = transcript.compressions?.length ?? 0;
  const notes = linesOf(
    loaded.notes,
    note,
    isCut && messages === transcript.messages && neverCompressed,
    compressed > 0 && !isCut && !options.meansWhole && wasCompressed(compressed),
    skippedNote(loaded.findings),
  );
  return { ...loaded, transcript, index, messages, notes, again: againOf(loaded, flags, index) };
}

/** The conversation of a file in a JSON document. */
export const inputDocument = ({ label, format, index }: LoadedConversation): object => ({
  file: label,
  format,
  conversation: index + 1,
});

const chosen = ({ session, conversation }: InputFlags): string | undefined => session ?? conversation;

const neverCompressed = '--since-last-compression has no effect: the log was never compressed';

const wasCompressed = (times: number): string =>
  `the tool that wrote the log compressed it ${counted(times, 'time')}; the whole log is used (--since-last-compression: only what the model still saw)`;

function skippedNote(findings: readonly ReadFinding[]): readonly string[] {
  const skipped = findings.filter((finding) => finding.level === 'skipped');
  const [first] = skipped;
  if (!first) return [];
  const more = skipped.length > 1 ? ` (and ${skipped.length - 1} more: palimpsest inspect lists them)` : '';
  const place = first.line > 0 ? `line ${first.line}: ` : '';
  return [`${place}${first.message}${more}`];
}

/** The conversation is only named where the next command would choose another one, or the person did. */
function againOf(loaded: LoadedFile, flags: InputFlags, index: number): string {
  const file = flags.example ? '--example' : loaded.label === '-' ? 'FILE' : shellWord(loaded.label);
  const from = flags.from ? ` --from ${flags.from}` : '';
  const session = chosen(flags) === undefined ? '' : ` --session ${index + 1}`;
  const since = flags.sinceLastCompression ? ' --since-last-compression' : '';
  return `${file}${from}${session}${since}`;
}

async function* teed(source: AsyncIterable<Uint8Array>, tee: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    tee(chunk);
    yield chunk;
  }
}

/** Where the recorded session is: in the installed package; in a checkout the examples stand at its root. */
const places = ['examples/recorded', '../../examples/recorded'];

/** The path of the example. Throws `FILE_UNREADABLE` when the installation lacks it. */
export async function examplePath(): Promise<string> {
  for (const place of places) {
    const folder = join(packageFolder(), place);
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    const name = names.filter((file) => /\.jsonl?$/.test(file)).sort()[0];
    if (name !== undefined) return join(folder, name);
  }
  const message = 'the recorded example is missing from this installation: reinstall the package';
  throw new PalimpsestError('FILE_UNREADABLE', message);
}

// Which of the conversations of a file a command is about.

interface Choice {
  readonly transcript: Transcript;
  readonly index: number;
  /** Set when the choice was ours and there were others. */
  readonly note?: string;
}

/**
 * The conversation with a number (from 1), an id or the start of one, or a title; without either the longest one that is no
 * side conversation. Throws `ID_UNKNOWN` and `ID_AMBIGUOUS` with the list of those there are.
 */
export function chooseConversation(transcripts: readonly Transcript[], wanted: string | undefined): Choice {
  if (transcripts.length === 0) throw new PalimpsestError('TRANSCRIPT_BROKEN', 'the file contains no conversation');
  const index = wanted === undefined ? longest(transcripts) : wantedIndex(transcripts, wanted.trim());
  const transcript = transcripts[index];
  if (!transcript) throw unknownConversation(transcripts, wanted ?? '');
  const others = transcripts.length - 1;
  if (wanted !== undefined || others === 0) return { transcript, index };
  const name = transcript.id ? ` (${transcript.id})` : '';
  const note = `the file contains ${counted(transcripts.length, 'conversation')}; using number ${index + 1}${name}, the longest${transcript.sideOf === undefined ? '' : ' side'} one: choose another with --session N, an id or a title`;
  return { transcript, index, note };
}

function longest(transcripts: readonly Transcript[]): number {
  const mains = transcripts.filter((transcript) => transcript.sideOf === undefined);
  const candidates = mains.length > 0 ? mains : transcripts;
  const best = candidates.reduce((a, b) => (b.messages.length > a.messages.length ? b : a));
  return transcripts.indexOf(best);
}

function wantedIndex(transcripts: readonly Transcript[], wanted: string): number {
  const exact = transcripts.findIndex((transcript) => transcript.id === wanted);
  if (exact >= 0) return exact;
  if (/^\d{1,9}$/.test(wanted) && Number(wanted) >= 1 && Number(wanted) <= transcripts.length)
    return Number(wanted) - 1;
  const starts = transcripts.flatMap(({ id }, index) => (wanted && id?.startsWith(wanted) ? [index] : []));
  const meant = starts.length > 0 ? starts : withTitle(transcripts, wanted);
  const [first] = meant;
  if (first === undefined) throw unknownConversation(transcripts, wanted);
  if (meant.length === 1) return first;
  const message = `${JSON.stringify(wanted)} matches ${meant.length} conversations in the file: give the number of one of them:\n${listed(transcripts, meant)}`;
  throw new PalimpsestError('ID_AMBIGUOUS', message, { evidence: { conversation: wanted } });
}

/** Those with the title that lists show, in any case; for a text that ends in `…`, those whose title begins so. */
function withTitle(transcripts: readonly Transcript[], wanted: string): readonly number[] {
  const titles = transcripts.map(transcriptTitle);
  const whole = titles.flatMap((title, index) => (isTitle(title, wanted) ? [index] : []));
  return whole.length > 0 ? whole : titles.flatMap((title, index) => (isTitleStart(title, wanted) ? [index] : []));
}

function unknownConversation(transcripts: readonly Transcript[], wanted: string): PalimpsestError {
  const all = transcripts.map((_, index) => index);
  const message = `the file contains no conversation ${JSON.stringify(wanted)}: give the number, the id or the title of one of these:\n${listed(transcripts, all)}`;
  return new PalimpsestError('ID_UNKNOWN', message, { evidence: { conversation: wanted } });
}

/** More lines than this are no help in an error. */
const mostListed = 12;

function listed(transcripts: readonly Transcript[], indexes: readonly number[]): string {
  const lines = indexes.map((index) => {
    const transcript = transcripts[index];
    const title = transcript ? oneLine(transcriptTitle(transcript)) : '';
    return `  ${index + 1}  ${transcript?.id ?? '(no id)'}  ${counted(transcript?.messages.length ?? 0, 'message')}  ${title}`.trimEnd();
  });
  return firstOf(lines, mostListed, (rest) => `  … and ${rest} more: palimpsest inspect FILE --json lists all`).join(
    '\n',
  );
}

/**
 * What the model of the log still saw: its system prompt and everything from its last compression on. The same list
 * when it was never compressed.
 */
export function sinceLastCompression(transcript: Transcript): readonly Message[] {
  const { messages, compressions = [] } = transcript;
  const start = compressions.reduce((last, at) => Math.max(last, at), 0);
  if (start <= 0 || start >= messages.length) return messages;
  const systemEnd = messages.findIndex((message) => message.role !== 'system');
  return [...messages.slice(0, Math.min(start, Math.max(0, systemEnd))), ...messages.slice(start)];
}
