/** `palimpsest simulate`: what conversations would have cost. */
import { type CacheLayout, type CompressionConfig, PalimpsestError } from '@palimpsest/core';
import { thresholdTokens } from '@palimpsest/core/engine';
import { ratesFor } from '@palimpsest/core/usage';
import { type PolicyOutcome, type PolicyTotal, totalOf } from '../../simulate/outcome.ts';
import { type Simulation, type SimulationOptions, simulate } from '../../simulate/simulate.ts';
import { glyph, type Screen, type Style, styled } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { collectFiles } from '../import-files.ts';
import { type InputFlags, type LoadedConversation, loadConversation } from '../load.ts';
import { badOption, given, namesIn, tokenCountOf } from '../option-values.ts';
import { interruptible, withProgress } from '../progress.ts';
import { right, tableOf } from '../render/table.ts';
import { counted, linesOf, percent, thousands, wrap } from '../render/text.ts';
import { loadSettings } from '../settings.ts';
import { type Terminal, writeResult } from '../terminal.ts';
import { smallerWindow } from '../window.ts';

interface SimulateFlags extends InputFlags {
  readonly policy?: string;
  readonly model?: string;
  readonly contextLength?: string;
  readonly ttl?: '5m' | '1h';
  readonly layout?: CacheLayout;
  readonly summarizer?: string;
}

/** The model of a transcript that names none. */
const usualModel = 'claude-sonnet-5';

export async function runSimulate({ words: paths, flags, terminal }: Call<SimulateFlags>): Promise<void> {
  const settings = await loadSettings(terminal);
  const { config } = settings;
  const { loaded, notes: unread } = await conversations(paths, flags, terminal);
  const { contextLength, policy, layout, summarizer } = flags;
  const options: Omit<SimulationOptions, 'model'> = {
    config: config.compression,
    ttl: flags.ttl ?? config.model.cacheTtl,
    ...given({
      contextLength: contextLength === undefined ? undefined : tokenCountOf('--context-length', contextLength),
      policies: policy === undefined ? undefined : names('--policy', policy),
      layout,
      summarizer,
    }),
  };
  const work = loaded.flatMap((one) => modelsFor(one, flags).map((model) => ({ one, model })));
  const played = await playAll(work, options, terminal);
  const groups = Map.groupBy(played, ({ simulation }) => `${simulation.model} ${simulation.contextLength}`);
  const models = [...groups.values()].map((group) => modelSimulation(group, config.compression));
  await writeResult(terminal, {
    json: () => ({ command: 'simulate', ttl: options.ttl, models }),
    notes: [...new Set([...settings.notes, ...unread, ...notesOn(played, flags)])],
    lines: (screen) => simulationReport(models, screen),
  });
}

function names(flag: string, list: string): readonly string[] {
  const found = namesIn(list);
  if (found.length > 0) return found;
  const message = `expected names after ${flag}, separated by commas, got ${JSON.stringify(list)}: omit the option for the default`;
  throw badOption(message, { flag });
}

interface Conversations {
  readonly loaded: readonly LoadedConversation[];
  readonly notes: readonly string[];
}

/** Every file that was named has to be a transcript; what lies in a folder may be anything. */
async function conversations(
  paths: readonly string[],
  flags: SimulateFlags,
  terminal: Terminal,
): Promise<Conversations> {
  if (flags.example || paths.length === 0)
    return { loaded: [await loadConversation(paths[0], flags, { terminal })], notes: [] };
  const { files, unreadable } = await collectFiles(paths, { cwd: terminal.cwd });
  const loaded: LoadedConversation[] = [];
  const notes = unreadable.map(({ label, reason }) => `${label}: ${reason}`);
  for (const label of files) {
    try {
      loaded.push(await loadConversation(label, flags, { terminal }));
    } catch (error) {
      if (paths.includes(label) || !PalimpsestError.isInstance(error)) throw error;
      notes.push(`skipped ${label}: ${error.message}`);
    }
  }
  if (loaded.length > 0) return { loaded, notes };
  throw new PalimpsestError('FILE_UNREADABLE', `expected a transcript, found none in ${paths.join(', ')}`);
}

interface PlayedConversation {
  readonly loaded: LoadedConversation;
  readonly simulation: Simulation;
}

function playAll(
  work: readonly { readonly one: LoadedConversation; readonly model: string }[],
  options: Omit<SimulationOptions, 'model'>,
  terminal: Terminal,
): Promise<readonly PlayedConversation[]> {
  return withProgress(terminal, 'simulating', (advance) => {
    const run = async (signal: AbortSignal): Promise<readonly PlayedConversation[]> => {
      const played: PlayedConversation[] = [];
      for (const [at, { one, model }] of work.entries()) {
        const { messages, transcript } = one;
        const onProgress = (done: number, all: number): void => advance(at * all + done, work.length * all);
        const input = { messages, tools: transcript.tools ?? [] };
        played.push({ loaded: one, simulation: await simulate(input, { ...options, model, onProgress, signal }) });
      }
      return played;
    };
    return interruptible(terminal, run, 'interrupted: nothing was written');
  });
}

