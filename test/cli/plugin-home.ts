/** A home with plugins in it, and the command line there. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inFolder, type Outcome, runHere } from '../support/command-line.ts';

/** `plugin.json` of an engine. */
export const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({ name, version: '1.2.3', kind: 'context_engine', palimpsest: '*', main: 'engine.mjs', ...more });

/** An engine that keeps the system prompt, the newest request and the last two groups. */
export const works = `export const createEngine = ({ name, groupsOf, isFromPerson }) => ({
  name,
  compress: async (messages) => {
    const start = groupsOf(messages).at(-2)?.start ?? 0;
    const request = messages.findLastIndex(isFromPerson);
    const list = messages.filter(({ role }, at) => role === 'system' || at === request || at >= start);
    return list.length < messages.length ? list : messages;
  },
});`;

/** Code that never lets go: as far as the process can tell a busy loop, but one that costs the tests nothing. */
export const holds = 'for (const cell = new Int32Array(new SharedArrayBuffer(4));;) Atomics.wait(cell, 0, 0, 50);';

/** Writes files, by their path in a folder. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** The person's plugin folder for engines, and their configuration. */
export const own = '.local/share/palimpsest/plugins/context_engine';
export const configFile = '.config/palimpsest/config.yaml';

/** The files of an engine. */
export const plugin = (name: string, source: string = works, folder: string = own): Record<string, string> => ({
  [`${folder}/${name}/plugin.json`]: manifest(name),
  [`${folder}/${name}/engine.mjs`]: source,
});

type Run = (...args: readonly string[]) => Promise<Outcome>;

/** A home with these files, and the command line in it. */
export const atHome = (
  files: Readonly<Record<string, string>>,
  use: (home: string, run: Run) => Promise<void>,
): Promise<void> =>
  inFolder({}, async (home) => {
    write(home, files);
    const env = { PATH: process.env.PATH ?? '' };
    await use(home, (...args) => runHere(args, { cwd: home, env, columns: 200, isTerminal: false }));
  });
