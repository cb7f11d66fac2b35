/** Takes the steps of a run in order: writes what came of them, counts, and makes the points from which a run can go on. */
import { addSums } from '@palimpsest/core/trajectories';
import type { PlannedFile } from './read/find-inputs.ts';
import type { InputKind } from './read/open-input.ts';
import type { Batch, Piece } from './read/splits.ts';
import type { Step } from './steps.ts';
import { type BrokenRecord, type JobResult, packed } from './work/job.ts';
import { isSampled, type Sample, saltOf } from './work/sample.ts';
import { addTallies } from './work/task.ts';
import { type FileForm, leadOf, trailOf } from './write/framing.ts';
import { type FileCounts, type FileState, fileStart } from './write/journal.ts';
import { JsonScan } from './write/json-scan.ts';
import type { RunOutput } from './write/run-output.ts';

/** A record that was not compressed. */
export interface BrokenLine {
  /** The file, as it was named. */
  readonly file: string;
  /** Its line; for an element of a list, its number. From 1. */
  readonly line: number;
  /** An error code, such as `TRAJECTORY_BROKEN`. */
  readonly code: string;
  /** What was expected, and what came. */
  readonly message: string;
}

/** What a run is told while it goes on. */
export interface ConsumerOptions {
  readonly files: readonly PlannedFile[];
  /** What each file goes on from; a file without one begins. */
  readonly from: FileState | undefined;
  readonly output: RunOutput;
  readonly sample: Sample | undefined;
  readonly maxRecordBytes: number;
  readonly checkpointMs: number;
  readonly onBroken: (line: BrokenLine) => void;
  /** Hears every file that is done, before it gets its name. */
  readonly onFile: (state: FileState) => Promise<void>;
  readonly onStep: (state: FileState, bytesRead: number) => void;
}

/** Bytes of input after which a point is made, whatever the time. */
const checkpointBytes = 64 * 1_048_576;

export class Consumer {
  readonly #options: ConsumerOptions;
  #state: FileState;
  #kind: InputKind = 'lines';
  #form: FileForm = { framing: 'lines', packing: 'plain' };
  /** True while a file is written: what is known between two of them stands in the journal already. */
  #isOpen = false;
  /** Of the large record that passes: where it begins in the output, and whether a list can hold it. */
  #largeFrom = 0;
  #scan: JsonScan | undefined;
  /** Where the newest point is. */
  #pointAt = 0;
  #pointMs = performance.now();

