/**
 * Measures time on invented sessions, in one process. Prints Markdown; see `npm run bench -- speed`.
 *
 *   node bench/speed.ts              cold and warm compressions, one message more, growth up to 100,000 messages
 *   node bench/speed.ts --quick      without the longest session
 *   node bench/speed.ts --profile    the functions that the time of cold and warm compressions goes to
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import {
  compress,
  conversationTokens,
  exactTokenizer,
  fromOpenAiChat,
  loadEncoding,
  type Message,
  messageTokens,
  type Tokenizer,
} from '@palimpsest/core';
import type { JsonObject } from '@palimpsest/core/engine';
import { type ConversationRecord, createRecord } from '../packages/core/src/compression/record.ts';
import { table } from '../scripts/reference/markdown.ts';
import { median } from './figures.ts';
import { inventedSession } from './invented-session.ts';
import { hotSpots } from './profile.ts';
import { both, medianOf, ms, stopwatch, sumOf, type Time } from './stopwatch.ts';

const runs = 5;
const usual = 2_000;
const addedMessages = 200;
const longest = 100_000;

/** Work that others had for the machine, in busy threads. */
const [load = 0] = loadavg();

const loadStart = performance.now();
const encoding = await loadEncoding('o200k_base');
const loadMs = performance.now() - loadStart;

/** A tokenizer that remembers no message. */
const freshTokenizer = (): Tokenizer => exactTokenizer(encoding);

/** A session as a program would get it: parsed, no string shared with another session. */
// What was written as a list of objects is read as one.
const sessionOf = (count: number, seed: number): readonly JsonObject[] =>
  JSON.parse(JSON.stringify(inventedSession(count, seed))) as readonly JsonObject[];

/** Options of a plain compression, as a person would ask for it. */
const contextLength = 200_000;

interface Stages {
  readonly decode: Time;
  readonly count: Time;
  readonly ledger: Time;
  readonly compress: Time;
  readonly total: Time;
  readonly tokens: number;
}

/** Everything from plain objects, by stage: what `compress` alone does for its caller in one call. */
async function cold(session: readonly JsonObject[]): Promise<Stages> {
  const tokenizer = freshTokenizer();
  const lap = stopwatch();
  const messages = fromOpenAiChat(session);
  const decode = lap();
  const tokens = conversationTokens(messages, tokenizer);
  const count = lap();
  const record = recordOf(tokenizer);
  record.ingest(messages);
  const ledger = lap();
  await compress(messages, { tokenizer, contextLength, record });
  const last = lap();
  return { decode, count, ledger, compress: last, total: sumOf([decode, count, ledger, last]), tokens };
}

const recordOf = (tokenizer: Tokenizer): ConversationRecord => createRecord({ count: tokenizer.count });

interface WarmSession {
  readonly tokenizer: Tokenizer;
  readonly record: ConversationRecord;
  readonly messages: readonly Message[];
}

/** A session of which everything is counted and in the ledger. */
function warmSession(session: readonly JsonObject[]): WarmSession {
  const tokenizer = freshTokenizer();
  const messages = fromOpenAiChat(session);
  conversationTokens(messages, tokenizer);
  const record = recordOf(tokenizer);
  record.ingest(messages);
  return { tokenizer, record, messages };
}

async function warm({ tokenizer, record, messages }: WarmSession): Promise<Time> {
  const lap = stopwatch();
  await compress(messages, { tokenizer, contextLength, record });
  return lap();
}

/** The time of each message that joins a warm session: decoded, counted, and in the record. */
function growing({ tokenizer, record, messages }: WarmSession, added: readonly JsonObject[]): readonly Time[] {
  const list = [...messages];
  return added.map((one) => {
    const lap = stopwatch();
    const fresh = fromOpenAiChat([one]);
    for (const message of fresh) messageTokens(message, tokenizer);
    list.push(...fresh);
    record.ingest(list);
    return lap();
  });
}

interface Growth {
  readonly warm: Time;
  readonly added: readonly Time[];
}

/** A warm session that is compressed and then goes on. */
async function compressAndGrow(count: number, seed: number): Promise<Growth> {
  const session = sessionOf(count + addedMessages, seed);
  const known = warmSession(session.slice(0, count));
  return { warm: await warm(known), added: growing(known, session.slice(count)) };
}

async function allRuns(isQuick: boolean): Promise<void> {
  const first = await cold(sessionOf(usual, 100));
  for (let i = 0; i < 2; i++) await cold(sessionOf(usual, 101 + i));
  const colds = await timesOf(runs, (i) => cold(sessionOf(usual, i)));
  const grown = await timesOf(runs, (i) => compressAndGrow(usual, i));
  console.log(
    `Invented sessions (prose in five languages, code, JSON, listings, failures; a seed each), ${usual} messages and ` +
      `${Math.round(median(colds.map(({ tokens }) => tokens)) / 1000)},000 tokens, counted by our own o200k_base and compressed ` +
      `with the defaults for a window of ${contextLength / 1000},000. Medians of ${runs} runs in one process after the code is ` +
      `warm; the rank table loads in ${loadMs.toFixed(0)} ms before. In brackets: processor time of the thread alone, which other ` +
      'work on the machine does not lengthen; from 10 ms on, goals are judged by it. ' +
      `Load of the machine when the bench began: ${load.toFixed(1)}.\n`,
  );
  console.log(coldTable(first, colds));
  console.log(`\n${goalTable(colds, grown)}`);
  console.log(`\n${await growthTable(isQuick)}`);
  console.log(`\n${await counterTable()}`);
}

