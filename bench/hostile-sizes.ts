/**
 * Measures what every public call takes for texts made to be slow: processor time and memory for a megabyte of each, in
 * a process of its own that is ended where a call hangs. What takes long is measured again with a quarter of the text.
 *
 *   node bench/hostile-sizes.ts                  all calls, all shapes; over an hour
 *   node bench/hostile-sizes.ts --quick          some shapes, conversations in two arrangements
 *   node bench/hostile-sizes.ts --only redact    calls whose name begins so; --shape NAME for one shape
 *   node bench/hostile-sizes.ts --json FILE      every measurement too
 */
import { type ChildProcess, fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../scripts/reference/markdown.ts';
import { hostileCalls } from './hostile-sizes/calls.ts';
import type { Case, Taken } from './hostile-sizes/child.ts';
import type { HostileCall } from './hostile-sizes/given.ts';
import { arrangements, shapeNames } from './hostile-sizes/shapes.ts';
import { ms } from './stopwatch.ts';

const million = 1_000_000;
/** Promised for a million characters of anything. */
const most = { processorMs: 1_000, memoryMb: 300 };
/** From here on it is worth knowing how the time grows. */
const worthComparing = 400;
const timeLimitMs = 30_000;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    shape: { type: 'string', multiple: true },
    arrangement: { type: 'string', multiple: true },
    json: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

type Answer =
  | { readonly type: 'ready' | 'started' }
  | { readonly type: 'done'; readonly taken: Taken }
  | { readonly type: 'failed'; readonly error: string };

interface Measured extends Case {
  readonly processorMs: number;
  readonly memoryMb: number;
  /** What a quarter of the text took, where that was measured. */
  readonly quarterMs?: number;
  readonly refused?: string;
  /** Set where the call did not come back. */
  readonly hangs?: true;
  readonly failed?: string;
}

const quickShapes = new Set([
  'one letter',
  'line breaks',
  'backticks',
  'quotes',
  'objects in objects',
  'headings',
  'rows of the user',
  'names and values',
  'paths',
  'CJK',
  'stack traces',
  'labels of credentials',
  'lines of a log',
]);

function casesOf({ name, takes }: HostileCall): readonly Case[] {
  const shapes = values.shape ?? shapeNames.filter((shape) => !values.quick || quickShapes.has(shape));
  const asked = arrangements.filter((one) => values.arrangement?.includes(one) ?? true);
  const forms = takes === 'text' ? arrangements.slice(0, 1) : values.quick ? asked.slice(0, 3) : asked;
  return forms.flatMap((arrangement) =>
    shapes.map((shape) => ({ call: name, shape, arrangement, characters: million })),
  );
}

/** A process that measures, and is begun anew after a call that hangs. */
function measurer(): { readonly measure: (one: Case) => Promise<Measured>; readonly end: () => void } {
  let child: ChildProcess | undefined;
  const start = (): ChildProcess =>
    fork(join(import.meta.dirname, 'hostile-sizes/child.ts'), {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  const end = (): void => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  const measure = async (one: Case): Promise<Measured> => {
    child ??= await ready(start());
    const answer = await answerOf(child, one);
    if (answer.type !== 'done') end();
    if (answer.type === 'done') return { ...one, ...answer.taken };
    const nothing = { ...one, processorMs: Number.NaN, memoryMb: Number.NaN };
    return answer.type === 'failed' ? { ...nothing, failed: answer.error } : { ...nothing, hangs: true };
  };
  return { measure, end };
}

function ready(child: ChildProcess): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`the measuring process ended with ${code}`)));
  });
}

/** What the process says of a case; nothing in time counts as hanging. */
function answerOf(child: ChildProcess, one: Case): Promise<Answer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle({ type: 'started' }), timeLimitMs);
    const hear = (answer: Answer): void => {
      if (answer.type === 'started') timer.refresh();
      else settle(answer);
    };
    const exit = (code: number | null, signal: string | null): void =>
      settle({ type: 'failed', error: `ended with ${signal ?? code}` });
    const settle = (answer: Answer): void => {
      clearTimeout(timer);
      child.off('message', hear).off('exit', exit);
      resolve(answer);
    };
    child.on('message', hear).on('exit', exit);
    child.send(one);
  });
}

