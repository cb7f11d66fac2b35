/** `@palimpsest/core/usage`: what providers report, what it costs, and what it was spent on. */

export type { CacheRules } from './usage/cache-rules.ts';
export { importUsage } from './usage/counted-call.ts';
export {
  type DayUsage,
  dayName,
  dayStart,
  type Insights,
  type InsightsOptions,
  insights,
  type UsageGroup,
} from './usage/insights.ts';
export { promptTokensOf, type Usage } from './usage/normalise.ts';
export {
  cacheShareOf,
  costLabel,
  costOf,
  costRemarks,
  costText,
  estimatePrice,
  moneyLabel,
  type Price,
  promptTokensIn,
  ratesFor,
  type Savings,
  savingsOf,
} from './usage/price.ts';
export type { Rates } from './usage/prices.data.ts';
export type { UsageShape } from './usage/shapes.data.ts';
export { type ToolUse, type ToolUseOptions, type ToolUses, toolUse, usualMostMessages } from './usage/tool-use.ts';
