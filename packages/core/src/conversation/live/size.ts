/** How big a context is: the provider's last report where there is one, estimates only for what came since. */
import { contentHash } from '../../shared/hash.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import { conversationTokens, messageCounter, toolSchemaTokens } from '../../tokens/measure.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Message } from '../../transcript/message.ts';
import type { ContextSize } from '../request.ts';
import { rollingHashes } from './said.ts';

/** What a provider counted, and what it counted. Plain JSON, so that it outlives the process. */
export interface SizeReport {
  readonly promptTokens: number;
  /** Messages of the view that were sent. */
  readonly size: number;
  /** The id of the newest of them, so that another view is told apart. */
  readonly last: string;
  /** The system prompts and tools that the client had them sent with. */
  readonly frame: string;
  /** What a request could have then, in tokens. */
  readonly room: number;
}

/** How far reports lie above estimates for a model: a mean that follows slowly. */
export interface Calibration {
  readonly ratio: number;
  readonly reports: number;
}

/** A request as it is measured. */
export interface Measured {
  readonly prompts: readonly Message[];
  /** Messages of the view. */
  readonly size: number;
  /** The id of the message at a place of the view. */
  readonly idAt: (at: number) => string | undefined;
  /** The view from a place on, in the form in which it is sent. */
  readonly from: (at: number) => readonly Message[];
  readonly tools: readonly JsonValue[];
  readonly frame: string;
}

/** What is known about sizes. */
export interface Measuring {
  readonly tokenizer: Tokenizer;
  readonly report: SizeReport | undefined;
  readonly calibration: Calibration | undefined;
}

/** The tokens of a request. With a report, time in proportion to what came since. */
export function contextSize(measured: Measured, { tokenizer, report, calibration }: Measuring): ContextSize {
  if (report && isStartOf(report, measured)) {
    const count = messageCounter(tokenizer);
    const since = measured.from(report.size).reduce((sum, message) => sum + count(message), 0);
    return { tokens: report.promptTokens + since, from: 'anchored' };
  }
  const tokens = Math.ceil(estimatedTokens(measured, tokenizer) * (calibration?.ratio ?? 1));
  return { tokens, from: calibration ? 'calibrated' : 'estimate' };
}

function isStartOf(report: SizeReport, measured: Measured): boolean {
  const { size, idAt } = measured;
  if (report.size < 1 || report.size > size || idAt(report.size - 1) !== report.last) return false;
  return report.frame === measured.frame;
}

/** What every request of a conversation begins with, as its client sends it. */
export function frameOf({ prompts, tools }: Pick<Measured, 'prompts' | 'tools'>): string {
  return contentHash(`${rollingHashes(prompts).at(-1) ?? ''} ${toolsHash(tools)}`);
}

const knownTools = new WeakMap<readonly JsonValue[], string>();

function toolsHash(tools: readonly JsonValue[]): string {
  const known = knownTools.get(tools);
  if (known !== undefined) return known;
  const hash = contentHash(JSON.stringify(tools));
  knownTools.set(tools, hash);
  return hash;
}

/** The whole request, counted or estimated. */
export function estimatedTokens({ prompts, from, tools }: Measured, tokenizer: Tokenizer): number {
  return conversationTokens([...prompts, ...from(0)], tokenizer) + toolTokens(tools, tokenizer);
}

/** The part of every request that is not said in the conversation. */
export function fixedTokens({ prompts, tools }: Pick<Measured, 'prompts' | 'tools'>, tokenizer: Tokenizer): number {
  return conversationTokens(prompts, tokenizer) + toolTokens(tools, tokenizer);
}

/** Clients send the same definitions with every request, each time in new objects. */
const countedTools = new WeakMap<Tokenizer, { readonly hash: string; readonly tokens: number }>();

function toolTokens(tools: readonly JsonValue[], tokenizer: Tokenizer): number {
  if (tools.length === 0) return 0;
  const hash = toolsHash(tools);
  const known = countedTools.get(tokenizer);
  if (known?.hash === hash) return known.tokens;
  const tokens = toolSchemaTokens(tools, tokenizer);
  countedTools.set(tokenizer, { hash, tokens });
  return tokens;
}

/** One that was kept; undefined for what cannot be one. */
export function parseCalibration(stored: string | undefined): Calibration | undefined {
  const value = stored === undefined ? undefined : parseJson(stored);
  if (!isJsonObject(value)) return undefined;
  const { ratio, reports } = value;
  if (typeof ratio !== 'number' || typeof reports !== 'number') return undefined;
  return ratio >= ratioRange.from && ratio <= ratioRange.to ? { ratio, reports } : undefined;
}

/** The share that the newest report has in the mean. */
const newestShare = 0.2;
/** What lies outside says more about the request (a cut-off report, an image) than about the model. */
const ratioRange = { from: 0.5, to: 2 } as const;
/** In a shorter request, what nobody can see (a provider's own instructions) weighs more than how it counts. */
const leastEstimate = 4_000;

/** The calibration after a report of a request that was estimated whole. */
export function calibrated(
  before: Calibration | undefined,
  reported: number,
  estimate: number,
): Calibration | undefined {
  if (estimate < leastEstimate) return before;
  const ratio = Math.min(ratioRange.to, Math.max(ratioRange.from, reported / Math.max(1, estimate)));
  if (!before) return { ratio, reports: 1 };
  return { ratio: before.ratio + (ratio - before.ratio) * newestShare, reports: before.reports + 1 };
}
