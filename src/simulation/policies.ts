/** When a context is rewritten, and how: ours, and what other agents do. */
import type { CompressionConfig } from '../config/compression.ts';
import {
  type CacheLife,
  lifeOf,
  newRewritePlan,
  planCompressed,
  planRewrite,
  planSent,
  type RewriteOptions,
} from '../context/prompt-cache/plan-rewrite.ts';

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
  compressed(situation: Situation): void;
  /** Seconds that the provider is asked to keep what the request writes, as it is sent now. */
  sent(situation: Situation): CacheLife;
}

/** What a policy can know of the model. */
export interface PolicyBasis {
  readonly contextLength: number;
  /** The configured threshold in tokens, and the configuration. */
  readonly thresholdTokens: number;
  readonly config: CompressionConfig;
  readonly readPrice: number;
  /** What can be asked for: the life that is configured, and a longer one. */
  readonly lives: readonly [CacheLife, ...CacheLife[]];
  /** What a compression with so many tokens kept at the end is expected to leave. */
  readonly expectedTokens: (config: CompressionConfig) => number;
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
    sent: () => basis.lives[0],
  });
  return { name, about, start };
}

/** Compresses from a share of the window on, with the budgets of that share. */
const compressAt = (share: number): Policy =>
  fixed(`compress-${share * 100}`, `compress at ${share * 100} % of the window`, ({ promptTokens }, basis) =>
    promptTokens >= basis.contextLength * share ? { type: 'compress', config: budgetsAt(basis.config, share) } : send,
  );

const budgetsAt = (config: CompressionConfig, share: number): CompressionConfig => ({
  ...config,
  threshold: share,
  thresholdFloorTokens: 1,
});

/** Whoever clears has to compress at last. */
const lastShare = 0.9;

function clearing(name: string, about: string, when: (situation: Situation, basis: PolicyBasis) => Move): Policy {
  return fixed(name, `${about}; compress at ${lastShare * 100} %`, (situation, basis) =>
    situation.promptTokens >= basis.contextLength * lastShare
      ? { type: 'compress', config: budgetsAt(basis.config, lastShare) }
      : when(situation, basis),
  );
}

const batchTokens = 20_000;

/** The tail that a planned compression keeps, as a share of the configured one: a deep cut pays longer. */
const plannedTail = 0.5;

/** By price; see `plan-rewrite.ts`. */
function planned(
  name: string,
  about: string,
  options: { readonly latest: number | null; readonly anyLife: boolean },
): Policy {
  const start = (basis: PolicyBasis): RunningPolicy => {
    const { contextLength, thresholdTokens, readPrice, lives } = basis;
    const config = { ...basis.config, targetRatio: basis.config.targetRatio * plannedTail };
    const rules: RewriteOptions = {
      readPrice,
      lives: options.anyLife ? lives : [lives[0]],
      latestTokens: options.latest === null ? thresholdTokens : contextLength * options.latest,
      expectedTokens: basis.expectedTokens(config),
      lossTokens: contextLength,
    };
    let plan = newRewritePlan;
    return {
      move: (situation) => {
        const { action } = planRewrite(plan, situation, rules);
        return action === 'compress' ? { type: 'compress', config } : send;
      },
      compressed: (situation) => {
        plan = planCompressed(plan, situation);
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
  planned(
    'planned',
    'compress when that has become cheaper than carrying on, at the configured threshold at the latest',
    {
      latest: null,
      anyLife: false,
    },
  ),
  planned('planned-late', 'the same, at 85 % of the window at the latest, and a longer cache life after a pause', {
    latest: 0.85,
    anyLife: true,
  }),
  fixed('threshold', 'compress at the configured threshold', ({ promptTokens }, { thresholdTokens, config }) =>
    promptTokens >= thresholdTokens ? { type: 'compress', config } : send,
  ),
  compressAt(0.5),
  compressAt(0.75),
  compressAt(0.9),
  clearing('clear-each-turn', 'clear old results at each turn', ({ opensTurn }) =>
    opensTurn ? { type: 'clear', leastTokens: 1 } : send,
  ),
  clearing(
    'clear-in-batches',
    `from half of the window on, clear old results once they are ${batchTokens / 1_000}K tokens`,
    ({ promptTokens }, { contextLength }) =>
      promptTokens >= contextLength / 2 ? { type: 'clear', leastTokens: batchTokens } : send,
  ),
  clearing('clear-when-cold', 'clear old results when the cache is cold anyway', ({ isCold }) =>
    isCold ? { type: 'clear', leastTokens: 1 } : send,
  ),
  fixed('never', 'send everything', () => send),
];
