/** A home with two projects, and `palimpsest memory` in them as a person at a terminal calls it, or as a program does. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { inFolder, type Outcome, runHere, type TerminalOptions } from './command-line.ts';

type Args = readonly string[];

export interface MemoryHome {
  readonly home: string;
  /** The folder of the project that is worked on. */
  readonly oven: string;
  /** Of another one. */
  readonly bike: string;
  /** Of the files. */
  readonly folder: string;
  /** At a terminal. */
  readonly person: (args: Args, options?: TerminalOptions) => Promise<Outcome>;
  /** Through pipes. */
  readonly program: (args: Args, options?: TerminalOptions) => Promise<Outcome>;
  /** The document of `--json`, at a terminal. */
  readonly json: (args: Args, options?: TerminalOptions) => Promise<MemoryDocument>;
  readonly read: (name: string) => string;
  readonly openStore: () => Promise<Store>;
}

export interface EntryRow {
  readonly id: string;
  readonly status: string;
  readonly text: string;
  readonly source: string;
  readonly project: string | null;
  readonly confirmedAt: string | null;
  readonly would?: string;
}

/** What the documents of the commands have, as far as the tests look at it. */
export interface MemoryDocument {
  readonly command: string;
  readonly status: string;
  readonly act: string | null;
  readonly entries: readonly EntryRow[];
  readonly pending: readonly EntryRow[];
  readonly threats: readonly Readonly<Record<string, unknown>>[];
  readonly [name: string]: unknown;
}

const data = '.local/share/palimpsest';

export function inMemoryHome(use: (home: MemoryHome) => Promise<void>): Promise<void> {
  return inFolder({}, async (home) => {
    const [oven, bike] = [join(home, 'oven'), join(home, 'bike')];
    for (const folder of [oven, bike]) mkdirSync(folder);
    const run = (args: Args, options: TerminalOptions): Promise<Outcome> =>
      runHere(['memory', ...args], { cwd: oven, ...options, env: { HOME: home, ...options.env } });
    const person: MemoryHome['person'] = (args, options = {}) =>
      run(args, { isTerminal: true, columns: 100, ...options, env: { NO_COLOR: '1', ...options.env } });
    await use({
      home,
      oven,
      bike,
      folder: join(home, data, 'memories'),
      person,
      program: (args, options = {}) => run(args, options),
      json: async (args, options) => {
        const { stdout, stderr } = await person([...args, '--json'], options);
        assert.notEqual(stdout, '', stderr);
        return JSON.parse(stdout);
      },
      read: (name) => readFileSync(join(home, data, 'memories', name), 'utf8'),
      openStore: () => openStore({ path: join(home, data, 'palimpsest.db') }),
    });
  });
}

/** Runs it and expects that it went well. */
export async function fine(outcome: Promise<Outcome>): Promise<Outcome> {
  const done = await outcome;
  assert.equal(done.code, 0, done.stderr + done.stdout);
  return done;
}
