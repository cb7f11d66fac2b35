/** The recorded session that ships with the package. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PalimpsestError } from '@palimpsest/core';

/** `examples/recorded` beside `src` in a checkout, and beside `dist` in the package: the same two steps up. */
const folder = fileURLToPath(new URL('../../../../examples/recorded', import.meta.url));

/** The path of the example. Throws `FILE_UNREADABLE` when the installation lacks it. */
export async function examplePath(): Promise<string> {
  const names = await filesIn(folder);
  const name = names.filter((file) => /\.jsonl?$/.test(file)).sort()[0];
  if (name !== undefined) return join(folder, name);
  const message = 'the recorded example is missing from this installation: reinstall the package';
  throw new PalimpsestError('FILE_UNREADABLE', message);
}

async function filesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path, { recursive: true });
  } catch {
    // A missing folder is a missing example, which the caller reports.
    return [];
  }
}
