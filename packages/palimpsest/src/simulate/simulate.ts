/** ★ What a transcript would have cost under different policies, by the cache rules and list prices of its model. */
import {
  type CacheLayout,
  type CacheTtl,
  type CompressionOptions,
  cacheRulesFor,
  modelInfo,
  PalimpsestError,
  type Tokenizer,
  type Transcript,
  tokenizerFor,
} from '@palimpsest/core';
import { messageCounter, rewriteOptionsFor, toolSchemaTokens } from '@palimpsest/core/engine';
import { checkKnownOptions, type KnownOptions, nearest, resolveCompressionConfig } from '@palimpsest/core/settings';
import type { CacheRules } from '@palimpsest/core/usage';
import { outcomeOf, type PolicyOutcome } from './outcome.ts';
import { type Policy, policies } from './policies.ts';
import { assumedPace, callsOf, play, type Replay } from './replay.ts';

/** What a transcript is simulated with. */
export interface SimulationOptions {
  /** The model whose prices and cache rules count, as `id` or `provider/id`; one whose list price is known. */
  readonly model: string;
  /** Its window in tokens. @default that of the model, else 200_000 */
  readonly contextLength?: number;
  /** Names of policies; see `simulationPolicies`. @default all of them */
  readonly policies?: readonly string[];
  /** How long Anthropic is asked to keep text. @default '5m' */
  readonly ttl?: CacheTtl;
  /** Where breakpoints stand, for providers that need them. @default 'turns' */
  readonly layout?: CacheLayout;
  /** Any part of the compression configuration; unknown keys are an error. */
  readonly config?: CompressionOptions;
  /** A model that writes summaries, for its price; it is not asked. @default none: the ledger writes them */
  readonly summarizer?: string;
  /** Told now and then how many of all model calls were played. */
  readonly onProgress?: (done: number, all: number) => void;
  readonly signal?: AbortSignal;
}

const known: KnownOptions<SimulationOptions> = {
  model: true,
  contextLength: true,
  policies: true,
  ttl: true,
  layout: true,
  config: true,
  summarizer: true,
  onProgress: true,
  signal: true,
};

/** What came out. */
export interface Simulation {
  readonly model: string;
  readonly contextLength: number;
  readonly rules: CacheRules;
  /** Where breakpoints stood; absent where the cache looks at none. */
  readonly layout?: CacheLayout;
  /** Model calls in the transcript. */
  readonly calls: number;
  /** In the order in which they were asked for. */
  readonly policies: readonly PolicyOutcome[];
  /** For a person: what was assumed. */
  readonly notes: readonly string[];
}

/** Names of all policies and one clause about each. */
export const simulationPolicies: readonly { readonly name: string; readonly about: string }[] = policies.map(
  ({ name, about }) => ({ name, about }),
);

const usualWindow = 200_000;

/**
 * Plays a transcript again: each answer of the assistant is one model call with the context that a policy would have
 * sent. Compressions are real ones, written by the ledger. Prices are list prices; pauses are those of the transcript.
 *
 * @throws BAD_OPTION for an option that is none, a model without a known price or a policy that does not exist; the signal's reason when it is aborted
 */
export function simulate(
  transcript: Pick<Transcript, 'messages' | 'tools'>,
  options: SimulationOptions,
): Promise<Simulation> {
  return simulateWith(() => tokenizerFor(options.model), transcript, options);
}

/** The same with another tokenizer. */
export async function simulateWith(
  loadTokenizer: () => Promise<Tokenizer>,
  transcript: Pick<Transcript, 'messages' | 'tools'>,
  options: SimulationOptions,
): Promise<Simulation> {
  checkKnownOptions('simulate', options, known);
  const chosen = chosenPolicies(options.policies);
  const { model, ttl = '5m', layout = 'turns', signal, onProgress } = options;
  const contextLength = options.contextLength ?? modelInfo(model)?.contextWindow ?? usualWindow;
  // Each policy has its own say in that.
  const config = { ...resolveCompressionConfig(options.config), planned: false };
  const rules = cacheRulesFor(model, ttl);
  const rewrite = rewriteOptionsFor({ model, contextLength, config, ttl });
  if (!rules || !rewrite) throw unknownPrice(model);
  const tokenizer = await loadTokenizer();
  const tokensOf = messageCounter(tokenizer);
  const { messages, tools = [] } = transcript;
  const { calls, assumedTimes } = callsOf(messages, tokensOf);
  const basis = { contextLength, config, rewrite };
  const toolTokens = toolSchemaTokens(tools, tokenizer);
  const replay: Replay = {
    messages,
    calls,
    tokenizer,
    tokensOf,
    toolTokens,
    rules,
    layout,
    basis,
    ...(onProgress ? { onProgress } : {}),
    ...(signal ? { signal } : {}),
  };
  const played = await play(replay, chosen);
  const outcomes = chosen.flatMap((policy, at) => (played[at] ? [outcomeOf(policy, played[at], options)] : []));
  const notes = [...pace(calls.length, assumedTimes), ...rules.remarks];
  const marked = rules.keeps === 'breakpoints' ? { layout } : {};
  return { model, contextLength, rules, notes, ...marked, calls: calls.length, policies: outcomes };
}

function chosenPolicies(names: readonly string[] | undefined): readonly Policy[] {
  return (names ?? policies.map(({ name }) => name)).map((name) => {
    const found = policies.find((policy) => policy.name === name);
    if (found) return found;
    const known = policies.map((policy) => policy.name);
    const near = nearest(name, known);
    const hint = near === undefined ? `the policies are ${known.join(', ')}` : `did you mean ${near}?`;
    throw new PalimpsestError('BAD_OPTION', `expected the name of a policy, got "${name.slice(0, 40)}": ${hint}`, {
      evidence: { policy: name.slice(0, 40) },
    });
  });
}

function unknownPrice(model: string): PalimpsestError {
  const message = `expected a model whose list price and cache rules are known, got "${model.slice(0, 60)}": name another one, such as claude-sonnet-5 or gpt-5.5`;
  return new PalimpsestError('BAD_OPTION', message, { evidence: { model: model.slice(0, 60) } });
}

function pace(calls: number, assumed: number): readonly string[] {
  if (assumed === 0) return [];
  const { step, turn } = assumedPace;
  const which = assumed === calls ? 'the transcript has no times' : `${assumed} of ${calls} calls have no time`;
  return [`${which}: assuming ${step} seconds between steps and ${turn} before each new request`];
}
