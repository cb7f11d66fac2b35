/** ★ Plays a transcript again under one policy: every call as it would have been, with what a cache makes of it. */
import { setImmediate } from 'node:timers/promises';
import {
  type CacheLayout,
  type CompressionConfig,
  type ConversationRecord,
  compress,
  createRecord,
  type Message,
  PalimpsestError,
  type Part,
  planBreakpoints,
  type Tokenizer,
} from '@palimpsest/core';
import type { CacheLife } from '@palimpsest/core/engine';
import type { CacheRules } from '@palimpsest/core/usage';
import type { ModelCall } from './calls.ts';
import type { Move, Policy, PolicyBasis, RunningPolicy, Situation } from './policies.ts';
import { createPromptIndex, type Prompt, type PromptIndex, promptTokens } from './prompt.ts';

/** A transcript, and what it is played against. */
export interface Replay {
  readonly messages: readonly Message[];
  readonly calls: readonly ModelCall[];
  readonly tokenizer: Tokenizer;
  readonly tokensOf: (message: Message) => number;
  readonly toolTokens: number;
  readonly rules: CacheRules;
  readonly layout: CacheLayout;
  readonly basis: PolicyBasis;
  readonly signal?: AbortSignal;
}

/** A rewrite that took content out of the context. */
export interface LossyEvent {
  readonly type: 'compress' | 'clear';
  /** Tokens that the prompt lost. */
  readonly tokens: number;
  /** Tokens of the handoff that stands for them. */
  readonly handoffTokens: number;
  /** True when nothing was in the cache that it could have broken. */
  readonly wasCold: boolean;
}

/** One call as it was played. */
export interface PlayedCall extends CacheUse {
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** How long the provider was asked to keep what was written. */
  readonly life: CacheLife;
  readonly rewrite?: LossyEvent;
}

/** A transcript as it was played. */
export interface Played {
  readonly calls: readonly PlayedCall[];
  /** Set where the prompt did not fit the window: the call before which it ended, from 1. */
  readonly failedAt?: number;
}

/** Calls after which others get a turn: a person may want to stop it. */
const callsAtOnce = 50;

/** Plays a transcript. @throws the signal's reason when it is aborted */
export async function play(replay: Replay, policy: Policy): Promise<Played> {
  const { tokenizer, rules, basis } = replay;
  const game: Game = {
    replay,
    running: policy.start(basis),
    index: createPromptIndex(replay.tokensOf, replay.toolTokens),
    cache: createPromptCache(rules),
    record: createRecord({ count: (text) => tokenizer.count(text) }),
    compressions: 0,
    lastSeconds: Number.NEGATIVE_INFINITY,
    uselessBelow: 0,
  };
  const calls: PlayedCall[] = [];
  let prompt = game.index.of([]);
  let from = 0;
  for (const [number, call] of replay.calls.entries()) {
    prompt = game.index.grown(prompt, replay.messages.slice(from, call.at));
    from = call.at;
    if (number % callsAtOnce === 0) await setImmediate();
    replay.signal?.throwIfAborted();
    const rewritten = await rewrite(game, prompt, call);
    if (promptTokens(rewritten?.prompt ?? prompt) > basis.contextLength) return { calls, failedAt: number + 1 };
    prompt = rewritten?.prompt ?? prompt;
    calls.push({ ...sent(game, prompt, call), ...(rewritten ? { rewrite: rewritten.event } : {}) });
  }
  return { calls };
}

interface Game {
  readonly replay: Replay;
  readonly running: RunningPolicy;
  readonly index: PromptIndex;
  readonly cache: PromptCache;
  readonly record: ConversationRecord;
  compressions: number;
  lastSeconds: number;
  /** Prompt tokens below which a compression was of no use a moment ago. */
  uselessBelow: number;
}

interface Rewritten {
  readonly prompt: Prompt;
  readonly event: LossyEvent;
}

