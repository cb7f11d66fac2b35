/** Writing transcripts: the text of a file in any format that has a writer. */
import { PalimpsestError } from '../shared/errors.ts';
import type { FormatName, Transcript } from './message.ts';
import { formatOf, writableFormats } from './registry.ts';

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