function modelsFor({ transcript, messages }: LoadedConversation, { model }: SimulateFlags): readonly string[] {
  if (model !== undefined) return names('--model', model);
  return [transcript.model ?? messages.findLast((message) => message.model)?.model ?? usualModel];
}

function notesOn(played: readonly PlayedConversation[], { model }: SimulateFlags): readonly string[] {
  const isAssumed = model === undefined && played.some(({ loaded }) => modelsFor(loaded, {})[0] === usualModel);
  const many = new Set(played.map(({ loaded }) => loaded)).size > 1;
  const prefix = ({ loaded }: PlayedConversation): string => (many ? `${loaded.title}: ` : '');
  const empty = played.filter(({ simulation }) => simulation.calls === 0);
  return linesOf(
    isAssumed &&
      `the transcript names no model: using the prices and cache rules of ${usualModel} (choose others with --model)`,
    empty.map((one) => `${prefix(one)}it has no answer of an assistant, so there is no call to replay`),
    played.flatMap((one) => one.loaded.notes.map((note) => prefix(one) + note)),
    played.flatMap((one) =>
      one.simulation.notes.map((note) => (note.startsWith('the transcript') ? prefix(one) : '') + note),
    ),
  );
}

// The sums by model and window, over all conversations.

/** What came out for one model; of all conversations the same, unless the windows of their models differ. */
export interface ModelSimulation extends Pick<Simulation, 'model' | 'contextLength' | 'rules' | 'layout' | 'calls'> {
  /** Of all calls under all policies. */
  readonly largestPromptTokens: number;
  readonly policies: readonly PolicyTotal[];
  /** Where the configuration lets compression start. */
  readonly thresholdTokens: number;
  readonly conversations: number;
  readonly files: readonly SimulatedFile[];
}

interface SimulatedFile {
  readonly file: string;
  readonly calls: number;
  readonly policies: readonly Omit<PolicyOutcome, 'about' | 'played'>[];
}

function modelSimulation(played: readonly PlayedConversation[], config: CompressionConfig): ModelSimulation {
  const simulations = played.map(({ simulation }) => simulation);
  const [first, ...others] = simulations;
  if (!first) throw new Error('a group has a member');
  const { model, contextLength, rules, layout } = first;
  const prompts = simulations.flatMap((one) => one.policies.flatMap((outcome) => outcome.played));
  return {
    model,
    contextLength,
    rules,
    calls: simulations.reduce((sum, { calls }) => sum + calls, 0),
    largestPromptTokens: prompts.reduce((most, { promptTokens }) => Math.max(most, promptTokens), 0),
    policies: first.policies.map((outcome, at) =>
      totalOf([outcome, ...others.flatMap((one) => one.policies[at] ?? [])]),
    ),
    thresholdTokens: thresholdTokens(contextLength, config, { model: { id: model } }),
    ...given({ layout }),
    conversations: played.length,
    files: played.map(fileOf),
  };
}

const fileOf = ({ loaded, simulation }: PlayedConversation): SimulatedFile => ({
  file: loaded.label,
  calls: simulation.calls,
  policies: simulation.policies.map(({ about: _about, played: _played, ...outcome }) => outcome),
});

export function simulationReport(models: readonly ModelSimulation[], screen: Screen): readonly string[] {
  return models.flatMap((model, at) => [...(at > 0 ? [''] : []), ...modelLines(model, screen)]);
}

function modelLines(simulated: ModelSimulation, screen: Screen): readonly string[] {
  const { model, contextLength, rules, layout, calls, conversations: count, policies } = simulated;
  const marks = layout === undefined ? '' : `, breakpoints ${layout}`;
  const where = `${counted(calls, 'call')} in ${counted(count, 'conversation')}`;
  return linesOf(
    `${styled(model, 'bold', screen)}: ${where}, window ${thousands(contextLength)} tokens`,
    styled(`  cache rules ${rules.name}${marks}, as published ${rules.read}: ${rules.source}`, 'dim', screen),
    // Where nothing was called there is nothing to compare.
    calls > 0 && [
      '',
      ...tableLines(policies, screen),
      '',
      ...chartLines(simulated, screen),
      '',
      ...conclusion(simulated).flatMap((line) => wrap(line, screen.columns)),
    ],
  );
}

