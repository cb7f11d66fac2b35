/** What a request carries, as the cache of a provider sees it, and what such a cache makes of it by its published rules. */
import type { Message } from '@palimpsest/core';
import { messageHash } from '@palimpsest/core/formats';
import type { CacheRules } from '@palimpsest/core/usage';

/** What all prompts of a simulation share. */
export interface PromptBasis {
  readonly tokensOf: (message: Message) => number;
  /** Tokens of the tool definitions that every prompt opens with. */
  readonly toolTokens: number;
  /** The messages behind which a cached prefix is asked to end, rising. */
  readonly breakpointsOf: (messages: readonly Message[]) => readonly number[];
  /** Numbers of starts, by the number of the start before and the hash of the unit behind it. */
  readonly numbers: Map<string, number>;
}

/**
 * A prompt that grows, and for each of its units what it is up to the unit's end. A unit is a message, or a part of a
 * system prompt.
 */
export class Prompt {
  readonly #basis: PromptBasis;
  /** For each message the index of its last unit. */
  readonly #ends: number[] = [];
  readonly messages: Message[] = [];
  /** The number of the start that ends with the unit, equal for equal starts. */
  readonly starts: number[] = [];
  /** Tokens up to the end of the unit, tool definitions included. */
  readonly tokens: number[] = [];
  /** Parts up to the end of the unit. */
  readonly parts: number[] = [];
  /** Units behind which a cached prefix is asked to end, rising. */
  breakpoints: readonly number[] = [];

  constructor(basis: PromptBasis, messages: readonly Message[]) {
    this.#basis = basis;
    this.grow(messages);
  }

  /** Puts messages behind the others; work grows with what is new. */
  grow(more: readonly Message[]): void {
    for (const message of more) {
      for (const unit of unitsOf(message)) this.#add(unit);
      this.messages.push(message);
      this.#ends.push(this.starts.length - 1);
    }
    this.breakpoints = this.#basis.breakpointsOf(this.messages).map((message) => this.#ends[message] ?? 0);
  }

  #add(unit: Message): void {
    const { numbers, tokensOf, toolTokens } = this.#basis;
    const key = `${this.starts.at(-1) ?? 0} ${messageHash(unit)}`;
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    this.starts.push(number);
    this.tokens.push((this.tokens.at(-1) ?? toolTokens) + tokensOf(unit));
    this.parts.push((this.parts.at(-1) ?? 0) + Math.max(1, unit.parts.length));
  }

  /** Tokens of the whole prompt. */
  get size(): number {
    return this.tokens.at(-1) ?? 0;
  }

  /** Tokens of the tools and of the system prompt before the first other message. */
  get fixedTokens(): number {
    const first = this.messages.findIndex(({ role }) => role !== 'system');
    return first > 0 ? (this.tokens[this.#ends[first - 1] ?? 0] ?? 0) : this.#basis.toolTokens;
  }
}

/** A system prompt grows by a part at the first compression: what stood before it is still in the cache. */
function unitsOf(message: Message): readonly Message[] {
  if (message.role !== 'system' || message.parts.length < 2) return [message];
  return message.parts.map((part) => ({ ...message, parts: [part] }));
}

/** The tokens of a prompt by what becomes of them. */
export interface CacheUse {
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
export interface PromptCache {
  /** Tokens of the prompt that would be read, were it sent now. Changes nothing. */
  warmTokens(prompt: Prompt, seconds: number): number;
  /** Sends a prompt: what it uses is renewed, and what it ends with is kept. */
  send(prompt: Prompt, at: SentAt): CacheUse;
}

/** What a cache keeps behind a start. */
interface Kept {
  readonly ttlSeconds: number;
  /** When it was last used, as far as sends were looked at. */
  seconds: number;
  /** How many sends were looked at. */
  sends: number;
}

/** A request that was sent: its starts up to the index were read, which renews whatever is kept behind them. */
interface Sent {
  readonly seconds: number;
  readonly starts: readonly number[];
  readonly at: number;
}

/**
 * An empty cache. Reading renews all that is kept of a prompt, which is half of all sends: so that is found out for a start when
 * somebody asks for it, and few of them ever are.
 */
export function createPromptCache(rules: CacheRules): PromptCache {
  const kept = new Map<number, Kept>();
  const sends: Sent[] = [];
  const isAlive = ({ starts }: Prompt, at: number, seconds: number): boolean => {
    const start = starts[at] ?? 0;
    const found = kept.get(start);
    if (!found) return false;
    for (let sent = sends[found.sends]; sent; sent = sends[++found.sends]) {
      const isUsed = at <= sent.at && sent.starts[at] === start;
      if (isUsed && found.seconds + found.ttlSeconds >= sent.seconds) found.seconds = sent.seconds;
    }
    return found.seconds + found.ttlSeconds >= seconds;
  };
  const hit = (prompt: Prompt, seconds: number): number => {
    const from = rules.keeps === 'breakpoints' ? prompt.breakpoints.toReversed() : [prompt.starts.length - 1];
    for (const start of from) {
      // "Up to 20 blocks before": the breakpoint itself is the first of them.
      const isInReach = (at: number): boolean =>
        (prompt.parts[start] ?? 0) - (prompt.parts[at] ?? 0) < rules.lookbackParts;
      for (let at = start; at >= 0 && isInReach(at); at--) if (isAlive(prompt, at, seconds)) return at;
    }
    return -1;
  };
  const readOf = (prompt: Prompt, at: number): number =>
    Math.floor((prompt.tokens[at] ?? 0) / rules.stepTokens) * rules.stepTokens;
  return {
    warmTokens: (prompt, seconds) => readOf(prompt, hit(prompt, seconds)),
    send(prompt, { seconds, ttlSeconds }) {
      const at = hit(prompt, seconds);
      const readTokens = readOf(prompt, at);
      if (rules.renewedByReading && at >= 0) sends.push({ seconds, starts: prompt.starts, at });
      const written = writtenBy(rules, prompt, at).filter(
        (place) => place > at && (prompt.tokens[place] ?? 0) >= rules.minimumTokens,
      );
      for (const place of written) kept.set(prompt.starts[place] ?? 0, { ttlSeconds, seconds, sends: sends.length });
      const end = rules.keeps === 'any' ? undefined : written.at(-1);
      const writeTokens = end === undefined ? 0 : (prompt.tokens[end] ?? 0) - readTokens;
      return { readTokens, writeTokens, inputTokens: prompt.size - readTokens - writeTokens };
    },
  };
}

/** Units behind which a prompt leaves something in the cache, of which it had read those up to an index. */
function writtenBy(rules: CacheRules, { starts, breakpoints }: Prompt, read: number): readonly number[] {
  switch (rules.keeps) {
    case 'breakpoints':
      return breakpoints;
    case 'requests':
      return [starts.length - 1];
    case 'any':
      return Array.from({ length: starts.length - 1 - read }, (_, at) => read + 1 + at);
  }
}