const isOver = ({ processorMs, memoryMb, hangs }: Measured): boolean =>
  hangs === true || processorMs > most.processorMs || memoryMb > most.memoryMb;

/** A second look in a process of its own at what is over: the first may have paid for what came before it. */
async function looked(one: Case, measure: (one: Case) => Promise<Measured>): Promise<Measured> {
  const first = await measure(one);
  if (first.failed !== undefined || first.hangs) return first;
  const again = isOver(first) ? await alone(one) : first;
  const better =
    again.hangs || again.failed !== undefined
      ? first
      : { ...again, processorMs: Math.min(first.processorMs, again.processorMs) };
  if (better.processorMs < worthComparing) return better;
  const quarter = await measure({ ...one, characters: one.characters / 4 });
  return { ...better, quarterMs: quarter.processorMs };
}

async function alone(one: Case): Promise<Measured> {
  const { measure, end } = measurer();
  const measured = await measure(one);
  end();
  return measured;
}

async function main(): Promise<void> {
  const wanted = hostileCalls.filter(({ name }) => values.only?.some((start) => name.startsWith(start)) ?? true);
  const all: Measured[] = [];
  const queue = [...wanted];
  await Promise.all(
    Array.from({ length: Number(values.jobs) }, async () => {
      const { measure, end } = measurer();
      for (let call = queue.shift(); call; call = queue.shift()) {
        const own: Measured[] = [];
        for (const one of casesOf(call)) own.push(await looked(one, measure));
        all.push(...own);
        console.error(lineOf(call.name, own));
        for (const over of own.filter(isOver)) console.error(`  over: ${described(over)}`);
        const failed = own.find((one) => one.failed !== undefined);
        if (failed) console.error(`  failed: ${failed.failed}`);
        if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(all));
      }
      end();
    }),
  );
  console.log(tableOf(wanted, all));
  if (all.some(isOver)) process.exitCode = 1;
}

const worst = (all: readonly Measured[], of: (one: Measured) => number): Measured | undefined =>
  all.toSorted((a, b) => (of(b) || 0) - (of(a) || 0))[0];

const lineOf = (name: string, own: readonly Measured[]): string =>
  `${name}: ${ms(worst(own, timeOf)?.processorMs ?? 0)} ms, ${ms(worst(own, ({ memoryMb }) => memoryMb)?.memoryMb ?? 0)} MB`;

const timeOf = ({ hangs, processorMs }: Measured): number => (hangs ? timeLimitMs : processorMs);

const described = (one: Measured): string =>
  `${one.shape}, ${one.arrangement}: ${one.hangs ? 'hangs' : `${ms(one.processorMs)} ms, ${ms(one.memoryMb)} MB`}${growth(one)}`;

const growth = ({ quarterMs, processorMs }: Measured): string =>
  quarterMs === undefined ? '' : `, ${(processorMs / quarterMs).toFixed(1)} times a quarter`;

function tableOf(calls: readonly HostileCall[], all: readonly Measured[]): string {
  const rows = calls.map(({ name }) => {
    const own = all.filter(({ call }) => call === name);
    const [slow, large] = [worst(own, timeOf), worst(own, ({ memoryMb }) => memoryMb)];
    if (!slow || !large) return [name, '', '', '', '', '', ''];
    const refused = own.filter((one) => one.refused !== undefined).length;
    const time = slow.hangs ? `over ${timeLimitMs}` : ms(slow.processorMs);
    const times = slow.quarterMs === undefined ? '' : (slow.processorMs / slow.quarterMs).toFixed(1);
    return [
      name,
      `${slow.shape}, ${slow.arrangement}`,
      time,
      times,
      `${large.shape}, ${large.arrangement}`,
      ms(large.memoryMb),
      String(refused),
    ];
  });
  return table(['call', 'slowest', 'ms a MB', 'times a quarter', 'largest', 'MB', 'refused'], rows);
}

if (values.help) console.log('node bench/hostile-sizes.ts [--quick] [--only NAME]… [--shape NAME]… [--json FILE]');
else await main();
