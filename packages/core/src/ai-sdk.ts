/** `@palimpsest/core/ai-sdk`: models of the AI SDK whose conversations stay inside their window. */

export { branch, keep, pin, pins, undo, unpin } from './ai-sdk/acts.ts';
export { adviceFor, type CallReport } from './ai-sdk/call.ts';
export { type DeferredTools, deferTools, type NamedCall } from './ai-sdk/defer-tools.ts';
export type { AnyModel } from './ai-sdk/interface.ts';
export type { CallSettings, MemoryPlace, Notice, WithPalimpsestOptions } from './ai-sdk/options.ts';
export { type PrepareStepOptions, prepareStep, type StepContext, type StepInput } from './ai-sdk/prepare-step.ts';
export type { SessionWriter, SummaryWriter } from './ai-sdk/session-writer.ts';
export { type RecallArguments, type RecallTool, type RecallTools, type ToolsOptions, tools } from './ai-sdk/tools.ts';
export {
  conversationsOf,
  explainRecall,
  palimpsestMiddleware,
  stop,
  storeOf,
  summarize,
  transcriptOf,
  withPalimpsest,
} from './ai-sdk/with-palimpsest.ts';
export type { AiSdkSummarizerOptions } from './provider/ai-sdk-summarizer.ts';
