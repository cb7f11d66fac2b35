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
import { packageFolder } from '../config/package-version.ts';
import { chooseConversation, sinceLastCompression } from './choose-conversation.ts';
import { openInput } from './input.ts';
import { progressLine } from './progress.ts';
import { counted, shellWord } from './render/text.ts';
import type { GlobalFlags, Terminal } from './terminal.ts';

/** The options that say what to read. */
export interface InputFlags extends GlobalFlags {
  readonly from?: FormatName;
  /** Which conversation of the file. */
  readonly session?: string;
  /** How that was written once. */
  readonly conversation?: string;
  readonly sinceLastCompression?: boolean;
  readonly example?: boolean;
}

export interface LoadedFile {
  /** As typed; `-` for standard input, `--example` for the example. */
  readonly label: string;
  /** For the headline of a report: the name without its folders. */
  readonly title: string;
  /** Absolute path; absent for standard input. */
  readonly path?: string;
  readonly format: FormatName;
  readonly transcripts: readonly Transcript[];
  readonly findings: readonly ReadFinding[];
  readonly notes: readonly string[];
}

/** One conversation of a file, as a command sees it. */
export interface LoadedConversation extends LoadedFile {
  readonly transcript: Transcript;
  /** Position of the conversation in the file, from 0. */
  readonly index: number;
  /** The messages that the command is about; refs count them from m1. */
  readonly messages: readonly Message[];
  /** The words to repeat on the command line so that another command sees the same messages under the same refs. */
  readonly again: string;
}

/** Reads a whole file. */
export async function loadFile(
  file: string | undefined,
  flags: InputFlags,
  { terminal, tee }: { terminal: Terminal; tee?: (chunk: Uint8Array) => void },
): Promise<LoadedFile> {
  if (flags.example && file !== undefined) throw fileAndExample(file);
  const named = flags.example ? await examplePath() : file;
  const label = flags.example ? '--example' : (file ?? '-');
  const progress = progressLine(terminal, label, flags);
  try {
    const input = await openInput(named, terminal, { onBytes: progress.advance });
    const source = tee ? teed(input.bytes, tee) : input.bytes;
    const read = await readTranscripts(source, {
      ...(flags.from ? { format: flags.from } : {}),
      name: label === '-' ? 'standard input' : label,
    });
    return {
      ...read,
      label,
      title: titleOf(input.path, flags),
      ...(input.path ? { path: input.path } : {}),
      notes: input.notes,
    };
  } finally {
    progress.end();
  }
}

/** Two conversations where one is meant. */
export function fileAndExample(file: string): PalimpsestError {
  const message = `expected FILE or --example, got both: omit --example to read ${JSON.stringify(file.slice(0, 200))}`;
  return new PalimpsestError('BAD_OPTION', message, { evidence: { option: '--example' } });
}

function titleOf(path: string | undefined, { example }: InputFlags): string {
  if (example) return 'the recorded example';
  return path === undefined ? 'standard input' : basename(path);
}

/** Reads a file and chooses the conversation. `meansWhole`: the command is about earlier compressions too. */
export async function loadConversation(
  file: string | undefined,
  flags: InputFlags,
  options: { terminal: Terminal; tee?: (chunk: Uint8Array) => void; meansWhole?: boolean },
): Promise<LoadedConversation> {
  const loaded = await loadFile(file, flags, options);
  const { transcript, index, note } = chooseConversation(loaded.transcripts, chosen(flags));
  const messages = flags.sinceLastCompression ? sinceLastCompression(transcript) : transcript.messages;
  const compressed = transcript.compressions?.length ?? 0;
  const notes = [
    ...loaded.notes,
    ...(note ? [note] : []),
    ...(flags.sinceLastCompression && messages === transcript.messages ? [neverCompressed] : []),
    ...(compressed > 0 && !flags.sinceLastCompression && !options.meansWhole ? [wasCompressed(compressed)] : []),
    ...skippedNote(loaded.findings),
  ];
  return { ...loaded, transcript, index, messages, notes, again: againOf(loaded, flags, index) };
}

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

async function* teed(
  source: AsyncIterable<Uint8Array>,
  tee: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of source) {
    tee(chunk);
    yield chunk;
  }
}

// The recorded session that ships with the package.

/** Inside the installed package; in a checkout the examples of both packages stand at its root. */
const places = ['examples/recorded', '../../examples/recorded'];

/** The path of the example. Throws `FILE_UNREADABLE` when the installation lacks it. */
export async function examplePath(): Promise<string> {
  for (const place of places) {
    const folder = join(packageFolder(), place);
    const name = (await filesIn(folder)).filter((file) => /\.jsonl?$/.test(file)).sort()[0];
    if (name !== undefined) return join(folder, name);
  }
  const message = 'the recorded example is missing from this installation: reinstall the package';
  throw new PalimpsestError('FILE_UNREADABLE', message);
}

async function filesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path, { recursive: true });
  } catch {
    // A missing folder is a missing example, which the caller reports.
    return [];
  }
}
