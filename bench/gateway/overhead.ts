/**
 * Measures what the gateway adds to a stream, against a plain pass-through of Node's own server and client in the same run: each is a
 * process of its own before the same upstream, and they take turns. Prints Markdown; see `npm run bench -- gateway`.
 *
 *   node bench/gateway/overhead.ts              latency, throughput, and memory over 100,000 requests
 *   node bench/gateway/overhead.ts --quick      fewer of each
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { table } from '../../scripts/reference/markdown.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const rounds = values.quick ? 2 : 4;
const memoryRequests = values.quick ? 10_000 : 100_000;
/** A request as a coding agent sends it in size. */
const body = Buffer.alloc(50_000, 'x');

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

interface Subject {
  readonly name: string;
  readonly url: string;
  readonly child: ChildProcess;
}

interface Child {
  readonly child: ChildProcess;
  readonly url: string;
}

async function started(...args: readonly string[]): Promise<Child> {
  const child = fork(join(import.meta.dirname, 'child.ts'), args);
  const [message] = await once(child, 'message');
  return { child, url: message.url };
}

async function stateOf({ child }: Subject): Promise<{ readonly rssMb: number; readonly cpuMs: number }> {
  const answer = once(child, 'message');
  child.send('state');
  const [message] = await answer;
  return message;
}

interface Load {
  readonly lanes: number;
  readonly requests: number;
  readonly events: number;
  readonly gapMs: number;
}

interface Measured {
  /** Milliseconds of the processor that the subject took, all requests together. */
  readonly cpuMs: number;
  readonly firstByteMs: readonly number[];
  readonly seconds: number;
  readonly bytes: number;
}

/** So many requests over so many lanes, each of which sends the next when the last has ended. */
async function run(subject: Subject, { lanes, requests, events, gapMs }: Load): Promise<Measured> {
  const { url } = subject;
  const before = await stateOf(subject);
  const firstByteMs: number[] = [];
  let left = requests;
  let bytes = 0;
  const headers = { 'content-type': 'application/json', 'x-events': String(events), 'x-gap-ms': String(gapMs) };
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = performance.now();
      const asked = request(`${url}/v1/messages`, { method: 'POST', headers, agent }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
        answer.once('data', () => firstByteMs.push(performance.now() - start));
        answer.on('data', (piece) => {
          bytes += piece.length;
        });
        answer.once('end', resolve).once('error', reject);
      });
      asked.once('error', reject).end(body);
    });
  /** Lanes begin one after the other over the time of one stream: agents do not all ask in the same millisecond. */
  const lane = async (number: number): Promise<void> => {
    await setTimeout((number / lanes) * events * gapMs);
    while (left-- > 0) await one();
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  const seconds = (performance.now() - start) / 1_000;
  const { cpuMs } = await stateOf(subject);
  return { firstByteMs, seconds, bytes, cpuMs: cpuMs - before.cpuMs };
}

const quantile = (all: readonly number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0;

/** The same load for each subject in turn, several times. */
async function inTurns(
  subjects: readonly Subject[],
  load: Load,
  turns = rounds,
): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const all = new Map<string, Measured[]>(subjects.map(({ name }) => [name, []]));
  for (let turn = 0; turn < turns; turn++)
    for (const subject of subjects) all.get(subject.name)?.push(await run(subject, load));
  return all;
}

const latencyLoads: readonly Load[] = [
  { lanes: 50, requests: values.quick ? 150 : 500, events: 20, gapMs: 20 },
  { lanes: 200, requests: values.quick ? 400 : 1_000, events: 20, gapMs: 50 },
];

/** One request at a time, the subjects one after the other: what the machine does besides meets all of them alike. */
const single: Load = { lanes: 1, requests: 1, events: 5, gapMs: 0 };
const singleTurns = values.quick ? 400 : 2_000;

