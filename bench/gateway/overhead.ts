/**
 * Measures what the gateway adds to a stream, against a plain pass-through of Node's own server and client in the same run: each is a
 * process of its own before the same upstream, and they take turns. Prints Markdown; see `npm run bench -- gateway`.
 *
 *   node bench/gateway/overhead.ts                  latency, throughput, and memory over 100,000 requests
 *   node bench/gateway/overhead.ts --conversations  the same with conversations kept; growing ones; others beside a compression
 *   node bench/gateway/overhead.ts --quick          fewer of each
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { table } from '../../scripts/reference/markdown.ts';
import { median } from '../figures.ts';
import { besideTable } from './beside.ts';
import { addTurn, firstRequest, listBody, longList } from './bodies.ts';
import {
  agent,
  inTurns,
  type Load,
  type Measured,
  type NextBody,
  quantile,
  run,
  type Subject,
  started,
  stateOf,
} from './load.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, conversations: { type: 'boolean', default: false } },
});
const rounds = values.quick ? 3 : 7;
const memoryRequests = values.quick ? 10_000 : 100_000;
/** A request as a coding agent sends it in size: where nothing reads it, the same each time. */
const fixed = Buffer.alloc(50_000, 'x');
const body: NextBody = values.conversations ? () => firstRequest(2_000) : () => fixed;

const latencyLoads: readonly Load[] = [
  { lanes: 50, requests: values.quick ? 150 : 400, events: 20, gapMs: 20 },
  { lanes: 200, requests: values.quick ? 400 : 800, events: 20, gapMs: 50 },
];

/** One request at a time, the subjects one after the other: what the machine does besides meets all of them alike. */
const single: Load = { lanes: 1, requests: 1, events: 5, gapMs: 0 };
const singleTurns = values.quick ? 400 : 2_000;

interface Latency {
  readonly loads: readonly (readonly [load: Load, turns: number])[];
  readonly body: NextBody;
}

const smallLatency: Latency = {
  loads: [[single, singleTurns], ...latencyLoads.map((load) => [load, rounds] as const)],
  body,
};

async function latencyTable(subjects: readonly Subject[], { loads, body: next }: Latency): Promise<string> {
  const rows: string[][] = [];
  for (const [load, turns] of loads) {
    const all = await inTurns(subjects, { load, turns, body: next });
    const at = (name: string, share: number): readonly number[] =>
      inParts(all.get(name) ?? []).map((firstByteMs) => quantile(firstByteMs, share));
    const added = (share: number, from: string): string => {
      const before = at(from, share);
      return median(at('gateway', share).map((ms, part) => ms - (before[part] ?? 0))).toFixed(2);
    };
    rows.push([
      String(load.lanes),
      ...subjects.map(({ name }) => [0.5, 0.99].map((share) => median(at(name, share)).toFixed(2)).join(' / ')),
      `${added(0.5, 'plain')} / ${added(0.99, 'plain')}`,
      `${added(0.5, 'direct')} / ${added(0.99, 'direct')}`,
    ]);
  }
  const headings = ['streams at once', ...subjects.map(({ name }) => name), 'gateway − plain', 'gateway − direct'];
  return table(headings, rows);
}

/** Of fewer, the largest would be the p99. */
const leastInPart = 100;

/**
 * First bytes in as many parts as there are rounds, in their order: what the machine does besides meets one part, and not the median. All in one
 * where they are too few for a p99.
 */
function inParts(runs: readonly Measured[]): readonly (readonly number[])[] {
  const count = runs.reduce((sum, { firstByteMs }) => sum + firstByteMs.length, 0);
  const size = count < leastInPart * rounds ? runs.length : Math.ceil(runs.length / rounds);
  const parts = Array.from({ length: Math.ceil(runs.length / size) }, (_, at) =>
    runs.slice(at * size, (at + 1) * size),
  );
  return parts.map((part) => part.flatMap(({ firstByteMs }) => firstByteMs));
}

