/** `palimpsest verify`: holds a summary, or those that a conversation carries, against what was said. */
import { type Message, PalimpsestError } from '@palimpsest/core';
import { refOf } from '@palimpsest/core/search';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { type OutputFile, outputFile } from '../output-file.ts';
import { counted, visible } from '../render/text.ts';
import { verificationReport } from '../render/verification-report.ts';
import {
  stderrScreen,
  stdoutScreen,
  type Terminal,
  writeJson,
  writeNotes,
  writePieces,
  writeReport,
} from '../terminal.ts';
import {
  carriedSummaries,
  type HeldSummary,
  hold,
  placeAt,
  type ReadSummary,
  readSummary,
  whyUnverifiable,
  withBody,
} from '../verify-summaries.ts';

export interface VerifyFlags extends InputFlags {
  readonly at?: string;
  readonly fix?: boolean;
  readonly output?: string;
  readonly force?: boolean;
}

/** What was verified. */
interface Verified {
  readonly flags: VerifyFlags;
  readonly loaded: LoadedConversation;
  /** Absent where the summaries are those of the conversation itself. */
  readonly given?: ReadSummary;
  readonly held: readonly HeldSummary[];
  readonly notes: readonly string[];
  /** Where the corrected summary goes to a file. */
  readonly output?: OutputFile;
}

/** `words` are SUMMARY and TRANSCRIPT; the transcript alone, or with `--example` the summary alone. */
export async function runVerify(words: readonly string[], flags: VerifyFlags, terminal: Terminal): Promise<ExitCode> {
  checkFlags(words, flags);
  const [summaryFile, transcriptFile] = flags.example || words.length > 1 ? words : [undefined, words[0]];
  const output = await outputFor(flags, flags.example ? [summaryFile] : words, terminal);
  const given = summaryFile === undefined ? undefined : await readSummary(summaryFile, terminal);
  const loaded = await loadTranscript(transcriptFile, flags, { terminal, isAlone: given === undefined });
  const { held, notes } = given ? holdGiven(given, loaded, flags) : holdCarried(loaded, flags);
  await deliver({ flags, loaded, ...(given ? { given } : {}), ...(output ? { output } : {}), held, notes }, terminal);
  return held.every(({ verification }) => verification.holds) ? exitCodes.fine : exitCodes.finding;
}

async function outputFor(
  { output, force }: VerifyFlags,
  inputs: readonly (string | undefined)[],
  terminal: Terminal,
): Promise<OutputFile | undefined> {
  return output === undefined || output === '-' ? undefined : outputFile(output, { terminal, force, inputs });
}

async function loadTranscript(
  file: string | undefined,
  flags: VerifyFlags,
  { terminal, isAlone }: { readonly terminal: Terminal; readonly isAlone: boolean },
): Promise<LoadedConversation> {
  try {
    return await loadConversation(file, flags, { terminal, meansWhole: true });
  } catch (error) {
    if (!isAlone || !PalimpsestError.isInstance(error) || error.code !== 'FORMAT_UNKNOWN') throw error;
    const message = `${error.message}. The order is: palimpsest verify SUMMARY TRANSCRIPT`;
    throw new PalimpsestError(error.code, message, { evidence: error.evidence, cause: error });
  }
}

function checkFlags(words: readonly string[], { fix, output, example }: VerifyFlags): void {
  const bad = (message: string): PalimpsestError => new PalimpsestError('BAD_OPTION', message);
  if (output !== undefined && !fix) throw bad('-o writes the corrected summary: use it with --fix');
  if (example && words.length > 1)
    throw bad('with --example expected no TRANSCRIPT: palimpsest verify SUMMARY --example');
  if (words.length > 1 && words.every((word) => word === '-')) {
    throw bad('expected standard input as the summary or as the transcript, got both: name a file for one of them');
  }
}

interface Held {
  readonly held: readonly HeldSummary[];
  readonly notes: readonly string[];
}

function holdGiven(given: ReadSummary, { messages }: LoadedConversation, flags: VerifyFlags): Held {
  const { summary } = given;
  const same = carriedSummaries(messages).find((carried) => carried.summary.body === summary.body);
  const end = flags.at === undefined ? same?.at : placeAt(flags.at, messages);
  const note =
    flags.at === undefined && same
      ? [
          `the conversation contains this summary in ${refOf(same.at)}: it is checked against the messages before it (choose another place with --at)`,
        ]
      : [];
  return { held: [hold(summary, { messages: before(messages, end) })], notes: [...given.notes, ...note] };
}