function tableLines(policies: readonly PolicyTotal[], screen: Screen): readonly string[] {
  const best = cheapest(policies);
  const rowStyle = (row: number): Style | undefined => {
    if (policies[row] === best) return 'green';
    return (policies[row]?.failed ?? 0) > 0 ? 'dim' : undefined;
  };
  return tableOf(
    policies,
    [
      ['policy', ({ name }) => name, { whole: true }],
      ['dollars', (total) => `${dollars(total.dollars)}${total.failed > 0 ? '+' : ''}`, right],
      ['cached', ({ hitRate }) => percent(hitRate, 1), right],
      ['rewrites', ({ rewrites }) => thousands(rewrites), right],
      ['losses', ({ lossyEvents }) => thousands(lossyEvents), right],
      ['tokens lost', ({ lostTokens }) => thousands(lostTokens), right],
      ['mean prompt', ({ meanPromptTokens }) => thousands(meanPromptTokens), right],
    ],
    { screen, rowStyle },
  );
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
  const nameWidth = Math.max(...policies.map(({ name }) => name.length));
  const width = Math.max(10, Math.min(60, screen.columns - nameWidth - 14));
  const drawn = ({ unicode, ascii, style }: Pattern, count: number): string =>
    styled(glyph(screen, unicode, ascii).repeat(count), style, screen);
  const rows = policies.map((total) => {
    const amounts = partsOf(total, model);
    let done = 0;
    let used = 0;
    const cells = patterns.map((pattern, at) => {
      done += amounts[at] ?? 0;
      const count = Math.max(0, Math.round((done / most) * width) - used);
      used += count;
      return drawn(pattern, count);
    });
    return `  ${total.name.padEnd(nameWidth)}  ${cells.join('')} ${dollars(total.dollars)}`;
  });
  return [...rows, `  ${patterns.map((pattern) => `${drawn(pattern, 1)} ${pattern.title}`).join('  ')}`];
}

/** Dollars by kind. Reads are priced by the usual list price; what is left of the prompts is writes and other input. */
function partsOf(total: PolicyTotal, model: string): readonly number[] {
  const { input, cacheRead = input } = ratesFor(model, total.meanPromptTokens) ?? { input: 0 };
  const reads = Math.min(total.promptDollars, (total.cacheReadTokens * cacheRead) / 1_000_000);
  const rest = total.promptDollars - reads;
  const fresh = total.inputTokens + total.cacheWriteTokens;
  const writes = fresh === 0 ? 0 : (rest * total.cacheWriteTokens) / fresh;
  return [reads, writes, rest - writes, total.dollars - total.promptDollars];
}

/** What rounds to a dollar is one. */
const dollars = (amount: number): string =>
  `$${amount.toFixed(amount < 0.999_95 ? 4 : 2).replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;

const cheapest = (policies: readonly PolicyTotal[]): PolicyTotal | undefined =>
  policies
    .filter(({ failed }) => failed === 0)
    .reduce<PolicyTotal | undefined>((best, one) => (best && best.dollars <= one.dollars ? best : one), undefined);

const losses = (count: number): string => `${thousands(count)} ${count === 1 ? 'loss' : 'losses'}`;

function conclusion({ policies, contextLength, conversations: count, ...sizes }: ModelSimulation): readonly string[] {
  const { largestPromptTokens, thresholdTokens: threshold } = sizes;
  const room = `The largest prompt has ${thousands(largestPromptTokens)} tokens, and compression starts at ${thousands(threshold)} of ${thousands(contextLength)}: try --context-length ${smallerWindow(largestPromptTokens)}.`;
  const isNeverFull = largestPromptTokens < threshold;
  if (isAllOne(policies)) return [`All policies cost the same.${isNeverFull ? ` ${room}` : ''}`];
  const best = cheapest(policies);
  const failing = policies.filter(({ failed }) => failed > 0).map(({ name, failed }) => `${name} in ${failed}`);
  return linesOf(
    best &&
      `Cheapest policy that never stops: ${best.name} (${best.about}), ${losses(best.lossyEvents)}${alike(best, policies)}.`,
    failing.length > 0 &&
      `+ stops where a prompt no longer fits the window, and its figures end there: ${failing.join(', ')} of ${counted(count, 'conversation')}.`,
    isNeverFull && room,
    'A loss is a rewrite that removes content from the context; the originals stay in the transcript.',
  );
}

/** Others that cost and lose just as much. */
function alike(best: PolicyTotal, policies: readonly PolicyTotal[]): string {
  const same = policies.filter((one) => one !== best && one.failed === 0 && one.dollars === best.dollars);
  if (same.length === 0) return '';
  return `; ${same.map(({ name }) => name).join(', ')} cost${same.length === 1 ? 's' : ''} the same`;
}

/** Nothing was ever rewritten, by nobody, and no price differs. */
function isAllOne(policies: readonly PolicyTotal[]): boolean {
  const [first] = policies;
  const isSame = (one: PolicyTotal): boolean =>
    one.dollars === first?.dollars && one.lossyEvents === 0 && one.failed === 0;
  return policies.length > 1 && policies.every(isSame);
}