async function throughputTable(subjects: readonly Subject[], events: number): Promise<string> {
  const rows: string[][] = [];
  for (const lanes of [1, 50, 200]) {
    const requests = Math.max((events < 500 ? 10 : 2) * lanes, (values.quick ? 60_000 : 120_000) / events);
    const all = await inTurns(subjects, { load: { lanes, requests, events, gapMs: 0 }, turns: rounds, body });
    const rates = (name: string): readonly number[] =>
      (all.get(name) ?? []).map(({ bytes, seconds }) => bytes / seconds / 2 ** 20);
    const ratio = median(rates('gateway').map((rate, round) => rate / (rates('plain')[round] ?? 0)));
    const cpu = (name: string): number => {
      const runs = all.get(name) ?? [];
      const count = runs.reduce((sum, one) => sum + one.firstByteMs.length, 0);
      return (runs.reduce((sum, one) => sum + one.cpuMs, 0) / count) * 1_000;
    };
    rows.push([
      String(lanes),
      ...subjects.map(({ name }) => median(rates(name)).toFixed(1)),
      ratio.toFixed(2),
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
    const load = { lanes: 50, requests: memoryRequests / parts, events: 5, gapMs: 0 };
    if (part > 0) await run(gateway, load, body);
    const { rssMb, cpuMs } = await stateOf(gateway);
    rows.push([String((memoryRequests / parts) * part), rssMb.toFixed(0), (cpuMs / 1_000).toFixed(1)]);
  }
  return table(['requests', 'memory, MiB', 'processor since the start, s'], rows);
}

/** Conversations of 400 KB, each of which goes on with the answer and a question with every request; a lane has its own before each subject. */
function growing(): Latency {
  const lists = new Map<string, object[]>();
  const events = 20;
  const next: NextBody = (lane, name) => {
    const key = `${name}-${lane}`;
    const known = lists.get(key);
    const list = known ?? longList(`${key}-${process.pid}`, 400_000);
    lists.set(key, list);
    if (known) addTurn(list, events);
    return listBody(list);
  };
  const turns = values.quick ? 20 : 60;
  return {
    body: next,
    loads: [
      [{ lanes: 1, requests: 1, events, gapMs: 0 }, turns],
      [{ lanes: 10, requests: 20, events, gapMs: 20 }, values.quick ? 4 : 10],
    ],
  };
}

async function main(): Promise<void> {
  const upstream = await started('direct', 'upstream');
  const role = values.conversations ? ['kept', upstream.url, '1000000'] : ['gateway', upstream.url];
  const subjects = [upstream, await started('plain', 'plain', upstream.url), await started('gateway', ...role)];
  const [, , gateway] = subjects;
  if (!gateway) return;
  const [load = 0] = loadavg();
  for (const subject of subjects) await run(subject, { lanes: 20, requests: 400, events: 20, gapMs: 0 }, body);
  const kind = values.conversations
    ? 'The first requests of conversations, of 2 KB, kept in a store'
    : 'Requests of 50 KB, passed on';
  console.log(
    `${kind}, answers as a stream; load of the machine at the start: ${load.toFixed(1)}. Milliseconds to the first byte, p50 / p99, medians of ${rounds} parts of the run where each has 100 requests; wanted of the gateway beside plain: less than 1 / 8.\n`,
  );
  console.log(`${await latencyTable(subjects, smallLatency)}\n`);
  if (values.conversations) {
    console.log(`Requests of growing conversations of 400 KB.\n`);
    console.log(`${await latencyTable(subjects, growing())}\n`);
    console.log(`Streams of others while conversations of 200,000 tokens are compressed, one after the other.\n`);
    console.log(`${await besideTable(upstream.url, values.quick ? 2 : 6)}\n`);
  }
  for (const events of [200, 1_000]) {
    console.log(`Throughput of streams of ${events} events, as fast as they are taken; wanted: 0.8 of plain.\n`);
    console.log(`${await throughputTable(subjects, events)}\n`);
  }
  console.log(`Memory of the gateway, 50 streams at once; wanted: flat.\n`);
  console.log(await memoryTable(gateway));
  agent.destroy();
  for (const { child } of subjects) child.disconnect();
}

await main();
