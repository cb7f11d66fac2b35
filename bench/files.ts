/** Transcript files as they lie on a disk, plain or gzipped. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readTranscripts, type Transcript } from '@palimpsest/core';

const unzip = promisify(gunzip);

/** Every conversation of a file, the main one first. Throws what the disk and `readTranscripts` throw. */
export async function readTranscriptFile(path: string): Promise<readonly Transcript[]> {
  const bytes = await readFile(path);
  const source = path.endsWith('.gz') ? await unzip(bytes) : bytes;
  return (await readTranscripts(source, { name: basename(path) })).transcripts;
}
