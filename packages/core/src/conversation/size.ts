/** How big a context is: the provider's last report where there is one, estimates only for what came since. */

import type { LowerWindow } from '../provider/errors/recovery.ts';
import { contentHash } from '../shared/hash.ts';
import { isJsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import { conversationTokens, messageCounter, toolSchemaTokens } from '../tokens/measure.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { note } from './call-hooks.ts';
import { useWindow } from './engine.ts';
import {
  type Asked,
  type Basis,
  type Calibration,
  type GuessedWindow,
  type LiveConversation,
  promptsFor,
  type Step,
  shownAs,
} from './live.ts';
import { pauseTokens } from './pauses.ts';
import { recalledTokens } from './recalled.ts';
import type { ContextSize } from './request.ts';
import { rollingHashes } from './said.ts';
import type { SizeReport } from './state.ts';

type Sized = Pick<Step, 'basis' | 'live' | 'asked'>;

/** The tokens of a conversation as it would be sent now. With a report, time in proportion to what came since. */
export function sizeOf(step: Sized): ContextSize {
  const { basis, live, asked } = step;
  const { report } = live.state;
  if (report && isStartOf(report, live, asked)) {
    const count = messageCounter(basis.tokenizer);
    const since = shownAs(live.view.slice(report.size), asked.said).reduce((sum, message) => sum + count(message), 0);
    const beside = recalledTokens(step, report.size) + pauseTokens(step, report.size);
    return { tokens: report.promptTokens + since + beside, from: 'anchored' };
  }
  const tokens = Math.ceil(estimateOf(step) * (basis.calibration?.ratio ?? 1));
  return { tokens, from: basis.calibration ? 'calibrated' : 'estimate' };
}

function isStartOf({ size, last, frame }: SizeReport, { view }: LiveConversation, asked: Asked): boolean {
  return size >= 1 && size <= view.length && view[size - 1]?.id === last && frame === frameOf(asked);
}

/** What every request of a conversation begins with, as its client sends it. */
export const frameOf = ({ prompts, tools }: Asked): string =>
  contentHash(`${rollingHashes(prompts).at(-1) ?? ''} ${toolsHash(tools)}`);

const knownTools = new WeakMap<readonly JsonValue[], string>();

function toolsHash(tools: readonly JsonValue[]): string {
  const hash = knownTools.get(tools) ?? contentHash(JSON.stringify(tools));
  knownTools.set(tools, hash);
  return hash;
}

/** The whole request without what any provider has reported. */
export function estimateOf(step: Sized): number {
  const { basis, live, asked } = step;
  const { tokenizer } = basis;
  const { sent } = promptsFor(live, asked.prompts);
  const said = conversationTokens([...sent, ...shownAs(live.view, asked.said)], tokenizer);
  return said + recalledTokens(step) + pauseTokens(step) + toolTokens(asked, tokenizer);
}

/** The part of every request that is not said in the conversation. */
export const fixedTokens = ({ basis: { tokenizer }, live, asked }: Sized): number =>
  conversationTokens(promptsFor(live, asked.prompts).sent, tokenizer) + toolTokens(asked, tokenizer);

/**
 * What a request of this size has beside what its engine is shown: tools, what is remembered, and what nobody can see. Recalled
 * text is none of it: it gives way.
 */
export function besideTokens(step: Sized, { tokens }: Pick<ContextSize, 'tokens'>): number {
  const { basis, live, asked } = step;
  const { listed } = promptsFor(live, asked.prompts);
  const count = messageCounter(basis.tokenizer);
  const list = [...listed, ...live.view.map(({ message }) => message)].reduce(
    (sum, message) => sum + count(message),
    0,
  );
  return Math.max(0, tokens - list - recalledTokens(step) - pauseTokens(step));
}

/** Clients send the same definitions with every request, each time in new objects. */
const countedTools = new WeakMap<Tokenizer, { readonly hash: string; readonly tokens: number }>();

function toolTokens({ tools }: Asked, tokenizer: Tokenizer): number {
  if (tools.length === 0) return 0;
  const hash = toolsHash(tools);
  const known = countedTools.get(tokenizer);
  if (known?.hash === hash) return known.tokens;
  const tokens = toolSchemaTokens(tools, tokenizer);
  countedTools.set(tokenizer, { hash, tokens });
  return tokens;
}

// How far the reports of a model lie above estimates.

/** Where the calibration of a model is kept. */
export const calibrationKey = (model: string): string => `calibration:${model}`;

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

// Whether a context is too big to be sent (invariant 5), and windows that turn out smaller than they were said to be.

/** What a context has, and what it may have. */
export interface Fill {
  readonly size: ContextSize;
  /** Tokens that a request may have. */
  readonly room: number;
}

/** What a request may have beside the output it reserves room for. */
export function roomOf({ basis: { contextLength }, runtime }: Pick<Step, 'basis' | 'runtime'>): number {
  return contextLength - Math.min(runtime.settings.reservedOutputTokens, Math.floor(contextLength / 2));
}

/**
 * True for what does not fit, as far as anybody knows. A provider that has just answered more than the window holds, whether
 * it counts in its own way or the window is larger than was said, has shown that the window is not the limit: what stands
 * behind such an answer is sent, and the provider says itself when it is too much. Else every request would be refused.
 */
export const overflows = (live: LiveConversation, { size, room }: Fill): boolean =>
  size.tokens > room && !isAnswered(live, { size, room });

/** True when a request was answered in this window that was larger than it, and no window's worth has come since. */
export function isAnswered({ state }: LiveConversation, { size, room }: Fill): boolean {
  const { report } = state;
  if (!report || size.from !== 'anchored' || report.promptTokens <= room || report.room > room) return false;
  return size.tokens - report.promptTokens <= room;
}

/** From now on the lower window holds: a stated one for every process, a guess until this one ends. */
export async function lowerWindow(step: Step, window: LowerWindow, refusedTokens: number): Promise<void> {
  const { basis, runtime } = step;
  const { contextLength: before, guess } = basis;
  const { tokens } = window;
  if (tokens >= before) return;
  if (window.source === 'stated') {
    await basis.windows.learn(runtime.settings.model, { ...window, current: before });
    basis.guess = undefined;
  } else {
    const least = Math.min(refusedTokens, guess?.refusedTokens ?? refusedTokens);
    basis.guess = { refusedTokens: least, before: guess?.before ?? before };
  }
  basis.contextLength = tokens;
  useWindow(step, tokens);
  // What a provider has named needs no words.
  if (window.source === 'stated') return;
  const message =
    `The provider refused about ${refusedTokens} tokens as too many, in a window of ${before}: ${tokens} are assumed until this process ends. ` +
    'If you know its window, set contextLength.';
  note(step, { type: 'window', level: 'warn', message });
}

/** A window that a provider names goes before what was guessed of it. */
export function forgetGuess(basis: Basis): void {
  if (basis.guess) basis.contextLength = basis.guess.before;
  basis.guess = undefined;
}

/** Clearly less than what was refused: it is smaller by more than what two counts of one text differ by. */
const clearlyLess = 0.95;

/** The most that a guessed window may turn out to take. */
export const mostUnder = ({ refusedTokens }: GuessedWindow): number => Math.floor(refusedTokens * clearlyLess);
