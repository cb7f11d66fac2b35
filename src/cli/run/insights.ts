/** `palimpsest insights`: usage over time, as text, as JSON or as a page. */
import { resolve } from 'node:path';
import { redact } from '../../redaction/redact.ts';
import type { LargestConversation } from '../../store/usage-store.ts';
import { costOf, savingsOf } from '../../usage/cost.ts';
import { dayName } from '../../usage/days.ts';
import { type Insights, insights } from '../../usage/insights.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openStoreFor } from '../open-store.ts';
import { writeWhole } from '../output-file.ts';
import { groupReport } from '../render/insights-groups.ts';
import { insightsPage } from '../render/insights-page/page.ts';
import { insightsReport } from '../render/insights-report.ts';
import { label } from '../render/session-list.ts';
import { timeStamp } from '../render/time.ts';
import { stdoutScreen, type Terminal, writeJson, writeLines, writeNotes, writePieces } from '../terminal.ts';
import { timeRange } from '../when.ts';
import type { InsightsFlags } from './insights-flags.ts';

const usualTime = '30d';
const usualPage = 'palimpsest-insights.html';

export async function runInsights(flags: InsightsFlags, terminal: Terminal): Promise<ExitCode> {
  const { since = flags.until === undefined ? usualTime : undefined, until } = flags;
  const times = timeRange({ ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) });
  const { store, path, notes: ofStore } = await openStoreFor(flags, terminal, { mustExist: true });
  await using opened = store;
  const found = withoutCredentials(await insights(opened, times));
  const notes = [...ofStore, ...emptyNotes(found)];
  if (flags.json) {
    await writeJson(terminal.stdout, { command: 'insights', store: path, ...insightsJson(found), notes });
    return exitCodes.fine;
  }
  await writeNotes(terminal, notes, flags);
  if (flags.html !== undefined) await writePage(found, flags.html, { flags, terminal });
  else {
    const screen = stdoutScreen(terminal, flags);
    const isEmpty = found.totals.calls === 0;
    const lines = flags.by === undefined ? insightsReport(found, screen) : groupReport(found, flags.by, screen);
    await writeLines(terminal.stdout, isEmpty ? [] : lines);
  }
  return exitCodes.fine;
}

/** The name of a folder is whatever somebody called it. */
const withoutCredentials = (found: Insights): Insights => ({
  ...found,
  projects: found.projects.map((project) => ({ ...project, name: redact(project.name) })),
});

/** Where nothing was used, it helps to hear when something was. */
function emptyNotes({ totals, range, since, until }: Insights): readonly string[] {
  if (totals.calls > 0) return [];
  if (!range)
    return ['no calls were counted yet: `palimpsest import --discover` brings your own sessions with their usage'];
  const [first, last] = [dayName(range.first), dayName(range.last)];
  return [
    `nothing was used from ${dayName(since)} to ${dayName(until - 1)}; calls were counted from ${first} to ${last}: --since ${first} shows them`,
  ];
}

async function writePage(
  found: Insights,
  html: string | true,
  { flags, terminal }: { readonly flags: InsightsFlags; readonly terminal: Terminal },
): Promise<void> {
  const pieces = insightsPage(found);
  if (html === '-') return writePieces(terminal.stdout, pieces);
  const file = html === true ? usualPage : html;
  await writeWhole(resolve(terminal.cwd, file), pieces);
  if (!flags.quiet) await writeLines(terminal.stdout, [`wrote ${file}`]);
}

function insightsJson({ since, until, totals, range, largest, ...rest }: Insights): Record<string, unknown> {
  return {
    ...{ since: timeStamp(since), until: timeStamp(until) },
    range: range ? { first: timeStamp(range.first), last: timeStamp(range.last) } : null,
    ...{ totals, cost: costOf(totals), savings: savingsOf(totals) ?? null },
    ...rest,
    largest: largest.map(conversationJson),
  };
}

const conversationJson = ({ title, preview, lastActiveAt, ...row }: LargestConversation): Record<string, unknown> => ({
  ...row,
  title: label({ preview, ...(title === undefined ? {} : { title }) }),
  project: row.project === undefined ? null : redact(row.project),
  ...{ cost: costOf(row), lastActiveAt: timeStamp(lastActiveAt) },
});
