/** A corpus with broken lines in it, and what is said about them afterwards. */
import { once } from 'node:events';
import { createReadStream, createWriteStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isJsonObject, type JsonValue, parseJson } from '../../packages/core/src/shared/json.ts';
import { diceOf } from '../invented-texts.ts';
import { corpusLine } from './corpora.ts';

export interface BrokenCorpus {
  /** Numbers of the broken lines, from 1. */
  readonly broken: readonly number[];
  readonly records: number;
}

interface CorpusOptions {
  readonly path: string;
  readonly records: number;
  /** One line in so many is broken. */
  readonly every: number;
  readonly seed: number;
}

/** The ways of being broken: cut off, no JSON at all, JSON that is no record, turns that are none. */
const breaks: readonly ((line: string) => string)[] = [
  (line) => line.slice(0, Math.floor(line.length / 2)),
  () => 'anchorage, berth, tide',
  () => '{"id":"none"}',
  () => '{"conversations":"none"}',
  () => '{"conversations":[1,2,3]}',
  () => '[]',
];

/** Writes small trajectories, of which the broken ones lie where a seed says. */
export async function writeBrokenCorpus({ path, records, every, seed }: CorpusOptions): Promise<BrokenCorpus> {
  const dice = diceOf(seed);
  const out = createWriteStream(path);
  const broken: number[] = [];
  for (let at = 0; at < records; at++) {
    const line = corpusLine('short', { seed, at });
    const isBroken = dice(every) === 0;
    if (isBroken) broken.push(at + 1);
    const written = isBroken ? (breaks[dice(breaks.length)]?.(line) ?? '') : line;
    if (!out.write(`${written}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
  return { broken, records };
}

/** Broken lines that are not in the output as they were, by their numbers. */
export async function lostLines(input: string, output: string, broken: readonly number[]): Promise<readonly number[]> {
  const isBroken = new Set(broken);
  const outputs = createInterface({ input: createReadStream(output) })[Symbol.asyncIterator]();
  const lost: number[] = [];
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(input) })) {
    number++;
    const { value } = await outputs.next();
    if (isBroken.has(number) && value !== line) lost.push(number);
  }
  return lost;
}

/**
 * The numbers of lines that the files beside an output report as broken. Read by their form, whatever their names: lines or
 * documents of JSON that hold objects with a `number` or a `line`, and a `code`.
 */
export function reportedLines(folder: string, outputs: ReadonlySet<string>): readonly number[] {
  const files = readdirSync(folder).filter((name) => !outputs.has(name) && statSync(join(folder, name)).isFile());
  const found = new Set<number>();
  for (const name of files) {
    const text = readFileSync(join(folder, name), 'utf8');
    const whole = parseJson(text);
    const values = whole === undefined ? text.split('\n').map(parseJson) : [whole];
    for (const value of values) if (value !== undefined) collect(value, found);
  }
  return [...found].toSorted((a, b) => a - b);
}

function collect(value: JsonValue, found: Set<number>): void {
  if (Array.isArray(value)) for (const one of value) collect(one, found);
  if (!isJsonObject(value)) return;
  const number = value.line ?? value.number;
  if (typeof number === 'number' && typeof value.code === 'string') found.add(number);
  for (const one of Object.values(value)) if (typeof one === 'object' && one !== null) collect(one, found);
}
