/** What a simulation came to, by model, for a person. */

import type { CacheLayout, CompressionConfig } from '@palimpsest/core';
import { thresholdTokens } from '@palimpsest/core/engine';
import { type CacheRules, ratesFor } from '@palimpsest/core/usage';
import type { PolicyOutcome } from '../../simulate/outcome.ts';
import type { Simulation } from '../../simulate/simulate.ts';
import { type PolicyTotal, totalOf } from '../../simulate/total.ts';
import type { LoadedConversation } from '../load.ts';
import { smallerWindow } from '../window.ts';
import { glyph, type Screen, type Style, styled } from './screen.ts';
import { table } from './table.ts';
import { counted, percent, thousands, wrap } from './text.ts';

type Total = ModelSimulation['policies'][number];

export function simulationReport(models: readonly ModelSimulation[], screen: Screen): readonly string[] {
  return models.flatMap((model, at) => [...(at > 0 ? [''] : []), ...modelLines(model, screen)]);
}

function modelLines(simulated: ModelSimulation, screen: Screen): readonly string[] {
  const { model, contextLength, rules, layout, calls, conversations, policies } = simulated;
  const marks = layout === undefined ? '' : `, breakpoints ${layout}`;
  const head = [
    `${styled(model, 'bold', screen)}: ${counted(calls, 'call')} in ${counted(conversations, 'conversation')}, window ${thousands(contextLength)} tokens`,
    styled(`  cache rules ${rules.name}${marks}, as published ${rules.read}: ${rules.source}`, 'dim', screen),
  ];
  // Where nothing was called there is nothing to compare.
  if (calls === 0) return head;
  return [
    ...head,
    '',
    ...tableLines(policies, screen),
    '',
    ...chartLines(simulated, screen),
    '',
    ...conclusion(simulated).flatMap((line) => wrap(line, screen.columns)),
  ];
}

const right = 'right' as const;

function tableLines(policies: readonly Total[], screen: Screen): readonly string[] {
  const columns = [
    { title: 'policy', whole: true as const },
    { title: 'dollars', align: right },
    { title: 'cached', align: right },
    { title: 'rewrites', align: right },
    { title: 'losses', align: right },
    { title: 'tokens lost', align: right },
    { title: 'mean prompt', align: right },
  ];
  const rows = policies.map((total) => [
    total.name,
    `${dollars(total.dollars)}${total.failed > 0 ? '+' : ''}`,
    percent(total.hitRate, 1),
    thousands(total.rewrites),
    thousands(total.lossyEvents),
    thousands(total.lostTokens),
    thousands(total.meanPromptTokens),
  ]);
  const best = cheapest(policies);
  const rowStyle = (row: number): Style | undefined => {
    if (policies[row] === best) return 'green';
    return (policies[row]?.failed ?? 0) > 0 ? 'dim' : undefined;
  };
  return table(columns, rows, { screen, rowStyle });
}

interface Pattern {
  readonly title: string;
  readonly unicode: string;
  readonly ascii: string;
  readonly style: Style;
}

/** Different patterns, so that the chart can be read without colours. */
const patterns: readonly Pattern[] = [
  { title: 'cache reads', unicode: '░', ascii: '.', style: 'cyan' },
  { title: 'cache writes', unicode: '▓', ascii: 'w', style: 'magenta' },
  { title: 'new input', unicode: '▒', ascii: ':', style: 'yellow' },
  { title: 'output', unicode: '█', ascii: '#', style: 'green' },
];

function chartLines({ model, policies }: ModelSimulation, screen: Screen): readonly string[] {
  const most = Math.max(...policies.map((total) => total.dollars), Number.MIN_VALUE);
  const names = Math.max(...policies.map(({ name }) => name.length));
  const width = Math.max(10, Math.min(60, screen.columns - names - 14));
  const rows = policies.map((total) => {
    let done = 0;
    let used = 0;
    const cells = partsOf(total, model).map((amount, at) => {
      done += amount;
      const count = Math.max(0, Math.round((done / most) * width) - used);
      used += count;
      return drawn(patterns[at], count, screen);
    });
    return `  ${total.name.padEnd(names)}  ${cells.join('')} ${dollars(total.dollars)}`;
  });
  const legend = patterns.map((pattern) => `${drawn(pattern, 1, screen)} ${pattern.title}`).join('  ');
  return [...rows, `  ${legend}`];
}