function before(messages: readonly Message[], end: number | undefined): readonly Message[] {
  if (end === undefined) return messages;
  if (end > 0) return messages.slice(0, end);
  throw new PalimpsestError(
    'BAD_OPTION',
    'expected --at to name a message with others before it, got the first message',
  );
}

function holdCarried({ messages, transcript, label }: LoadedConversation, { at, fix }: VerifyFlags): Held {
  const carried = carriedSummaries(messages);
  const place = at === undefined ? undefined : placeAt(at, messages);
  const wanted = place === undefined ? carried : carried.filter((one) => one.at === place);
  if (wanted.length === 0) throw noSummary(label, place);
  const doubts = wanted.flatMap((one) => whyUnverifiable(one, { ...transcript, messages }) ?? []);
  // Whoever names the place knows what stands before it.
  const isNamed = place !== undefined && wanted.every(({ summary }) => summary.covers === undefined) && place > 0;
  const able = isNamed
    ? wanted
    : wanted.filter((one) => whyUnverifiable(one, { ...transcript, messages }) === undefined);
  if (able.length === 0) throw unverifiable(doubts);
  if (fix && able.length > 1) throw severalToFix(able.map((one) => refOf(one.at)));
  const held = able.map((one) => hold(one.summary, { messages: messages.slice(0, one.at), ref: refOf(one.at) }));
  return { held, notes: doubts };
}

function noSummary(label: string, place: number | undefined): PalimpsestError {
  const where = place === undefined ? label : `${refOf(place)} of ${label}`;
  const message = `expected a summary to verify, but ${where} contains none: use palimpsest verify SUMMARY TRANSCRIPT`;
  return new PalimpsestError('BAD_OPTION', message);
}

function unverifiable(doubts: readonly string[]): PalimpsestError {
  const message = `${doubts.join('; ')}: give the original conversation with palimpsest verify SUMMARY TRANSCRIPT`;
  return new PalimpsestError('BAD_OPTION', message);
}

function severalToFix(refs: readonly string[]): PalimpsestError {
  const message = `expected one summary to fix, but the conversation contains ${counted(refs.length, 'summary')} (${refs.join(', ')}): choose one with --at`;
  return new PalimpsestError('BAD_OPTION', message.replace('summarys', 'summaries'));
}

async function deliver(done: Verified, terminal: Terminal): Promise<void> {
  const { flags, loaded, held } = done;
  const notes = [...loaded.notes, ...done.notes, ...fixNote(done)];
  await done.output?.write([fixedText(done)]);
  if (flags.json) {
    await writeJson(terminal.stdout, jsonOf(done, notes));
    return;
  }
  await writeNotes(terminal, notes, flags);
  if (flags.fix && (flags.output === undefined || flags.output === '-')) {
    const text = fixedText(done);
    await writePieces(
      terminal.stdout,
      terminal.stdout.isTTY ? [visible(text), text.endsWith('\n') ? '' : '\n'] : [text],
    );
  }
  if (flags.quiet) return;
  const place = flags.fix ? 'stderr' : 'stdout';
  const screen = flags.fix ? stderrScreen(terminal, flags) : stdoutScreen(terminal, flags);
  await writeReport(terminal, verificationReport(held, { screen, title: loaded.title }), { ...flags, place });
}

/** The corrected summary in the block that it came in; what came inside of JSON comes out alone. */
function fixedText({ held, given }: Verified): string {
  const [first] = held;
  if (!first) return '';
  const { summary, verification } = first;
  return given?.isText ? withBody(summary, verification.text) : `${verification.text}\n`;
}

function fixNote({ flags, given, held }: Verified): readonly string[] {
  const isCut = flags.fix && given?.isText && held.some(({ summary }) => summary.start === undefined);
  return isCut ? ['the corrected summary is printed without the block around it'] : [];
}

/** The document of `--json`; docs/guide/verify.md describes it. */
function jsonOf({ flags, loaded, given, held }: Verified, notes: readonly string[]): unknown {
  return {
    command: 'verify',
    transcript: {
      file: loaded.label,
      format: loaded.format,
      conversation: loaded.index + 1,
      conversations: loaded.transcripts.length,
      id: loaded.transcript.id ?? null,
      messages: loaded.messages.length,
    },
    holds: held.every(({ verification }) => verification.holds),
    summaries: held.map(({ ref, messages, verification }) => ({
      file: given?.label ?? null,
      ref: ref ?? null,
      messages: messages.length,
      ...verification,
    })),
    notes,
    output: flags.output ?? null,
  };
}