/** What the policy makes of the prompt; undefined where it stays as it is. */
async function rewrite(game: Game, prompt: Prompt, call: ModelCall): Promise<Rewritten | undefined> {
  const { replay, running, index, cache } = game;
  const situation = situationOf(game, prompt, call);
  const move = running.move(situation);
  if (move.type === 'send' || isUseless(game, move, situation)) return undefined;
  const { messages, handoffTokens, usualExtraTokens } = await moved(game, prompt, move);
  if (messages === prompt.messages) {
    if (move.type === 'compress') game.uselessBelow = situation.promptTokens * retryGrowth;
    return undefined;
  }
  const smaller = index.of(messages);
  const tokens = promptTokens(prompt) - promptTokens(smaller);
  if (tokens < (move.type === 'clear' ? move.leastTokens : 1)) return undefined;
  const wasCold = cache.warmTokens(prompt, breakpointsOf(replay, prompt), call.seconds) <= situation.fixedTokens;
  if (move.type === 'compress') {
    game.compressions++;
    running.compressed({ ...situationOf(game, smaller, call), usualExtraTokens });
  }
  return { prompt: smaller, event: { type: move.type, tokens, handoffTokens, wasCold } };
}

/** What could not be made smaller is tried again once there is this much more of it. */
const retryGrowth = 1.05;

const isUseless = ({ replay, uselessBelow }: Game, { type }: Move, { promptTokens: tokens }: Situation): boolean =>
  type === 'compress' && tokens < uselessBelow && tokens <= replay.basis.contextLength;

interface Moved {
  readonly messages: readonly Message[];
  readonly handoffTokens: number;
  readonly usualExtraTokens: number;
}

const unchanged = { handoffTokens: 0, usualExtraTokens: 0 } as const;

async function moved(game: Game, { messages }: Prompt, move: Exclude<Move, { type: 'send' }>): Promise<Moved> {
  if (move.type === 'clear') return { messages: clearedResults(messages), ...unchanged };
  return compressed(game, messages, move.config);
}

/** The real engine, with the ledger alone. What it cannot make small enough stays as it is. */
async function compressed(
  { replay, record, compressions }: Game,
  messages: readonly Message[],
  config: CompressionConfig,
): Promise<Moved> {
  const { tokenizer, basis } = replay;
  const { contextLength } = basis;
  try {
    const options = { tokenizer, contextLength, config, record, compressionCount: compressions };
    const result = await compress([...messages], options);
    const { status, handoff, usualExtraTokens = 0 } = result;
    if (status === 'compressed')
      return { messages: result.messages, handoffTokens: handoff?.tokens ?? 0, usualExtraTokens };
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== 'CONTEXT_OVERFLOW') throw error;
  }
  return { messages, ...unchanged };
}

function sent(game: Game, prompt: Prompt, call: ModelCall): PlayedCall {
  const { running, cache, replay } = game;
  const life = running.sent(situationOf(game, prompt, call));
  const { seconds, outputTokens } = call;
  const use = cache.send(prompt, breakpointsOf(replay, prompt), { seconds, ttlSeconds: life.ttlSeconds });
  game.lastSeconds = seconds;
  return { ...use, promptTokens: promptTokens(prompt), outputTokens, life };
}

function situationOf({ replay, lastSeconds }: Game, prompt: Prompt, { seconds, opensTurn }: ModelCall): Situation {
  const { messages, tokens, ends } = prompt;
  const first = messages.findIndex(({ role }) => role !== 'system');
  const fixedTokens = first > 0 ? (tokens[ends[first - 1] ?? 0] ?? 0) : replay.toolTokens;
  const isCold = lastSeconds > Number.NEGATIVE_INFINITY && seconds - lastSeconds > replay.rules.ttlSeconds;
  return { promptTokens: promptTokens(prompt), fixedTokens, seconds, opensTurn, isCold };
}

/** As indexes of units. */
const breakpointsOf = ({ rules, layout }: Replay, { messages, ends }: Prompt): readonly number[] =>
  rules.keeps === 'breakpoints' ? planBreakpoints(messages, { layout }).map(({ message }) => ends[message] ?? 0) : [];

// What many agents do instead of a summary: old tool results are replaced by a short text that says they were there.

const stub = '[Old tool result cleared]';

/** Tool calls whose results stay, as Anthropic's context editing keeps them (`keep: 3 tool_uses`). */
const keptResults = 3;

const isCleared = (part: Part): boolean =>
  part.type === 'toolResult' &&
  part.content.length === 1 &&
  part.content[0]?.type === 'text' &&
  part.content[0].text === stub;

