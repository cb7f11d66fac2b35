/** The recorded session that ships with the package. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { packageFolder } from '../config/package-version.ts';

/** Inside the installed package; in a checkout the examples of both packages stand at its root. */
const places = ['examples/recorded', '../../examples/recorded'];

/** The path of the example. Throws `FILE_UNREADABLE` when the installation lacks it. */
export async function examplePath(): Promise<string> {
  for (const place of places) {
    const folder = join(packageFolder(), place);
    const name = (await filesIn(folder)).filter((file) => /\.jsonl?$/.test(file)).sort()[0];
    if (name !== undefined) return join(folder, name);
  }
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
