/** What a model still sees of what a person said, way by way. */
import { type Tokenizer, tokenizerFor, toOpenAiChat } from '@palimpsest/core';
import { isHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { table } from '../../scripts/reference/markdown.ts';
import { inventedTrace, type LongTrace, type Turn } from './trace.ts';
import { keptOf, longTraceWays, type Way } from './ways.ts';

export interface LongTraceOptions {
  readonly seed: number;
  /** The window of the loops, in tokens. */
  readonly window: number;
  /** What the new lists are fitted to, in tokens. */
  readonly targets: readonly number[];
  /** Part of the name and size of the ways to measure; empty for all. */
  readonly only: string;
}

export const longTraceDefaults: LongTraceOptions = {
  seed: 1,
  window: 128_000,
  targets: [8_000, 16_000, 32_000],
  only: '',
};

/** What one way left. */
export interface WayResult {
  readonly way: Way;
  readonly handoff: string;
  /** Facts, and all requests but nods, that are there and that are not. */
  readonly facts: ReturnType<typeof keptOf>;
  readonly requests: ReturnType<typeof keptOf>;
  readonly tokens: number;
  readonly handoffTokens: number;
}

export interface LongTraceResult {
  readonly requests: number;
  readonly tokens: number;
  readonly ways: readonly WayResult[];
}

export async function measureLongTrace(options: LongTraceOptions): Promise<LongTraceResult> {
  const tokenizer = await tokenizerFor('gpt-4o');
  const trace = inventedTrace(options.seed);
  const ways: WayResult[] = [];
  for (const way of longTraceWays(options))
    if (`${way.name} ${way.size}`.includes(options.only)) ways.push(await measure(way, trace, tokenizer));
  const tokens = trace.turns.reduce((sum, { messages }) => sum + tokenizer.count(JSON.stringify(messages)), 0);
  return { requests: trace.turns.length, tokens, ways };
}

async function measure(way: Way, trace: LongTrace, tokenizer: Tokenizer): Promise<WayResult> {
  const context = await way.run(trace, tokenizer);
  const handoff = context.filter(isHandoff).map(messageText).join('\n');
  return {
    ...{ way, handoff },
    facts: keptOf(context, trace.turns.filter(isFact)),
    requests: keptOf(
      context,
      trace.turns.filter(({ kind }) => kind !== 'nod'),
    ),
    tokens: tokenizer.count(JSON.stringify(toOpenAiChat(context))),
    handoffTokens: tokenizer.count(handoff),
  };
}

const isFact = ({ kind }: Turn): boolean => kind === 'fact';

export function longTraceTable({ ways }: LongTraceResult): string {
  const of = ({ kept, lost }: WayResult['facts']): string => `${kept.length} of ${kept.length + lost.length}`;
  const rows = ways.map(({ way, facts, requests, tokens, handoffTokens }) => [
    ...[way.name, way.size, of(facts), of(requests)],
    ...[String(tokens), String(handoffTokens)],
  ]);
  return table(['way', 'size', 'facts', 'requests', 'tokens', 'of them handoff'], rows);
}
