/** Usage over time for programs. */
import { redact } from '@palimpsest/core';
import type { LargestConversation } from '@palimpsest/core/store';
import { costOf, type DayUsage, savingsOf } from '@palimpsest/core/usage';
import { rowsFor } from '../render/insights-groups.ts';
import type { InsightsFacts } from '../render/insights-tools.ts';
import { timeStamp } from '../render/time.ts';
import type { InsightGroup } from './insights-flags.ts';

/** Every group; with `by`, that one as `rows` too, in the order of its table. */
export function insightsJson(found: InsightsFacts, by: InsightGroup | undefined): Record<string, unknown> {
  const { since, until, totals, range, largest, days, toolUses, ...rest } = found;
  const { tools, messages, isWhole } = toolUses;
  return {
    ...{ since: timeStamp(since), until: timeStamp(until) },
    range: range ? { first: timeStamp(range.first), last: timeStamp(range.last) } : null,
    ...{ totals, cost: costOf(totals), savings: savingsOf(totals) ?? null },
    ...(by === undefined ? {} : { by, rows: jsonRows(found, by) }),
    ...rest,
    days: days.map(dayJson),
    ...{ tools, toolsFrom: { messages, isWhole } },
    largest: largest.map(conversationJson),
  };
}

function jsonRows(found: InsightsFacts, by: InsightGroup): readonly unknown[] {
  if (by === 'tool') return found.toolUses.tools;
  if (by === 'day') return found.days.filter(({ calls }) => calls > 0).map(dayJson);
  return rowsFor(found, by);
}

const dayJson = ({ day, from, until, ...usage }: DayUsage): Record<string, unknown> => ({
  ...{ day, from: timeStamp(from), until: timeStamp(until) },
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
  ...{ cost: costOf(row), lastActiveAt: timeStamp(lastActiveAt) },
});
