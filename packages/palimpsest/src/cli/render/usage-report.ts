/** What a person reads about the usage of one conversation. */
import { type Session, type SessionUsage, sumUsage, type UsageTotals } from '@palimpsest/core/store';
import {
  costLabel,
  costRemarks,
  costText,
  moneyLabel,
  promptTokensIn,
  type Savings,
  savingsOf,
} from '@palimpsest/core/usage';
import { shortIds, untitled } from '../find-session.ts';
import type { Window } from '../window.ts';
import { bar, partKey, stackedBar } from './bar.ts';
import { type Screen, styled } from './screen.ts';
import { table } from './table.ts';
import { counted, fill, oneLine, percent, shares, thousands, wrap } from './text.ts';
import { clip } from './width.ts';

/** How full the context of a conversation is. */
export interface ContextNow {
  /** What the provider counted in the last call; absent where none was reported. */
  readonly reportedTokens?: number;
  /** Counted or estimated: what was said since, or everything. */
  readonly addedTokens: number;
  readonly promptTokens: number;
  readonly isCount: boolean;
  readonly window: Window;
  readonly thresholdTokens: number;
  readonly isOn: boolean;
}

export interface UsageFacts {
  readonly tip: Session;
  readonly chain: readonly Session[];
  readonly title: string;
  readonly totals: UsageTotals;
  readonly calls: readonly SessionUsage[];
  readonly context: ContextNow;
}

const nameWidth = 12;

export function usageReport(facts: UsageFacts, screen: Screen): readonly string[] {
  const { tip, chain, title, totals, calls } = facts;
  const sides = new Set(calls.flatMap(({ sessionId, isSide }) => (isSide ? [sessionId] : []))).size;
  const about = [
    oneLine(tip.source),
    counted(chain.length, 'session'),
    ...(sides > 0 ? [counted(sides, 'sub-agent')] : []),
  ];
  const head = [styled(clip(oneLine(title) || untitled, screen.columns), 'bold', screen), `  ${about.join(', ')}`, ''];
  if (totals.calls === 0)
    return [...head, '  no calls: the source reports no usage', '', ...contextLines(facts.context, screen)];
  return [
    ...head,
    ...moneyLines(totals, screen),
    ...tokenLines(totals, screen),
    ...contextLines(facts.context, screen),
    '',
    ...modelTable(calls, screen),
    ...sessionTable(calls, screen),
  ];
}

const row = (name: string, value: string, screen: Screen): string =>
  `  ${styled(fill(name, nameWidth), 'dim', screen)}${value}`;

function moneyLines(totals: UsageTotals, screen: Screen): readonly string[] {
  const savings = savingsOf(totals);
  const price = costText(totals);
  const known = price === 'unknown' || price === 'included' ? price : `${price} by list prices`;
  const part = totals.unpriced > 0 ? ' on calls with a known price' : '';
  return [
    row('price', styled(known, 'bold', screen), screen),
    ...costRemarks(totals)
      .flatMap((remark) => wrap(remark, screen.columns - nameWidth - 2))
      .map((remark) => row('', styled(remark, 'yellow', screen), screen)),
    ...(savings ? [row('cache', savingsText(savings, price.startsWith('at least')) + part, screen)] : []),
  ];
}

function savingsText({ saved, without }: Savings, isPart: boolean): string {
  const money = (amount: number): string => moneyLabel({ status: 'estimated', amount });
  if (saved < 0) return `cost ${money(-saved)} more than it saved`;
  return `saved ${money(saved)}; without it ${isPart ? 'at least ' : ''}${money(without)}`;
}

/** The kinds of tokens that a model reads, in the order of their price. */
const promptKinds = [
  ['cache reads', 'cacheReadTokens'],
  ['new input', 'inputTokens'],
  ['cache writes', 'cacheWriteTokens'],
] as const;

const kindWidth = 16;

