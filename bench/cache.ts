/**
 * Measures what planned rewrites save: every transcript is played under every policy, by the cache rules and list prices
 * of a model, in several windows and with several kinds of pauses; and a loop of 1,000 steps says how much of the prompts
 * comes from the cache.
 *
 *   node bench/cache.ts [--data DIR] [--windows 32k,64k,128k,200k] [--files]
 *     [--rules claude-5m,claude-1h,gpt-5.5,gpt-5.6,gemini,no-discount,MODEL]   `all` for the six that have names
 *     [--gaps own,none,shuffled,rare,often]        seconds between calls: as they were, ten, shuffled, with pauses
 *     [--policies planned,threshold]               those alone: much quicker
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Message, Transcript } from '@palimpsest/core';
import { type PolicyOutcome, type Simulation, simulate } from 'palimpsest';
import { parseTokenCount } from '../packages/core/src/shared/options/token-count.ts';
import { type PolicyTotal, totalOf } from '../packages/palimpsest/src/simulate/outcome.ts';
import { gapNames, ruleNames, rulesNamed, withGaps } from './cache-settings.ts';
import { median } from './figures.ts';
import { readTranscriptFile } from './files.ts';
import { sessionFiles } from './verification/sessions.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../shared/data') },
    rules: { type: 'string', default: 'claude-5m' },
    gaps: { type: 'string', default: 'own' },
    policies: { type: 'string' },
    windows: { type: 'string', default: '32k,64k,128k,200k' },
    files: { type: 'boolean', default: false },
  },
});

const ours: readonly string[] = ['planned', 'planned-late'];
const list = (text: string, all: readonly string[] = []): readonly string[] =>
  text === 'all' ? all : text.split(',').filter(Boolean);

interface Named {
  readonly name: string;
  readonly transcript: Transcript;
}

/** The longest conversation of every file. */
async function sessions(): Promise<readonly Named[]> {
  const found: Named[] = [];
  for (const file of sessionFiles(values.data)) {
    const all = await readTranscriptFile(file);
    const transcript = all.toSorted((a, b) => b.messages.length - a.messages.length)[0];
    if (transcript) found.push({ name: basename(file).slice(0, 26), transcript });
  }
  return found;
}

const usd = (amount: number): string => amount.toFixed(2);
const share = (part: number): string => (100 * part).toFixed(1);
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

function heading(titles: readonly string[]): void {
  console.log(row(titles));
  console.log(row(titles.map(() => '---')));
}

interface Setting {
  readonly rules: string;
  readonly gaps: string;
  readonly window: number;
}

async function measured(named: readonly Named[], { rules, gaps, window }: Setting): Promise<void> {
  const policies = values.policies === undefined ? {} : { policies: list(values.policies) };
  const played: Simulation[] = [];
  for (const { transcript } of named)
    played.push(
      await simulate(withGaps(transcript, gaps), { ...rulesNamed(rules), contextLength: window, ...policies }),
    );
  const [first] = played;
  if (!first) return;
  const totals = first.policies.map((outcome, at) =>
    totalOf([outcome, ...played.slice(1).flatMap(({ policies }) => policies[at] ?? [])]),
  );
  const calls = played.reduce((sum, one) => sum + one.calls, 0);
  console.log(
    `\n### ${rules} (${first.model}), window ${window}, pauses ${gaps}: ${played.length} sessions, ${calls} calls\n`,
  );
  heading(['policy', '$', '$ prompts', 'cached %', 'lossy events', 'K tokens lost', 'mean prompt', 'stopped']);
  for (const one of totals)
    console.log(
      row([
        one.name,
        usd(one.dollars),
        usd(one.promptDollars),
        share(one.hitRate),
        one.lossyEvents,
        Math.round(one.lostTokens / 1_000),
        one.meanPromptTokens,
        one.failed,
      ]),
    );
  console.log('');
  for (const name of ours) compared(totals, name);
  againstThreshold(named, played, `${rules} ${gaps} ${window}`);
}

/** The best fixed policy that loses no more often. */
function compared(totals: readonly PolicyTotal[], name: string): void {
  const planned = totals.find((one) => one.name === name);
  if (!planned) return;
  const rivals = totals.filter(
    (one) => !ours.includes(one.name) && one.failed === 0 && one.lossyEvents <= planned.lossyEvents,
  );
  const [best] = rivals.toSorted((a, b) => a.dollars - b.dollars);
  if (!best)
    console.log(`- ${name}: every fixed policy that goes on loses more often than its ${planned.lossyEvents}.`);
  else
    console.log(
      `- ${name}: $${usd(planned.dollars)} with ${planned.lossyEvents} lossy events, the best fixed policy with no more ` +
        `(${best.name}): $${usd(best.dollars)} with ${best.lossyEvents}: ${(planned.dollars / best.dollars).toFixed(3)} ` +
        `(prompts alone ${(planned.promptDollars / best.promptDollars).toFixed(3)})`,
    );
}

