/** The latest known state of every file, under one name however its path was written. */
import type { Ref } from '../result.ts';
import type { FileFact } from './facts.ts';
import type { FileTouch } from './touches.ts';

interface FileRecord {
  path: string;
  state: FileFact['state'];
  ref: Ref;
  touches: number;
  /** Number of the newest touch, counted over all files. */
  touchedAt: number;
}

export interface FileFacts {
  /** Takes in what a call did to a file. Returns the name that the file has here. */
  touch(touch: FileTouch, ref: Ref): string;
  /** Every file, the one touched last at the end. */
  facts(): readonly FileFact[];
}

interface Removal {
  readonly path: string;
  readonly ref: Ref;
  readonly at: number;
}

/** Of so many files with the same two last segments the newest are looked at, so that a touch has a bounded cost. */
const maxAlike = 32;
const maxDepth = 40;

/** No files yet. */
export function createFileFacts(): FileFacts {
  const records = new Set<FileRecord>();
  const alike = new Map<string, FileRecord[]>();
  const removedFolders = new Map<string, Removal[]>();
  let clock = 0;

  function touch({ path, state, isTree }: FileTouch, ref: Ref): string {
    const key = pathEnd(path);
    const list = alike.get(key) ?? [];
    const known = list.findLast((record) => samePath(record.path, path));
    const before = known && (removalOf(known) ? 'deleted' : known.state);
    const record = known ?? { path, state, ref, touches: 0, touchedAt: 0 };
    record.state = nextState(before, state);
    record.path = path.length > record.path.length ? path : record.path;
    record.ref = ref;
    record.touches++;
    record.touchedAt = ++clock;
    records.add(record);
    alike.set(key, [...list.filter((other) => other !== record).slice(1 - maxAlike), record]);
    if (isTree && state === 'deleted') removeFolder(path, ref);
    return record.path;
  }

  function removeFolder(path: string, ref: Ref): void {
    const key = pathEnd(path);
    const others = (removedFolders.get(key) ?? []).filter((other) => other.path !== path);
    removedFolders.set(key, [...others.slice(1 - maxAlike), { path, ref, at: clock }]);
  }

  /** The removal of a folder that took the file with it. */
  function removalOf({ path, touchedAt }: FileRecord): Removal | undefined {
    if (removedFolders.size === 0) return undefined;
    let folder = path;
    for (let depth = 0; depth < maxDepth; depth++) {
      const end = folder.lastIndexOf('/');
      if (end <= 0) return undefined;
      folder = folder.slice(0, end);
      const above = folder;
      const found = removedFolders
        .get(pathEnd(above))
        ?.find((removal) => removal.at > touchedAt && samePath(removal.path, above));
      if (found) return found;
    }
    return undefined;
  }

  function facts(): readonly FileFact[] {
    const sorted = [...records].sort((a, b) => a.touchedAt - b.touchedAt);
    return sorted.map((record): FileFact => {
      const { path, state, ref, touches } = record;
      const removal = removalOf(record);
      return removal ? { path, state: 'deleted', ref: removal.ref, touches } : { path, state, ref, touches };
    });
  }

  return { touch, facts };
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
