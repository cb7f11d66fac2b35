/** How far a run over files of trajectories is. */
import type { PlannedFile } from './read/find-inputs.ts';
import type { FileState, Journal } from './write/journal.ts';

/** How far a run is. */
export interface TrajectoryProgress {
  /** The file under way, as it was named. */
  readonly file: string;
  readonly filesDone: number;
  readonly files: number;
  /** Bytes of all inputs that are done, packed as they are; with what an earlier run did. */
  readonly bytes: number;
  /** Undefined where an input is standard input. */
  readonly totalBytes: number | undefined;
  /** Bytes that an earlier run did. */
  readonly resumedBytes: number;
  readonly records: number;
  readonly broken: number;
}

/** Tells how far a run is, step by step; what an earlier run did is counted. */
export function progressOf(
  files: readonly PlannedFile[],
  old: Journal | undefined,
  onProgress: ((progress: TrajectoryProgress) => void) | undefined,
): (state: FileState, bytesRead: number) => void {
  const sizes = files.map(({ size }) => size);
  const totalBytes = sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const before = (file: number): number => sizes.slice(0, file).reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const resumedBytes = old ? before(old.point?.file ?? old.done.length) : 0;
  let [file, startBytes, records, broken] = [-1, 0, 0, 0];
  let counted: FileState | undefined;
  for (const { counts } of old?.done ?? []) {
    records += counts.read;
    broken += counts.broken;
  }
  return (state, bytesRead) => {
    if (state.file !== file) {
      records += counted?.counts.read ?? 0;
      broken += counted?.counts.broken ?? 0;
      file = state.file;
      startBytes = before(file);
    }
    counted = state;
    onProgress?.({
      file: files[file]?.name ?? '',
      filesDone: file,
      files: files.length,
      bytes: startBytes + bytesRead,
      totalBytes,
      resumedBytes,
      records: records + state.counts.read,
      broken: broken + state.counts.broken,
    });
  };
}
