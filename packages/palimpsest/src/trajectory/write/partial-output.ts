/**
 * Outputs on the disk: each is written under a partial name beside its own, and takes that when it is whole. The journal tells
 * how much of it can be trusted after a crash at any instant, or a write that found no room.
 */
import { constants } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { type FileState, type Journal, type JournalLine, type JournalStart, readJournal } from './journal.ts';

/** The files that a run keeps until it is over. */
export interface RunPaths {
  readonly journal: string;
  /** The list of broken records. */
  readonly broken: string;
  /** What a model has written, and what that used. */
  readonly answers: string;
  /** The name of the run in a queue. */
  readonly queue: string;
}

/** The partial name of an output. */
export const partialOf = (output: string): string => `${output}.partial`;

/** Files that grow: what was written is there once `sync` is over. */
export interface GrowingFile {
  readonly length: number;
  readonly append: (bytes: Uint8Array) => Promise<void>;
  readonly sync: () => Promise<void>;
  /** Takes away what is behind a length. */
  readonly cut: (length: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a file to go on at a length; what is behind it is cut off. */
export async function openGrowing(path: string, length: number): Promise<GrowingFile> {
  const file = await inPlace(path, () => open(path, constants.O_RDWR | constants.O_CREAT, 0o666));
  await inPlace(path, async () => {
    const { size } = await file.stat();
    if (size < length) throw tooShort(path, { size, length });
    await file.truncate(length);
  });
  return growing(path, file, length);
}

function growing(path: string, file: FileHandle, length: number): GrowingFile {
  let [end, isChanged] = [length, false];
  return {
    get length() {
      return end;
    },
    append: (bytes) =>
      inPlace(path, async () => {
        isChanged = true;
        // A disk that is nearly full takes a part of it and refuses the next.
        for (let at = 0; at < bytes.length; ) {
          const { bytesWritten } = await file.write(bytes, at, bytes.length - at, end);
          at += bytesWritten;
          end += bytesWritten;
        }
      }),
    sync: () =>
      inPlace(path, async () => {
        if (isChanged) await file.datasync();
        isChanged = false;
      }),
    cut: (to) =>
      inPlace(path, async () => {
        isChanged = true;
        await file.truncate(to);
        end = to;
      }),
    close: () => file.close(),
  };
}

const tooShort = (path: string, { size, length }: { size: number; length: number }): PalimpsestError =>
  new PalimpsestError(
    'FILE_UNREADABLE',
    `${path} has ${size} bytes, but its journal tells of ${length}: it was changed. Remove it and its journal, and start anew.`,
    { evidence: { path, size, length } },
  );

/** The journal of a run. */
export interface RunJournal {
  readonly add: (line: JournalLine) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What the journal of an earlier run tells; undefined where there is none. */
export async function journalAt(path: string): Promise<Journal | undefined> {
  const text = await readFile(path, 'utf8').catch(missing);
  return text === undefined ? undefined : readJournal(text);
}

/** Goes on with a journal, or begins one. */
export async function openJournal(path: string, start: JournalStart, old: Journal | undefined): Promise<RunJournal> {
  await inPlace(path, () => mkdir(dirname(path), { recursive: true }));
  const file = await openGrowing(path, old?.bytes ?? 0);
  const add = async (line: JournalLine): Promise<void> => {
    await file.append(Buffer.from(`${JSON.stringify(line)}\n`));
    await file.sync();
  };
  if (!old) {
    await add(start);
    await syncFolder(dirname(path));
  }
  return { add, close: file.close };
}

/** Gives a finished output its name; it may have it already. Throws where neither file is what the journal tells of. */
export async function finishOutput(output: string, { outputBytes }: FileState): Promise<void> {
  const partial = partialOf(output);
  if ((await sizeAt(partial)) === outputBytes) {
    await inPlace(output, () => rename(partial, output));
    await syncFolder(dirname(output));
    return;
  }
  const size = await sizeAt(output);
  if (size === outputBytes) return;
  const found = size === undefined ? 'it is gone' : `it has ${size}`;
  const message = `expected ${output} with the ${outputBytes} bytes that the journal tells of, but ${found}: remove the journal, and start anew`;
  throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path: output, outputBytes } });
}

/** Writes a small file whole or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const partial = partialOf(path);
  await inPlace(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(partial, text, { flush: true });
    await rename(partial, path);
  });
}

/** A copy of a file under another name, whole or not at all; of one that is not there, an empty file. */
export async function copyWhole(from: string, to: string): Promise<void> {
  if ((await sizeAt(from)) === undefined) return writeWhole(to, '');
  await inPlace(to, async () => {
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, partialOf(to));
    await rename(partialOf(to), to);
  });
}

/** The first lines of a list; none of one that is not there. */
export async function firstLines(path: string, most: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(path)) {
    if (lines.length >= most) break;
    lines.push(line);
  }
  return lines;
}

/**
 * The lines of a file, without their breaks; none of one that is not there. What has no break at its end was cut off, and is
 * none. Only `\n` ends a line: Node's own reader also takes U+2028 for a break, which JSON leaves as it is within texts.
 */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch(missing);
  if (!file) return;
  try {
    let held: Buffer[] = [];
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      // No encoding was asked for, so it gives bytes.
      const bytes = chunk as Buffer;
      let from = 0;
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
        yield Buffer.concat([...held, bytes.subarray(from, at)]).toString('utf8');
        held = [];
        from = at + 1;
      }
      if (from < bytes.length) held.push(bytes.subarray(from));
    }
  } finally {
    await file.close();
  }
}

/** Takes away what a run that is over needs no more. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
}

/** Makes the folder of an output. */
export const makeFolderOf = (output: string): Promise<unknown> =>
  inPlace(output, () => mkdir(dirname(output), { recursive: true }));

export const sizeAt = async (path: string): Promise<number | undefined> => (await stat(path).catch(missing))?.size;

/** True for a folder, a device and whatever else is there and no file. */
export const isNoFile = async (path: string): Promise<boolean> => (await stat(path).catch(missing))?.isFile() === false;

/** Where a file is, or would be, whatever links lead there. */
export async function placeOf(path: string): Promise<string> {
  const folder = (): Promise<string> => realpath(dirname(path)).catch(() => dirname(path));
  return realpath(path).catch(async () => join(await folder(), basename(path)));
}

/** What stands in a file of at most so many bytes; undefined for a larger one, and for one that is not there. */
export async function smallText(path: string, mostBytes: number): Promise<string | undefined> {
  const size = await sizeAt(path);
  return size === undefined || size > mostBytes ? undefined : readFile(path, 'utf8');
}

function missing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full: make room, and go on with --resume',
  EDQUOT: 'your disk quota is used up: make room, and go on with --resume',
  EFBIG: 'the file may not grow any more: raise the limit, and go on with --resume',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'its disk is read-only',
  ENOTDIR: 'its parent is not a folder',
  EISDIR: 'it is a folder',
};

/** Tells of what the system says of a file. */
async function inPlace<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (PalimpsestError.isInstance(cause)) throw cause;
    const code = codeOf(cause);
    const reason = reasons[code ?? ''] ?? (cause instanceof Error ? cause.message : String(cause));
    throw new PalimpsestError('FILE_UNREADABLE', `${path} cannot be written: ${reason}`, {
      evidence: { path, reason: code },
      cause,
    });
  }
}

/** After a power cut the new name is there too. Not every system can do that for a folder. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows opens no folders.
  }
}
