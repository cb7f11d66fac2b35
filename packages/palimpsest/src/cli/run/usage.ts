/** `palimpsest usage`: what one conversation used and cost. */
import { type CompressionConfig, type Message, PalimpsestError, redact } from '@palimpsest/core';
import {
  type Instant,
  newestSession,
  type Session,
  type SessionUsage,
  type Store,
  sumUsage,
  type UsageTotals,
} from '@palimpsest/core/store';
import { costOf, costText, promptTokensIn, type Savings, savingsOf } from '@palimpsest/core/usage';
import { clip, type Screen, styled } from '../../terminal/screen.ts';
import type { Call } from '../commands/build.ts';
import { findSession, openStoreFor, type StoreFlags, sessionTitle, shortIds, untitled } from '../open-store.ts';
import { given } from '../option-values.ts';
import { estimated, factRow, remarkRows, usageColumns } from '../render/insights-groups.ts';
import { bar, gives, partKey, stackedBar, tableOf } from '../render/table.ts';
import { counted, fill, linesOf, oneLine, percent, shares, thousands, timeStamp, wrap } from '../render/text.ts';
import { loadSettings } from '../settings.ts';
import { writeResult } from '../terminal.ts';
import { measureFor, sizesFor, tokensOfAll, type Window, windowFor } from '../window.ts';

interface UsageFlags extends StoreFlags {
  readonly contextLength?: string;
}

export async function runUsage({ words: [wanted], flags, terminal }: Call<UsageFlags>): Promise<void> {
  const settings = await loadSettings(terminal);
  const { store, notes } = await openStoreFor(flags, terminal);
  await using opened = store;
  const tip = await tipFor(opened, wanted);
  const calls = await opened.usage.ofConversation(tip.id);
  const facts: UsageFacts = {
    tip,
    chain: await opened.sessions.chain(tip.id),
    calls,
    title: await sessionTitle(opened, tip.id),
    totals: sumUsage(calls),
    context: await contextNow(opened, { tip, calls }, { flags, config: settings.config.compression }),
  };
  await writeResult(terminal, {
    json: () => ({ command: 'usage', ...usageJson(facts) }),
    notes: [...settings.notes, ...notes],
    lines: (screen) => usageReport(facts, screen),
  });
}

/** The conversation that was named, else the one that was active last. */
async function tipFor(store: Store, wanted: string | undefined): Promise<Session> {
  if (wanted !== undefined) return newestSession(store.sessions, (await findSession(store, wanted)).id);
  const [newest] = await store.sessions.list({ limit: 1 });
  if (newest) return newest.tip;
  const message = 'there is no conversation in the store yet: add some with `palimpsest import PATH`';
  throw new PalimpsestError('ID_UNKNOWN', message);
}

interface UsageFacts {
  readonly tip: Session;
  readonly chain: readonly Session[];
  readonly title: string;
  readonly totals: UsageTotals;
  readonly calls: readonly SessionUsage[];
  readonly context: ContextNow;
}

