/**
 * Measures how soon the built package is there: commands from their start to their end, each door of the library, the first
 * texts that are scanned, the memory of a process that has everything open which a chat needs, and the chat itself in a
 * pseudo-terminal. Prints Markdown.
 *
 *   node bench/start.ts [--runs N] [--built]
 *
 * `--built` measures packages/*\/dist as they are; else they are built first.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../scripts/reference/markdown.ts';
import { chatStartTable } from './chat-start.ts';
import { median } from './figures.ts';
import { installedPackages } from './installed.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10' }, built: { type: 'boolean', default: false } },
});
const runs = Number(values.runs);

/** Something that is started anew for each run, and how long it may take. */
interface Started {
  readonly name: string;
  readonly words: readonly string[];
  readonly mostMs?: number;
  /** Compiled code is there from an earlier start. */
  readonly isKept?: true;
}

/** What a program measures in itself: milliseconds of the clock and of the processor, and its memory at the end. */
interface Figures {
  readonly ms: number;
  readonly cpuMs: number;
  readonly megabytes: number;
}

async function measureAll(place: string): Promise<void> {
  const command = join(place, 'node_modules/palimpsest/cli/main.js');
  const started: readonly Started[] = [
    { name: 'Node itself: `node -e 0`', words: ['-e', '0'] },
    { name: '`palimpsest --version`', words: [command, '--version'], mostMs: 60 },
    { name: '`palimpsest --help`, the first time', words: [command, '--help'] },
    { name: '`palimpsest --help`, later', words: [command, '--help'], isKept: true },
    { name: '`palimpsest status`, the first time', words: [command, 'status'] },
    { name: '`palimpsest status`, later', words: [command, 'status'], isKept: true },
  ];
  const [load = 0] = loadavg();
  console.log(
    `Medians of ${runs} runs, each a process of its own. Load of the machine at the start: ${load.toFixed(1)}.\n`,
  );
  console.log(
    `${table(
      ['from start to end', 'ms', 'at most'],
      started.map((one) => [one.name, startedMs(one, place).toFixed(0), limit(one.mostMs)]),
    )}\n`,
  );
  console.log(`${await chatStartTable({ command, folder: place, runs })}\n`);
  console.log(table(['inside a process', 'ms', 'of the processor', 'at most', 'MB'], insideRows(place)));
}

const limit = (most: number | undefined): string => (most === undefined ? '' : String(most));

const environment = (place: string, isKept = false): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: place,
  // Compiled code that was kept would hide what a first start takes.
  ...(isKept ? {} : { NODE_DISABLE_COMPILE_CACHE: '1' }),
});

/** The median of the clock, without the first run, which reads files that nobody had read. */
function startedMs({ name, words, isKept }: Started, place: string): number {
  const times = Array.from({ length: runs + 1 }, () => {
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, words, {
      cwd: place,
      env: environment(place, isKept),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
    return performance.now() - start;
  });
  return median(times.slice(1));
}

const doors = (place: string): readonly string[] => {
  const manifest = readFileSync(join(place, 'node_modules/@palimpsest/core/package.json'), 'utf8');
  const { exports } = JSON.parse(manifest);
  return Object.keys(exports)
    .filter((name) => name !== './package.json')
    .map((name) => `@palimpsest/core${name.slice(1)}`);
};

function insideRows(place: string): readonly (readonly string[])[] {
  const row = (name: string, code: Code, mostMs?: number): readonly string[] => {
    const { ms, cpuMs, megabytes } = inside(code, place);
    return [name, ms.toFixed(0), cpuMs.toFixed(0), limit(mostMs), megabytes.toFixed(0)];
  };
  const quick = new Set(['/store', '/memory', '/ai-sdk'].map((name) => `@palimpsest/core${name}`));
  return [
    row('`ai`, which the door for the AI SDK needs', { measured: `await import('ai');` }),
    ...doors(place).map((door) =>
      row(`\`${door}\``, { measured: `await import('${door}');` }, quick.has(door) ? 60 : undefined),
    ),
    row('the first text that is scanned', { before: scanner, measured: scan('The user prefers tabs.') }),
    row('the second', { before: scanner + scan('The user prefers tabs.'), measured: scan('We deploy on Fridays.') }),
    row('the first in Chinese', {
      before: scanner + scan('We deploy on Fridays.'),
      measured: scan('用户喜欢制表符。'),
    }),
    row('everything open that a chat needs', { measured: opened }),
  ];
}

/** Lines of a module: what is measured, and what is there before. */
interface Code {
  readonly before?: string;
  readonly measured: string;
}

const scanner = `const { scanMemory } = await import('@palimpsest/core/memory');`;
const scan = (text: string): string => `scanMemory(${JSON.stringify(text)});`;

/** A store with a file, a memory over it, and a model of the AI SDK that is kept in it. */
const opened = `
  const { openStore } = await import('@palimpsest/core/store');
  const { createMemory } = await import('@palimpsest/core/memory');
  const { tools, withPalimpsest } = await import('@palimpsest/core/ai-sdk');
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  await import('ai');
  const store = await openStore({ path: folder + '/chat.db' });
  const memory = createMemory({ store, folder: folder + '/memories' });
  const inner = createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1:9/v1' })('model');
  tools(withPalimpsest(inner, { store, memory }));
  await memory.snapshot();
`;

/** Medians of a program that measures itself. */
function inside({ before = '', measured }: Code, place: string): Figures {
  const code = `
    import { mkdtempSync } from 'node:fs';
    const folder = mkdtempSync(process.cwd() + '/home-');
    ${before}
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    ${measured}
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    globalThis.gc?.();
    console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1e3, megabytes: process.memoryUsage().rss / 1e6 }));
    process.exit();
  `;
  const figures = Array.from({ length: runs + 1 }, (): Figures => {
    const words = ['--expose-gc', '--input-type=module', '-e', code];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: place,
      env: environment(place),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`expected the program to end well, it said: ${stderr}`);
    return JSON.parse(stdout);
  }).slice(1);
  const medianOf = (name: keyof Figures): number => median(figures.map((one) => one[name]));
  return { ms: medianOf('ms'), cpuMs: medianOf('cpuMs'), megabytes: medianOf('megabytes') };
}

const folder = await installedPackages({ isBuilt: values.built });
try {
  await measureAll(folder);
} finally {
  rmSync(folder, { recursive: true });
}