function tokenLines(totals: UsageTotals, screen: Screen): readonly string[] {
  const { outputTokens, reasoningTokens, calls, partial } = totals;
  const prompt = promptTokensIn(totals);
  const more = partial > 0 ? '+' : '';
  const thinking = reasoningTokens > 0 ? `, ${thousands(reasoningTokens)} of them reasoning` : '';
  return [
    row('calls', thousands(calls), screen),
    row('tokens in', prompt === 0 && partial > 0 ? 'not reported' : `${thousands(prompt)}${more}`, screen),
    ...(prompt > 0 ? promptLines(totals, prompt, screen).map((line) => row('', line, screen)) : []),
    row('tokens out', `${thousands(outputTokens)}${more}${thinking}`, screen),
  ];
}

function promptLines(totals: UsageTotals, prompt: number, screen: Screen): readonly string[] {
  const width = Math.max(10, Math.min(56, screen.columns - nameWidth - 4));
  const sizes = promptKinds.map(([, kind]) => totals[kind]);
  const figures = Math.max(...sizes.map((size) => thousands(size).length));
  const share = shares(sizes);
  const lines = promptKinds.map(([name], part) => {
    const size = sizes[part] ?? 0;
    const key = partKey(part, fill(name, kindWidth), screen);
    return `${key}${fill(thousands(size), figures, 'right')}  ${fill(share[part] ?? '', 5, 'right')}`;
  });
  return [stackedBar(sizes, { whole: prompt, width }, screen), ...lines.filter((_, part) => (sizes[part] ?? 0) > 0)];
}

function contextLines(context: ContextNow, screen: Screen): readonly string[] {
  const { reportedTokens, addedTokens, promptTokens, isCount, window, thresholdTokens, isOn } = context;
  const width = Math.max(10, Math.min(40, screen.columns - nameWidth - 28));
  const figures = `${thousands(promptTokens)}  ${percent(promptTokens, window.tokens)}`;
  const how = isCount ? 'counted' : 'estimated';
  const since = addedTokens > 0 ? `, and ${thousands(addedTokens)} were added since (${how})` : '';
  const lines = [
    `of ${thousands(window.tokens)} (${oneLine(window.from)})`,
    isOn ? `compression starts at ${thousands(thresholdTokens)}` : 'automatic compression is off',
    reportedTokens === undefined
      ? `${how} from the messages, without tool definitions`
      : `the provider counted ${thousands(reportedTokens)} in the last call${since}`,
  ];
  const filling = bar({ messages: promptTokens }, { window: window.tokens, width }, screen);
  return [
    row('context now', `${filling} ${figures}`, screen),
    ...lines.flatMap((line) => wrap(line, screen.columns - nameWidth - 2)).map((line) => row('', line, screen)),
  ];
}

const right = (title: string): { readonly title: string; readonly align: 'right' } => ({ title, align: 'right' });

const figuresOf = (totals: UsageTotals): readonly string[] => [
  thousands(totals.calls),
  thousands(promptTokensIn(totals)),
  percent(totals.cacheReadTokens, promptTokensIn(totals)),
  thousands(totals.outputTokens),
  costLabel(totals),
];

const figures = [right('calls'), right('tokens in'), right('cached'), right('out'), right('price')];

function modelTable(calls: readonly SessionUsage[], screen: Screen): readonly string[] {
  const groups = Map.groupBy(calls, ({ model, task }) => `${model}${taskText(task)}`);
  const rows = [...groups]
    .map(([name, all]) => [name, sumUsage(all)] as const)
    .toSorted(([, a], [, b]) => (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.calls - a.calls)
    .map(([name, totals]) => [oneLine(name), ...figuresOf(totals)]);
  return table([{ title: 'model', gives: true }, ...figures], rows, { screen });
}

const taskText = (task: string): string => (task === 'turn' ? '' : ` (${task === 'side' ? 'sub-agents' : task})`);

/** Only where there is more than one. */
function sessionTable(calls: readonly SessionUsage[], screen: Screen): readonly string[] {
  const groups = [...Map.groupBy(calls, ({ sessionId }) => sessionId)];
  if (groups.length < 2) return [];
  const ids = shortIds(groups.map(([id]) => id));
  const rows = groups.map(([, all], at) => [
    `${ids[at] ?? ''}${all[0]?.isSide ? ' sub-agent' : ''}`,
    ...figuresOf(sumUsage(all)),
  ]);
  return ['', ...table([{ title: 'session', whole: true }, ...figures], rows, { screen })];
}
