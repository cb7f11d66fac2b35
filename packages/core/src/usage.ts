/** `@palimpsest/core/usage`: what providers report, what it costs, and what it was spent on. */

export type { CacheRules } from './usage/cache-rules.ts';
export {
  cacheShareOf,
  costLabel,
  costOf,
  costRemarks,
  costText,
  promptTokensIn,
  type Savings,
  savingsOf,
} from './usage/cost.ts';
export { importUsage } from './usage/import-usage.ts';
export {
  type DayUsage,
  dayName,
  dayStart,
  type Insights,
  type InsightsOptions,
  insights,
  type UsageGroup,
} from './usage/insights.ts';
export { estimatePrice, moneyLabel, type Price, ratesFor } from './usage/price.ts';
export type { Rates } from './usage/prices.data.ts';
export type { UsageShape } from './usage/shapes.data.ts';
export { type ToolUse, type ToolUseOptions, type ToolUses, toolUse, usualMostMessages } from './usage/tool-use.ts';
export { promptTokensOf, type Usage } from './usage/usage.ts';
