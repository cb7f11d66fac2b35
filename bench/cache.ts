/**
 * Measures what planned rewrites save: every transcript is played under every policy, by the cache rules and list prices
 * of a model, in several windows; and a loop of 1,000 steps says how much of the prompts comes from the cache.
 *
 *   node bench/cache.ts [--data DIR] [--model NAME[,NAME]] [--windows 32k,64k,128k,200k] [--ttl 5m|1h] [--files]
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Message, type Simulation, simulate, type Transcript } from '../src/index.ts';
import { type PolicyTotal, totalOf } from '../src/simulation/total.ts';
import { parseTokenCount } from '../src/tokens/models.ts';
import { median } from './figures.ts';
import { readTranscriptFile } from './files.ts';
import { sessionFiles } from './verification/sessions.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../shared/data') },
    model: { type: 'string', default: 'claude-opus-4-5' },
    windows: { type: 'string', default: '32k,64k,128k,200k' },
    ttl: { type: 'string', default: '5m' },
    files: { type: 'boolean', default: false },
  },
});

const ours: readonly string[] = ['planned', 'planned-late'];
const ttl = values.ttl === '1h' ? '1h' : '5m';
const list = (text: string): readonly string[] => text.split(',').filter(Boolean);

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

async function measured(named: readonly Named[], model: string, window: number): Promise<void> {
  const played: Simulation[] = [];
  for (const { transcript } of named) played.push(await simulate(transcript, { model, contextLength: window, ttl }));
  const [first] = played;
  if (!first) return;
  const totals = first.policies.map((outcome, at) =>
    totalOf([outcome, ...played.slice(1).flatMap(({ policies }) => policies[at] ?? [])]),
  );
  const calls = played.reduce((sum, one) => sum + one.calls, 0);
  console.log(`\n### ${model}, window ${window}, ${first.rules.name}: ${played.length} sessions, ${calls} calls\n`);
  heading(['policy', '$', '$ prompts', 'cached %', 'lossy events', 'K tokens lost', 'mean prompt', 'stopped']);
  for (const one of totals)
    console.log(
      row([
        ...[one.name, usd(one.dollars), usd(one.promptDollars), share(one.hitRate), one.lossyEvents],
        ...[Math.round(one.lostTokens / 1_000), one.meanPromptTokens, one.failed],
      ]),
    );
  console.log('');
  for (const name of ours) compared(totals, name);
  againstThreshold(named, played);
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
function againstThreshold(named: readonly Named[], played: readonly Simulation[]): void {
  const dollarsOf = ({ policies }: Simulation, name: string): number =>
    policies.find((one) => one.name === name)?.dollars ?? Number.NaN;
  for (const name of ours) {
    const ratios = played.map((one) => dollarsOf(one, name) / dollarsOf(one, 'threshold'));
    // Where nothing was ever compressed by anybody, there is nothing to compare.
    const differing = ratios.filter((ratio) => ratio !== 1);
    console.log(
      `- ${name} against threshold, session by session: worst ${Math.max(...ratios).toFixed(3)}, median ` +
        `${median(ratios).toFixed(3)} (${median(differing).toFixed(3)} of the ${differing.length} that differ), best ${Math.min(...ratios).toFixed(3)}`,
    );
    if (values.files)
      for (const [at, { name: file }] of named.entries()) console.log(`  ${file} ${ratios[at]?.toFixed(3)}`);
  }
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
  const [model = 'claude-opus-4-5'] = list(values.model);
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
  for (const model of list(values.model))
    for (const window of list(values.windows)) await measured(named, model, parseTokenCount(window));
} else console.log(`Skipped the transcripts: ${values.data} is not there (--data DIR names another folder).`);
await loop();
