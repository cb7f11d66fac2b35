/**
 * `@palimpsest/core/engine`: the engine that keeps a context inside its window, for a loop of your own; what it takes to
 * write another one; and the parts that decide when a compression pays.
 */

export { ContextCompressor, createChatCompressor, type LoopMessage } from './compression/context-compressor.ts';
export { type Compressor, type CompressorOptions, createCompressor } from './compression/engine.ts';
export { lineEvidence } from './compression/failure-lines.ts';
export { badPlugin } from './compression/guard/bad-plugin.ts';
export { guardEngine } from './compression/guard/guard-engine.ts';
export { type GuardOptions, reasonOf } from './compression/guard/guarded.ts';
export { inTime } from './compression/guard/in-time.ts';
export { unwrapHandoff } from './compression/handoff-block.ts';
export { type StoryRound, storyOf, type Told } from './compression/handoff-story.ts';
export { intentOf } from './compression/ledger/actions.ts';
export type {
  Action,
  ActionType,
  Ask,
  Decision,
  ErrorFact,
  FileFact,
  LedgerFacts,
  PlanEntry,
  SideEffect,
} from './compression/ledger/facts.ts';
export { focusOn } from './compression/ledger/focus.ts';
export {
  createLedger,
  type HandoffOptions,
  type Ledger,
  type LedgerOptions,
  ledgerOf,
} from './compression/ledger/ledger.ts';
export { type SectionContent, type Template, type TemplateSection, templates } from './compression/ledger/templates.ts';
export { outcomeOf } from './compression/outcome.ts';
export type { FailureKind } from './compression/policy/state.ts';
export { nowhere, refAt } from './compression/record.ts';
export type { Entry } from './compression/repair/parts.ts';
export type { CompressionResult, Ref } from './compression/result.ts';
export {
  BaseEngine,
  contextEngineDefaults,
  defineEngine,
  type EngineParts,
  type EnginePlaces,
  type EngineSource,
  engineState,
  type Named,
  type ResolvedEngine,
  resolveEngine,
  stateKeys,
} from './context/define-engine.ts';
export type {
  CompressOptions,
  ContextEngine,
  EngineModel,
  EngineState,
  EngineStatus,
  EngineTool,
  EngineUsage,
  SessionStart,
} from './context/engine.ts';
export {
  noPressure,
  notePressure,
  type PressureNotice,
  type PressureReading,
  type PressureState,
} from './context/pressure.ts';
export { cacheLayouts } from './context/prompt-cache/layouts.ts';
export {
  type CacheLife,
  type CompressedRequest,
  lifeOf,
  newRewritePlan,
  type PlannedRequest,
  planCompressed,
  planRewrite,
  planSent,
  type RewriteDecision,
  type RewriteOptions,
  type RewritePlan,
} from './context/prompt-cache/plan-rewrite.ts';
export {
  plannedCompression,
  type RewriteBasis,
  rewriteOptionsFor,
} from './context/prompt-cache/rewrite-planner.ts';
export { type CompressionConfig, type CompressionOptions, compressionDefaults } from './context/settings.ts';
export { type Budgets, budgetsFor, summaryModelShare, summaryTokens, thresholdTokens } from './context/threshold.ts';
export {
  type CompressionHooks,
  type CompressListOptions,
  compressList,
  type ListCompression,
} from './conversation/compress/compress-session.ts';
export {
  type EngineListOptions,
  engineListMaker,
  type ListMaker,
  type ListWork,
  type MadeList,
  type OwnListOptions,
  ownListMaker,
} from './conversation/compress/engines.ts';
export { type ErrorCode, PalimpsestError } from './shared/errors.ts';
export type { JsonObject, JsonValue } from './shared/json.ts';
export { parseTokenCount } from './shared/options/token-count.ts';
export type { Timers } from './shared/timers.ts';
export { messageCounter, toolSchemaTokens } from './tokens/measure.ts';
export type { Message } from './transcript/message.ts';
