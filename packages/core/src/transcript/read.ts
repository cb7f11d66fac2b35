/** Reading transcripts: bytes in, conversations and findings out, whatever the format. */
import { PalimpsestError } from '../shared/errors.ts';
import { checkKnownOptions } from '../shared/options/known-options.ts';
import type { Format, FormatReader, ReadFinding, SourceRecord } from './format.ts';
import { type FormatName, formatNames, type Transcript } from './message.ts';
import { type ReadProblem, RecordSplitter } from './records.ts';
import { formatOf, guessFormat } from './registry.ts';
import { kindText } from './wire/bodies.ts';

/** How a file is read; everything can be left out. */
export interface ReadOptions {
  /**
   * The format, when it is known.
   * @default found out by content
   */
  readonly format?: FormatName;
  /**
   * What to call the source in messages, such as its file name.
   * @default 'the transcript'
   */
  readonly name?: string;
  /** Called after each piece of the source with the number of bytes read so far. */
  readonly onProgress?: (bytes: number) => void;
}

/** What was read from a file. */
export interface ReadResult {
  readonly format: FormatName;
  /** The conversations of the file, the main one first. */
  readonly transcripts: readonly Transcript[];
  /** What was left out, repaired or noticed, by line. */
  readonly findings: readonly ReadFinding[];
}

/** How many records a format is found out by. */
const sampleSize = 50;

/** From this likelihood on the first records settle the format; below it, what follows may still tell. */
const sureFrom = 0.8;

/**
 * Reads every conversation of a source. Broken pieces are left out and reported in `findings`; the rest is kept.
 *
 * @throws PalimpsestError `FORMAT_UNKNOWN` when no format knows the content, `TRANSCRIPT_BROKEN` when the given format
 *   finds no message in it. Errors of the source come through.
 *
 * @example
 * import { readTranscripts } from '@palimpsest/core';
 * const log = '[{"role":"user","content":"Move the ledgers."}]';
 * const { format, transcripts, findings } = await readTranscripts(log);
 * format; // 'openai-chat'
 */
export async function readTranscripts(
  source: AsyncIterable<Uint8Array> | Uint8Array | string,
  options: ReadOptions = {},
): Promise<ReadResult> {
  checkKnownOptions('readTranscripts', options, { format: true, name: true, onProgress: true });
  const reading = new Reading(options);
  let bytes = 0;
  for await (const chunk of bytesOf(source)) {
    reading.take(chunk);
    bytes += chunk.length;
    options.onProgress?.(bytes);
  }
  return reading.end();
}

/** Pieces of this size keep the working memory small when the whole source is in memory already. */
const pieceBytes = 1 << 20;

async function* bytesOf(source: AsyncIterable<Uint8Array> | Uint8Array | string): AsyncGenerator<Uint8Array> {
  if (typeof source !== 'string' && !(source instanceof Uint8Array)) {
    yield* source;
    return;
  }
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

/** One file being read: records wait until the format is known, then go to its reader. */
class Reading {
  #options: ReadOptions;
  #splitter = new RecordSplitter();
  #findings: ReadFinding[] = [];
  #waiting: SourceRecord[] = [];
  #format: Format | undefined;
  #reader: FormatReader | undefined;

  constructor(options: ReadOptions) {
    this.#options = options;
    if (options.format !== undefined) this.#use(formatOf(options.format));
  }

  take(chunk: Uint8Array): void {
    this.#sort(this.#splitter.push(chunk));
  }

  end(): ReadResult {
    this.#sort(this.#splitter.end());
    if (!this.#reader) this.#use(guessFormat(this.#sample())?.format);
    if (!this.#format || !this.#reader) throw this.#unknown();
    const transcripts = this.#reader.end();
    const isEmpty = transcripts.every(({ messages }) => messages.length === 0);
    if (isEmpty && this.#options.format !== undefined) throw this.#broken(this.#format);
    // Lines in order, remarks on the whole file first.
    const findings = this.#findings.toSorted((a, b) => a.line - b.line);
    return { format: this.#format.name, transcripts, findings };
  }

  #sort(found: readonly (SourceRecord | ReadProblem)[]): void {
    for (const record of found) {
      if (record.type === 'problem') {
        const { level, line, message } = record;
        this.#findings.push({ level, line, message });
      } else if (this.#reader) this.#reader.add(record);
      else this.#wait(record);
    }
  }

  #wait(record: SourceRecord): void {
    this.#waiting.push(record);
    if (this.#waiting.length !== sampleSize) return;
    const guess = guessFormat(this.#waiting);
    // A document says more about itself at its end (the fields around the list); lines do not.
    const canWait = record.type === 'element';
    if (guess && (guess.likelihood >= sureFrom || !canWait)) this.#use(guess.format);
  }

  /** The first records and the envelope, if there is one. */
  #sample(): readonly SourceRecord[] {
    const last = this.#waiting.at(-1);
    const first = this.#waiting.slice(0, sampleSize);
    return this.#waiting.length > sampleSize && last?.type === 'envelope' ? [...first, last] : first;
  }

  #use(format: Format | undefined): void {
    if (!format) return;
    this.#format = format;
    this.#reader = format.reader((finding) => this.#findings.push(finding));
    for (const record of this.#waiting) this.#reader.add(record);
    this.#waiting = [];
  }

  get #name(): string {
    return this.#options.name ?? 'the transcript';
  }

  #unknown(): PalimpsestError {
    const [finding] = this.#findings;
    const came = this.#waiting.length > 0 ? looksLike(this.#waiting) : (finding?.message ?? 'it contains no records');
    const message =
      `the format of ${this.#name} was not recognised: ${came}. ` +
      `Known formats: ${formatNames.join(', ')}; if it is one of them, name it with --from (the option format)`;
    return new PalimpsestError('FORMAT_UNKNOWN', message, { evidence: { source: this.#options.name } });
  }

  #broken(format: Format): PalimpsestError {
    const [finding] = this.#findings;
    const reason = finding ? `: ${finding.line > 0 ? `line ${finding.line}: ` : ''}${finding.message}` : '';
    const message =
      `expected messages of ${format.name} in ${this.#name}, found none${reason}. ` +
      'Check the format, or omit it to detect it';
    const evidence = { source: this.#options.name, format: format.name, findings: this.#findings.length };
    return new PalimpsestError('TRANSCRIPT_BROKEN', message, { evidence });
  }
}

/** What a file looked like that no format knows: its shape and the first keys. */
function looksLike(records: readonly SourceRecord[]): string {
  const [first] = records;
  if (!first) return 'it contains no records';
  const shapes = { line: 'lines of JSON', element: 'a JSON document with a list', envelope: 'a JSON document' };
  return `it looks like ${shapes[first.type]}; the first value is ${kindText(first.value)}`;
}
