/** The files of a run as one row of steps: read ahead of what is written, so that small files keep all workers busy too. */
import type { PlannedFile } from './read/find-inputs.ts';
import { isJsonName, packingFor } from './read/find-inputs.ts';
import { type InputKind, kindOf, openInput } from './read/open-input.ts';
import type { Batch, Piece, ReadPoint, SplitLimits } from './read/splits.ts';
import type { Bytes } from './read/unpack.ts';
import type { JobResult, TrajectoryJob } from './work/job.ts';
import { saltOf } from './work/sample.ts';
import type { JobRunner } from './work/worker-pool.ts';
import type { FileForm } from './write/framing.ts';

/** What comes of the inputs, in their order. */
export type Step =
  | { readonly type: 'begin'; readonly file: number; readonly kind: InputKind; readonly form: FileForm }
  | { readonly type: 'result'; readonly batch: Batch; readonly result: JobResult; readonly bytesRead: number }
  | { readonly type: 'piece'; readonly piece: Piece; readonly bytesRead: number }
  | { readonly type: 'end'; readonly file: number; readonly damage: string | undefined; readonly bytesRead: number };

interface StepsOptions {
  readonly files: readonly PlannedFile[];
  /** Where each file begins; undefined for one that is done. */
  readonly startOf: (file: number) => ReadPoint | undefined;
  readonly limits: SplitLimits;
  readonly runner: JobRunner;
  readonly stdin: Bytes | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Bytes of records that may be under way. */
const mostBytes = 48 * 1_048_576;

/** The steps in order, while later ones are under way. After an abort it throws the reason of the signal. */
export async function* stepsOf(options: StepsOptions): AsyncGenerator<Step> {
  const { runner, signal } = options;
  const source = aheadOf(options);
  const ahead: Ahead[] = [];
  let bytes = 0;
  // One wait at a time can be broken off. A race against one promise for all would keep every result until the end.
  let breakOff: ((reason: unknown) => void) | undefined;
  const onAbort = (): void => breakOff?.(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const waitFor = <T>(begin: () => Promise<T> | T): Promise<T> => {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      breakOff = reject;
      Promise.resolve(begin()).then(resolve, reject);
    });
  };
  const next = async (): Promise<Step | undefined> => {
    const first = ahead.shift();
    if (!first) return undefined;
    bytes -= first.bytes;
    return waitFor(() => first.step);
  };
  try {
    for (let read = await waitFor(() => source.next()); !read.done; read = await waitFor(() => source.next())) {
      const one = read.value;
      while (ahead.length > 0 && (ahead.length > runner.width || bytes + one.bytes > mostBytes)) {
        const step = await next();
        if (step) yield step;
      }
      bytes += one.bytes;
      ahead.push({ ...one, step: one.begin() });
    }
    for (let step = await next(); step; step = await next()) yield step;
  } finally {
    signal?.removeEventListener('abort', onAbort);
    const ended = source.return(undefined).catch(() => undefined);
    // After an abort it may wait for bytes that never come.
    if (!signal?.aborted) await ended;
  }
}

interface Ahead {
  readonly bytes: number;
  readonly step: Promise<Step> | Step;
}

interface Planned {
  readonly bytes: number;
  readonly begin: () => Promise<Step> | Step;
}

/** What is read, before anybody works on it. */
async function* aheadOf({ files, startOf, limits, runner, stdin }: StepsOptions): AsyncGenerator<Planned> {
  for (const [file, input] of files.entries()) {
    const from = startOf(file);
    if (!from) continue;
    const kind = await kindOf(input);
    const [form, salt] = [formOf(input, kind), saltOf(input.below)];
    yield { bytes: 0, begin: () => ({ type: 'begin', file, kind, form }) };
    const open = await openInput(input, { kind, from, limits, stdin });
    for await (const split of open.splits) {
      const bytesRead = open.bytesRead();
      if (split.type === 'piece')
        yield { bytes: split.bytes.length, begin: () => ({ type: 'piece', piece: split, bytesRead }) };
      else yield { bytes: split.bytes.length, begin: () => resultOf(split, { file, salt, form, runner, bytesRead }) };
    }
    const [damage, bytesRead] = [open.damage(), open.bytesRead()];
    yield { bytes: 0, begin: () => ({ type: 'end', file, damage, bytesRead }) };
  }
}

/** A list becomes a list where the name of the output says so, and everything else lines. */
function formOf({ output, path }: PlannedFile, kind: InputKind): FileForm {
  const isList = isJsonName(output) && (kind === 'list' || path === undefined || !isJsonName(path));
  return { framing: isList ? 'list' : 'lines', packing: packingFor(output) };
}

interface Around {
  readonly file: number;
  readonly salt: number;
  readonly form: FileForm;
  readonly runner: JobRunner;
  readonly bytesRead: number;
}

function resultOf(batch: Batch, { file, salt, form, runner, bytesRead }: Around): Promise<Step> {
  const { bytes, ends, first } = batch;
  const job: TrajectoryJob = { bytes, first, salt, ...form, ...(ends && { ends }) };
  const step = runner
    .run(job, file)
    .then((result): Step => ({ type: 'result', batch: { ...batch, bytes: none }, result, bytesRead }));
  // Told where it is waited for; after an abort nobody waits.
  step.catch(() => undefined);
  return step;
}

const none = new Uint8Array(0);
