/** Usage over time as one HTML page that needs nothing else: no network, no script. */
import { costRemarks, dayName } from '@palimpsest/core/usage';
import type { InsightGroup } from '../../run/insights-flags.ts';
import { daysText } from '../insights-periods.ts';
import type { InsightsFacts } from '../insights-tools.ts';
import { cacheChart, kindsFigure, priceChart } from './charts.ts';
import { escaped } from './markup.ts';
import { pageStyle } from './style.ts';
import { largestSection, sectionBy } from './tables.ts';
import { tiles } from './tiles.ts';

/** The page, in pieces; with `by`, that table comes first, with all of its rows. */
export function insightsPage(found: InsightsFacts, by?: InsightGroup): readonly string[] {
  const { since, until, days, totals, largest } = found;
  const time = `${dayName(since)} to ${dayName(until - 1)}`;
  const remarks = costRemarks(totals).map((remark) => `<p class="warn">+ ${escaped(remark)}</p>`);
  // One day is no course of time.
  const timeCharts = days.length > 1 ? [priceChart(found), cacheChart(found)] : [];
  return [
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(`Usage, ${time}`)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header><h1>What it cost</h1><p class="soft">${escaped(`${time}, ${daysText(days)}`)}</p>${remarks.join('')}</header>
<main>
`,
    `${tiles(found)}\n`,
    ...(totals.calls === 0 ? ['<section><p>No calls in this period.</p></section>\n'] : []),
    ...(by === undefined ? [] : [sectionBy(found, by, 'whole')]),
    ...(totals.calls > 0 ? [...timeCharts, kindsFigure(found)] : []).map((one) => `${one}\n`),
    ...shownSections.filter((one) => one !== by).map((one) => sectionBy(found, one, 'top')),
    largestSection(largest),
    `</main>
<footer><p>~ estimated from list prices; a subscription is charged differently. Times are in the time zone of the machine that made this page.</p></footer>
</body>
</html>
`,
  ];
}

/** The tables that every page has. */
const shownSections: readonly InsightGroup[] = ['model', 'tool', 'source', 'project'];
