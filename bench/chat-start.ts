/** `palimpsest chat` in a pseudo-terminal: when its prompt takes keys, how long keys wait, and what an idle conversation holds. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { table } from '../scripts/reference/markdown.ts';
import { median } from './figures.ts';

/** Where the built command is, and how often it is started. */
export interface ChatStartOptions {
  readonly command: string;
  /** A folder that may be filled. */
  readonly folder: string;
  readonly runs: number;
}

/** What one start came to, in milliseconds from the start of Node. */
interface ChatStart {
  readonly promptMs: number;
  readonly loadedMs: number;
  /** What its main thread had of the processor until then: free of what else the machine does. */
  readonly promptThreadMs: number;
  readonly loadedThreadMs: number;
  /** From each key press to the bytes that show it. */
  readonly keyWaits: readonly number[];
}

interface Screen {
  readonly child: ChildProcessWithoutNullStreams;
  /** When Node began to run. */
  readonly startedAt: number;
  readonly pid: number;
  /** Waits until the output holds a text, from a place on. Gives the time at which it came. */
  until(text: string, from?: number): Promise<number>;
  length(): number;
  leave(): Promise<void>;
}

const prompt = '❯';
/** The line at the bottom names the model as soon as all is loaded. */
const model = 'gpt-kiln';
const longestMs = 60_000;
/** A key is pressed this often, about as in a fast burst of typing. */
const keyEveryMs = 50;
const keys = 40;
const idleMs = 10_000;

/** True where a pseudo-terminal can be had without a package for it. */
const hasScript = (): boolean => spawnSync('script', ['--version']).status === 0;

/** The table, or why there is none. */
export async function chatStartTable(options: ChatStartOptions): Promise<string> {
  if (!hasScript())
    return 'The chat was not measured: there is no `script` of util-linux here, which makes a pseudo-terminal.';
  const fake = await startFakeProvider({ script: { text: 'A short answer.', delayMs: 300 } });
  try {
    const home = mkdtempSync(join(options.folder, 'chat-'));
    // The first start fills the folder of compiled code.
    await oneStart(home, options, fake);
    const starts: ChatStart[] = [];
    for (let run = 0; run < options.runs; run++) starts.push(await oneStart(home, options, fake));
    const waits = starts.flatMap(({ keyWaits }) => keyWaits);
    const working = await keysWhileWorking(home, options, fake);
    const blocks = await eachRun(options.runs, () => longestBlock(home, options, fake));
    const idle = await eachRun(Math.min(options.runs, 3), () => idleMegabytes(home, options, fake));
    const first = await eachRun(options.runs, async () => {
      const empty = mkdtempSync(join(options.folder, 'chat-'));
      return (await oneStart(empty, { ...options }, fake)).promptMs;
    });
    return table(
      ['`palimpsest chat` in a pseudo-terminal', 'median', 'worst', 'at most'],
      [
        row(
          'its prompt takes keys, ms',
          starts.map(({ promptMs }) => promptMs),
          300,
        ),
        row(
          'time of the processor for it, ms',
          starts.map(({ promptThreadMs }) => promptThreadMs),
        ),
        row('the prompt at the very first start, ms', first),
        row(
          'everything loaded, ms',
          starts.map(({ loadedMs }) => loadedMs),
        ),
        row(
          'time of the processor for it, with the first keys, ms',
          starts.map(({ loadedThreadMs }) => loadedThreadMs),
        ),
        row('a key in the first 2 s, ms', waits),
        row('a key in the first 2 s of the first request, ms', working),
        row('longest turn of the event loop in the first second, ms', blocks),
        row('memory 10 s after the start, MB', idle, 120),
        row('no model and no key: three lines and exit code 2, ms', coldStarts(options)),
      ],
    );
  } finally {
    await fake.close();
  }
}

const row = (name: string, figures: readonly number[], mostMs?: number): readonly string[] => [
  name,
  median(figures).toFixed(0),
  Math.max(...figures).toFixed(0),
  mostMs === undefined ? '' : String(mostMs),
];

async function eachRun(runs: number, measure: () => Promise<number>): Promise<readonly number[]> {
  const figures: number[] = [];
  for (let run = 0; run < runs; run++) figures.push(await measure());
  return figures;
}

/** Types from the moment when the prompt stands. */
async function oneStart(home: string, { command }: ChatStartOptions, fake: FakeProvider): Promise<ChatStart> {
  const screen = await open(home, [command], fake);
  const promptMs = (await screen.until(prompt)) - screen.startedAt;
  const promptThreadMs = threadMs(screen.pid);
  const loaded = async () => ({ at: await screen.until(model), threadMs: threadMs(screen.pid) });
  const [keyWaits, { at, threadMs: loadedThreadMs }] = await Promise.all([typed(screen), loaded()]);
  await screen.leave();
  return { promptMs, promptThreadMs, loadedMs: at - screen.startedAt, loadedThreadMs, keyWaits };
}

/** What the main thread of a process ran so far, as Linux tells it. */
function threadMs(pid: number): number {
  const path = `/proc/${pid}/schedstat`;
  return existsSync(path) ? Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6 : Number.NaN;
}