/** Session by session, against the policy that is used today. */
function againstThreshold(named: readonly Named[], played: readonly Simulation[], setting: string): void {
  const outcome = ({ policies }: Simulation, name: string): PolicyOutcome | undefined =>
    policies.find((one) => one.name === name);
  const lossesOf = (name: string): number => sum(played.map((one) => outcome(one, name)?.lossyEvents ?? 0));
  const dollarsOf = (name: string): readonly number[] => played.map((one) => outcome(one, name)?.dollars ?? Number.NaN);
  const usual = dollarsOf('threshold');
  for (const name of ours) {
    const dollars = dollarsOf(name);
    const ratios = dollars.map((amount, at) => amount / (usual[at] ?? 0));
    if (ratios.some(Number.isNaN)) continue;
    // Where nothing was ever compressed by anybody, there is nothing to compare.
    const differing = ratios.filter((ratio) => ratio !== 1);
    const moments = played.map((one) => worstMoment(outcome(one, name), outcome(one, 'threshold')));
    const found = [
      sum(dollars) / sum(usual),
      Math.max(...ratios),
      median(ratios),
      median(differing),
      Math.min(...ratios),
    ];
    verdicts.push({
      isKept: Math.max(...ratios) <= 1.01 && median(differing) < 1,
      cells: [
        setting,
        name,
        ...[...found, Math.max(...moments)].map((ratio) => ratio.toFixed(3)),
        differing.length,
        lossesOf(name),
        lossesOf('threshold'),
      ],
    });
    if (values.files)
      for (const [at, { name: file }] of named.entries()) console.log(`  ${file} ${ratios[at]?.toFixed(3)}`);
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, one) => total + one, 0);

interface Verdict {
  /** Whether no session was dearer by more than 1 %, and the median one of those that differ cheaper. */
  readonly isKept: boolean;
  readonly cells: readonly (string | number)[];
}

const verdicts: Verdict[] = [];

function printVerdicts(): void {
  const titles = ['in all', 'worst session', 'median', 'median of those that differ', 'best', 'worst moment', 'differ'];
  console.log('\n### Against the threshold that is used today, session by session\n');
  heading(['rules, pauses, window', 'policy', ...titles, 'losses', 'losses of the threshold']);
  for (const { cells } of verdicts) console.log(row(cells));
  const kept = verdicts.filter(({ isKept }) => isKept).length;
  console.log(
    `\n- No session dearer by more than 1 %, and those that differ cheaper on the median, in ${kept} of ${verdicts.length}.`,
  );
}

/** What was paid until then against what the other paid, at the call at which that is most. */
function worstMoment(ours: PolicyOutcome | undefined, other: PolicyOutcome | undefined): number {
  let [paid, paidThere, worst] = [0, 0, 0];
  for (const [at, call] of (ours?.played ?? []).entries()) {
    paid += call.dollars;
    paidThere += other?.played[at]?.dollars ?? 0;
    worst = Math.max(worst, paid / paidThere);
  }
  return worst;
}

/** An agent that calls a tool again and again, a call every ten seconds. */
function loopOf(steps: number): readonly Message[] {
  const words = (count: number, seed: number): string =>
    Array.from({ length: count }, (_, at) => `w${(seed * 7_919 + at * 104_729) % 9_973}`).join(' ');
  const step = (at: number): readonly Message[] => {
    const callId = `call_${at}`;
    const time = new Date(Date.UTC(2026, 0, 1) + 10_000 * at).toISOString();
    const input = JSON.stringify({ command: `make part-${at}` });
    return [
      { role: 'assistant', parts: [{ type: 'toolCall', callId, name: 'bash', input, inputType: 'json' }] },
      {
        role: 'tool',
        time,
        parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text: words(60 + (at % 5) * 30, at) }] }],
      },
    ];
  };
  const text = (role: 'system' | 'user', value: string): Message => ({ role, parts: [{ type: 'text', text: value }] });
  const opening = [text('system', words(800, 1)), text('user', 'Build all parts, one after another.')];
  return [...opening, ...Array.from({ length: steps }, (_, at) => step(at)).flat()];
}

async function loop(): Promise<void> {
  const [{ model } = rulesNamed('claude-5m')] = list(values.rules, ruleNames).map(rulesNamed);
  const policies = ['planned', 'threshold'];
  const result = await simulate({ messages: loopOf(1_000) }, { model, contextLength: 32_000, policies });
  console.log(`\n### A loop of 1,000 steps, window 32000, ${model}\n`);
  heading(['policy', 'compressions', '% cached between them', '% cached in all', 'prefix changed without one']);
  for (const { name, compressions, steadyHitRate, hitRate, played } of result.policies) {
    // What is below the minimum of the provider is in no cache.
    const sent = (at: number): number => played[at - 1]?.promptTokens ?? 0;
    const broken = played.filter(
      ({ rewrite, cacheReadTokens }, at) =>
        !rewrite && sent(at) >= result.rules.minimumTokens && cacheReadTokens < sent(at),
    );
    console.log(row([name, compressions, share(steadyHitRate), share(hitRate), broken.length]));
  }
}

if (existsSync(values.data)) {
  const named = await sessions();
  for (const rules of list(values.rules, ruleNames))
    for (const gaps of list(values.gaps, gapNames))
      for (const window of list(values.windows))
        await measured(named, { rules, gaps, window: parseTokenCount(window) });
  printVerdicts();
} else console.log(`Skipped the transcripts: ${values.data} is not there (--data DIR names another folder).`);
await loop();
