/** The table of tools: how often each was called, how often that failed, and how much it brought into contexts. */
import type { Insights, ToolUse, ToolUses } from '@palimpsest/core/usage';
import type { Screen } from './screen.ts';
import { styled } from './screen.ts';
import { shortCount } from './short-count.ts';
import { stackedBar } from './stacked-bar.ts';
import { table } from './table.ts';
import { oneLine, thousands } from './text.ts';

/** All that is shown of a time. */
export interface InsightsFacts extends Insights {
  readonly toolUses: ToolUses;
}

const barWidth = 12;
/** From this width on there is room for bars. */
const barsFrom = 72;

const right = (title: string): { readonly title: string; readonly align: 'right' } => ({ title, align: 'right' });

/** Rows with their calls as a bar. */
export function toolTable(tools: readonly ToolUse[], screen: Screen): readonly string[] {
  if (tools.length === 0) return [];
  const hasBars = screen.columns >= barsFrom;
  const plain = { ...screen, colour: false };
  const most = tools[0]?.calls ?? 0;
  const rows = tools.map((tool) => [
    oneLine(tool.name),
    ...(hasBars ? [stackedBar([tool.calls], { whole: most, width: barWidth }, plain)] : []),
    ...toolFigures(tool),
  ]);
  const columns = [
    { title: 'tool', gives: true as const },
    ...(hasBars ? [{ title: '', style: 'cyan' as const }] : []),
    right('calls'),
    right('failed'),
    right('result tokens'),
  ];
  return table(columns, rows, { screen });
}

/** Calls, failures, tokens of the results. */
export const toolFigures = ({ calls, errors, resultTokens }: ToolUse): readonly string[] => [
  thousands(calls),
  thousands(errors),
  resultTokens === 0 ? '0' : `~${shortCount(resultTokens)}`,
];

/** What the table leaves out, if anything. */
export const toolRemark = ({ messages, isWhole }: ToolUses): string | undefined =>
  isWhole ? undefined : `in the ${thousands(messages)} newest messages; older calls are not counted`;

/** The remark as a line below the table. */
export function toolRemarkLines(uses: ToolUses, screen: Screen): readonly string[] {
  const remark = toolRemark(uses);
  return remark === undefined ? [] : [`  ${styled(remark, 'dim', screen)}`];
}
