/**
 * Palimpsest: keeps everything an agent ever said or saw, shows its model only what it needs now, and can always bring
 * the rest back.
 */

export { compress } from './compression/compress.ts';
export type { CompressOptions } from './compression/options.ts';
export { type ConversationRecord, createRecord } from './compression/record.ts';
export { type Repaired, type RepairOptions, repair } from './compression/repair.ts';
export type {
  CompressionResult,
  ContextShares,
  Fate,
  Handoff,
  HandoffLine,
  LeftOutLine,
  LineReason,
  MessageFate,
  OverTarget,
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
export type { ClaimType, MissingFact, SummaryChange, Verification, WrongClaim } from './compression/verify/claims.ts';
export { type VerifyOptions, verifySummary } from './compression/verify/verify.ts';
export {
  type Breakpoint,
  type CachedModel,
  type CacheOptions,
  type CacheTarget,
  type CacheTtl,
  cacheTargetOf,
  planBreakpoints,
} from './context/prompt-cache/breakpoints.ts';
export type { CacheLayout } from './context/prompt-cache/layouts.ts';
export {
  type MarkedMessage,
  type MarkedRequest,
  type MarkedText,
  markAnthropic,
  markCompletions,
} from './context/prompt-cache/mark.ts';
export { type CompressionConfig, type CompressionOptions, compressionDefaults } from './context/settings.ts';
export type { BranchReport, BranchRequest } from './conversation/branch.ts';
export type { ReadAnswer } from './conversation/call-hooks.ts';
export { type ConversationRuntime, createConversations } from './conversation/conversations.ts';
export type {
  CompressionStart,
  CompressionStartAnswer,
  ConversationHooks,
  HookCall,
  Recall,
  RecallRequest,
  SessionContinue,
  SessionEvent,
} from './conversation/hooks.ts';
export type { ConversationProvider } from './conversation/memory/provider.ts';
export type { ConversationWriter } from './conversation/memory/writer.ts';
export type {
  ConversationOptions,
  MemoryRecall,
  MemoryRules,
  MemoryUse,
  SessionMemory,
} from './conversation/options.ts';
export type { PinList, PinnedMessage, PinReport, PinRequest, UnpinReport } from './conversation/pins.ts';
export type {
  BackgroundReport,
  CallOutcome,
  CompressFailure,
  CompressReport,
  CompressRequest,
  ContextCompression,
  ContextRequest,
  ContextSize,
  ConversationNotice,
  KeepRequest,
  NextStep,
  PreparedContext,
} from './conversation/request.ts';
export type { UndoReport, UndoRequest } from './conversation/undo.ts';
export type { CompressTool } from './conversation/wish.ts';
export { createOutputBudget, type OutputBudget, type OutputBudgetOptions } from './output/budget.ts';
export { type OutputConfig, type OutputOptions, outputDefaults } from './output/settings.ts';
export type { ToolOutput } from './output/tool-output.ts';
export { createOutputTools, type OutputTool, type OutputToolsOptions } from './output/tools/output-tools.ts';
export { type AiSdkModel, isAiSdkModel } from './provider/ai-sdk-model.ts';
export { type AiSdkSummarizerOptions, aiSdkSummarizer } from './provider/ai-sdk-summarizer.ts';
export { classifyFailure, type FailureSession, type ProviderFailure } from './provider/errors/classify.ts';
export type { FailureLimits } from './provider/errors/limits.ts';
export type { FailureReason } from './provider/errors/reasons.data.ts';
export {
  type AnswerReading,
  afterAnswer,
  type FailedCall,
  type KnownWindows,
  knownWindows,
  type LearntWindow,
  type LowerWindow,
  noRecovery,
  type Recovery,
  type RecoveryState,
  type RecoveryStep,
  recoveryFor,
  type StrippedParts,
  type WindowSource,
} from './provider/errors/recovery.ts';
export { type Expanded, expand } from './recall/refs.ts';
export { findSecrets, redact, type Secret } from './redaction/redact.ts';
export { type ErrorCode, PalimpsestError } from './shared/errors.ts';
export { type Encoding, type EncodingName, loadEncoding } from './tokens/encoding.ts';
export { estimateTextTokens } from './tokens/estimate.ts';
export { conversationTokens, messageTokens } from './tokens/measure.ts';
export { type ModelInfo, modelInfo } from './tokens/models.ts';
export { estimatingTokenizer, exactTokenizer, type Tokenizer, tokenizerFor } from './tokens/tokenizer.ts';
export type { ReadFinding } from './transcript/format.ts';
export {
  type Extra,
  type FilePart,
  type FormatName,
  formatNames,
  type ImagePart,
  type Message,
  type Origin,
  type OtherPart,
  type Part,
  type ReasoningPart,
  type ReportedUsage,
  type ResultContent,
  type Role,
  type SourceSpan,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  type Transcript,
} from './transcript/message.ts';
export { type ReadOptions, type ReadResult, readTranscripts } from './transcript/read.ts';
export { writeTranscript } from './transcript/registry.ts';
export { type Group, spilledOutput } from './transcript/text.ts';
export { type Finding, type Rule, type ValidateOptions, validate } from './transcript/validate.ts';
export { fromOpenAiChat, toOpenAiChat } from './transcript/wire/chat/messages.ts';
export { cacheRulesFor } from './usage/cache-rules.ts';
export { normaliseUsage } from './usage/normalise.ts';
export { priceOf } from './usage/price.ts';
