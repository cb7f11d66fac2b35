/** ★ Plays a transcript again under several policies: every call as it would have been, with what a cache makes of it. */
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
import { type CacheLife, createLedger, type Ledger, type LedgerOptions } from '@palimpsest/core/engine';
import { isFromPerson } from '@palimpsest/core/formats';
import type { CacheRules } from '@palimpsest/core/usage';
import type { Move, Policy, PolicyBasis, RunningPolicy, Situation } from './policies.ts';
import { type CacheUse, createPromptCache, Prompt, type PromptBasis, type PromptCache } from './prompt.ts';

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
  /** Told now and then how many calls were played. */
  readonly onProgress?: (done: number, all: number) => void;
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

/**
 * Plays a transcript under each policy, call by call: what has not been rewritten yet is one prompt for all of them, and
 * every message is read once for all handoffs.
 *
 * @throws the signal's reason when it is aborted
 */
export async function play(replay: Replay, policies: readonly Policy[]): Promise<readonly Played[]> {
  const { messages, calls, signal, onProgress } = replay;
  const stage = stageFor(replay);
  const games = policies.map((policy) => newGame(stage, policy));
  let from = 0;
  for (const [number, call] of calls.entries()) {
    if (number % callsAtOnce === 0) {
      onProgress?.(number, calls.length);
      await setImmediate();
    }
    const playing = games.filter(({ failedAt }) => failedAt === undefined);
    const more = messages.slice(from, call.at);
    for (const prompt of new Set(playing.map((game) => game.prompt))) prompt.grow(more);
    stage.useless.clear();
    for (const game of playing) {
      signal?.throwIfAborted();
      await playCall(stage, game, call);
    }
    from = call.at;
  }
  return games;
}

/** What the policies share. */
interface Stage {
  readonly replay: Replay;
  readonly prompts: PromptBasis;
  /** The prompt to which nothing was done yet. */
  readonly whole: Prompt;
  readonly newLedger: () => Ledger;
  /** Configurations by which the whole prompt cannot be made smaller before this call. */
  readonly useless: Set<string>;
}

function stageFor(replay: Replay): Stage {
  const { rules, layout, tokensOf, toolTokens, tokenizer } = replay;
  const breakpointsOf = (messages: readonly Message[]): readonly number[] =>
    rules.keeps === 'breakpoints' ? planBreakpoints(messages, { layout }).map(({ message }) => message) : [];
  const prompts = { tokensOf, toolTokens, breakpointsOf, numbers: new Map<string, number>() };
  const newLedger = sharedLedger({ count: (text) => tokenizer.count(text) });
  return { replay, prompts, whole: new Prompt(prompts, []), newLedger, useless: new Set() };
}

/** One policy at work. */
interface Game {
  readonly running: RunningPolicy;
  readonly cache: PromptCache;
  readonly record: ConversationRecord;
  readonly calls: PlayedCall[];
  prompt: Prompt;
  failedAt?: number;
  compressions: number;
  lastSeconds: number;
  /** Prompt tokens below which a compression was of no use a moment ago. */
  uselessBelow: number;
}

function newGame({ replay, whole, newLedger }: Stage, policy: Policy): Game {
  return {
    running: policy.start(replay.basis),
    cache: createPromptCache(replay.rules),
    record: createRecord({ ledger: newLedger() }),
    calls: [],
    prompt: whole,
    compressions: 0,
    lastSeconds: Number.NEGATIVE_INFINITY,
    uselessBelow: 0,
  };
}

async function playCall(stage: Stage, game: Game, call: ModelCall): Promise<void> {
  const rewritten = await rewrite(stage, game, call);
  game.prompt = rewritten?.prompt ?? game.prompt;
  if (game.prompt.size > stage.replay.basis.contextLength) game.failedAt = game.calls.length + 1;
  else game.calls.push({ ...send(stage, game, call), ...(rewritten ? { rewrite: rewritten.event } : {}) });
}

interface Rewritten {
  readonly prompt: Prompt;
  readonly event: LossyEvent;
}

/** What the policy makes of the prompt; undefined where it stays as it is. */
async function rewrite(stage: Stage, game: Game, call: ModelCall): Promise<Rewritten | undefined> {
  const { running, cache, prompt } = game;
  const situation = situationOf(stage, game, call);
  const move = running.move(situation);
  if (move.type === 'send' || isUseless(stage, game, { move, situation })) return undefined;
  const { messages, handoffTokens, usualExtraTokens } =
    move.type === 'clear'
      ? { messages: clearedResults(prompt.messages), ...unchanged }
      : await compressed(stage, game, move.config);
  if (messages === prompt.messages) {
    if (move.type === 'compress') game.uselessBelow = situation.promptTokens * retryGrowth;
    return undefined;
  }
  const smaller = new Prompt(stage.prompts, messages);
  const tokens = prompt.size - smaller.size;
  if (tokens < (move.type === 'clear' ? move.leastTokens : 1)) return undefined;
  const wasCold = cache.warmTokens(prompt, call.seconds) <= situation.fixedTokens;
  if (move.type === 'compress') {
    game.compressions++;
    running.compressed({ ...situationOf(stage, { ...game, prompt: smaller }, call), usualExtraTokens });
  }
  return { prompt: smaller, event: { type: move.type, tokens, handoffTokens, wasCold } };
}

/** What could not be made smaller is tried again once there is this much more of it. */
const retryGrowth = 1.05;

function isUseless(
  { replay }: Stage,
  { uselessBelow }: Game,
  { move, situation: { promptTokens } }: { readonly move: Move; readonly situation: Situation },
): boolean {
  return move.type === 'compress' && promptTokens < uselessBelow && promptTokens <= replay.basis.contextLength;
}

