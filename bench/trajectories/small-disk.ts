/** A folder that can be full: a small disk of its own in memory where that may be mounted, else a limit on the size of files. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

export interface SmallDisk {
  readonly folder: string;
  /** For a person. */
  readonly how: string;
  /** The words that a command is run with while the disk is small. */
  readonly limited: (words: readonly string[]) => { readonly command: string; readonly words: readonly string[] };
  /** Gives it that many bytes. */
  readonly resize: (bytes: number) => void;
  readonly close: () => void;
}

/** A folder with room for `bytes`, which is made. */
export function openSmallDisk(folder: string, bytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  const isMounted = run('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  const usual = (words: readonly string[]) => ({ command: process.execPath, words });
  if (isMounted) {
    return {
      ...{ folder, how: 'a disk in memory that was too small', limited: usual },
      resize: (size) => {
        if (!run('mount', ['-o', `remount,size=${size}`, folder])) throw new Error(`expected ${folder} to be resized`);
      },
      close: () => {
        run('umount', [folder]);
      },
    };
  }
  let limit = bytes;
  return {
    ...{ folder, how: 'a limit on the size of files (no disk may be mounted here)' },
    limited: (words) => ({ command: 'prlimit', words: [`--fsize=${limit}`, process.execPath, ...words] }),
    resize: (size) => {
      limit = size;
    },
    close: () => undefined,
  };
}

const run = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;
