/** `@palimpsest/core/memory`: what is remembered beyond sessions. */

export { type WorthKeeping, worthKeeping } from './memory/commit/worth-keeping.ts';
export {
  createIdleCurator,
  type IdleCuration,
  type IdleCurator,
  type IdleCuratorOptions,
} from './memory/curator/idle.ts';
export { type CurationOptions, planCuration } from './memory/curator/plan.ts';
export { type RetiredSource, retireSource } from './memory/curator/retire-source.ts';
export { type CuratorOptions, type CuratorReport, runCurator } from './memory/curator/run.ts';
export { claimsOfSaving, type FinishedTurn, reportUnsaved, type SavingClaim } from './memory/entries/claims.ts';
export { createMemory, type EditHold, type Memory, type MemoryOptions } from './memory/entries/create-memory.ts';
export type { MemoryVerdict, WriterOptions } from './memory/entries/files-over.ts';
export type { HeldChanges } from './memory/entries/held.ts';
export type { HoldOptions } from './memory/entries/holds.ts';
export { createRememberTool, type RememberTool, type RememberToolOptions } from './memory/entries/remember-tool.ts';
export type { MemoryAbout, MemoryWritten } from './memory/entries/write.ts';
export { fence, sanitize, unfence } from './memory/fence/fence.ts';
export { createScrubber, type Scrubber, scrub, scrubbed } from './memory/fence/scrubber.ts';
export {
  defaultMemoryLimits,
  type MemoryLimits,
  type MemoryTarget,
  memoryFileNames,
} from './memory/files/entries.ts';
export { type MemoryTexts, readMemoryTexts, writeMemoryTexts } from './memory/files/folder-texts.ts';
export type { LockOptions } from './memory/files/lock.ts';
export {
  type HeldEntry,
  type MemoryFile,
  type MemoryFiles,
  type MemoryFilesOptions,
  type MemoryOutcome,
  openMemoryFiles,
} from './memory/files/memory-files.ts';
export { createMemoryTool, type MemoryTool, type MemoryToolOptions } from './memory/files/memory-tool.ts';
export type { EntryName, MemoryOperation, MemoryRefusal, Refusal } from './memory/files/operations.ts';
export type { BlockedEntry, MemorySnapshot, MemoryUsage } from './memory/files/snapshot.ts';
export { judgeWrite, type WriteOptions, type WriteVerdict } from './memory/gate/judge-write.ts';
export { sourceOfTool, type ToolSourceOptions, type ToolSources } from './memory/gate/tool-source.ts';
export { type BuiltInParts, builtInProvider } from './memory/providers/built-in.ts';
export type { ProviderState } from './memory/providers/guarded-provider.ts';
export {
  createMemoryProviders,
  type MemoryProviders,
  type ProviderStatus,
  type RecalledMemory,
  type SaidTurn,
} from './memory/providers/memory-providers.ts';
export type { MemoryProvidersOptions } from './memory/providers/options.ts';
export { type ProbeOptions, type ProbeResult, probeProvider } from './memory/providers/probe.ts';
export {
  defaultProviderLimits,
  type MemoryProvider,
  type ProviderCall,
  type ProviderLimits,
  type ProviderMessage,
  type ProviderNotes,
  type ProviderNotice,
  type ProviderQuery,
  type ProviderSession,
  type ProviderTool,
  type ProviderTurn,
  type ProviderWrite,
} from './memory/providers/provider.ts';
export type { ThreatClass, ThreatGrade } from './memory/scan/rules.ts';
export { scanMemory, type Threat } from './memory/scan/scan-memory.ts';
