/** The latest known state of every file, under one name however its path was written. */
import type { Ref } from '../result.ts';
import type { FileTouch } from './commands.ts';
import type { FileFact } from './facts.ts';

interface FileRecord {
  path: string;
  state: FileFact['state'];
  ref: Ref;
  since: Ref | undefined;
  touches: number;
  /** Number of the newest touch, counted over all files. */
  touchedAt: number;
}

interface Removal {
  readonly path: string;
  readonly ref: Ref;
  readonly at: number;
}

/** Of so many files with the same two last segments the newest are looked at, so that a touch has a bounded cost. */
const maxAlike = 32;
const maxDepth = 40;

export class FileFacts {
  /** The one touched last at the end. */
  readonly #records = new Set<FileRecord>();
  readonly #alike = new Map<string, FileRecord[]>();
  readonly #removedFolders = new Map<string, Removal[]>();
  #clock = 0;

  /** Takes in what a call did to a file, not before `since`. Returns the name that the file has here. */
  touch({ path, state, isTree }: FileTouch, ref: Ref, since?: Ref): string {
    const key = pathEnd(path);
    const alike = this.#alike.get(key) ?? [];
    const known = alike.findLast((record) => samePath(record.path, path));
    const before = known && (this.#removalOf(known) ? 'deleted' : known.state);
    const record = known ?? { path, state, ref, since, touches: 0, touchedAt: 0 };
    record.state = nextState(before, state);
    record.path = path.length > record.path.length ? path : record.path;
    // Who looks at a file that was changed does not make it what it is.
    if (state !== 'read' || record.state === 'read') [record.ref, record.since] = [ref, since];
    record.touches++;
    record.touchedAt = ++this.#clock;
    this.#records.delete(record);
    this.#records.add(record);
    this.#alike.set(key, [...alike.filter((other) => other !== record).slice(1 - maxAlike), record]);
    if (isTree && state === 'deleted') {
      const others = (this.#removedFolders.get(key) ?? []).filter((other) => other.path !== path);
      this.#removedFolders.set(key, [...others.slice(1 - maxAlike), { path, ref, at: this.#clock }]);
    }
    return record.path;
  }

  /** The removal of a folder that took the file with it. */
  #removalOf({ path, touchedAt }: FileRecord): Removal | undefined {
    if (this.#removedFolders.size === 0) return undefined;
    let end = path.lastIndexOf('/');
    for (let depth = 0; depth < maxDepth && end > 0; depth++) {
      const folder = path.slice(0, end);
      const removals = this.#removedFolders.get(pathEnd(folder));
      const found = removals?.find((removal) => removal.at > touchedAt && samePath(removal.path, folder));
      if (found) return found;
      end = folder.lastIndexOf('/');
    }
    return undefined;
  }

  facts(): readonly FileFact[] {
    return [...this.#records].map((record): FileFact => {
      const { path, state, ref, since, touches } = record;
      const removal = this.#removalOf(record);
      if (removal) return { path, state: 'deleted', ref: removal.ref, touches };
      return { path, state, ref, touches, ...(since === undefined ? {} : { since }) };
    });
  }
}

/** Reading a file does not undo what was done to it; writing one that was there before changes it. */
function nextState(before: FileFact['state'] | undefined, touched: FileFact['state']): FileFact['state'] {
  if (before === undefined || before === 'deleted') return touched;
  if (touched === 'read') return before;
  return touched === 'created' && before !== 'created' ? 'changed' : touched;
}

/** The last two segments of a path, or the only one. */
function pathEnd(path: string): string {
  const last = path.lastIndexOf('/');
  return last <= 0 ? path : path.slice(path.lastIndexOf('/', last - 1) + 1);
}

const isRooted = (path: string): boolean => /^(?:\/|[A-Za-z]:\/|[a-z][\w+.-]*:\/\/)/.test(path);

/** A path and one that it ends with, of two segments at least, are the same file when one of them is relative. */
function samePath(a: string, b: string): boolean {
  if (a === b) return true;
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  const end = short.replace(/^~\//, '');
  return !isRooted(end) && end.includes('/') && long.endsWith(`/${end}`);
}
