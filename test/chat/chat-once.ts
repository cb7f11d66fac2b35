/** `palimpsest chat -p`: single requests in a project and a home of their own, over a provider that says what a test wants. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { inFolder, runHere } from '../support/command-line.ts';
import { compiledFolder } from '../support/compiled-code.ts';

/** A project, and the person who works in it. */
export interface ChatOnce {
  readonly fake: FakeProvider;
  readonly home: string;
  readonly project: string;
  /** Writes a file; the path begins at the home, in which the project is `kiln`. */
  write(path: string, text: string): void;
  /** What the program answers; it must come to a good end. */
  ask(text: string, options?: AskOptions): Promise<{ readonly stdout: string; readonly stderr: string }>;
}

/** How something is asked. */
export interface AskOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** In tokens. @default 200000 */
  readonly window?: number;
}

/** Everything is gone when `use` is over. */
export async function inProject(use: (place: ChatOnce) => Promise<void>): Promise<void> {
  await using fake = await startFakeProvider({ contextLength: 1_000_000 });
  await inFolder({}, async (home) => {
    const project = join(home, 'kiln');
    mkdirSync(join(project, '.git'), { recursive: true });
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    };
    const ask: ChatOnce['ask'] = async (text, { args = [], env = {}, window = 200_000 } = {}) => {
      const place = ['--model', 'openai-compatible/gpt-kiln', '--base-url', fake.baseUrl('openai-chat')];
      const all = ['chat', '-p', text, ...place, '--context-length', String(window), ...args];
      const done = await runHere(all, {
        cwd: project,
        env: { PATH: process.env.PATH ?? '', HOME: home, NODE_COMPILE_CACHE: compiledFolder, ...env },
        input: '',
      });
      assert.equal(done.code, 0, done.stderr + done.stdout.slice(-2_000));
      return done;
    };
    await use({ fake, home, project, write, ask });
  });
}
