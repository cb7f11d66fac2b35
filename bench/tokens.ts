/**
 * Measures counting: load time, the first pass over fresh text, throughput beside gpt-tokenizer and tiktoken, the worst
 * cases, and the estimates. Figures are medians.
 *
 *   node bench/tokens.ts           on our own samples, and on ../shared/data where it is
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Encoding, loadEncoding } from '../packages/core/src/tokens/encoding.ts';
import { estimateTextTokens } from '../packages/core/src/tokens/estimate.ts';
import { samples } from '../test/tokens/samples.ts';

const transcripts = join(import.meta.dirname, '../../shared/data/transcripts/claude-code');
const rounds = 5;
const firstPassTokens = 500_000;

if (process.argv.includes('--cold')) await coldRun();
else await allRuns();

async function allRuns(): Promise<void> {
  const cold = Array.from({ length: rounds }, () => coldChild());
  const ours = await loadEncoding('o200k_base');
  console.log(`load o200k_base            ${median(cold.map(({ loadMs }) => loadMs)).toFixed(0)} ms in a new process`);
  console.log(
    `first ${cold[0]?.tokens} tokens      ${median(cold.map(({ countMs }) => countMs)).toFixed(0)} ms in a new process`,
  );
  await throughput(ours);
  worstCases(ours);
  estimates(ours);
}

interface Cold {
  readonly loadMs: number;
  readonly countMs: number;
  readonly tokens: number;
}

function coldChild(): Cold {
  const run = spawnSync(process.execPath, [import.meta.filename, '--cold'], { encoding: 'utf8' });
  // The other branch of this file wrote it.
  return JSON.parse(run.stdout) as Cold;
}

async function coldRun(): Promise<void> {
  const texts = agentTexts();
  const start = performance.now();
  const { count } = await loadEncoding('o200k_base');
  const loaded = performance.now();
  let tokens = 0;
  for (const text of texts) if (tokens < firstPassTokens) tokens += count(text);
  const cold: Cold = { loadMs: loaded - start, countMs: performance.now() - loaded, tokens };
  console.log(JSON.stringify(cold));
}

async function throughput(ours: Encoding): Promise<void> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const { get_encoding } = await import('tiktoken');
  const wasm = get_encoding('o200k_base');
  const counters: readonly (readonly [string, (text: string) => number])[] = [
    ['ours', ours.count],
    ['gpt-tokenizer', (text) => countTokens(text, { disallowedSpecial: new Set() })],
    ['tiktoken', (text) => wasm.encode(text, [], []).length],
  ];
  console.log('\nmillion tokens a second, warm');
  const kinds = Object.entries(corpora());
  for (const [, count] of counters) for (const [, texts] of kinds) for (const text of texts) count(text);
  for (const [kind, texts] of kinds) {
    const speeds = counters.map(([name, count]) => `${name} ${(speedOf(count, texts) / 1e6).toFixed(2)}`);
    console.log(`  ${kind.padEnd(12)} ${speeds.join('   ')}`);
  }
  wasm.free();
}

/** Tokens a second: the median of several passes after one to warm up. */
function speedOf(count: (text: string) => number, texts: readonly string[]): number {
  const pass = (): number => texts.reduce((sum, text) => sum + count(text), 0);
  const tokens = pass();
  return (tokens / median(Array.from({ length: rounds }, () => timeOf(pass)))) * 1000;
}

function worstCases({ count }: Encoding): void {
  console.log('\nmilliseconds for a million characters of one thing');
  const units = { a: 'a', blank: ' ', newline: '\n', dash: '-', emoji: '😀', Han: '中', wideBlank: '\u3000', aB: 'aB' };
  const random = Array.from({ length: 1_000_000 }, (_, i) =>
    String.fromCharCode(97 + (((i * i * 7919) % 10_007) % 26)),
  );
  const texts = Object.entries(units).map(([name, unit]) => [name, unit.repeat(1_000_000 / unit.length)] as const);
  for (const [name, text] of [...texts, ['letters', random.join('')] as const]) {
    console.log(
      `  ${name.padEnd(12)} ${median(Array.from({ length: 3 }, () => timeOf(() => count(text)))).toFixed(0)}`,
    );
  }
}

function estimates({ count }: Encoding): void {
  console.log('\nestimates: error against o200k_base');
  const texts = { ...corpora(), ...samples };
  for (const [name, text] of Object.entries(texts)) {
    const list = typeof text === 'string' ? [text] : text;
    const exact = list.reduce((sum, one) => sum + count(one), 0);
    const guess = list.reduce((sum, one) => sum + estimateTextTokens(one), 0);
    console.log(`  ${name.padEnd(12)} ${((guess / exact - 1) * 100).toFixed(1).padStart(6)} %`);
  }
  const whole = Object.values(samples).join('\n').repeat(200);
  const ms = median(Array.from({ length: rounds }, () => timeOf(() => estimateTextTokens(whole))));
  console.log(`  speed        ${(whole.length / ms / 1000).toFixed(0)} million characters a second`);
}

/** Texts by kind. The samples are short, so each is repeated; a number keeps the repeats from being equal. */
function corpora(): Readonly<Record<string, readonly string[]>> {
  const repeated = (text: string): readonly string[] => Array.from({ length: 300 }, (_, i) => `${i} ${text}`);
  const { english, typescript, json, chinese } = samples;
  const own = { english, typescript, json, chinese };
  const kinds = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, repeated(text)]));
  return existsSync(transcripts) ? { ...kinds, transcripts: agentTexts().slice(0, 400) } : kinds;
}

/** Every longer string of some agent transcripts, or of the samples where there are none. */
function agentTexts(): readonly string[] {
  if (!existsSync(transcripts))
    return Array.from({ length: 3000 }, (_, i) => `${i}\n${Object.values(samples).join('\n')}`);
  return readdirSync(transcripts)
    .slice(2, 8)
    .flatMap((file) =>
      gunzipSync(readFileSync(join(transcripts, file)))
        .toString()
        .split('\n'),
    )
    .filter(Boolean)
    .flatMap((line) => stringsOf(JSON.parse(line)))
    .filter((text) => text.length > 100 && text.length < 20_000);
}

function stringsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

function timeOf(run: () => number): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
