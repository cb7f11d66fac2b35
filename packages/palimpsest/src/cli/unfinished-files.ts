/** Temporary files that must not outlive the process. Apart from what writes them: the process itself asks for this alone. */
import { rmSync } from 'node:fs';

const unfinished = new Set<string>();

/** Notes a file that is being written. */
export const keepUnfinished = (path: string): void => void unfinished.add(path);

/** The file has its name, or is gone. */
export const forgetUnfinished = (path: string): void => void unfinished.delete(path);

/** Removes what an interrupted write left; synchronous, because nothing runs after it. */
export function removeUnfinished(): void {
  for (const path of unfinished) {
    unfinished.delete(path);
    rmSync(path, { force: true });
  }
}
