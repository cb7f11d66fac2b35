/** All transcript formats. The order decides between formats that are equally likely. */
import { PalimpsestError } from '../shared/errors.ts';
import type { Format, SourceRecord } from './format.ts';
import { claudeCode } from './logs/claude-code/format.ts';
import { codex } from './logs/codex/format.ts';
import { copilotCli } from './logs/copilot-cli.ts';
import { pi } from './logs/pi/format.ts';
import { shareGpt } from './logs/sharegpt.ts';
import { sweAgent } from './logs/swe-agent.ts';
import { type FormatName, formatNames, type Transcript } from './message.ts';
import { aiSdk } from './wire/ai-sdk/messages.ts';
import { anthropic } from './wire/anthropic/messages.ts';
import { openAiChat } from './wire/chat/messages.ts';
import { gemini } from './wire/gemini/messages.ts';
import { openAiResponses } from './wire/responses/messages.ts';

/** Every format, in the order of `formatNames`. */
export const formats: readonly Format[] = [
  openAiChat,
  openAiResponses,
  anthropic,
  gemini,
  aiSdk,
  claudeCode,
  codex,
  copilotCli,
  pi,
  sweAgent,
  shareGpt,
];

/**
 * The format of a name.
 *
 * @throws PalimpsestError `FORMAT_UNKNOWN` when there is no such format.
 */
export function formatOf(name: string): Format {
  const found = formats.find((format) => format.name === name);
  if (found) return found;
  throw new PalimpsestError(
    'FORMAT_UNKNOWN',
    `expected a format (${formatNames.join(', ')}), got ${JSON.stringify(name)}`,
  );
}

/** How sure we are of a format. */
export interface Guess {
  readonly format: Format;
  /** Above 0, up to 1. */
  readonly likelihood: number;
}

/** The most likely format of the first records of a file; undefined when no format knows them. */
export function guessFormat(records: readonly SourceRecord[]): Guess | undefined {
  let best: Guess | undefined;
  for (const format of formats) {
    const likelihood = format.detect(records);
    if (likelihood > (best?.likelihood ?? 0)) best = { format, likelihood };
  }
  return best;
}

/** The names of the formats that can be written. */
export const writableFormats: readonly FormatName[] = formats.flatMap(({ name, write }) => (write ? [name] : []));

/**
 * The text of a file that holds the transcript, in pieces. The transcript's own format gives back what was read, unknown
 * fields included; any other format gets what it can carry.
 *
 * @throws PalimpsestError `FORMAT_UNKNOWN` for no format at all, `FORMAT_UNSUPPORTED` for one that is only read.
 *
 * @example
 * import { readTranscripts, writeTranscript } from '@palimpsest/core';
 * const { transcripts } = await readTranscripts('[{"role":"user","content":"Move the ledgers."}]');
 * const [transcript] = transcripts;
 * if (transcript) [...writeTranscript(transcript, 'anthropic')].join('');
 */
export function writeTranscript(transcript: Transcript, format: FormatName): Iterable<string> {
  const { write } = formatOf(format);
  if (write) return write(transcript);
  const message = `${format} can be read but not written; expected one of ${writableFormats.join(', ')}`;
  throw new PalimpsestError('FORMAT_UNSUPPORTED', message, { evidence: { format } });
}
