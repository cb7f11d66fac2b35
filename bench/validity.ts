/**
 * Compresses random, hostile and real conversations again and again while they grow, and counts every promise that a
 * pass breaks. None is expected; the exit code is 1 when there is one.
 *
 *   node bench/validity.ts [--count 10000] [--seed 1]     real transcripts from ../shared/data, where they are
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { estimatingTokenizer, type Message } from '@palimpsest/core';
import fc from 'fast-check';
import { type LifeOptions, live } from '../test/support/compression-laws.ts';
import { conversations } from '../test/support/conversations.ts';
import { hostileConversations } from '../test/support/hostile-conversations.ts';
import { readTranscriptFile } from './files.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const transcripts = join(import.meta.dirname, '../../shared/data/transcripts');
const tokenizer = estimatingTokenizer('claude');
const windows = [4_000, 8_000, 32_000, 200_000, 1_000_000];
const passCounts = [1, 2, 5];
/** Examples shown of each broken promise. */
const shownExamples = 2;
/** A batch is held in memory. */
const batchSize = 500;

const tally = { lives: 0, passes: 0, compressed: 0, overflows: 0, longest: 0 };
const broken = new Map<string, { times: number; examples: string[] }>();

const start = performance.now();
await randomLives();
console.log(`random and hostile  ${line()}`);
if (existsSync(transcripts)) {
  await realLives();
  console.log(`with transcripts    ${line()}`);
} else console.log('transcripts         not here, skipped');
report();

async function randomLives(): Promise<void> {
  const handoffs = ['<handoff covers="m1-m9" messages="9">\nThe state.\n</handoff>', '[CONTEXT SUMMARY]: older'];
  const plain = conversations({ faults: true, handoffs, maxSteps: 60 });
  const long = conversations({ handoffs, maxSteps: 400 });
  const lives = fc.record({
    messages: fc.oneof(
      { weight: 6, arbitrary: plain },
      { weight: 6, arbitrary: hostileConversations({ handoffs, maxSteps: 60 }) },
      { weight: 1, arbitrary: long },
    ),
    contextLength: fc.constantFrom(...windows),
    passes: fc.constantFrom(...passCounts),
    target: fc.option(fc.integer({ min: 300, max: 60_000 }), { nil: undefined }),
    system: fc.constantFrom('keep' as const, 'cover' as const),
  });
  const count = Number(values.count);
  for (let done = 0; done < count; done += batchSize) {
    const samples = fc.sample(lives, { seed: Number(values.seed) + done, numRuns: Math.min(batchSize, count - done) });
    for (const [at, { messages, target, ...way }] of samples.entries()) {
      const options = { ...way, tokenizer, ...(target === undefined ? {} : { targetTokens: target }) };
      await run(messages, options, `seed ${Number(values.seed) + done} sample ${at}`);
    }
  }
}

async function realLives(): Promise<void> {
  const files = readdirSync(transcripts, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));
  for (const file of files.sort()) {
    for (const [at, { messages }] of (await readTranscriptFile(join(transcripts, file))).entries()) {
      for (const contextLength of windows) {
        for (const passes of passCounts) await run(messages, { tokenizer, contextLength, passes }, `${file} ${at}`);
      }
    }
  }
}

async function run(messages: readonly Message[], options: LifeOptions, name: string): Promise<void> {
  const since = performance.now();
  const life = await live(messages, options).catch((error: unknown) => `throws ${String(error).slice(0, 200)}`);
  tally.lives++;
  tally.longest = Math.max(tally.longest, performance.now() - since);
  if (typeof life === 'string') return remember(life, name);
  tally.passes += life.passes.length;
  tally.compressed += life.passes.filter(({ result }) => result.status === 'compressed').length;
  tally.overflows += life.overflows;
  for (const law of life.broken) remember(law, `${name}, window ${options.contextLength}`);
}

function remember(law: string, name: string): void {
  const kind = /^(?:pass \d+: )?([^:]*)/.exec(law)?.[1] ?? law;
  const entry = broken.get(kind) ?? { times: 0, examples: [] };
  entry.times++;
  if (entry.examples.length < shownExamples) entry.examples.push(`${name}, ${law.slice(0, 200)}`);
  broken.set(kind, entry);
}

function line(): string {
  const { lives, passes, compressed, overflows, longest } = tally;
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const times = `${seconds} s, longest life ${(longest / 1000).toFixed(1)} s`;
  return `${lives} conversations, ${passes} passes, ${compressed} compressed, ${overflows} too large for the window, ${times}`;
}

function report(): void {
  const violations = [...broken.values()].reduce((sum, { times }) => sum + times, 0);
  console.log(`broken promises     ${violations}`);
  for (const [kind, { times, examples }] of broken) {
    console.log(`  ${kind}: ${times}`);
    for (const example of examples) console.log(`    ${example.replaceAll('\n', '⏎')}`);
  }
  process.exitCode = violations === 0 ? 0 : 1;
}
