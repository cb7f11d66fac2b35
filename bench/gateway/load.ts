/** What the measures of the gateway send: processes, lanes of requests, and what came of them. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export interface Subject {
  readonly name: string;
  readonly url: string;
  readonly child: ChildProcess;
}

export const agent: Agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

export async function started(name: string, ...args: readonly string[]): Promise<Subject> {
  const child = fork(join(import.meta.dirname, 'child.ts'), args);
  const [message] = await once(child, 'message');
  return { name, child, url: message.url };
}

export async function stateOf({ child }: Subject): Promise<{ readonly rssMb: number; readonly cpuMs: number }> {
  const answer = once(child, 'message');
  child.send('state');
  const [message] = await answer;
  return message;
}

export interface Load {
  readonly lanes: number;
  readonly requests: number;
  readonly events: number;
  readonly gapMs: number;
}

export interface Measured {
  /** Milliseconds of the processor that the subject took, all requests together. */
  readonly cpuMs: number;
  readonly firstByteMs: readonly number[];
  /** How much later than it should an event came after the one before. */
  readonly lateMs: readonly number[];
  /** In turns, until it had done everything that it put off. */
  readonly seconds: number;
  readonly bytes: number;
}

/** The body of the next request of a lane, before the subject of that name. */
export type NextBody = (lane: number, name: string) => Buffer;

interface Stream {
  readonly url: string;
  readonly body: Buffer;
  readonly events: number;
  readonly gapMs: number;
}

/** One request to the end of its answer. `piece` is told when each piece of it came. */
export function stream(
  { url, body, events, gapMs }: Stream,
  piece: (at: number, bytes: number) => void,
): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json', 'x-events': String(events), 'x-gap-ms': String(gapMs) };
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/v1/messages`, { method: 'POST', headers, agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.on('data', ({ length }) => piece(performance.now(), length));
      answer.once('end', () => resolve(String(answer.headers['x-palimpsest-action']))).once('error', reject);
    });
    asked.once('error', reject).end(body);
  });
}

/** So many requests over so many lanes, each of which sends the next when the last has ended. */
export async function run(subject: Subject, load: Load, next: NextBody): Promise<Measured> {
  const { lanes, requests, events, gapMs } = load;
  const before = await stateOf(subject);
  const firstByteMs: number[] = [];
  const lateMs: number[] = [];
  let left = requests;
  let bytes = 0;
  const one = async (lane: number): Promise<void> => {
    const body = next(lane, subject.name);
    const start = performance.now();
    let last: number | undefined;
    await stream({ url: subject.url, body, events, gapMs }, (at, length) => {
      if (last === undefined) firstByteMs.push(at - start);
      else lateMs.push(at - last - gapMs);
      last = at;
      bytes += length;
    });
  };
  /** Lanes begin one after the other over the time of one stream: agents do not all ask in the same millisecond. */
  const lane = async (number: number): Promise<void> => {
    await setTimeout((number / lanes) * events * gapMs);
    while (left-- > 0) await one(number);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  const seconds = (performance.now() - start) / 1_000;
  const { cpuMs } = await stateOf(subject);
  return { firstByteMs, lateMs, seconds, bytes, cpuMs: cpuMs - before.cpuMs };
}

const quietMs = 40;
/** What the question itself takes, and the beat of a process that does nothing. */
const idleCpuMs = 4;

/** Waits until a subject does nothing any more, so that it does not work beside the next one; gives how long it still did. */
async function quiet(subject: Subject): Promise<{ readonly cpuMs: number; readonly ms: number }> {
  const start = performance.now();
  let { cpuMs } = await stateOf(subject);
  for (let ms = 0; ; ms = performance.now() - start) {
    await setTimeout(quietMs);
    const next = await stateOf(subject);
    if (next.cpuMs - cpuMs < idleCpuMs) return { cpuMs: next.cpuMs, ms };
    cpuMs = next.cpuMs;
  }
}

export const quantile = (all: readonly number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0;

/** The same load for each subject in turn, several times. What a subject puts off counts with it, and does not meet the next one. */
export async function inTurns(
  subjects: readonly Subject[],
  { load, turns, body }: { readonly load: Load; readonly turns: number; readonly body: NextBody },
): Promise<ReadonlyMap<string, readonly Measured[]>> {
  const all = new Map<string, Measured[]>(subjects.map(({ name }) => [name, []]));
  for (let turn = 0; turn < turns; turn++)
    for (const subject of subjects) {
      const before = await stateOf(subject);
      const measured = await run(subject, load, body);
      // What one request puts off takes 2 ms, beside the first of the subjects.
      const done = load.lanes === 1 ? { ms: 0 } : await quiet(subject);
      const cpuMs = 'cpuMs' in done ? done.cpuMs - before.cpuMs : measured.cpuMs;
      all.get(subject.name)?.push({ ...measured, cpuMs, seconds: measured.seconds + done.ms / 1_000 });
    }
  return all;
}
