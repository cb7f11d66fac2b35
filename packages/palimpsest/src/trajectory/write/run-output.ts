/** Where the results of a run go: files on the disk with a journal, or nowhere in a dry run. */
import type { FileState, Journal, JournalStart } from './journal.ts';
import {
  finishOutput,
  type GrowingFile,
  makeFolderOf,
  openGrowing,
  openJournal,
  partialOf,
  type RunJournal,
  type RunPaths,
} from './partial-output.ts';

/** What takes the results of a run, in order. */
export interface RunOutput {
  /** Goes on with a file. */
  readonly begin: (state: FileState, output: string) => Promise<void>;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Takes back what was written to the open file behind a length that no point tells of. */
  readonly cut: (outputBytes: number) => Promise<void>;
  /** Bytes of the file that is open, and of the list of broken records. */
  readonly lengths: () => { readonly outputBytes: number; readonly brokenBytes: number };
  readonly addBroken: (lines: string) => Promise<void>;
  /** Makes sure that a run can go on from here. */
  readonly point: (state: FileState) => Promise<void>;
  /** The file is whole. */
  readonly finish: (state: FileState, output: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface DiskOptions {
  readonly paths: RunPaths;
  readonly start: JournalStart;
  readonly old: Journal | undefined;
}

/** Outputs on the disk. What an earlier run had finished, but not named, gets its name. */
export async function diskOutput({ paths, start, old }: DiskOptions): Promise<RunOutput> {
  const journal = await openJournal(paths.journal, start, old);
  for (const state of old?.done ?? []) await finishOutput(start.inputs[state.file]?.output ?? '', state);
  const known = old?.point ?? old?.done.at(-1);
  const broken = await openGrowing(paths.broken, known?.brokenBytes ?? 0);
  return new DiskOutput(journal, broken);
}

class DiskOutput implements RunOutput {
  readonly #journal: RunJournal;
  readonly #broken: GrowingFile;
  #file: GrowingFile | undefined;

  constructor(journal: RunJournal, broken: GrowingFile) {
    this.#journal = journal;
    this.#broken = broken;
  }

  async begin(state: FileState, output: string): Promise<void> {
    await makeFolderOf(output);
    this.#file = await openGrowing(partialOf(output), state.outputBytes);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0) await this.#file?.append(bytes);
  }

  async cut(outputBytes: number): Promise<void> {
    await this.#file?.cut(outputBytes);
  }

  lengths(): { readonly outputBytes: number; readonly brokenBytes: number } {
    return { outputBytes: this.#file?.length ?? 0, brokenBytes: this.#broken.length };
  }

  addBroken(lines: string): Promise<void> {
    return this.#broken.append(Buffer.from(lines));
  }

  async point(state: FileState): Promise<void> {
    await this.#file?.sync();
    await this.#broken.sync();
    await this.#journal.add({ type: 'point', ...state });
  }

  async finish(state: FileState, output: string): Promise<void> {
    await this.#file?.sync();
    await this.#file?.close();
    this.#file = undefined;
    await this.#broken.sync();
    await this.#journal.add({ type: 'done', ...state });
    await finishOutput(output, state);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    await this.#broken.close();
    await this.#journal.close();
  }
}

/** Counts what would be written. */
export function dryOutput(): RunOutput {
  let [outputBytes, brokenBytes] = [0, 0];
  const nothing = async (): Promise<void> => undefined;
  return {
    begin: async () => {
      outputBytes = 0;
    },
    write: async ({ length }) => {
      outputBytes += length;
    },
    cut: async (length) => {
      outputBytes = length;
    },
    lengths: () => ({ outputBytes, brokenBytes }),
    addBroken: async ({ length }) => {
      brokenBytes += length;
    },
    point: nothing,
    finish: nothing,
    close: nothing,
  };
}
