/** `palimpsest verify`: holds a summary, or those that a conversation carries, against what was said. */
import { type Message, PalimpsestError } from '@palimpsest/core';
import { refOf } from '@palimpsest/core/search';
import type { Call } from '../commands/build.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type InputFlags, inputDocument, type LoadedConversation, loadConversation } from '../load.ts';
import { badOption } from '../option-values.ts';
import { outputFile } from '../output-file.ts';
import { counted } from '../render/text.ts';
import { verificationReport } from '../render/verification-report.ts';
import { screenAt, shownText, type Terminal, writeJson, writeNotes, writePieces, writeReport } from '../terminal.ts';
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

interface VerifyFlags extends InputFlags {
  readonly at?: string;
  readonly fix?: boolean;
  readonly output?: string;
  readonly force?: boolean;
}

/** The words are SUMMARY and TRANSCRIPT; the transcript alone, or with `--example` the summary alone. */
export async function runVerify({ words, flags, terminal }: Call<VerifyFlags>): Promise<ExitCode> {
  checkFlags(words, flags);
  const { output: name, force, example } = flags;
  const [summaryFile, transcriptFile] = example || words.length > 1 ? words : [undefined, words[0]];
  const rules = { terminal, force, inputs: example ? [summaryFile] : words };
  const output = name === undefined || name === '-' ? undefined : await outputFile(name, rules);
  const summary = summaryFile === undefined ? undefined : await readSummary(summaryFile, terminal);
  const loaded = await loadTranscript(transcriptFile, flags, { terminal, isAlone: summary === undefined });
  const { held, notes } = summary ? holdGiven(summary, loaded, flags) : holdCarried(loaded, flags);
  const fixed = fixedText(held, summary);
  await output?.write([fixed]);
  const isCut = flags.fix && summary?.isText && held.some((one) => one.summary.start === undefined);
  const cut = isCut ? ['the corrected summary is printed without the block around it'] : [];
  const done: Verified = { flags, loaded, summary, held, fixed, notes: [...loaded.notes, ...notes, ...cut] };
  if (terminal.json) await writeJson(terminal, documentOf(done));
  else await report(done, terminal);
  return held.every(({ verification }) => verification.holds) ? exitCodes.fine : exitCodes.finding;
}

function checkFlags(words: readonly string[], { fix, output, example }: VerifyFlags): void {
  if (output !== undefined && !fix) throw badOption('-o writes the corrected summary: use it with --fix');
  if (example && words.length > 1)
    throw badOption('with --example expected no TRANSCRIPT: palimpsest verify SUMMARY --example');
  if (words.length > 1 && words.every((word) => word === '-')) {
    const got = 'expected standard input as the summary or as the transcript, got both';
    throw badOption(`${got}: name a file for one of them`);
  }
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

interface Held {
  readonly held: readonly HeldSummary[];
  readonly notes: readonly string[];
}

function holdGiven({ summary, notes }: ReadSummary, { messages }: LoadedConversation, { at }: VerifyFlags): Held {
  const same = carriedSummaries(messages).find((carried) => carried.summary.body === summary.body);
  const end = at === undefined ? same?.at : placeAt(at, messages);
  if (end !== undefined && end <= 0)
    throw badOption('expected --at to name a message with others before it, got the first message');
  const held = [hold(summary, { messages: messages.slice(0, end) })];
  if (at !== undefined || !same) return { held, notes };
  const note = `the conversation contains this summary in ${refOf(same.at)}: it is checked against the messages before it (choose another place with --at)`;
  return { held, notes: [...notes, note] };
}

function holdCarried({ messages, transcript, label }: LoadedConversation, { at, fix }: VerifyFlags): Held {
  const place = at === undefined ? undefined : placeAt(at, messages);
  const wanted = carriedSummaries(messages).filter((one) => place === undefined || one.at === place);
  if (wanted.length === 0) {
    const where = place === undefined ? label : `${refOf(place)} of ${label}`;
    const none = `expected a summary to verify, but ${where} contains none`;
    throw badOption(`${none}: use palimpsest verify SUMMARY TRANSCRIPT`);
  }
  const judged = wanted.map((one) => ({ ...one, why: whyUnverifiable(one, { ...transcript, messages }) }));
  const doubts = judged.flatMap(({ why }) => why ?? []);
  // Whoever names the place knows what stands before it.
  const isNamed = place !== undefined && place > 0 && wanted.every(({ summary }) => summary.covers === undefined);
  const able = judged.filter(({ why }) => isNamed || why === undefined);
  if (able.length === 0)
    throw badOption(`${doubts.join('; ')}: give the original conversation with palimpsest verify SUMMARY TRANSCRIPT`);
  if (fix && able.length > 1) {
    const several = `${counted(able.length, 'summary').replace('summarys', 'summaries')} (${able.map((one) => refOf(one.at)).join(', ')})`;
    throw badOption(`expected one summary to fix, but the conversation contains ${several}: choose one with --at`);
  }
  const before = (end: number): readonly Message[] => messages.slice(0, end);
  const held = able.map(({ at: end, summary }) => hold(summary, { messages: before(end), ref: refOf(end) }));
  return { held, notes: doubts };
}

interface Verified extends Held {
  readonly flags: VerifyFlags;
  readonly loaded: LoadedConversation;
  /** Undefined where the summaries are those of the conversation itself. */
  readonly summary: ReadSummary | undefined;
  readonly fixed: string;
}

/** The corrected summary in the block that it came in; what came inside of JSON comes out alone. */
function fixedText([first]: readonly HeldSummary[], read: ReadSummary | undefined): string {
  if (!first) return '';
  const { summary, verification } = first;
  return read?.isText ? withBody(summary, verification.text) : `${verification.text}\n`;
}

async function report({ flags, loaded, held, fixed, notes }: Verified, terminal: Terminal): Promise<void> {
  await writeNotes(terminal, notes);
  if (flags.fix && (flags.output === undefined || flags.output === '-')) {
    const end = terminal.stdout.isTTY && !fixed.endsWith('\n') ? '\n' : '';
    await writePieces(terminal.stdout, [shownText(terminal, fixed) + end]);
  }
  if (terminal.quiet) return;
  const place = flags.fix ? 'stderr' : 'stdout';
  const options = { screen: screenAt(terminal, place), title: loaded.title };
  await writeReport(terminal, verificationReport(held, options), place);
}

/** The document of `--json`; docs/guide/verify.md describes it. */
const documentOf = ({ flags, loaded, summary, held, notes }: Verified): object => ({
  command: 'verify',
  transcript: {
    ...inputDocument(loaded),
    conversations: loaded.transcripts.length,
    id: loaded.transcript.id ?? null,
    messages: loaded.messages.length,
  },
  holds: held.every(({ verification }) => verification.holds),
  summaries: held.map(({ ref, messages, verification }) => ({
    file: summary?.label ?? null,
    ref: ref ?? null,
    messages: messages.length,
    ...verification,
  })),
  notes,
  output: flags.output ?? null,
});
