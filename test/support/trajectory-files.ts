/** Inputs of trajectories in a folder, what an undisturbed run makes of them, and runs in processes of their own. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { entry, inFolder, quietEnv, runHere } from './command-line.ts';
import { shareGptLines, smallSettings } from './trajectories.ts';

const lines = shareGptLines({ records: 120, brokenEvery: 11 });
/** What stands in the inputs. */
export const inputText: string = `${lines.join('\n')}\n`;

export const compressArgs = (...args: readonly string[]): readonly string[] => [
  'trajectories',
  'compress',
  ...smallSettings,
  ...args,
];

/** All files of a folder but the times in metrics. */
export function contentOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    names.sort().map((name) => {
      const content = readFileSync(join(folder, name));
      if (!name.endsWith('metrics.json')) return [name, content.toString('base64')];
      return [name, JSON.stringify({ ...JSON.parse(content.toString()), processing: {} })];
    }),
  );
}

/** Two inputs, one of them packed, a list, and what an undisturbed run makes of them. */
export async function withInputs(
  use: (cwd: string, wanted: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  await inFolder({}, async (cwd) => {
    writeInputs(cwd);
    calmFolder ??= inFolder({}, async (other) => {
      writeInputs(other);
      const args = compressArgs('in', '-o', 'calm', '--errors', 'calm/errors.jsonl');
      assert.equal((await runHere(args, { cwd: other })).code, 1);
      return contentOf(join(other, 'calm'));
    });
    await use(cwd, await calmFolder);
  });
}

/** Made once for all tests of a file: the same inputs give the same. */
let calmFolder: Promise<Readonly<Record<string, string>>> | undefined;

function writeInputs(cwd: string): void {
  mkdirSync(join(cwd, 'in'));
  writeFileSync(join(cwd, 'in', 'a.jsonl'), inputText);
  writeFileSync(join(cwd, 'in', 'b.jsonl.gz'), gzipSync(inputText));
  const list = lines.filter((_, at) => at % 11 !== 10).slice(0, 30);
  writeFileSync(join(cwd, 'in', 'c.json'), `[${list.join(',\n')}]`);
}

/** What an undisturbed run makes of the text alone. */
export function calmText(): Promise<string> {
  calmOutput ??= inFolder({ 'in.jsonl': inputText }, async (cwd) => {
    assert.equal((await runHere(compressArgs('in.jsonl', '-o', 'calm.jsonl'), { cwd })).code, 1);
    return readFileSync(join(cwd, 'calm.jsonl'), 'utf8');
  });
  return calmOutput;
}

let calmOutput: Promise<string> | undefined;

/** A command that can be killed. */
export const startCommand = (args: readonly string[], cwd: string): ChildProcess =>
  spawn(process.execPath, [entry, ...args], { cwd, env: { ...quietEnv, HOME: cwd }, stdio: 'ignore' });
