/** What each file held when this conversation last read or wrote it: an agent changes nothing that it has not seen as it is. */

export interface SeenFiles {
  note(path: string, hash: string): void;
  /** The hash of what was seen; undefined for a file that was not. */
  hashOf(path: string): string | undefined;
}

export function createSeenFiles(): SeenFiles {
  const hashes = new Map<string, string>();
  return {
    note: (path, hash) => void hashes.set(path, hash),
    hashOf: (path) => hashes.get(path),
  };
}