/** Dollars by kind. Reads are priced by the usual list price; what is left of the prompts is writes and other input. */
function partsOf(total: Total, model: string): readonly number[] {
  const { input, cacheRead = input } = ratesFor(model, total.meanPromptTokens) ?? { input: 0 };
  const reads = Math.min(total.promptDollars, (total.cacheReadTokens * cacheRead) / 1_000_000);
  const rest = total.promptDollars - reads;
  const fresh = total.inputTokens + total.cacheWriteTokens;
  const writes = fresh === 0 ? 0 : (rest * total.cacheWriteTokens) / fresh;
  return [reads, writes, rest - writes, total.dollars - total.promptDollars];
}

const drawn = (pattern: Pattern | undefined, count: number, screen: Screen): string =>
  pattern ? styled(glyph(screen, pattern.unicode, pattern.ascii).repeat(count), pattern.style, screen) : '';

/** What rounds to a dollar is one. */
const dollars = (amount: number): string =>
  `$${amount.toFixed(amount < 0.999_95 ? 4 : 2).replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;

const cheapest = (policies: readonly Total[]): Total | undefined =>
  policies
    .filter(({ failed }) => failed === 0)
    .reduce<Total | undefined>((best, one) => (best && best.dollars <= one.dollars ? best : one), undefined);

const losses = (count: number): string => `${thousands(count)} ${count === 1 ? 'loss' : 'losses'}`;

function conclusion({ policies, contextLength, conversations, ...sizes }: ModelSimulation): readonly string[] {
  const { largestPromptTokens, thresholdTokens } = sizes;
  const room = `The largest prompt has ${thousands(largestPromptTokens)} tokens, and compression starts at ${thousands(thresholdTokens)} of ${thousands(contextLength)}: try --context-length ${smallerWindow(largestPromptTokens)}.`;
  const isNeverFull = largestPromptTokens < thresholdTokens;
  if (isAllOne(policies)) return [`All policies cost the same.${isNeverFull ? ` ${room}` : ''}`];
  const best = cheapest(policies);
  const failing = policies.filter(({ failed }) => failed > 0).map(({ name, failed }) => `${name} in ${failed}`);
  return [
    ...(best
      ? [
          `Cheapest policy that never stops: ${best.name} (${best.about}), ${losses(best.lossyEvents)}${alike(best, policies)}.`,
        ]
      : []),
    ...(failing.length > 0
      ? [
          `+ stops where a prompt no longer fits the window, and its figures end there: ${failing.join(', ')} of ${counted(conversations, 'conversation')}.`,
        ]
      : []),
    ...(isNeverFull ? [room] : []),
    'A loss is a rewrite that removes content from the context; the originals stay in the transcript.',
  ];
}

/** Others that cost and lose just as much. */
function alike(best: Total, policies: readonly Total[]): string {
  const same = policies.filter((one) => one !== best && one.failed === 0 && one.dollars === best.dollars);
  return same.length === 0
    ? ''
    : `; ${same.map(({ name }) => name).join(', ')} cost${same.length === 1 ? 's' : ''} the same`;
}

/** Nothing was ever rewritten, by nobody, and no price differs. */
function isAllOne([first, ...others]: readonly Total[]): boolean {
  const isSame = (one: Total): boolean => one.dollars === first?.dollars && one.lossyEvents === 0 && one.failed === 0;
  return first !== undefined && others.length > 0 && [first, ...others].every(isSame);
}

// The sums by model, from the simulations of all conversations.

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
