/** `palimpsest insights`: usage over time, as text, as JSON or as a page. */
import { redact } from '@palimpsest/core';
import type { LargestConversation, Store } from '@palimpsest/core/store';
import {
  costOf,
  type DayUsage,
  dayName,
  dayStart,
  type Insights,
  insights,
  savingsOf,
  type ToolUses,
  toolUse,
  usualMostMessages,
} from '@palimpsest/core/usage';
import type { Screen } from '../../terminal/screen.ts';
import type { Call, InsightGroup } from '../commands/build.ts';
import { openStoreFor, type StoreFlags, sessionTitle } from '../open-store.ts';
import { badOption, bothGiven, type TimeFlags, timeRange } from '../option-values.ts';
import { outputFile } from '../output-file.ts';
import { withProgress } from '../progress.ts';
import { groupReport, type InsightsFacts, rowsFor } from '../render/insights-groups.ts';
import { insightsPage } from '../render/insights-page.ts';
import { insightsReport } from '../render/insights-report.ts';
import { timeStamp } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeNotes, writePieces, writeReport } from '../terminal.ts';

interface InsightsFlags extends StoreFlags, TimeFlags {
  readonly by?: InsightGroup;
  /** True for the usual file. */
  readonly html?: string | true;
  readonly force?: boolean;
}

export async function runInsights({ flags, terminal }: Call<InsightsFlags>): Promise<void> {
  const { by, html, force } = flags;
  if (terminal.json && html !== undefined) throw bothGiven('--json', '--html');
  const times = timesOf(flags);
  const page = html === true ? 'palimpsest-insights.html' : html;
  const isFile = page !== undefined && page !== '-';
  const file = isFile ? await outputFile(page, { terminal, force, store: flags.store }) : undefined;
  const { store, path, notes: ofStore } = await openStoreFor(flags, terminal);
  await using opened = store;
  const isToolShown = by === undefined || by === 'tool' || terminal.json || html !== undefined;
  // Messages are read for it, which takes some seconds where there are many: not for a table of something else.
  const toolUses = isToolShown ? await toolsOf(opened, times, terminal) : { tools: [], messages: 0, isWhole: true };
  const found = await shownFacts(opened, { ...(await insights(opened, times)), toolUses });
  const notes = [...ofStore, ...emptyNotes(found)];
  if (terminal.json)
    return await writeJson(terminal, { command: 'insights', store: path, ...insightsJson(found, by), notes });
  await writeNotes(terminal, notes);
  if (page === undefined) return await writeReport(terminal, linesOf(found, by, stdoutScreen(terminal)));
  const pieces = insightsPage(found, by);
  if (!file) return await writePieces(terminal.stdout, pieces);
  await file.write(pieces);
  if (!terminal.quiet) await writeReport(terminal, [`wrote ${page}`]);
}

type Times = ReturnType<typeof timeRange>;

async function toolsOf(store: Store, times: Times, terminal: Terminal): Promise<ToolUses> {
  const all = Math.min(usualMostMessages, await store.messages.count());
  return await withProgress(terminal, 'counting tool calls', (advance) =>
    toolUse(store, { ...times, onProgress: (read) => advance(read, all) }),
  );
}

/** Days, weeks, months and years are counted from the start of the day: a part of a day would look like a quiet one. */
function timesOf({ since, until }: TimeFlags): Times {
  const from = since ?? (until === undefined ? '30d' : undefined);
  const times = timeRange({ since: from, until });
  if (times.since !== undefined && times.since > Date.now())
    throw badOption(`expected --since to be in the past, got ${JSON.stringify(from)}`, { option: '--since' });
  const isInDays = /^\s*\d+\s*(?:d|w|mo|y)/i.test(from ?? '');
  return isInDays && times.since !== undefined ? { ...times, since: dayStart(times.since) } : times;
}

function linesOf(found: InsightsFacts, by: InsightGroup | undefined, screen: Screen): readonly string[] {
  // What tools did is known without any report of usage.
  if (found.totals.calls === 0 && by !== 'tool') return [];
  return by === undefined ? insightsReport(found, screen) : groupReport(found, by, screen);
}

/** With titles, and without credentials: the name of a folder is whatever somebody called it, and so is that of a tool. */
async function shownFacts(store: Store, found: InsightsFacts): Promise<InsightsFacts> {
  const largest = found.largest.map(async (one) => ({ ...one, title: await sessionTitle(store, one.sessionId) }));
  const clean = <T extends { readonly name: string }>(one: T): T => ({ ...one, name: redact(one.name) });
  return {
    ...found,
    largest: await Promise.all(largest),
    projects: found.projects.map(clean),
    toolUses: { ...found.toolUses, tools: found.toolUses.tools.map(clean) },
  };
}

/** Where nothing was used, it helps to hear when something was. */
function emptyNotes({ totals, range, since, until }: Insights): readonly string[] {
  if (totals.calls > 0) return [];
  if (!range)
    return ['there are no calls yet: `palimpsest import --discover` imports your own sessions with their usage'];
  const [first, last] = [dayName(range.first), dayName(range.last)];
  return [
    `there are no calls from ${dayName(since)} to ${dayName(until - 1)}, but from ${first} to ${last}: --since ${first} shows them`,
  ];
}

/** For programs: every group; with `by`, that one as `rows` too, in the order of its table. */
function insightsJson(found: InsightsFacts, by: InsightGroup | undefined): object {
  const { since, until, totals, range, largest, days, toolUses, ...rest } = found;
  const { tools, messages, isWhole } = toolUses;
  return {
    since: timeStamp(since),
    until: timeStamp(until),
    range: range ? { first: timeStamp(range.first), last: timeStamp(range.last) } : null,
    totals,
    cost: costOf(totals),
    savings: savingsOf(totals) ?? null,
    ...(by === undefined ? {} : { by, rows: jsonRows(found, by) }),
    ...rest,
    days: days.map(dayJson),
    tools,
    toolsFrom: { messages, isWhole },
    largest: largest.map(conversationJson),
  };
}

function jsonRows(found: InsightsFacts, by: InsightGroup): readonly unknown[] {
  if (by === 'tool') return found.toolUses.tools;
  return by === 'day' ? found.days.filter(({ calls }) => calls > 0).map(dayJson) : rowsFor(found, by);
}

const dayJson = ({ day, from, until, ...usage }: DayUsage): object => ({
  day,
  from: timeStamp(from),
  until: timeStamp(until),
  ...usage,
});

const conversationJson = ({ title, preview: _preview, lastActiveAt, ...row }: LargestConversation): object => ({
  ...row,
  title: title || null,
  project: row.project === undefined ? null : redact(row.project),
  cost: costOf(row),
  lastActiveAt: timeStamp(lastActiveAt),
});
