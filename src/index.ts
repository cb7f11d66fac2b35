/**
 * Palimpsest: keeps everything an agent ever said or saw, shows its model only what it needs now, and can always bring
 * the rest back.
 */

export { createChatCompressor } from './compression/chat-engine.ts';
export { compress } from './compression/compress.ts';
export {
  type CompressSessionOptions,
  compressSession,
  type SessionCompression,
} from './compression/compress-session.ts';
export { type Compressor, type CompressorOptions, createCompressor } from './compression/engine.ts';
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
export {
  createLedger,
  type HandoffOptions,
  type Ledger,
  type LedgerOptions,
  ledgerOf,
} from './compression/ledger/ledger.ts';
export type { SectionContent, Template, TemplateSection } from './compression/ledger/templates.ts';
export type { CompressOptions } from './compression/options.ts';
export type { FailureKind } from './compression/policy/state.ts';
export { type ConversationRecord, createRecord } from './compression/record.ts';
export { type Repaired, type RepairOptions, repair } from './compression/repair.ts';
export type {
  CompressionResult,
  ContextShares,
  Fate,
  Handoff,
  HandoffLine,
  MessageFate,
  Ref,
  SummaryAttempt,
  SummaryReport,
} from './compression/result.ts';
export type { SummaryCoverage } from './compression/summarize/coverage.ts';
export type { SummaryCallReport, SummaryProgress } from './compression/summarize/run-plan.ts';
export {
  type Summarizer,
  SummarizerError,
  type SummaryCall,
  type SummaryReply,
  type SummaryUsage,
} from './compression/summarize/summarizer.ts';
export type {
  ClaimType,
  MissingFact,
  SummaryChange,
  Verification,
  WrongClaim,
} from './compression/verify/claims.ts';
export { type VerifyOptions, verifySummary } from './compression/verify/verify.ts';
export { type CompressionConfig, type CompressionOptions, compressionDefaults } from './config/compression.ts';
export type { HookCommand, HooksConfig } from './config/hooks.ts';
export { type OutputConfig, type OutputOptions, outputDefaults } from './config/output.ts';
export { resolveCompressionConfig } from './config/resolve-compression.ts';
export { BaseEngine } from './context/base-engine.ts';
export { contextEngineDefaults, defineEngine, type EngineParts } from './context/define-engine.ts';
export type {
  ContextEngine,
  EngineModel,
  EngineState,
  EngineStatus,
  EngineTool,
  EngineUsage,
} from './context/engine.ts';
export {
  noPressure,
  notePressure,
  type PressureNotice,
  type PressureReading,
  type PressureState,
} from './context/pressure.ts';
export {
  type Breakpoint,
  type BreakpointOptions,
  type CacheTarget,
  type CacheTtl,
  planBreakpoints,
} from './context/prompt-cache/breakpoints.ts';
export { type CachedModel, cacheTargetOf } from './context/prompt-cache/cache-target.ts';
export type { CacheLayout } from './context/prompt-cache/layout.ts';
export type { MarkedMessage, MarkedText } from './context/prompt-cache/mark.ts';
export { type MarkedRequest, type MarkOptions, markAnthropic } from './context/prompt-cache/mark-anthropic.ts';
export { type MarkCompletionsOptions, markCompletions } from './context/prompt-cache/mark-completions.ts';
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
export { plannedCompression, type RewriteBasis, rewriteOptionsFor } from './context/prompt-cache/rewrite-options.ts';
export {
  createRewritePlanner,
  type PlannedDecision,
  type RewriteMoment,
} from './context/prompt-cache/rewrite-planner.ts';
export {
  type EnginePlaces,
  type EngineSource,
  type Named,
  type ResolvedEngine,
  resolveEngine,
} from './context/registry.ts';
export { type Budgets, budgetsFor, thresholdTokens } from './context/threshold.ts';
export type { CompressFailure, CompressReport, CompressRequest } from './conversation/compress-request.ts';
export { type ConversationRuntime, createConversations } from './conversation/conversations.ts';
export type {
  CompressionStart,
  CompressionStartAnswer,
  ConversationHooks,
  HookCall,
  SessionContinue,
  SessionEvent,
} from './conversation/hooks.ts';
export type { BackgroundReport } from './conversation/live/ahead.ts';
export type { ConversationOptions } from './conversation/options.ts';
export type {
  CompressionDecision,
  CompressionMoment,
  CompressionPlanner,
  PriceRatios,
} from './conversation/planner.ts';
export type { Recall, RecallRequest } from './conversation/recall-request.ts';
export type {
  CallOutcome,
  ContextCompression,
  ContextRequest,
  ContextSize,
  ConversationNotice,
  NextStep,
  PreparedContext,
} from './conversation/request.ts';
export {
  type CommandHooks,
  type HookCommandOptions,
  hooksFromConfig,
  hookTimeLimit,
} from './hooks/hooks-from-config.ts';
export { createOutputBudget, type OutputBudget, type OutputBudgetOptions } from './output/budget.ts';
export type { OutputLimits } from './output/limits.ts';
export { spilledOutput } from './output/notice.ts';
export type { ToolOutput } from './output/tool-output.ts';
export { createOutputTools, type OutputTool, type OutputToolsOptions } from './output/tools/output-tools.ts';
export { type ChooseEngineOptions, type ChosenEngine, chooseEngine } from './plugins/choose-engine.ts';
export type { EngineFactory, EngineHost } from './plugins/engine-host.ts';
export { guardEngine } from './plugins/guard/guard-engine.ts';
export type { GuardOptions } from './plugins/guard/guarded.ts';
export { type PlaceOptions, type PluginFolder, type PluginPlaces, pluginPlaces } from './plugins/places.ts';
export type { PluginFiles } from './plugins/plugin-files.ts';
export { createPluginRegistry, type OpenRegistry, type PluginRegistry } from './plugins/registry.ts';
export {
  type AiSdkEmbedderOptions,
  type AiSdkEmbeddingModel,
  aiSdkEmbedder,
} from './provider/ai-sdk-embedder.ts';
export type { AiSdkModel } from './provider/ai-sdk-model.ts';
export { type AiSdkSummarizerOptions, aiSdkSummarizer } from './provider/ai-sdk-summarizer.ts';
export type { Timers } from './provider/deadlines.ts';
export {
  classifyFailure,
  type FailureSession,
  type ProviderFailure,
} from './provider/errors/classify.ts';
export { type KnownWindows, knownWindows, type LearntWindow } from './provider/errors/known-windows.ts';
export type { FailureLimits } from './provider/errors/limits.ts';
export type { FailureReason } from './provider/errors/reasons.data.ts';
export {
  type FailedCall,
  type LowerWindow,
  type Recovery,
  type RecoveryStep,
  recoveryFor,
  type WindowSource,
} from './provider/errors/recovery.ts';
export {
  type AnswerReading,
  afterAnswer,
  defaultRecoveryLimits,
  noRecovery,
  type RecoveryLimits,
  type RecoveryState,
  type StrippedParts,
} from './provider/errors/recovery-state.ts';
export { type LoadSummarizerOptions, loadSummarizer } from './provider/load-model.ts';
export type { ModelChoice, ModelRequest } from './provider/resolve-model.ts';
export { type Expanded, expand } from './recall/expand.ts';
export { type ExpandedMessage, expandSession } from './recall/expand-session.ts';
export type { FoundConversation, SearchAnswer, SearchHit } from './recall/search/answer.ts';
export type { SearchOptions } from './recall/search/options.ts';
export type { Passage } from './recall/search/passage.ts';
export { search } from './recall/search/search.ts';
export {
  type SessionSearchOptions,
  type SessionSearchTool,
  sessionSearchTool,
} from './recall/session-search/session-search.ts';
export type { SummaryLimits } from './recall/session-search/summarize-groups.ts';
export {
  type EmbeddedMessages,
  type EmbeddingProgress,
  type EmbedOptions,
  embedMessages,
} from './recall/vectors/embed-messages.ts';
export type { Embedder } from './recall/vectors/embedder.ts';
export { loadMiniLm, type MiniLmOptions } from './recall/vectors/minilm/mini-lm.ts';
export { findSecrets, redact, type Secret } from './redaction/redact.ts';
export { type ErrorCode, PalimpsestError } from './shared/errors.ts';
export type { JsonObject, JsonValue } from './shared/json.ts';
export type { PolicyOutcome, SimulatedCall } from './simulation/outcome.ts';
export type { LossyEvent } from './simulation/replay.ts';
export { type Simulation, type SimulationOptions, simulate, simulationPolicies } from './simulation/simulate.ts';
export { type ExportOptions, exportSession } from './store/export-session.ts';
export type { Instant, MessageId, SessionId } from './store/ids.ts';
export type { ImportOutcome } from './store/import-place.ts';
export { type ImportedSession, type ImportOptions, importTranscripts } from './store/import-transcript.ts';
export type { Lease, LeaseStore } from './store/lease-store.ts';
export type {
  Appended,
  AppendOptions,
  MessageStore,
  SessionRange,
  StoredMessage,
  ViewRange,
} from './store/message-store.ts';
export { openStore, rescueStore, restoreStore, type StoreOptions } from './store/open-store.ts';
export type {
  OutputHit,
  OutputId,
  OutputLines,
  OutputSearch,
  OutputStore,
  SavedOutput,
} from './store/output-store.ts';
export type { Candidate, CandidateQuery, SearchFilter, SearchIndex } from './store/search-index.ts';
export type {
  ContinuationDraft,
  Conversation,
  ConversationFilter,
  Deleted,
  Session,
  SessionDraft,
  SessionRelation,
  SessionStore,
  TitleOrigin,
} from './store/session-store.ts';
export type { MetaStore, Store } from './store/store.ts';
export type { CareFinding, CareReport, StoreCare } from './store/store-care.ts';
export type { LostMessage, RescueReport } from './store/store-rescue.ts';
export type {
  Activity,
  AddUsageOptions,
  LargestConversation,
  SessionUsage,
  UsageEntry,
  UsageFilter,
  UsageRow,
  UsageSpan,
  UsageStore,
  UsageTotals,
} from './store/usage-store.ts';
export type {
  MessageVectors,
  MissingVectors,
  SimilarMessage,
  VectorModel,
  VectorQuery,
  VectorStore,
} from './store/vector-store.ts';
export { type Encoding, type EncodingName, loadEncoding } from './tokens/encoding.ts';
export { estimateTextTokens } from './tokens/estimate.ts';
export { conversationTokens, messageTokens } from './tokens/measure.ts';
export { type ModelInfo, modelInfo } from './tokens/models.ts';
export { estimatingTokenizer, exactTokenizer, type Tokenizer, tokenizerFor } from './tokens/tokenizer.ts';
export type { ReadFinding } from './transcript/format.ts';
export { fromOpenAiChat, toOpenAiChat } from './transcript/formats/openai-chat.ts';
export { type Group, groupsOf } from './transcript/groups.ts';
export type {
  Extra,
  FilePart,
  FormatName,
  ImagePart,
  Message,
  Origin,
  OtherPart,
  Part,
  ReasoningPart,
  ReportedUsage,
  ResultContent,
  Role,
  SourceSpan,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Transcript,
} from './transcript/message.ts';
export { formatNames } from './transcript/message.ts';
export { type ReadOptions, type ReadResult, readTranscripts } from './transcript/read.ts';
export { type Finding, type ValidateOptions, validate } from './transcript/validate.ts';
export { writeTranscript } from './transcript/write.ts';
export { type CacheRules, cacheRulesFor } from './usage/cache-rules.ts';
export { importUsage } from './usage/import-usage.ts';
export { type DayUsage, type Insights, type InsightsOptions, insights, type UsageGroup } from './usage/insights.ts';
export { normaliseUsage } from './usage/normalise.ts';
export { type Price, priceOf } from './usage/price.ts';
export type { UsageShape } from './usage/shapes.data.ts';
export { type ToolUse, type ToolUseOptions, type ToolUses, toolUse } from './usage/tool-use.ts';
export type { Usage } from './usage/usage.ts';
