/**
 * How long a key press waits until it is on the screen, while a model's answer streams in; and what the whole answer costs.
 * Prints Markdown.
 *
 *   node bench/terminal.ts [--quick]
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { platformTimers } from '@palimpsest/core/settings';
import { openConsole } from '../packages/palimpsest/src/terminal/open-console.ts';
import { TestHost, TestInput, TestOutput } from '../test/support/terminal/console-in-test.ts';
import { both, stopwatch } from './stopwatch.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const megabytes = values.quick ? 0.5 : 2;

const english = `## A heading with \`code\`

Here is **what I found** in \`src/server.ts\`: the timeout is read before the settings are, so it is *always* the default; see [the page](https://example.com/a).

- an entry that goes on for a while and has a \`name_in_code\` and **bold words** in it, so that it has to be broken
  1. and one inside

| file | lines | note |
|---|---:|---|
| src/server.ts | 120 | the first |

\`\`\`ts
const timeout = settings.timeout ?? 30_000; // a line of code that is somewhat longer than others, and wider than 80
\`\`\`

`;
const japanese =
  '日本語の長い文章をここに書いて、**行の折り返し**がどうなるかを確認します。「引用」もあります。👩‍👩‍👧‍👦\n\n';
const texts: Readonly<Record<string, string>> = {
  'Markdown in English': english,
  Japanese: japanese,
  'one line': english.replaceAll(/[\n|#]/g, ' '),
  'code without a line break': 'const a=b(c,"d");',
};

/** Stands at the end of a text, and tells that all of it was printed. */
const ending = 'All of it.';

class Recorder extends TestOutput {
  lastWrite = 0;
  isComplete = false;
  override write(text: string): boolean {
    this.lastWrite = performance.now();
    if (text.includes(ending)) this.isComplete = true;
    return true;
  }
}

interface Measured {
  /** Milliseconds from a key press to the end of the write that shows it, shortest first. */
  readonly waits: readonly number[];
  /** The thread's own time from the last look for key presses to the end of that write: free of what else the machine does. */
  readonly work: readonly number[];
  /** Until all was printed. */
  readonly allMs: number;
  readonly mostHeap: number;
}

const everyMs = 10;

/** A key press every ten milliseconds while a text streams in as fast as the loop turns. */
async function measure(sample: string): Promise<Measured> {
  const text = sample.repeat(Math.ceil((megabytes * 1e6) / sample.length)).slice(0, megabytes * 1e6);
  const input = new TestInput();
  const output = new Recorder();
  const console = openConsole({
    input,
    output,
    host: new TestHost(),
    env: {},
    look: { colour: true },
    after: platformTimers.after,
    onEvent: () => {},
  });
  console.activity('writing');
  const heapBefore = process.memoryUsage().heapUsed;
  const started = performance.now();
  const waits: number[] = [];
  const work: number[] = [];
  const watch = stopwatch();
  let mostHeap = 0;
  let at = 0;
  // From the moment when it is due: a loop that is busy makes it wait.
  let due = started + everyMs;
  while (!output.isComplete) {
    for (const end = at + perTurn; at < end && at < text.length; at += delta) console.write(text.slice(at, at + delta));
    if (at >= text.length && at < Number.POSITIVE_INFINITY) {
      console.write(`\n\n\`\`\`\n\n${ending}\n`);
      at = Number.POSITIVE_INFINITY;
    }
    watch();
    await nextTurn();
    if (performance.now() < due) continue;
    input.emit('data', waits.length % 40 === 39 ? '\x15' : 'a');
    waits.push(output.lastWrite - due);
    work.push(watch().threadMs);
    due = Math.max(due + everyMs, performance.now());
    mostHeap = Math.max(mostHeap, process.memoryUsage().heapUsed - heapBefore);
  }
  const allMs = performance.now() - started;
  console.close();
  const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b);
  return { waits: sorted(waits), work: sorted(work), allMs, mostHeap };
}

/** Characters that a model sends at once, and that come in a turn of the loop. */
const delta = 16;
const perTurn = 4_000;

/** Median, 99 % and slowest, as `wall (thread)`. */
const figures = (waits: readonly number[], work: readonly number[]): readonly string[] =>
  [0.5, 0.99, 1].map((share) => both({ wallMs: at(waits, share), threadMs: at(work, share) }));

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;

globalThis.console.log(
  `${megabytes} MB of text, ${delta} characters a call, at 80 columns: milliseconds from a key press to the end of the write that shows it; in parentheses the thread's own time.\n`,
);
globalThis.console.log(
  '| text | median | 99 % | slowest | key presses | all printed after, s | memory at most, MB more |',
);
globalThis.console.log('|---|---|---|---|---|---|---|');
for (const [name, sample] of Object.entries(texts)) {
  const { waits, work, allMs, mostHeap } = await measure(sample);
  const cells = [name, ...figures(waits, work), waits.length, (allMs / 1_000).toFixed(1), (mostHeap / 1e6).toFixed(0)];
  globalThis.console.log(`| ${cells.join(' | ')} |`);
}