  constructor(options: ConsumerOptions) {
    this.#options = options;
    this.#state = options.from ?? fileStart(0, 0);
  }

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case 'begin':
        return this.#begin(step);
      case 'result':
        await this.#result(step.batch, step.result);
        return this.#after(step.bytesRead);
      case 'piece':
        await this.#piece(step.piece);
        return this.#after(step.bytesRead, step.piece.isLast);
      case 'end':
        return this.#end(step.damage, step.bytesRead);
    }
  }

  /** Makes a point where the run can go on, as far as whole records were written; none before and between files. */
  async point(): Promise<void> {
    if (this.#isOpen) await this.#options.output.point(this.#state);
  }

  async #begin({ file, kind, form }: Extract<Step, { type: 'begin' }>): Promise<void> {
    const { from, output, files } = this.#options;
    this.#state = from?.file === file ? from : fileStart(file, output.lengths().brokenBytes);
    this.#kind = kind;
    this.#form = form;
    this.#pointAt = this.#state.offset;
    await output.begin(this.#state, files[file]?.output ?? '');
    this.#isOpen = true;
  }

  async #result(
    { end, count }: Batch,
    { bytes, broken, sum, tally, read, written, dropped }: JobResult,
  ): Promise<void> {
    const { output } = this.#options;
    if (written > 0) await this.#write(bytes);
    await this.#tellBroken(broken);
    this.#state = {
      ...this.#state,
      ...output.lengths(),
      offset: end,
      records: this.#state.records + count,
      counts: added(this.#state.counts, { read, written, dropped, broken: broken.length }),
      sum: addSums(this.#state.sum, sum),
      ...(tally && { tally: addTallies(this.#state.tally, tally) }),
    };
  }

  /** Results, behind what has to stand before them. */
  async #write(bytes: Uint8Array): Promise<void> {
    const { output } = this.#options;
    await output.write(leadOf(this.#state.counts.written, this.#form));
    await output.write(bytes);
  }

  /** A record that is too large passes piece by piece; the state moves on when it is whole. */
  async #piece(piece: Piece): Promise<void> {
    const { files, output, sample, maxRecordBytes } = this.#options;
    const { number, isLast, size, end } = piece;
    const isTaken = isSampled({ number, salt: saltOf(files[this.#state.file]?.below) }, sample);
    if (isTaken) await this.#writePiece(piece);
    if (!isLast) return;
    const isKept = isTaken && (await this.#keepsLarge());
    const what = isKept
      ? 'it stays as it is; raise processing.max_record_megabytes to compress it'
      : 'it is no JSON, which a list cannot hold, and is left out';
    const message = `expected a record of at most ${megabytes(maxRecordBytes)}, got one of ${megabytes(size)}: ${what}`;
    if (isTaken) await this.#tellBroken([{ number, code: 'TRAJECTORY_BROKEN', message }]);
    const one = Number(isTaken);
    this.#state = {
      ...this.#state,
      ...output.lengths(),
      offset: end,
      records: this.#state.records + 1,
      counts: added(this.#state.counts, { read: one, written: Number(isKept), dropped: 0, broken: one }),
    };
  }

  async #writePiece({ bytes, isFirst, isLast }: Piece): Promise<void> {
    const { output } = this.#options;
    const { framing, packing } = this.#form;
    if (isFirst) {
      this.#largeFrom = output.lengths().outputBytes;
      this.#scan = framing === 'list' ? new JsonScan() : undefined;
      await output.write(leadOf(this.#state.counts.written, this.#form));
    }
    const own = this.#pieceBytes(bytes, isLast);
    this.#scan?.take(own);
    if (!this.#scan?.isBroken) await output.write(packed(own, packing));
  }

  /** Takes a large record back that would make a list unreadable; false where it did. */
  async #keepsLarge(): Promise<boolean> {
    if (!this.#scan || this.#scan.isWhole()) return true;
    await this.#options.output.cut(this.#largeFrom);
    return false;
  }

  /** Breaks are only left where they end a record; within JSON they mean nothing. */
  #pieceBytes(bytes: Uint8Array, isLast: boolean): Uint8Array<ArrayBuffer> {
    const isLine = this.#kind === 'lines' && this.#form.framing === 'lines';
    const own = Uint8Array.from(bytes);
    if (!isLine) for (let at = own.indexOf(newline); at >= 0; at = own.indexOf(newline, at + 1)) own[at] = space;
    if (!isLast || this.#form.framing === 'list' || (isLine && own.at(-1) === newline)) return own;
    const ended = new Uint8Array(own.length + 1);
    ended.set(own);
    ended[own.length] = newline;
    return ended;
  }

  async #tellBroken(records: readonly BrokenRecord[]): Promise<void> {
    if (records.length === 0) return;
    const { output, onBroken, files } = this.#options;
    const file = files[this.#state.file]?.name ?? '';
    const lines = records.map(({ number, code, message }): BrokenLine => ({ file, line: number, code, message }));
    for (const line of lines) onBroken(line);
    await output.addBroken(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  async #after(bytesRead: number, isWhole = true): Promise<void> {
    const { checkpointMs, onStep } = this.#options;
    onStep(this.#state, bytesRead);
    const now = performance.now();
    const isDue = this.#state.offset - this.#pointAt >= checkpointBytes || now - this.#pointMs >= checkpointMs;
    if (!isWhole || !isDue) return;
    await this.point();
    this.#pointAt = this.#state.offset;
    this.#pointMs = now;
  }

  async #end(damage: string | undefined, bytesRead: number): Promise<void> {
    const { output, onFile, files, onStep } = this.#options;
    await output.write(trailOf(this.#state.counts.written, this.#form));
    if (damage !== undefined) {
      await this.#tellBroken([{ number: this.#state.records + 1, code: 'TRAJECTORY_BROKEN', message: damage }]);
      const counts = added(this.#state.counts, { read: 0, written: 0, dropped: 0, broken: 1 });
      this.#state = { ...this.#state, counts };
    }
    this.#state = { ...this.#state, ...output.lengths() };
    onStep(this.#state, bytesRead);
    await onFile(this.#state);
    this.#isOpen = false;
    await output.finish(this.#state, files[this.#state.file]?.output ?? '');
  }
}

const [newline, space] = [10, 32];

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;

const added = (a: FileCounts, b: FileCounts): FileCounts => ({
  read: a.read + b.read,
  written: a.written + b.written,
  dropped: a.dropped + b.dropped,
  broken: a.broken + b.broken,
});
