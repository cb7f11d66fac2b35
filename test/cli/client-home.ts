/** A home with files of clients, and what `palimpsest connect` keeps there. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';
import { write } from './plugin-home.ts';

type Run = (...words: readonly string[]) => Promise<Outcome>;

/** A home with these files, and the command line in it. */
export const atHome = (
  files: Readonly<Record<string, string>>,
  use: (home: string, run: Run) => Promise<void>,
): Promise<void> =>
  inFolder({}, async (home) => {
    write(home, files);
    await use(home, (...words) => runHere(words, { cwd: home }));
  });

export const kept = (home: string): readonly string[] => readdirSync(join(home, '.local/share/palimpsest/clients'));

/** The one file of a kind that is kept of a client. */
export function keptFile(home: string, kind: 'backup' | 'json'): string {
  const [name = '', ...more] = kept(home).filter((one) => one.endsWith(`.${kind}`));
  assert.deepEqual(more, []);
  return join(home, '.local/share/palimpsest/clients', name);
}
