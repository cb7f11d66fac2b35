/** Reads the small files that nobody named: what lies in a folder may be anything, and must not hold a command up. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PalimpsestError } from '@palimpsest/core';
import { mostBytes } from './limits.ts';

/**
 * The text of a file of at most `mostBytes`; undefined when there is none. Never waits for a pipe or a device, and never
 * reads on in a file that grows.
 *
 * @throws FILE_UNREADABLE for what is no file, is larger, or is no UTF-8; the system's error where it cannot be opened
 */
export async function readSmallFile(path: string): Promise<string | undefined> {
  const file = await opened(path);
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) throw refused(path, 'it is not a file: put a file there, or remove it');
    const bytes = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      ({ bytesRead: read } = await file.read(bytes, length, bytes.length - length, length));
    }
    if (length > mostBytes) throw refused(path, `it is larger than ${mostBytes / 1_024} KB: shorten it, or remove it`);
    return decoded(path, bytes.subarray(0, length));
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<FileHandle | undefined> {
  try {
    // Opening a pipe for reading waits for a writer otherwise. Windows has no such flag, and no such pipes.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused(path, 'it is not UTF-8 text: save it as UTF-8', cause);
  }
}

const refused = (path: string, what: string, cause?: unknown): PalimpsestError =>
  new PalimpsestError('FILE_UNREADABLE', `Cannot read ${path}: ${what}.`, { evidence: { path }, cause });
