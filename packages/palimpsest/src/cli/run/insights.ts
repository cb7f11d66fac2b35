/** `palimpsest insights`: usage over time, as text, as JSON or as a page. */
import { PalimpsestError, redact } from '@palimpsest/core';
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
import type { InsightGroup } from '../commands/options.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { sessionTitle } from '../find-session.ts';
import { openStoreFor, type StoreFlags } from '../open-store.ts';
import { type TimeFlags, timeRange } from '../option-values.ts';
import { type OutputFile, outputFile } from '../output-file.ts';
import { progressCount } from '../progress.ts';
import type { InsightsFacts } from '../render/insights-groups.ts';
import { groupReport, rowsFor } from '../render/insights-groups.ts';
import { insightsPage } from '../render/insights-page/page.ts';
import { insightsReport } from '../render/insights-report.ts';
import type { Screen } from '../render/screen.ts';
import { timeStamp } from '../render/text.ts';
import { stdoutScreen, type Terminal, writeJson, writeNotes, writePieces, writeReport } from '../terminal.ts';

export interface InsightsFlags extends StoreFlags, TimeFlags {
  readonly by?: InsightGroup;
  /** True for the usual file. */
  readonly html?: string | true;
  readonly force?: boolean;
}

const usualTime = '30d';
const usualPage = 'palimpsest-insights.html';

export async function runInsights(flags: InsightsFlags, terminal: Terminal): Promise<ExitCode> {
  requireOneForm(flags);
  const times = timesOf(flags);
  const page = await pageFor(flags, terminal);
  const { store, path, notes: ofStore } = await openStoreFor(flags, terminal);
  await using opened = store;
  const toolUses = await toolsOf(opened, times, { flags, terminal });
  const found = withoutCredentials(await titled(opened, { ...(await insights(opened, times)), toolUses }));
  const notes = [...ofStore, ...emptyNotes(found)];
  if (flags.json) {
    const document = insightsJson(found, flags.by);
    await writeJson(terminal.stdout, { command: 'insights', store: path, ...document, notes });
    return exitCodes.fine;
  }
  await writeNotes(terminal, notes, flags);
  if (page) await writePage(found, page, { flags, terminal });
  else await writeReport(terminal, linesOf(found, flags.by, stdoutScreen(terminal, flags)), flags);
  return exitCodes.fine;
}

/** Messages are read for it, which takes some seconds where there are many: not for a table of something else. */
async function toolsOf(
  store: Store,
  times: Times,
  { flags, terminal }: { readonly flags: InsightsFlags; readonly terminal: Terminal },
): Promise<ToolUses> {
  const isShown = flags.by === undefined || flags.by === 'tool' || flags.json || flags.html !== undefined;
  if (!isShown) return { tools: [], messages: 0, isWhole: true };
  const all = Math.min(usualMostMessages, await store.messages.count());
  const progress = progressCount(terminal, 'counting tool calls', flags);
  try {
    return await toolUse(store, { ...times, onProgress: (read) => progress.advance(read, all) });
  } finally {
    progress.end();
  }
}

interface Times {
  readonly since?: number;
  readonly until?: number;
}

function requireOneForm({ json, html }: InsightsFlags): void {
  if (!json || html === undefined) return;
  const message = 'expected --json or --html, got both: omit one of them';
  throw new PalimpsestError('BAD_OPTION', message);
}

/** Days, weeks, months and years are counted from the start of the day: a part of a day would look like a quiet one. */
function timesOf({ since, until }: InsightsFlags): Times {
  const from = since ?? (until === undefined ? usualTime : undefined);
  const times = timeRange({ since: from, until });
  if (times.since !== undefined && times.since > Date.now()) {
    const message = `expected --since to be in the past, got ${JSON.stringify(from)}`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: '--since' } });
  }
  const isInDays = /^\s*\d+\s*(?:d|w|mo|y)/i.test(from ?? '');
  return isInDays && times.since !== undefined ? { ...times, since: dayStart(times.since) } : times;
}

function linesOf(found: InsightsFacts, by: InsightGroup | undefined, screen: Screen): readonly string[] {
  // What tools did is known without any report of usage.
  if (found.totals.calls === 0 && by !== 'tool') return [];
  return by === undefined ? insightsReport(found, screen) : groupReport(found, by, screen);
}

async function titled(store: Store, found: InsightsFacts): Promise<InsightsFacts> {
  const largest = found.largest.map(async (one) => ({ ...one, title: await sessionTitle(store, one.sessionId) }));
  return { ...found, largest: await Promise.all(largest) };
}

/** The name of a folder is whatever somebody called it, and so is that of a tool. */
const withoutCredentials = (found: InsightsFacts): InsightsFacts => ({
  ...found,
  projects: found.projects.map((project) => ({ ...project, name: redact(project.name) })),
  toolUses: {
    ...found.toolUses,
    tools: found.toolUses.tools.map((tool) => ({ ...tool, name: redact(tool.name) })),
  },
});

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

/** Where the page goes: a file, or `-` for standard output. */
interface Page {
  readonly name: string;
  readonly file?: OutputFile;
}

async function pageFor({ html, force, store }: InsightsFlags, terminal: Terminal): Promise<Page | undefined> {
  if (html === undefined) return undefined;
  const name = html === true ? usualPage : html;
  return name === '-' ? { name } : { name, file: await outputFile(name, { terminal, force, store }) };
}

async function writePage(
  found: InsightsFacts,
  { name, file }: Page,
  { flags, terminal }: { readonly flags: InsightsFlags; readonly terminal: Terminal },
): Promise<void> {
  const pieces = insightsPage(found, flags.by);
  if (!file) return writePieces(terminal.stdout, pieces);
  await file.write(pieces);
  if (!flags.quiet) await writeReport(terminal, [`wrote ${name}`], flags);
}

// Usage over time for programs.

/** Every group; with `by`, that one as `rows` too, in the order of its table. */
function insightsJson(found: InsightsFacts, by: InsightGroup | undefined): Record<string, unknown> {
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
  if (by === 'day') return found.days.filter(({ calls }) => calls > 0).map(dayJson);
  return rowsFor(found, by);
}

const dayJson = ({ day, from, until, ...usage }: DayUsage): Record<string, unknown> => ({
  day,
  from: timeStamp(from),
  until: timeStamp(until),
  ...usage,
});

const conversationJson = ({
  title,
  preview: _preview,
  lastActiveAt,
  ...row
}: LargestConversation): Record<string, unknown> => ({
  ...row,
  title: title || null,
  project: row.project === undefined ? null : redact(row.project),
  cost: costOf(row),
  lastActiveAt: timeStamp(lastActiveAt),
});