interface Moved {
  readonly messages: readonly Message[];
  readonly handoffTokens: number;
  readonly usualExtraTokens: number;
}

const unchanged = { handoffTokens: 0, usualExtraTokens: 0 } as const;

/** The prompt after a compression; what was of no use to one policy is of none to another that asks for the same. */
async function compressed(stage: Stage, game: Game, config: CompressionConfig): Promise<Moved> {
  const { messages } = game.prompt;
  const isWhole = game.prompt === stage.whole;
  const key = isWhole ? JSON.stringify(config) : '';
  if (isWhole && stage.useless.has(key)) return { messages, ...unchanged };
  const made = await compressMessages(stage, game, config);
  if (isWhole && made.messages === messages) stage.useless.add(key);
  return made;
}

/** The real engine, with the ledger alone. What it cannot make small enough stays as it is. */
async function compressMessages(
  { replay }: Stage,
  { prompt: { messages }, record, compressions }: Game,
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

function send(stage: Stage, game: Game, call: ModelCall): PlayedCall {
  const { running, cache, prompt } = game;
  const life = running.sent(situationOf(stage, game, call));
  const { seconds, outputTokens } = call;
  const use = cache.send(prompt, { seconds, ttlSeconds: life.ttlSeconds });
  game.lastSeconds = seconds;
  return { ...use, promptTokens: prompt.size, outputTokens, life };
}

function situationOf(
  { replay: { rules } }: Stage,
  { prompt, lastSeconds }: Pick<Game, 'prompt' | 'lastSeconds'>,
  { seconds, opensTurn }: ModelCall,
): Situation {
  const isCold = lastSeconds > Number.NEGATIVE_INFINITY && seconds - lastSeconds > rules.ttlSeconds;
  return { promptTokens: prompt.size, fixedTokens: prompt.fixedTokens, seconds, opensTurn, isCold };
}

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

// The model calls of a transcript: what was said before each of them, when, and what came back.

/** One call: every message of the assistant was one. */
interface ModelCall {
  /** Index of the answer; the messages before it are what was said until then. */
  readonly at: number;
  readonly outputTokens: number;
  /** When the request was sent, in seconds since some fixed time. */
  readonly seconds: number;
  /** True for the first call after something that a person wrote. */
  readonly opensTurn: boolean;
}

interface ModelCalls {
  readonly calls: readonly ModelCall[];
  /** Calls of which the transcript does not say when they were made. */
  readonly assumedTimes: number;
}

/** Seconds between calls that the transcript does not time: a step of an agent, and a person who reads and types. */
export const assumedPace = { step: 15, turn: 90 } as const;

/** The calls of a transcript in order. Times never run backwards: what is said to be earlier happened at the same time. */
export function callsOf(messages: readonly Message[], tokensOf: (message: Message) => number): ModelCalls {
  const calls: ModelCall[] = [];
  let assumedTimes = 0;
  let opensTurn = false;
  for (const [at, message] of messages.entries()) {
    if (isFromPerson(message)) opensTurn = true;
    if (message.role !== 'assistant' || at === 0) continue;
    const before = calls.at(-1);
    const told = secondsOf(messages[at - 1]) ?? secondsOf(message);
    if (told === undefined) assumedTimes++;
    const pace = before === undefined ? 0 : opensTurn ? assumedPace.turn : assumedPace.step;
    const last = before?.seconds ?? 0;
    const seconds = told === undefined ? last + pace : Math.max(told, before === undefined ? told : last);
    calls.push({ at, outputTokens: tokensOf(message), seconds, opensTurn });
    opensTurn = false;
  }
  return { calls, assumedTimes };
}

function secondsOf(message: Message | undefined): number | undefined {
  const time = message?.time === undefined ? Number.NaN : Date.parse(message.time);
  return Number.isNaN(time) ? undefined : time / 1_000;
}

// Reads every message once for all who follow the same conversation: one ledger, and for whoever leaves it one of his
// own.

/** A message that was read, and how the ledger stood behind it. */
interface Entry extends Pick<Ledger, 'size' | 'inheritedAt'> {
  readonly message: Message;
  readonly following: Message | undefined;
  readonly ref: ReturnType<Ledger['add']>;
}

/** Makes ledgers that are one for as long as the same messages are added to them, and as many of them. */
export function sharedLedger(options: LedgerOptions): () => Ledger {
  const shared = createLedger(options);
  const entries: Entry[] = [];
  const read = (message: Message, following: Message | undefined): Entry => {
    const ref = shared.add(message, following);
    const entry = { message, following, ref, size: shared.size, inheritedAt: shared.inheritedAt };
    entries.push(entry);
    return entry;
  };
  return () => {
    let own: Ledger | undefined;
    let added = 0;
    const leave = (): Ledger => {
      own = createLedger(options);
      for (const { message, following } of entries.slice(0, added)) own.add(message, following);
      return own;
    };
    // What others have read further says more than this one knows.
    const current = (): Ledger => own ?? (added === entries.length ? shared : leave());
    return {
      get size() {
        return own ? own.size : (entries[added - 1]?.size ?? 0);
      },
      get inheritedAt() {
        return own ? own.inheritedAt : (entries[added - 1]?.inheritedAt ?? -1);
      },
      add(message, following) {
        if (own) return own.add(message, following);
        const entry = entries[added] ?? read(message, following);
        if (entry.message !== message) return leave().add(message, following);
        added++;
        return entry.ref;
      },
      facts: () => current().facts(),
      handoff: (handoff) => current().handoff(handoff),
    };
  };
}