interface ContextNow {
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

/** The provider's count of the last call, with what was said since; without one, the count or estimate of what is in view. */
async function contextNow(
  store: Store,
  { tip, calls }: Pick<UsageFacts, 'tip' | 'calls'>,
  { flags, config }: { readonly flags: UsageFlags; readonly config: CompressionConfig },
): Promise<ContextNow> {
  const last = calls
    .filter(({ sessionId, task, lastPromptTokens }) => sessionId === tip.id && task === 'turn' && lastPromptTokens > 0)
    .toSorted((a, b) => b.lastAt - a.lastAt)[0];
  const model = last?.model ?? tip.model;
  const messages = last
    ? await saidSince(store, tip, last.lastAt)
    : (await store.messages.view(tip.id)).map(({ message }) => message);
  const measure = await measureFor({ messages, transcript: given({ model }) }, flags);
  const addedTokens = tokensOfAll(messages, measure);
  const window = windowFor(flags, model);
  return {
    ...given({ reportedTokens: last?.lastPromptTokens }),
    addedTokens,
    promptTokens: (last?.lastPromptTokens ?? 0) + addedTokens,
    isCount: measure.tokenizer.exact,
    window,
    thresholdTokens: sizesFor(window, config, model).thresholdTokens,
    isOn: config.enabled,
  };
}

const pageSize = 200;

/** What was said after a call, page by page from the end; the answer of the call itself is not. */
async function saidSince(store: Store, { id, messages: size }: Session, time: Instant): Promise<readonly Message[]> {
  const found: Message[] = [];
  for (let to = size; to > 0; to -= pageSize) {
    const page = await store.messages.view(id, { from: Math.max(0, to - pageSize), to });
    const later = page.filter((stored) => stored.time > time);
    found.unshift(...later.flatMap(({ message }) => (message.role === 'assistant' ? [] : [message])));
    if (later.length < page.length) break;
  }
  return found;
}

const usageJson = ({ tip, chain, title, totals, calls, context }: UsageFacts): object => ({
  session: {
    id: tip.id,
    rootId: tip.rootId,
    title: title || null,
    source: tip.source,
    project: tip.project === undefined ? null : redact(tip.project),
  },
  sessions: chain.map(({ id }) => id),
  totals,
  cost: costOf(totals),
  savings: savingsOf(totals) ?? null,
  calls: calls.map(({ lastAt, ...row }) => ({ ...row, cost: costOf(row), lastAt: timeStamp(lastAt) })),
  context,
});

const nameWidth = 12;

function usageReport({ tip, chain, title, totals, calls, context }: UsageFacts, screen: Screen): readonly string[] {
  const sides = new Set(calls.flatMap(({ sessionId, isSide }) => (isSide ? [sessionId] : []))).size;
  const about = linesOf(
    oneLine(tip.source),
    counted(chain.length, 'session'),
    sides > 0 && counted(sides, 'sub-agent'),
  );
  const head = [styled(clip(oneLine(title) || untitled, screen.columns), 'bold', screen), `  ${about.join(', ')}`, ''];
  const now = contextLines(context, screen);
  if (totals.calls === 0) return [...head, '  no calls: the source reports no usage', '', ...now];
  return linesOf(
    head,
    moneyLines(totals, screen),
    tokenLines(totals, screen),
    now,
    '',
    modelTable(calls, screen),
    sessionTable(calls, screen),
  );
}

const row = (name: string, value: string, screen: Screen): string => factRow([name, value], nameWidth, screen);

function moneyLines(totals: UsageTotals, screen: Screen): readonly string[] {
  const savings = savingsOf(totals);
  const price = costText(totals);
  const part = totals.unpriced > 0 ? ' on calls with a known price' : '';
  return linesOf(
    row('price', styled(price.includes('$') ? `${price} by list prices` : price, 'bold', screen), screen),
    remarkRows(totals, nameWidth, screen),
    savings && row('cache', savingsText(savings, price.startsWith('at least')) + part, screen),
  );
}

function savingsText({ saved, without }: Savings, isPart: boolean): string {
  if (saved < 0) return `cost ${estimated(-saved)} more than it saved`;
  return `saved ${estimated(saved)}; without it ${isPart ? 'at least ' : ''}${estimated(without)}`;
}

/** The kinds of tokens that a model reads, in the order of their price. */
const promptKinds = [
  ['cache reads', 'cacheReadTokens'],
  ['new input', 'inputTokens'],
  ['cache writes', 'cacheWriteTokens'],
] as const;

function tokenLines(totals: UsageTotals, screen: Screen): readonly string[] {
  const { outputTokens, reasoningTokens, calls, partial } = totals;
  const prompt = promptTokensIn(totals);
  const more = partial > 0 ? '+' : '';
  const thinking = reasoningTokens > 0 ? `, ${thousands(reasoningTokens)} of them reasoning` : '';
  return linesOf(
    row('calls', thousands(calls), screen),
    row('tokens in', prompt === 0 && partial > 0 ? 'not reported' : `${thousands(prompt)}${more}`, screen),
    prompt > 0 && promptLines(totals, prompt, screen).map((line) => row('', line, screen)),
    row('tokens out', `${thousands(outputTokens)}${more}${thinking}`, screen),
  );
}

function promptLines(totals: UsageTotals, prompt: number, screen: Screen): readonly string[] {
  const width = Math.max(10, Math.min(56, screen.columns - nameWidth - 4));
  const sizes = promptKinds.map(([, kind]) => totals[kind]);
  const figures = Math.max(...sizes.map((size) => thousands(size).length));
  const share = shares(sizes);
  const lines = promptKinds.map(([name], part) => {
    const size = fill(thousands(sizes[part] ?? 0), figures, 'right');
    return `${partKey(part, fill(name, 16), screen)}${size}  ${fill(share[part] ?? '', 5, 'right')}`;
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

const figures = usageColumns<{ readonly totals: UsageTotals }>(({ totals }) => totals, {
  count: thousands,
  titles: ['tokens in', 'out'],
});

function modelTable(calls: readonly SessionUsage[], screen: Screen): readonly string[] {
  const groups = Map.groupBy(calls, ({ model, task }) => `${model}${taskText(task)}`);
  const rows = [...groups].map(([name, all]) => ({ name, totals: sumUsage(all) }));
  const sorted = rows.toSorted(
    ({ totals: a }, { totals: b }) => (b.costUsd ?? 0) - (a.costUsd ?? 0) || b.calls - a.calls,
  );
  return tableOf(sorted, [['model', ({ name }) => oneLine(name), gives], ...figures], { screen });
}

const taskText = (task: string): string => (task === 'turn' ? '' : ` (${task === 'side' ? 'sub-agents' : task})`);

/** Only where there is more than one. */
function sessionTable(calls: readonly SessionUsage[], screen: Screen): readonly string[] {
  const groups = [...Map.groupBy(calls, ({ sessionId }) => sessionId)];
  if (groups.length < 2) return [];
  const ids = shortIds(groups.map(([id]) => id));
  const rows = groups.map(([, all], at) => ({
    name: `${ids[at] ?? ''}${all[0]?.isSide ? ' sub-agent' : ''}`,
    totals: sumUsage(all),
  }));
  return ['', ...tableOf(rows, [['session', ({ name }) => name, { whole: true }], ...figures], { screen })];
}