/** A request is sent, and keys are pressed while it is prepared and answered. */
async function keysWhileWorking(
  home: string,
  { command }: ChatStartOptions,
  fake: FakeProvider,
): Promise<readonly number[]> {
  const screen = await open(home, [command], fake);
  await screen.until('/help');
  screen.child.stdin.write('Which tabs do I like?');
  await screen.until('like?');
  // Enter in one burst with other keys would be a pasted line break, before it and behind it.
  await delay(500);
  const from = screen.length();
  screen.child.stdin.write('\r');
  await screen.until('like?', from);
  const waits = await typed(screen);
  await screen.leave();
  if (fake.requests.length === 0) throw new Error('expected the chat to send a request, it sent none');
  return waits;
}

/** Presses a key that no sequence of the terminal holds, again and again; each must be shown behind those before it. */
async function typed(screen: Screen): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let key = 1; key <= keys; key++) {
    const from = screen.length();
    const pressedAt = performance.now();
    screen.child.stdin.write('x');
    waits.push((await screen.until('x'.repeat(key), from)) - pressedAt);
    await delay(Math.max(0, keyEveryMs - (performance.now() - pressedAt)));
  }
  return waits;
}

/** Watches the loop of the process itself, from its first frame on. */
const watchLoop = (file: string): string => `
  import { writeFileSync } from 'node:fs';
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const write = process.stdout.write;
  process.stdout.write = function (...given) {
    process.stdout.write = write;
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    setTimeout(() => writeFileSync(${JSON.stringify(file)}, String(loop.max / 1e6)), 1_000).unref();
    return write.apply(process.stdout, given);
  };
`;

async function longestBlock(home: string, { command }: ChatStartOptions, fake: FakeProvider): Promise<number> {
  const folder = mkdtempSync(join(home, 'loop-'));
  const [watch, file] = [join(folder, 'watch.mjs'), join(folder, 'longest')];
  writeFileSync(watch, watchLoop(file));
  const screen = await open(home, ['--import', watch, command], fake);
  await screen.until(model);
  const end = performance.now() + longestMs;
  while (!existsSync(file) && performance.now() < end) await delay(50);
  await screen.leave();
  return Number(readFileSync(file, 'utf8'));
}

async function idleMegabytes(home: string, { command }: ChatStartOptions, fake: FakeProvider): Promise<number> {
  const screen = await open(home, [command], fake);
  await screen.until(model);
  await delay(Math.max(0, screen.startedAt + idleMs - performance.now()));
  const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(screen.pid)], { encoding: 'utf8' }));
  await screen.leave();
  return (kilobytes * 1024) / 1e6;
}

/** Ten processes that find no model: nothing kept, no terminal. */
function coldStarts({ command, folder }: ChatStartOptions): readonly number[] {
  return Array.from({ length: 10 }, () => {
    const HOME = mkdtempSync(join(folder, 'cold-'));
    const start = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [command, 'chat', '-p', 'Hello'], {
      cwd: HOME,
      env: { PATH: process.env.PATH, HOME },
      encoding: 'utf8',
      input: '',
    });
    const ms = performance.now() - start;
    const lines = stderr.trimEnd().split('\n').length;
    if (status !== 2 || lines !== 3) throw new Error(`expected three lines and exit code 2, got ${status}: ${stderr}`);
    return ms;
  });
}

/** A mark of the shell, which then becomes Node: the time of the shell is not counted, and the process id stays. */
const started = /@(\d+)@/;

async function open(home: string, words: readonly string[], fake: FakeProvider): Promise<Screen> {
  const place = ['--model', `openai-compatible/${model}`, '--base-url', fake.baseUrl('openai-chat')];
  const line = [process.execPath, ...words, 'chat', ...place, '--context-length', '32000'].map((word) => `'${word}'`);
  const shell = `stty rows 24 cols 80; echo "@$$@"; exec ${line.join(' ')}`;
  const child = spawn('script', ['-qfec', shell, '/dev/null'], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, SHELL: '/bin/sh', TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdin.on('error', () => undefined);
  async function until(text: string | RegExp, from = 0): Promise<number> {
    const end = performance.now() + longestMs;
    for (;;) {
      const rest = output.slice(from);
      if (typeof text === 'string' ? rest.includes(text) : text.test(rest)) return performance.now();
      if (performance.now() > end || child.exitCode !== null)
        throw new Error(`expected the chat to show ${text}, it showed ${JSON.stringify(rest.slice(-2_000))}`);
      // A second at most, to see the end of the process as well.
      await once(child.stdout, 'data', { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    }
  }
  const startedAt = await until(started);
  return {
    child,
    startedAt,
    pid: Number(started.exec(output)?.[1]),
    until,
    length: () => output.length,
    async leave() {
      const ended = once(child, 'close');
      // What stands in the editor goes first, and Esc stops what goes on.
      for (const keysToLeave of ['\x1b', '\x15', '\x04']) {
        child.stdin.write(keysToLeave);
        await delay(100);
      }
      const timer = setTimeout(() => child.kill(), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
