/** Runs a measure of the evaluation kit as a child process and reads the rows that it writes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonValue } from '../packages/core/src/shared/json.ts';
import { type BenchOptions, root } from './options.ts';

const ownAdapter = join(root, 'bench/adapters/needles.mjs');
const baselines = ['tail', 'head-tail', 'stubs', 'clip-ends', 'ledger'];

/** What we are called in the rows of the kit. */
export const ownName = 'palimpsest';

/** What we are called with the summary of a model. */
export const withModel: { readonly name: string; readonly path: string } = {
  name: 'palimpsest + model',
  path: join(root, 'bench/adapters/needles-model.mjs'),
};

export interface KitRun {
  /** What the kit wrote with --json. */
  readonly json: JsonValue;
  /** How many tokens of each of our results are bare names, one value a result. */
  readonly names: readonly JsonValue[];
  /** The table that the kit printed. */
  readonly printed: string;
}

/** Why the kit cannot run here, for a person; undefined when it can. */
export function missingForKit({ kit, data }: BenchOptions): string | undefined {
  if (!existsSync(join(kit, 'needles.mjs'))) return 'the evaluation kit is not there: name its folder with --kit DIR';
  if (transcriptFiles(data).length === 0)
    return 'there are no transcripts: name a folder that has some with --data DIR';
  return undefined;
}

/** Every transcript file of the data folder. */
export const transcriptFiles = (data: string): readonly string[] =>
  globSync(join(data, 'transcripts/*/*')).toSorted((a, b) => (a < b ? -1 : 1));

interface KitArgs {
  readonly args: readonly string[];
  /** Run the baselines beside us. */
  readonly compare: boolean;
  /** Adapters of ours beside the usual one. @default none */
  readonly beside?: readonly string[];
  /** Adapters that take the place of our usual one. @default our usual one */
  readonly instead?: readonly string[];
  /** What the adapters find in their environment besides. @default nothing */
  readonly env?: Readonly<Record<string, string>>;
  /** @default every transcript */
  readonly files?: readonly string[];
}

/** Runs `script` of the kit over transcripts. */
export async function runKit(
  options: BenchOptions,
  script: 'needles.mjs' | 'planted.mjs' | 'story.mjs',
  { args, compare, beside = [], instead = [ownAdapter], env = {}, files = transcriptFiles(options.data) }: KitArgs,
): Promise<KitRun> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
  const [json, names] = [join(folder, 'rows.json'), join(folder, 'names.jsonl')];
  const others = compare ? baselines.map((name) => join(options.kit, 'adapters', `${name}.mjs`)) : [];
  const adapters = [...instead, ...beside, ...others].flatMap((path) => ['--adapter', path]);
  try {
    const words = [join(options.kit, script), ...adapters, ...args, '--json', json, ...files];
    const { code, printed } = await runNode(words, { BENCH_NAMES: names, BENCH_DATA: options.data, ...env });
    if (code !== 0) throw new Error(`${script} of the evaluation kit ended with ${code}; what it said stands above`);
    return { json: jsonOf(readFileSync(json, 'utf8')), names: linesOf(names), printed: printed.trim() };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface Ended {
  readonly printed: string;
  /** The exit code; a signal counts as 1. */
  readonly code: number;
}

/** Runs a script on this Node, from the root of the repository. What it says on stderr goes to ours. */
export async function runNode(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn(process.execPath, words, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const [code] = await once(child, 'close');
  return { printed, code: typeof code === 'number' ? code : 1 };
}

// JSON.parse returns what JSON can carry and nothing else.
const jsonOf = (text: string): JsonValue => JSON.parse(text) as JsonValue;

const linesOf = (path: string): readonly JsonValue[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map(jsonOf) : [];