async function timesOf<T>(count: number, run: (seed: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let i = 1; i <= count; i++) results.push(await run(i));
  return results;
}

function coldTable(first: Stages, colds: readonly Stages[]): string {
  const stages = ['decode', 'count', 'ledger', 'compress', 'total'] as const;
  const rows = stages.map((stage) => {
    const times = colds.map((one) => one[stage]);
    const walls = times.map(({ wallMs }) => wallMs);
    return [stage, both(medianOf(times)), ms(Math.min(...walls)), ms(Math.max(...walls)), both(first[stage])];
  });
  return table(['from plain objects, ms', 'median', 'fastest', 'slowest', 'first run'], rows);
}

const addedMs = (grown: readonly Growth[]): number => medianOf(grown.flatMap(({ added }) => added)).wallMs;

function goalTable(colds: readonly Stages[], grown: readonly Growth[]): string {
  const row = (what: string, time: Time, [most, aim]: readonly [number, number]): readonly string[] => {
    // Under 10 ms the clock of the thread is too coarse.
    const judged = time.wallMs < 10 || most < 10 ? time.wallMs : time.threadMs;
    const verdict = judged < aim ? 'aim reached' : judged < most ? 'reached' : 'MISSED';
    return [what, `< ${most}`, `< ${aim}`, judged === time.wallMs ? ms(judged) : both(time), verdict];
  };
  const added = grown.flatMap((one) => one.added);
  const slowest = added.reduce((most, time) => (time.wallMs > most.wallMs ? time : most));
  const rows = [
    row('cold: everything from plain objects', medianOf(colds.map(({ total }) => total)), [600, 350]),
    row('warm: one compression, all counted and in the ledger', medianOf(grown.map((one) => one.warm)), [50, 50]),
    row(`one message more in a warm session, median of ${added.length}`, medianOf(added), [1, 1]),
    row('the slowest of them', slowest, [1, 1]),
  ];
  return table(['ms', 'at most', 'aim', 'measured', ''], rows);
}

/** Whether the work grows in proportion: milliseconds a message. */
async function growthTable(isQuick: boolean): Promise<string> {
  const rows: string[][] = [];
  for (const count of isQuick ? [1_000, 10_000] : [1_000, 10_000, longest]) {
    const times = count === longest ? 1 : runs;
    const colds = await timesOf(times, (seed) => cold(sessionOf(count, seed)));
    const grown = await timesOf(times, (seed) => compressAndGrow(count, seed));
    const total = medianOf(colds.map((one) => one.total));
    const tokens = median(colds.map((one) => one.tokens));
    rows.push([
      String(count),
      String(times),
      String(tokens),
      both(total),
      (total.wallMs / count).toFixed(3),
      (total.threadMs / count).toFixed(3),
      both(medianOf(grown.map((one) => one.warm))),
      ms(addedMs(grown)),
      peakMegabytes(),
    ]);
  }
  const headings = ['messages', 'runs', 'tokens', 'cold ms', 'ms a message', 'thread ms a message', 'warm ms'];
  return table([...headings, 'one message more, ms', 'peak memory so far, MB'], rows);
}

/** Most memory that the process ever had, with everything that the bench itself keeps. */
const peakMegabytes = (): string => String(Math.round(process.resourceUsage().maxRSS / 1024));

/** Counting alone, beside another counter, over the same texts. */
async function counterTable(): Promise<string> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const counters: readonly (readonly [string, (text: string) => number])[] = [
    ['ours', encoding.count],
    ['gpt-tokenizer', (text) => countTokens(text, { disallowedSpecial: new Set() })],
  ];
  const rows = counters.map(([name, count]) => {
    const passes = Array.from({ length: runs + 2 }, (_, i) => {
      const texts = textsOf(sessionOf(usual, i));
      const lap = stopwatch();
      const tokens = texts.reduce((sum, text) => sum + count(text), 0);
      return { time: lap(), tokens };
    }).slice(2);
    const speed = median(passes.map(({ tokens, time }) => tokens / time.threadMs)) / 1000;
    return [name, both(medianOf(passes.map(({ time }) => time))), speed.toFixed(2), String(passes[0]?.tokens ?? 0)];
  });
  return table(['counting the same texts', 'ms', 'million tokens a second of the thread', 'tokens of the first'], rows);
}

/** Every text that counting a session has to look at. */
const textsOf = (session: readonly JsonObject[]): readonly string[] =>
  session.flatMap(({ content, tool_calls: calls }) => [
    ...(typeof content === 'string' ? [content] : []),
    ...(calls === undefined ? [] : [JSON.stringify(calls)]),
  ]);

async function profileRuns(): Promise<void> {
  const sessions = Array.from({ length: 8 }, (_, i) => sessionOf(usual, i));
  for (const session of sessions.slice(0, 3)) await warm(warmSession(session));
  const warmed = sessions.map(warmSession);
  await printSpots('cold', async () => {
    for (const session of sessions) await cold(session);
  });
  await printSpots('warm', async () => {
    for (const session of warmed) await warm(session);
  });
}

async function printSpots(title: string, run: () => Promise<void>): Promise<void> {
  const spots = await hotSpots(run);
  const shown = spots.filter(({ self, total }) => self >= 0.005 || total >= 0.03);
  const share = (value: number): string => (100 * value).toFixed(1);
  const rows = shown.map((one) => [one.where, share(one.self), share(one.total)]);
  console.log(`${title}, shares of the samples in %\n\n${table(['function', 'self', 'with callees'], rows)}\n`);
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, profile: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help) console.log('node bench/speed.ts [--quick | --profile]');
else if (values.profile) await profileRuns();
else await allRuns(values.quick ?? false);