async function latencyTable(subjects: readonly Subject[]): Promise<string> {
  const rows: string[][] = [];
  for (const load of [single, ...latencyLoads]) {
    const all = await inTurns(subjects, load, load === single ? singleTurns : rounds);
    const at = (name: string, share: number): number =>
      quantile(all.get(name)?.flatMap(({ firstByteMs }) => firstByteMs) ?? [], share);
    const added = (share: number, from: string): string => (at('gateway', share) - at(from, share)).toFixed(2);
    rows.push([
      String(load.lanes),
      ...subjects.map(({ name }) => `${at(name, 0.5).toFixed(2)} / ${at(name, 0.99).toFixed(2)}`),
      `${added(0.5, 'plain')} / ${added(0.99, 'plain')}`,
      `${added(0.5, 'direct')} / ${added(0.99, 'direct')}`,
    ]);
  }
  const headings = ['streams at once', ...subjects.map(({ name }) => name), 'gateway − plain', 'gateway − direct'];
  return table(headings, rows);
}

async function throughputTable(subjects: readonly Subject[]): Promise<string> {
  const rows: string[][] = [];
  for (const lanes of [1, 50, 200]) {
    const all = await inTurns(subjects, { lanes, requests: values.quick ? 300 : 1_000, events: 200, gapMs: 0 });
    const rate = (name: string): number => {
      const runs = all.get(name) ?? [];
      const seconds = runs.reduce((sum, one) => sum + one.seconds, 0);
      return runs.reduce((sum, one) => sum + one.bytes, 0) / seconds / 2 ** 20;
    };
    const cpu = (name: string): number => {
      const runs = all.get(name) ?? [];
      const count = runs.reduce((sum, one) => sum + one.firstByteMs.length, 0);
      return (runs.reduce((sum, one) => sum + one.cpuMs, 0) / count) * 1_000;
    };
    rows.push([
      String(lanes),
      ...subjects.map(({ name }) => rate(name).toFixed(1)),
      (rate('gateway') / rate('plain')).toFixed(2),
      ...['plain', 'gateway'].map((name) => cpu(name).toFixed(0)),
      (cpu('plain') / cpu('gateway')).toFixed(2),
    ]);
  }
  const rates = subjects.map(({ name }) => `${name}, MiB/s`);
  const cpus = ['plain, µs of the processor a stream', 'gateway', 'plain : gateway'];
  return table(['streams at once', ...rates, 'gateway : plain', ...cpus], rows);
}

async function memoryTable(gateway: Subject): Promise<string> {
  const rows: string[][] = [];
  const parts = 5;
  for (let part = 0; part <= parts; part++) {
    if (part > 0) await run(gateway, { lanes: 50, requests: memoryRequests / parts, events: 5, gapMs: 0 });
    const { rssMb, cpuMs } = await stateOf(gateway);
    rows.push([String((memoryRequests / parts) * part), rssMb.toFixed(0), (cpuMs / 1_000).toFixed(1)]);
  }
  return table(['requests', 'memory, MiB', 'processor since the start, s'], rows);
}

async function main(): Promise<void> {
  const upstream = await started('upstream');
  const subjects: Subject[] = [
    { name: 'direct', ...upstream },
    { name: 'plain', ...(await started('plain', upstream.url)) },
    { name: 'gateway', ...(await started('gateway', upstream.url)) },
  ];
  const [, , gateway] = subjects;
  if (!gateway) return;
  const [load = 0] = loadavg();
  for (const subject of subjects) await run(subject, { lanes: 20, requests: 400, events: 20, gapMs: 0 });
  console.log(
    `Requests of 50 KB, answers as a stream; load of the machine at the start: ${load.toFixed(1)}. Milliseconds to the first byte, p50 / p99; wanted of the gateway beside plain: less than 1 / 8.\n`,
  );
  console.log(`${await latencyTable(subjects)}\n`);
  console.log(`Throughput of streams of 200 events, as fast as they are taken; wanted: 0.8 of plain.\n`);
  console.log(`${await throughputTable(subjects)}\n`);
  console.log(`Memory of the gateway, 50 streams at once; wanted: flat.\n`);
  console.log(await memoryTable(gateway));
  agent.destroy();
  for (const { child } of subjects) child.disconnect();
}

await main();
