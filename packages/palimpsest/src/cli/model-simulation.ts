/** What came out of simulations, added up for each model. */
import type { CacheLayout, CompressionConfig } from '@palimpsest/core';
import { thresholdTokens } from '@palimpsest/core/engine';
import type { CacheRules } from '@palimpsest/core/usage';
import type { PolicyOutcome } from '../simulate/outcome.ts';
import type { Simulation } from '../simulate/simulate.ts';
import { type PolicyTotal, totalOf } from '../simulate/total.ts';
import type { LoadedConversation } from './load.ts';

/** What came out for one model over all conversations. */
export interface ModelSimulation {
  readonly model: string;
  /** Of all conversations the same, unless the windows of their models differ. */
  readonly contextLength: number;
  readonly rules: CacheRules;
  /** Where breakpoints stood; absent where the cache looks at none. */
  readonly layout?: CacheLayout;
  readonly conversations: number;
  readonly calls: number;
  /** Of all calls under all policies. */
  readonly largestPromptTokens: number;
  /** Where the configuration lets compression start. */
  readonly thresholdTokens: number;
  readonly policies: readonly PolicyTotal[];
  readonly files: readonly SimulatedFile[];
}

interface SimulatedFile {
  readonly file: string;
  readonly calls: number;
  readonly policies: readonly Omit<PolicyOutcome, 'about' | 'played'>[];
}

/** A conversation, played with one model. */
export interface PlayedConversation {
  readonly loaded: LoadedConversation;
  readonly simulation: Simulation;
}

/** Conversations of one model and window are added up. */
export function byModel(played: readonly PlayedConversation[], config: CompressionConfig): readonly ModelSimulation[] {
  const groups = Map.groupBy(played, ({ simulation }) => `${simulation.model} ${simulation.contextLength}`);
  return [...groups.values()].map((group) => modelSimulation(group, config));
}

function modelSimulation(played: readonly PlayedConversation[], config: CompressionConfig): ModelSimulation {
  const simulations = played.map(({ simulation }) => simulation);
  const [first] = simulations;
  if (!first) throw new Error('a group has a member');
  const { model, contextLength, rules, layout } = first;
  const policies = first.policies.map((outcome, at) =>
    totalOf([outcome, ...simulations.slice(1).flatMap((simulation) => simulation.policies[at] ?? [])]),
  );
  const prompts = simulations.flatMap((one) => one.policies.flatMap(({ played }) => played));
  const largestPromptTokens = prompts.reduce((most, { promptTokens }) => Math.max(most, promptTokens), 0);
  const calls = simulations.reduce((sum, simulation) => sum + simulation.calls, 0);
  return {
    model,
    contextLength,
    rules,
    calls,
    largestPromptTokens,
    policies,
    thresholdTokens: thresholdTokens(contextLength, config, { model: { id: model } }),
    ...(layout === undefined ? {} : { layout }),
    conversations: played.length,
    files: played.map(fileOf),
  };
}

function fileOf({ loaded, simulation }: PlayedConversation): SimulatedFile {
  const policies = simulation.policies.map(({ about: _about, played: _played, ...outcome }) => outcome);
  return { file: loaded.label, calls: simulation.calls, policies };
}
