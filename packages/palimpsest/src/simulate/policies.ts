/** When a context is rewritten, and how: ours, and what other agents do. */
import type { CompressionConfig } from '@palimpsest/core';
import {
  type CacheLife,
  lifeOf,
  newRewritePlan,
  planCompressed,
  plannedCompression,
  planRewrite,
  planSent,
  type RewriteOptions,
} from '@palimpsest/core/engine';

/** A request that is about to be sent. */
export interface Situation {
  readonly promptTokens: number;
  /** Tools and system prompt. */
  readonly fixedTokens: number;
  readonly seconds: number;
  /** True for the first request after words of a person. */
  readonly opensTurn: boolean;
  /** True when nothing of it was used for longer than the cache lives. */
  readonly isCold: boolean;
}

/** What a policy does before a request. */
export type Move =
  | { readonly type: 'send' }
  /** `config`: by which the engine sizes what it leaves. */
  | { readonly type: 'compress'; readonly config: CompressionConfig }
  /** Old tool results go, if that takes out at least so many tokens. */
  | { readonly type: 'clear'; readonly leastTokens: number };

/** A policy over one transcript. */
export interface RunningPolicy {
  move(situation: Situation): Move;
  /** The conversation was compressed. */
  compressed(situation: Situation & { readonly usualExtraTokens: number }): void;
  /** Seconds that the provider is asked to keep what the request writes, as it is sent now. */
  sent(situation: Situation): CacheLife;
}

/** What a policy can know of the model. */
export interface PolicyBasis {
  readonly contextLength: number;
  readonly config: CompressionConfig;
  /** By what a planned rewrite is decided; the configured threshold and the configured life of the cache are in it. */
  readonly rewrite: RewriteOptions;
}

/** A policy that can be simulated. */
export interface Policy {
  readonly name: string;
  /** One clause for a person. */
  readonly about: string;
  readonly start: (basis: PolicyBasis) => RunningPolicy;
}

const send: Move = { type: 'send' };

/** A policy without memory. */
function fixed(name: string, about: string, move: (situation: Situation, basis: PolicyBasis) => Move): Policy {
  const start = (basis: PolicyBasis): RunningPolicy => ({
    move: (situation) => move(situation, basis),
    compressed: () => {},
    sent: () => lifeOf(newRewritePlan, basis.rewrite),
  });
  return { name, about, start };
}

/** Compresses from a share of the window on, with the budgets of that share. */
const compressAt = (share: number): Policy =>
  fixed(`compress-${share * 100}`, `compress at ${share * 100} % of the window`, ({ promptTokens }, basis) =>
    promptTokens >= basis.contextLength * share ? { type: 'compress', config: budgetsAt(basis, share) } : send,
  );

const budgetsAt = ({ config, contextLength }: PolicyBasis, share: number): CompressionConfig => ({
  ...config,
  threshold: share,
  thresholdTokens: Math.max(1, Math.floor(contextLength * share)),
});

/** Whoever clears has to compress at last. */
const lastShare = 0.9;

function clearing(name: string, about: string, when: (situation: Situation, basis: PolicyBasis) => Move): Policy {
  return fixed(name, `${about}; compress at ${lastShare * 100} %`, (situation, basis) =>
    situation.promptTokens >= basis.contextLength * lastShare
      ? { type: 'compress', config: budgetsAt(basis, lastShare) }
      : when(situation, basis),
  );
}

const batchTokens = 20_000;

/** By price; see `plan-rewrite.ts`. */
function planned(
  name: string,
  about: string,
  options: { readonly latest: number | null; readonly anyLife: boolean; readonly guarded: boolean },
): Policy {
  const start = (basis: PolicyBasis): RunningPolicy => {
    const { contextLength, rewrite } = basis;
    const config = plannedCompression(basis.config);
    const rules: RewriteOptions = {
      ...rewrite,
      guarded: options.guarded,
      lives: options.anyLife ? rewrite.lives : rewrite.lives.slice(0, 1),
      latestTokens: options.latest === null ? rewrite.latestTokens : contextLength * options.latest,
    };
    let plan = newRewritePlan;
    let before: Situation | undefined;
    return {
      move: (situation) => {
        before = situation;
        const { action } = planRewrite(plan, situation, rules);
        return action === 'compress' ? { type: 'compress', config } : send;
      },
      compressed: (situation) => {
        plan = planCompressed(plan, before ?? situation, situation);
      },
      sent: (situation) => {
        plan = planSent(plan, situation, rules);
        return lifeOf(plan, rules);
      },
    };
  };
  return { name, about, start };
}

/** Every policy, ours first. */
export const policies: readonly Policy[] = [
  planned('planned', 'compress when that is cheaper than continuing, at the configured threshold at the latest', {
    latest: null,
    anyLife: false,
    guarded: true,
  }),
  planned(
    'planned-late',
    'the same, but at 85 % of the window at the latest, with a longer cache lifetime after a pause',
    {
      latest: 0.85,
      anyLife: true,
      guarded: false,
    },
  ),
  fixed('threshold', 'compress at the configured threshold', ({ promptTokens }, { rewrite, config }) =>
    promptTokens >= rewrite.latestTokens ? { type: 'compress', config } : send,
  ),
  compressAt(0.5),
  compressAt(0.75),
  compressAt(0.9),
  clearing('clear-each-turn', 'clear old results at each turn', ({ opensTurn }) =>
    opensTurn ? { type: 'clear', leastTokens: 1 } : send,
  ),
  clearing(
    'clear-in-batches',
    `from half of the window on, clear old results whenever they reach ${batchTokens / 1_000}K tokens`,
    ({ promptTokens }, { contextLength }) =>
      promptTokens >= contextLength / 2 ? { type: 'clear', leastTokens: batchTokens } : send,
  ),
  clearing('clear-when-cold', 'clear old results when the cache has expired anyway', ({ isCold }) =>
    isCold ? { type: 'clear', leastTokens: 1 } : send,
  ),
  fixed('never', 'send everything, always', () => send),
];
