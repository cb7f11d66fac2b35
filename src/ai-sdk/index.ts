/** The public entry `palimpsest/ai-sdk`: models of the AI SDK whose conversations stay inside their window. */

export type { AiSdkSummarizerOptions } from '../provider/ai-sdk-summarizer.ts';
export { adviceFor } from './advice.ts';
export type { AnyModel } from './interface.ts';
export type { Notice, WithPalimpsestOptions } from './options.ts';
export type { CallSettings } from './own-options.ts';
export { type PrepareStepOptions, prepareStep, type StepContext, type StepInput } from './prepare-step.ts';
export type { CallReport } from './report.ts';
export { summarize } from './summarize.ts';
export { type RecallArguments, type RecallTool, type RecallTools, tools } from './tools.ts';
export { palimpsestMiddleware, stop, storeOf, withPalimpsest } from './with-palimpsest.ts';
