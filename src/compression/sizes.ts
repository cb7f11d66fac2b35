/** How many tokens each part of the new list may have. */
import type { CompressionConfig } from '../config/compression.ts';
import { budgetsFor, summaryTokens } from '../context/threshold.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { Message } from '../transcript/message.ts';
import type { BoundaryOptions, Cut } from './boundaries.ts';
import type { CompressOptions, Run } from './compress.ts';
import { isHandoff } from './handoff-block.ts';

export interface Sizes {
  /** What the new list is fitted to. */
  readonly targetTokens: number;
  /** True when the caller named the target: then the handoff takes all the room there is. */
  readonly isFixed: boolean;
  readonly boundaries: Omit<BoundaryOptions, 'tokensOf'> & { readonly tailTokens: number };
  /** What a handoff of so many compressed tokens may weigh, where the target does not say. */
  readonly summaryTokens: (compressedTokens: number) => number;
}

/** A window nobody named. */
export const defaultContextLength = 200_000;

/**
 * Of a target, the newest messages get this share as they are: a small verbatim tail and a large handoff keep more of
 * what an agent needs than the other way round (docs/decisions/0006-relevance.md).
 */
const tailShare = 0.08;
/** Below this target even the first messages are too dear to be kept as they are. */
const smallTarget = 32_000;

/** The smallest target that makes sense: the frame of a handoff and a few words. */
const leastTarget = 300;

interface Basis {
  readonly config: CompressionConfig;
  readonly tokensOf: (message: Message) => number;
}

export function sizesFor(messages: readonly Message[], options: CompressOptions, basis: Basis): Sizes {
  const { config, tokensOf } = basis;
  const contextLength = options.contextLength ?? defaultContextLength;
  const budgets = budgetsFor(contextLength, config);
  const force = options.force ?? true;
  const decayed = (options.compressionCount ?? 0) > 0 || messages.some(isHandoff);
  const limits = { minTailMessages: config.minTailMessages, protectLastN: config.protectLastN, force };
  const summary = (compressed: number): number => summaryTokens(compressed, config, budgets);
  if (options.targetTokens !== undefined) {
    const target = checkedTarget(options.targetTokens);
    const room = Math.max(1, target - systemTokens(messages, tokensOf));
    const headMessages = decayed || target < smallTarget ? 0 : config.protectFirstN;
    const tailTokens = Math.ceil(room * tailShare);
    const boundaries = { ...limits, headMessages, headTokens: tailTokens, tailTokens };
    return { targetTokens: target, isFixed: true, boundaries, summaryTokens: summary };
  }
  const { tailTokens, headTokens } = budgets;
  const headMessages = decayed ? 0 : config.protectFirstN;
  const boundaries = { ...limits, headMessages, tailTokens, ...(headTokens === null ? {} : { headTokens }) };
  return { targetTokens: budgets.thresholdTokens, isFixed: false, boundaries, summaryTokens: summary };
}

function checkedTarget(target: number): number {
  if (Number.isFinite(target) && target >= leastTarget) return Math.floor(target);
  const message = `expected a target of at least ${leastTarget} tokens, got ${target}: a handoff needs that much to say anything`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { target } });
}

function systemTokens(messages: readonly Message[], tokensOf: (message: Message) => number): number {
  let tokens = 0;
  for (const message of messages) {
    if (message.role !== 'system') break;
    tokens += tokensOf(message);
  }
  return tokens;
}

/** What a message around the handoff costs, with the note in the system prompt. */
const frameTokens = 12;
const systemNoteTokens = 48;

/** Tokens for the whole block: what the target leaves beside head and tail, or what the compressed messages deserve. */
export function handoffBudget(run: Run, list: readonly Message[], cut: Cut): number {
  const count = (messages: readonly Message[]): number => messages.reduce((sum, one) => sum + run.tokensOf(one), 0);
  const kept = count(list.slice(0, cut.headEnd)) + count(list.slice(cut.tailStart)) + restatedTokens(run, list, cut);
  const note = list[0]?.role === 'system' ? systemNoteTokens : 0;
  const room = run.sizes.targetTokens - kept - frameTokens - note;
  if (run.sizes.isFixed) return Math.max(0, room);
  const compressed = count(run.input.slice(cut.headEnd, cut.tailStart));
  return Math.max(0, Math.min(room, run.sizes.summaryTokens(compressed)));
}

function restatedTokens(run: Run, list: readonly Message[], cut: Cut): number {
  return [cut.restate, cut.restateReply].reduce<number>((sum, at) => {
    const message = at === undefined ? undefined : list[at];
    return message ? sum + run.tokensOf(message) : sum;
  }, 0);
}
