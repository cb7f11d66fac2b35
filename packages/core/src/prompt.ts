/** `@palimpsest/core/prompt`: the system prompt, and the tools that it is sent with. */

export { type AssembledPrompt, assemblePrompt, type PromptBlock, scanAhead } from './prompt/assemble.ts';
export {
  type PromptBudgets,
  type PromptFile,
  type PromptOptions,
  promptBudgets,
  promptMaxShare,
} from './prompt/options.ts';
export type { PromptFinding } from './prompt/passages.ts';
export type { ToolFinder } from './prompt/tools/find.ts';
export {
  defaultToolShare,
  planTools,
  searchToolNames,
  type ToolPlan,
  type ToolPlanOptions,
} from './prompt/tools/plan.ts';
