/**
 * Measures what a summary costs that the session's own model writes: in requests of its own, and behind the request that it has in
 * its cache (C5). Every session is taken up to where it would be compressed; prompts are counted, and nothing is sent.
 *
 *   node bench/summary-prefix.ts [--data DIR] [--windows 64k,200k] [--models MODEL,…] [--files]
 */
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  compressionDefaults,
  type Message,
  type Summarizer,
  type Tokenizer,
  type Transcript,
  tokenizerFor,
} from '@palimpsest/core';
import { budgetsFor, toolSchemaTokens } from '@palimpsest/core/engine';
import { compressBehind } from '../packages/core/src/compression/compress.ts';
import type { SummaryPrefix, WayTokens } from '../packages/core/src/compression/summarize/continued.ts';
import { summaryCosts } from '../packages/core/src/context/prompt-cache/summary-way.ts';
import { parseTokenCount } from '../packages/core/src/shared/options/token-count.ts';
import { messageCounter } from '../packages/core/src/tokens/measure.ts';
import { median } from './figures.ts';
import { readTranscriptFile } from './files.ts';
import { sessionFiles } from './verification/sessions.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../shared/data') },
    windows: { type: 'string', default: '64k,200k' },
    models: {
      type: 'string',
      default:
        'anthropic/claude-sonnet-5-5,anthropic/claude-sonnet-4-6,openai/gpt-5.6,openai/gpt-5.4,deepseek/deepseek-v4-pro',
    },
    files: { type: 'boolean', default: false },
  },
});

/** A session at the moment of its compression. */
interface Moment {
  readonly name: string;
  /** Of the request that was sent last. */
  readonly prefixTokens: number;
  readonly ways: WayTokens;
  /** Of all prompts of the other way as they were written, to hold the estimate against. */
  readonly writtenTokens: number;
}

/** The messages up to where the threshold is reached. */
function upTo(threshold: number, { messages }: Transcript, tokensOf: (message: Message) => number): readonly Message[] {
  let tokens = 0;
  const end = messages.findIndex((message) => {
    tokens += tokensOf(message);
    return tokens >= threshold;
  });
  return end === -1 ? [] : messages.slice(0, end + 1);
}

async function momentOf(
  { name, transcript }: { readonly name: string; readonly transcript: Transcript },
  { contextLength, tokenizer }: { readonly contextLength: number; readonly tokenizer: Tokenizer },
): Promise<Moment | undefined> {
  const tokensOf = messageCounter(tokenizer);
  const { thresholdTokens } = budgetsFor(contextLength, compressionDefaults);
  const messages = upTo(thresholdTokens, transcript, tokensOf);
  if (messages.length < 8) return undefined;
  const tools = transcript.tools ? toolSchemaTokens(transcript.tools, tokenizer) : 0;
  const prefixTokens = tools + messages.reduce((sum, message) => sum + tokensOf(message), 0);
  let ways: WayTokens | undefined;
  let writtenTokens = 0;
  const summarizer: Summarizer = {
    name: 'bench/one',
    contextLength,
    async write({ system, prompt }) {
      writtenTokens += tokenizer.count(system) + tokenizer.count(prompt);
      return { text: '## Active Task\nMove the ledgers.', finish: 'stop' };
    },
  };
  const prefix: SummaryPrefix = {
    messages: messages.length,
    tokens: prefixTokens,
    contextLength,
    isCheaper(tokens) {
      ways = tokens;
      return false;
    },
    write: () => Promise.reject(new Error('never asked')),
  };
  await compressBehind(messages, { tokenizer, contextLength, summarizer }, { prefix, beside: 0 });
  return ways && { name, prefixTokens, ways, writtenTokens };
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const cents = (dollars: number): string => (100 * dollars).toFixed(2);

/** What every session costs in both ways with the whole request in the cache, and with nothing in it. */
function costsOf(model: string, moments: readonly Moment[], isWarm: boolean): string {
  const costs = moments.flatMap(({ prefixTokens: tokens, ways }) => {
    const request = { tokens, cachedTokens: isWarm ? tokens : 0, idleMs: 0 };
    const both = summaryCosts({ model, request, ...ways });
    return both ? [both] : [];
  });
  if (costs.length === 0) return row([model, isWarm ? 'warm' : 'cold', '–', '–', '–', '–']);
  const sum = (of: (one: (typeof costs)[number]) => number): number => costs.reduce((all, one) => all + of(one), 0);
  const [continued, plain] = [sum((one) => one.continued), sum((one) => one.plain)];
  const cheaper = costs.filter((one) => one.continued < one.plain).length;
  const chosen = sum((one) => Math.min(one.continued, one.plain));
  return row([
    model,
    isWarm ? 'warm' : 'cold',
    cents(plain / costs.length),
    cents(continued / costs.length),
    `${cheaper} of ${costs.length}`,
    `${Math.round(100 * (1 - chosen / plain))} %`,
  ]);
}

async function main(): Promise<void> {
  const tokenizer = await tokenizerFor('gpt-4o');
  const named = [];
  for (const file of sessionFiles(values.data)) {
    const all = await readTranscriptFile(file);
    const transcript = all.toSorted((a, b) => b.messages.length - a.messages.length)[0];
    if (transcript) named.push({ name: basename(file).slice(0, 26), transcript });
  }
  for (const window of values.windows.split(',')) {
    const contextLength = parseTokenCount(window);
    const moments: Moment[] = [];
    for (const one of named) {
      const moment = await momentOf(one, { contextLength, tokenizer });
      if (moment) moments.push(moment);
    }
    console.log(`\nwindow ${window}: ${moments.length} sessions reach the threshold\n`);
    if (moments.length === 0) continue;
    const middle = (of: (one: Moment) => number): number => Math.round(median(moments.map(of)));
    console.log(
      row([
        'median tokens',
        'request in the cache',
        'message behind it',
        'requests of its own, expected',
        'as written',
      ]),
    );
    console.log(row(Array.from({ length: 5 }, () => '---')));
    console.log(
      row([
        '',
        middle((one) => one.prefixTokens),
        middle((one) => one.ways.askedTokens),
        middle((one) => one.ways.plainTokens),
        middle((one) => one.writtenTokens),
      ]),
    );
    if (values.files)
      for (const { name, prefixTokens, ways, writtenTokens } of moments)
        console.log(row([name, prefixTokens, ways.askedTokens, ways.plainTokens, writtenTokens]));
    console.log(
      `\n${row(['model', 'cache', 'own requests, cents', 'behind it, cents', 'cheaper behind it', 'saved by choosing'])}`,
    );
    console.log(row(Array.from({ length: 6 }, () => '---')));
    for (const model of values.models.split(','))
      for (const isWarm of [true, false]) console.log(costsOf(model, moments, isWarm));
  }
}

await main();
