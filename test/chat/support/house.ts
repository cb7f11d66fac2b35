/** The whole program in a home of its own, over a model that goes through steps. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openStore } from '@palimpsest/core/store';
import { type FakeProvider, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { inFolder, type Outcome, runHere } from '../../support/command-line.ts';
import { compiledFolder } from '../../support/compiled-code.ts';
import { obedient } from './attacks.ts';

export interface House {
  readonly home: string;
  readonly project: string;
  /** Of what is kept for the person. */
  readonly data: string;
  readonly provider: FakeProvider;
  /** Options and environment of the command. */
  readonly place: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly does: ReturnType<typeof obedient>['does'];
  /** One request of the person, with all allowed that may be. */
  readonly ask: (text: string) => Promise<Outcome>;
}

export async function inHouse(use: (house: House) => Promise<void>): Promise<void> {
  const { script, does } = obedient();
  await using provider = await startFakeProvider({ script, contextLength: 1_000_000 });
  await inFolder({}, async (home) => {
    const project = join(home, 'project');
    const data = join(home, '.local/share/palimpsest');
    mkdirSync(join(project, 'vendor'), { recursive: true });
    write(join(home, '.config/palimpsest/config.yaml'), `model:\n  base_url: ${provider.baseUrl('openai-chat')}\n`);
    const place = ['--model', 'openai-compatible/some-model', '--context-length', '1000000', '--yes', '--json'];
    const env = { PATH: process.env.PATH ?? '', HOME: home, NODE_COMPILE_CACHE: compiledFolder };
    const ask: House['ask'] = async (text) => {
      const done = await runHere(['chat', '-p', text, ...place], { cwd: project, env, input: '' });
      assert.equal(done.code, 0, done.stderr + done.stdout.slice(-2_000));
      return done;
    };
    await use({ home, project, data, provider, place, env, does, ask });
  });
}

export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Every file of a folder but for those of the store, which change with every word. */
export function filesIn(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    all
      .filter((name) => /\.(?:md|json|ya?ml)$/.test(name))
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

export const liveTexts = async ({ data }: House): Promise<readonly string[]> => {
  await using store = await openStore({ path: join(data, 'palimpsest.db') });
  return (await store.memory.list()).flatMap(({ status, text }) => (status === 'live' ? [text] : []));
};

/** The results of tools that were sent to the model, in their order. */
export const resultsOf = ({ stdout }: Outcome): readonly string[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .flatMap((event) => (event.type === 'tool_result' ? [JSON.stringify(event)] : []));

export const read = (path: string): Reply => ({ toolCalls: [{ name: 'read_file', input: { path } }] });
export const runs = (...commands: readonly string[]): Reply => ({
  toolCalls: commands.map((command) => ({ name: 'terminal', input: { command } })),
});