/** The list with all tool results cleared but the newest three; the same list where there is nothing to clear. */
function clearedResults(messages: readonly Message[]): readonly Message[] {
  let kept = 0;
  let isChanged = false;
  const cleared = messages.toReversed().map((message) => {
    const parts = message.parts.toReversed().map((part): Part => {
      if (part.type !== 'toolResult' || isCleared(part) || ++kept <= keptResults) return part;
      isChanged = true;
      return { ...part, content: [{ type: 'text', text: stub }] };
    });
    const isSame = parts.every((part, at) => part === message.parts[message.parts.length - 1 - at]);
    return isSame ? message : { ...message, parts: parts.reverse() };
  });
  return isChanged ? cleared.reverse() : messages;
}

// The cache of a provider, by its published rules: what of a prompt is read from it, and what is written to it.

/** The tokens of a prompt by what becomes of them. */
interface CacheUse {
  readonly readTokens: number;
  readonly writeTokens: number;
  /** Neither read nor written. */
  readonly inputTokens: number;
}

/** When a prompt is sent, and for how many seconds the provider is asked to keep what it writes. */
interface SentAt {
  readonly seconds: number;
  readonly ttlSeconds: number;
}

/** A cache over the time of one simulation. */
interface PromptCache {
  /** Tokens of the prompt that would be read, were it sent now. Changes nothing. */
  warmTokens(prompt: Prompt, breakpoints: readonly number[], seconds: number): number;
  /** Sends a prompt: what it uses is renewed, and what it ends with is kept. */
  send(prompt: Prompt, breakpoints: readonly number[], at: SentAt): CacheUse;
}

/** An empty cache. Breakpoints are indexes of units; only rules that keep what is marked look at them. */
function createPromptCache(rules: CacheRules): PromptCache {
  const kept = new Map<number, SentAt>();
  const aliveAt = (prompt: Prompt, at: number, seconds: number): SentAt | undefined => {
    const found = kept.get(prompt.starts[at] ?? 0);
    return found && found.seconds + found.ttlSeconds >= seconds ? found : undefined;
  };
  const hit = (prompt: Prompt, breakpoints: readonly number[], seconds: number): number => {
    const from = rules.keeps === 'breakpoints' ? breakpoints.toReversed() : [prompt.starts.length - 1];
    for (const start of from) {
      for (let at = start; at >= 0 && isInReach(rules, prompt, { start, at }); at--) {
        if (aliveAt(prompt, at, seconds)) return at;
      }
    }
    return -1;
  };
  const readOf = (prompt: Prompt, at: number): number =>
    Math.floor((prompt.tokens[at] ?? 0) / rules.stepTokens) * rules.stepTokens;
  return {
    warmTokens: (prompt, breakpoints, seconds) => readOf(prompt, hit(prompt, breakpoints, seconds)),
    send(prompt, breakpoints, sent) {
      const at = hit(prompt, breakpoints, sent.seconds);
      const readTokens = readOf(prompt, at);
      for (let used = 0; used <= at && rules.renewedByReading; used++) {
        const alive = aliveAt(prompt, used, sent.seconds);
        if (alive) kept.set(prompt.starts[used] ?? 0, { ...alive, seconds: sent.seconds });
      }
      const written = writtenBy(rules, prompt, breakpoints).filter(
        (place) => place > at && (prompt.tokens[place] ?? 0) >= rules.minimumTokens,
      );
      for (const place of written) kept.set(prompt.starts[place] ?? 0, sent);
      const end = rules.keeps === 'any' ? undefined : written.at(-1);
      const writeTokens = end === undefined ? 0 : (prompt.tokens[end] ?? 0) - readTokens;
      return { readTokens, writeTokens, inputTokens: promptTokens(prompt) - readTokens - writeTokens };
    },
  };
}

/** "Up to 20 blocks before": the breakpoint itself is the first of them. */
function isInReach(
  { lookbackParts }: CacheRules,
  prompt: Prompt,
  { start, at }: { start: number; at: number },
): boolean {
  return (prompt.parts[start] ?? 0) - (prompt.parts[at] ?? 0) < lookbackParts;
}

/** Where a prompt leaves something behind. */
function writtenBy(rules: CacheRules, { starts }: Prompt, breakpoints: readonly number[]): readonly number[] {
  switch (rules.keeps) {
    case 'breakpoints':
      return breakpoints;
    case 'requests':
      return [starts.length - 1];
    case 'any':
      return starts.map((_, at) => at);
  }
}
