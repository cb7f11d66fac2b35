/** Twenty compressions in a row of one session that grows, in three ways, and what each pass leaves of its first facts. */

import {
  type CompressionResult,
  type ConversationRecord,
  compress,
  createRecord,
  estimateTextTokens,
  estimatingTokenizer,
  type Message,
  type Ref,
} from '@palimpsest/core';
import { createLedger } from '@palimpsest/core/engine';
import { groupsOf } from '@palimpsest/core/formats';
import { handoffBlock, isHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { resolveTemplate } from '../../packages/core/src/compression/ledger/templates.ts';
import { writeSummary } from '../../packages/core/src/compression/summarize/write-summary.ts';
import { type DriftingModel, driftingModel, type Planted } from './drifting-model.ts';
import { type FirstFact, firstFacts, isSaid, lettersIn, readingOf } from './first-facts.ts';

/** How the handoffs of a chain come about. */
export const chainTypes = ['verified', 'unverified', 'ledger'] as const;

export type ChainType = (typeof chainTypes)[number];

export interface ChainSession {
  readonly name: string;
  readonly messages: readonly Message[];
}

export interface ChainOptions {
  readonly passes: number;
  /** The window in tokens; everything else is as it is by default. */
  readonly contextLength: number;
  /** Tokens that every new list is fitted to. @default what the configuration gives for the window */
  readonly targetTokens?: number;
  readonly seed: number;
}

/** What a pass left. */
export interface PassCount {
  readonly pass: number;
  /** First facts that have not gone out of date, and those of them that the context says and does not contradict. */
  readonly facts: readonly { readonly fact: FirstFact; readonly alive: boolean }[];
  /** False lines that the model has written so far, and those that stand in the context. */
  readonly planted: number;
  readonly aliveLies: readonly Planted[];
  readonly handoffTokens: number;
}

export interface ChainResult {
  readonly session: string;
  readonly type: ChainType;
  readonly passes: readonly PassCount[];
}

const tokenizer = estimatingTokenizer('claude');

/** Share of the messages that the first pass sees. */
const firstShare = 0.25;

/** The three chains of a session, over the same cuts. */
export async function runChains(session: ChainSession, options: ChainOptions): Promise<readonly ChainResult[]> {
  const cuts = cutsOf(session.messages, options.passes);
  const count = countFor(session, cuts);
  const ledger = await ledgerChain(session, { cuts, options, count });
  const verified = await verifiedChain(session, { cuts, options, count });
  const unverified = await unverifiedChain(ledger, { options, count });
  return [
    { session: session.name, type: 'verified', passes: verified },
    { session: session.name, type: 'unverified', passes: unverified },
    { session: session.name, type: 'ledger', passes: ledger.passes },
  ];
}

/** Where each pass ends: whole groups, from a quarter of the session to all of it. */
function cutsOf(messages: readonly Message[], passes: number): readonly number[] {
  const ends = groupsOf(messages).map(({ end }) => end);
  return Array.from({ length: passes }, (_, at) => {
    const share = firstShare + (1 - firstShare) * (passes === 1 ? 1 : at / (passes - 1));
    const wanted = messages.length * share;
    return ends.find((end) => end >= wanted - 1e-9) ?? messages.length;
  });
}

/** A record with the list that it was last compressed to. */
interface Following {
  readonly record: ConversationRecord;
  list: readonly Message[];
}

const startFollowing = (): Following => ({ record: createRecord({ count: tokenizer.count }), list: [] });

interface ChainTools {
  readonly cuts: readonly number[];
  readonly options: ChainOptions;
  readonly count: Count;
}

async function verifiedChain(
  { messages }: ChainSession,
  { cuts, options, count }: ChainTools,
): Promise<readonly PassCount[]> {
  const following = startFollowing();
  const model = driftingModel({ seed: options.seed });
  const passes: PassCount[] = [];
  for (const [at, end] of cuts.entries()) {
    const result = await nextPass(following, messages.slice(cuts[at - 1] ?? 0, end), { options, model });
    passes.push(count({ at, context: result.messages, planted: model.planted, result }));
  }
  return passes;
}

interface PassTools {
  readonly options: ChainOptions;
  readonly model?: DriftingModel;
}

async function nextPass(
  following: Following,
  more: readonly Message[],
  { options, model }: PassTools,
): Promise<CompressionResult> {
  const compressionCount = following.list.some(isHandoff) ? 1 : 0;
  const result = await compress([...following.list, ...more], {
    tokenizer,
    record: following.record,
    contextLength: options.contextLength,
    compressionCount,
    ...(options.targetTokens === undefined ? {} : { targetTokens: options.targetTokens }),
    ...(model === undefined ? {} : { summarizer: model }),
  });
  following.list = result.messages;
  return result;
}

/** The ledger's chain, with the list of every pass: the other one without verification stands on the same cuts. */
interface LedgerChain {
  readonly passes: readonly PassCount[];
  readonly results: readonly CompressionResult[];
  readonly record: ConversationRecord;
}

async function ledgerChain({ messages }: ChainSession, { cuts, options, count }: ChainTools): Promise<LedgerChain> {
  const following = startFollowing();
  const results: CompressionResult[] = [];
  const passes: PassCount[] = [];
  for (const [at, end] of cuts.entries()) {
    const result = await nextPass(following, messages.slice(cuts[at - 1] ?? 0, end), { options });
    results.push(result);
    passes.push(count({ at, context: result.messages, planted: [], result }));
  }
  return { passes, results, record: following.record };
}

/** What naive tools do: the model's own text takes the place of what it read, and is what it goes on from. */
async function unverifiedChain(
  { results, record }: LedgerChain,
  { options, count }: Omit<ChainTools, 'cuts'>,
): Promise<readonly PassCount[]> {
  const model = driftingModel({ seed: options.seed });
  const passes: PassCount[] = [];
  const told = new Set<Ref>();
  let text: string | undefined;
  for (const [at, result] of results.entries()) {
    const fresh = (result.handoff?.covers ?? []).filter((ref) => !told.has(ref));
    for (const ref of fresh) told.add(ref);
    const messages = fresh.flatMap((ref) => {
      const message = record.message(ref);
      return message && !isHandoff(message) ? [{ ref, message }] : [];
    });
    if (messages.length > 0) text = await written(messages, { previous: text, model, result });
    const block = handoffBlock(text ?? '', { covers: 'all', count: told.size });
    const context = result.messages.map((message): Message => {
      return isHandoff(message) ? { role: 'user', parts: [{ type: 'text', text: block }] } : message;
    });
    passes.push(count({ at, context, planted: model.planted, result }));
  }
  return passes;
}

interface Writing {
  readonly previous: string | undefined;
  readonly model: DriftingModel;
  readonly result: CompressionResult;
}

async function written(
  messages: readonly { readonly ref: Ref; readonly message: Message }[],
  { previous, model, result }: Writing,
): Promise<string> {
  const { text } = await writeSummary({
    messages,
    summarizer: model,
    focusMessages: 3,
    userSpeaksElsewhere: true,
    template: resolveTemplate('handoff'),
    // It has the whole handoff for itself.
    budgetTokens: Math.max(500, result.handoff?.tokens ?? 0),
    count: tokenizer.count,
    ...(previous === undefined ? {} : { previous }),
  });
  return text;
}

interface Looked {
  /** Which pass, from 0. */
  readonly at: number;
  readonly context: readonly Message[];
  readonly planted: readonly Planted[];
  readonly result: CompressionResult;
}

type Count = (looked: Looked) => PassCount;

/** Looks at a pass of any chain of a session: which of the first facts are said, and which lies. */
function countFor({ messages }: ChainSession, cuts: readonly number[]): Count {
  const holding = holdingFacts(messages, cuts);
  const texts = messages.map((message) => readingOf([message]).flat);
  const said = cuts.map((end) => texts.slice(0, end).join(' '));
  return ({ at, context, planted, result }) => {
    const reading = readingOf(context);
    // What the record happens to say as well is no lie.
    const lies = distinct(planted).filter(({ words }) => !said[at]?.includes(words));
    const aliveLies = lies.filter(({ words }) => reading.flat.includes(words));
    const isTrue = (fact: FirstFact): boolean =>
      isSaid(fact, reading) && !aliveLies.some((lie) => falsifies(lie, fact));
    return {
      pass: at + 1,
      facts: (holding[at] ?? []).map((fact) => ({ fact, alive: isTrue(fact) })),
      planted: lies.length,
      aliveLies,
      handoffTokens: result.handoff?.tokens ?? 0,
    };
  };
}

/** A lie that is told again is the same lie. */
const distinct = (planted: readonly Planted[]): readonly Planted[] => [
  ...new Map(planted.map((lie) => [lie.words, lie])).values(),
];

/** For each pass the facts of the first one that have not gone out of date by then. */
function holdingFacts(messages: readonly Message[], cuts: readonly number[]): readonly (readonly FirstFact[])[] {
  const ledger = createLedger({ count: estimateTextTokens });
  let first: readonly FirstFact[] | undefined;
  return cuts.map((end) => {
    while (ledger.size < end) ledger.add(messages[ledger.size] ?? { role: 'user', parts: [] });
    const facts = ledger.facts();
    first ??= firstFacts(facts);
    return first.filter(({ holds }) => holds(facts));
  });
}

/** A false line that says otherwise what the fact says. */
function falsifies({ before }: Planted, { type, probe }: FirstFact): boolean {
  if (before === undefined) return false;
  return type === 'file' ? before.toLowerCase().includes(probe) : lettersIn(before).includes(probe);
}
