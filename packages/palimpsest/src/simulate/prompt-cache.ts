/** The cache of a provider, by its published rules: what of a prompt is read from it, and what is written to it. */
import type { CacheRules } from '@palimpsest/core/usage';
import { type Prompt, promptTokens } from './prompt.ts';

/** The tokens of a prompt by what becomes of them. */
export interface CacheUse {
  readonly readTokens: number;
  readonly writeTokens: number;
  /** Neither read nor written. */
  readonly inputTokens: number;
}

/** When a prompt is sent, and for how many seconds the provider is asked to keep what it writes. */
export interface SentAt {
  readonly seconds: number;
  readonly ttlSeconds: number;
}

/** A cache over the time of one simulation. */
export interface PromptCache {
  /** Tokens of the prompt that would be read, were it sent now. Changes nothing. */
  warmTokens(prompt: Prompt, breakpoints: readonly number[], seconds: number): number;
  /** Sends a prompt: what it uses is renewed, and what it ends with is kept. */
  send(prompt: Prompt, breakpoints: readonly number[], at: SentAt): CacheUse;
}

/** An empty cache. Breakpoints are indexes of units; only rules that keep what is marked look at them. */
export function createPromptCache(rules: CacheRules): PromptCache {
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
